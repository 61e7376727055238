"""Findings: regions, facts, simulation, and how they are shown."""

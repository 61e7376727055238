"""Tests of findings: timelines, regions, facts, the simulation, and what readers see."""

"""Traces in other formats."""

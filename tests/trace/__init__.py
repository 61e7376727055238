"""Tests of trace files: reading them, their summaries, and other formats."""

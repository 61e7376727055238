"""A corpus of programs with known faults, and what `launchpath why` says of each: ``python -m benchmarks.findings``."""

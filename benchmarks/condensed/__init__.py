"""Benchmarks of condensed traces."""

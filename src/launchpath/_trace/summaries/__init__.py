"""Summaries of traces, and their tables."""

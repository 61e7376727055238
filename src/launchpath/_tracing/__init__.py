"""Tracing: what is recorded, from when to when, and into which file."""

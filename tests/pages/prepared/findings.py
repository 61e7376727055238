"""A program to trace, for docs/findings.md."""

from tests.pages.prepared.tracing import lp, simulate

__all__ = ["lp", "simulate"]

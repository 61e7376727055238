"""Pairs of programs that use torch."""

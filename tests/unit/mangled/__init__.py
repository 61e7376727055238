"""Mangled names, as C++ writes them, and short ones."""

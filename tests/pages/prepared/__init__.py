"""What the examples of a page or of docstrings use without showing it."""

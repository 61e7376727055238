"""Numba: `kernel[grid, block, stream, shared](...)`."""

from launchpath._fast.numba.library import NumbaLibrary

__all__ = ["NumbaLibrary"]

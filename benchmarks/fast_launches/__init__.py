"""Launches of Triton, Numba and CuPy as they are, by launchpath, and by C: ``python -m benchmarks.fast_launches``."""

"""Pairs of programs that use PyOpenCL."""

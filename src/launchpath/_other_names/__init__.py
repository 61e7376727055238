"""Names of other libraries: what CuPy, PyOpenCL, PyCUDA, Numba, cuda.core and torch call what launchpath has."""

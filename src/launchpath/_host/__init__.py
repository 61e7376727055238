"""HIP and CUDA programs as they are: host code with kernels is compiled, linked, and run without a GPU's toolkit.

`compiler` is the compiler driver ``launchpath c++``.
"""

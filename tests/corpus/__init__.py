"""The corpus: kernels in the style of published HIP and CUDA benchmark programs, each held against NumPy."""

"""What a compiled program calls: HIP's and CUDA's functions, and the device code in its objects."""

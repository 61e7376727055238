"""The recorder: programs in C that count their own calls, on the stand-in of CUDA and on OpenCL's devices."""

"""The recorder: programs in C that count their own calls, on the stand-ins of CUDA and HIP and on OpenCL's devices."""

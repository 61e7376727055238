// printf of the device. The host's may be declared beside it.
#pragma once
extern "C" __device__ int printf(const char *format, ...);

// The version of CUDA that programs ask for: that of the compiler, which parts of a program are chosen by.
#pragma once
#ifdef __CUDACC_VER_MAJOR__
#define __LP_CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#else
#define __LP_CUDA_VERSION 12000
#endif

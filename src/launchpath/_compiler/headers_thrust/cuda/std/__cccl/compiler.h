// NVIDIA's CCCL for host code: it is to take a program for plain C++, whose attributes are none.
#pragma once
#pragma push_macro("__CUDACC__")
#undef __CUDACC__
#define CCCL_DISABLE_NVTX
// Names that newer versions advise against, and warn of, are what published programs have.
#ifndef CCCL_IGNORE_DEPRECATED_API
#define CCCL_IGNORE_DEPRECATED_API
#endif
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__CUDACC__")

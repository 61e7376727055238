// CCCL's question for CUDA's toolkit: there is none, as where a program's C++ files are compiled without one.
#pragma once
#include <cuda/std/__cccl/compiler.h>
#define _CCCL_HAS_CTK() 0
#define _CCCL_CTK() _CCCL_VERSION_INVALID()
#define _CCCL_CTK_MAKE_VERSION(_MAJOR, _MINOR) ((_MAJOR) * 1000 + (_MINOR) * 10)
#define _CCCL_CTK_BELOW(...) _CCCL_VERSION_COMPARE(_CCCL_CTK_, _CCCL_CTK, <, __VA_ARGS__)
#define _CCCL_CTK_AT_LEAST(...) _CCCL_VERSION_COMPARE(_CCCL_CTK_, _CCCL_CTK, >=, __VA_ARGS__)

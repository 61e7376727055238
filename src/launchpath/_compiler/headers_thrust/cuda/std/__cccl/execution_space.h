// The attributes of CCCL's functions: kernels call them too, in code that the host side reads and does not make.
#pragma once
#include_next <cuda/std/__cccl/execution_space.h>
#undef _CCCL_HOST  // not always repeated where such a function is defined
#undef _CCCL_DEVICE
#undef _CCCL_HOST_DEVICE
#define _CCCL_HOST
#define _CCCL_DEVICE __attribute__((host, device))
#define _CCCL_HOST_DEVICE __attribute__((host, device))

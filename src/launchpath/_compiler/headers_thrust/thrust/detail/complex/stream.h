// Its functions are defined without the attributes that they are declared with.
#pragma once
#include <thrust/complex.h>
#include <sstream>
#pragma clang force_cuda_host_device begin
#include_next <thrust/detail/complex/stream.h>
#pragma clang force_cuda_host_device end

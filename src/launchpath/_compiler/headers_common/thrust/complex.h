// thrust::complex, for kernels: NVIDIA's own header needs the host's C++ library.
#pragma once
#include <launchpath/complex/number.h>
#include <launchpath/complex/operators.h>
#include <launchpath/complex/elementary.h>
#include <launchpath/complex/trigonometric.h>

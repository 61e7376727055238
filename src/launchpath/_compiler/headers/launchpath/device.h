// Included before every source: the names of a HIP or CUDA kernel without any include.
//
// Macros that the compile may define for a device or a source:
//   __LP_OUTLINE__    only types are wanted, no functions: what goes into functions is not looked at
//   __LP_HOST__       the source is parsed to see what its host code launches: __global__ is the true attribute
//   __LP_NATIVE__     with __LP_HOST__: host code is compiled to run
//   __LP_ALGORITHMS__ with __LP_NATIVE__: host code runs algorithms of thrust or CUB, with functions of the device
//   __LP_CUDA__       CUDA source: no operators on vector types, __ballot is 32 bits wide
//   __LP_FAST_MATH__  functions of single precision are the fast ones, as by nvcc's option --use_fast_math
//   __LP_FLAT__       the device has one flat address space, and the lanes of a warp run in step
//   __LP_NO_WARPS__   the device has no sub-groups: warp functions are errors where they are used
//   __LP_NO_CLOCK__   the device has no clock that kernels can read: clock functions are errors where they are used
//   __LP_END_THREAD__ the compile turns calls of __lp_end_thread into the kernel's return
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>
#include <launchpath/c_library/limits.h>
#include <launchpath/c_library/float.h>
#include <launchpath/c_library/stdint.h>
#include <launchpath/c_library/stdlib.h>
#include <launchpath/math/constants.h>
#include <launchpath/vector.h>
#include <launchpath/threads/index.h>
#include <launchpath/hip_macros.h>
#ifndef __LP_OUTLINE__
#if !defined(__LP_CUDA__) || defined(__LP_VECTOR_OPERATORS__)
#include <launchpath/vector_operators.h>
#endif
#include <launchpath/threads/sync.h>
#include <launchpath/threads/atomic.h>
#include <launchpath/threads/warp.h>
#include <launchpath/math/integer.h>
#include <launchpath/math/simd.h>
#include <launchpath/math/functions.h>
#include <launchpath/math/cuda_functions.h>
#include <launchpath/math/special.h>
#include <launchpath/math/bessel.h>
#include <launchpath/math/classify.h>
#include <launchpath/math/compare.h>
#include <launchpath/math/extremes.h>
#include <launchpath/math/fast.h>
#include <launchpath/math/std_functions.h>
#include <launchpath/math/rounding.h>
#include <launchpath/math/convert.h>
#include <launchpath/c_library/memory.h>
#include <launchpath/c_library/heap.h>
#include <launchpath/threads/clock.h>
#include <launchpath/c_library/printf.h>
#include <launchpath/c_library/assert.h>
#include <launchpath/c_library/exit.h>
#include <launchpath/c_library/text.h>
#include <launchpath/math/dpx.h>
#ifndef __LP_CUDA__
#include <launchpath/amd/amdgcn.h>
#include <launchpath/matrix/amd.h>
#endif
#endif
#include <launchpath/kernel.h>
#ifdef __LP_ALGORITHMS__
#include <launchpath/host_functors.h>
#endif

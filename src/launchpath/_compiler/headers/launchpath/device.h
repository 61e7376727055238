// Included before every source: the names of a HIP or CUDA kernel without any include.
//
// Macros that the compile may define for a device or a source:
//   __LP_OUTLINE__    only types are wanted, no functions: what goes into functions is not looked at
//   __LP_HOST__       the source is parsed to see what its host code launches: __global__ is the true attribute
//   __LP_NATIVE__     with __LP_HOST__: host code is compiled to run
//   __LP_CUDA__       CUDA source: no operators on vector types, __ballot is 32 bits wide
//   __LP_FAST_MATH__  functions of single precision are the fast ones, as by nvcc's option --use_fast_math
//   __LP_FLAT__       the device has one flat address space, and the lanes of a warp run in step
//   __LP_NO_WARPS__   the device has no sub-groups: warp functions are errors where they are used
//   __LP_NO_CLOCK__   the device has no clock that kernels can read: clock functions are errors where they are used
//   __LP_END_THREAD__ the compile turns calls of __lp_end_thread into the kernel's return
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>
#include <launchpath/limits.h>
#include <launchpath/float.h>
#include <launchpath/stdint.h>
#include <launchpath/stdlib.h>
#include <launchpath/constants.h>
#include <launchpath/vector.h>
#include <launchpath/index.h>
#include <launchpath/hip_macros.h>
#ifndef __LP_OUTLINE__
#if !defined(__LP_CUDA__) || defined(__LP_VECTOR_OPERATORS__)
#include <launchpath/vector_operators.h>
#endif
#include <launchpath/sync.h>
#include <launchpath/atomic.h>
#include <launchpath/warp.h>
#include <launchpath/integer.h>
#include <launchpath/simd.h>
#include <launchpath/math.h>
#include <launchpath/math_cuda.h>
#include <launchpath/special.h>
#include <launchpath/bessel.h>
#include <launchpath/classify.h>
#include <launchpath/compare.h>
#include <launchpath/extremes.h>
#include <launchpath/fast.h>
#include <launchpath/std_math.h>
#include <launchpath/rounding.h>
#include <launchpath/convert.h>
#include <launchpath/memory.h>
#include <launchpath/heap.h>
#include <launchpath/clock.h>
#include <launchpath/printf.h>
#include <launchpath/assert.h>
#include <launchpath/exit.h>
#include <launchpath/text.h>
#include <launchpath/dpx.h>
#ifndef __LP_CUDA__
#include <launchpath/amdgcn.h>
#include <launchpath/amd_matrix.h>
#endif
#endif
#include <launchpath/kernel.h>

// Included before every source that NVRTC or hipRTC compiles. Both bring the device's language themselves; here is what
// sources find without any include under nvcc and hipcc, and each one's words under the other.
//
//   __LP_CUDA__      CUDA source: no operators on vector types, warps are of 32
//   __LP_STD__       namespace std is named: what nvcc's and hipcc's own headers bring of the C++ library is wanted
//   __LP_LIBCUXX__   the C++ library is libcu++ as far as that is here, and else the small one of this folder
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>
#ifdef __CUDACC_RTC__
#include <launchpath/gnu/words.h>
#ifdef __LP_CUDA__
#include <launchpath/threads/long_atomics.h>
typedef unsigned long long CUtexObject, CUsurfObject;  // the driver API's, which nvcc knows without an include
#else
#include <launchpath/hip_words.h>
#endif
#else
#include <launchpath/cuda_words.h>
#endif
#ifdef __LP_CUDA__
#include <launchpath/cuda_version.h>
#ifndef CUDART_VERSION
#define CUDART_VERSION __LP_CUDA_VERSION
#endif
#endif
#include <launchpath/gnu/builtins.h>
#include <launchpath/gnu/overflow.h>
#ifdef __CUDACC_RTC__  // newer versions of it keep cuda_fp16.h and cuda_bf16.h from defining them
#include <launchpath/half/half_constants.h>
#include <launchpath/half/bfloat16_constants.h>
#endif
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define __LP_BYTES template <int = 0> __LP_CLIB
#include <launchpath/c_library/bytes.h>
#undef __LP_BYTES
#include <launchpath/c_library/text.h>
#include <launchpath/c_library/exit.h>
#include <new>
#ifdef __LP_STD__
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#endif
#if defined(__CUDACC_RTC__) && !defined(__LP_CUDA__)
#include <launchpath/vector_operators.h>
#endif
#include <launchpath/signature.h>

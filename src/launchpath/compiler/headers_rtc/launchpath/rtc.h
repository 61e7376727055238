// Included before every source that NVRTC or hipRTC compiles. Both bring the device's language themselves; here is what
// sources find without any include under nvcc and hipcc, and each one's words under the other.
//
//   __LP_CUDA__      CUDA source: no operators on vector types, warps are of 32
//   __LP_STD__       namespace std is named: what nvcc's and hipcc's own headers bring of the C++ library is wanted
//   __LP_LIBCUXX__   the C++ library is libcu++ as far as that is here, and else the small one of this folder
#pragma once
#include <launchpath/words.h>
#ifdef __CUDACC_RTC__
#ifndef __LP_CUDA__
#include <launchpath/hip_words.h>
#endif
#else
#include <launchpath/cuda_words.h>
#endif
#include <launchpath/builtins.h>
#include <launchpath/half_numbers.h>
#include <stdint.h>
#include <stddef.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <launchpath/text.h>
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

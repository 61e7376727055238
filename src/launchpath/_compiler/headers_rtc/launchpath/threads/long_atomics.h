// Atomic functions on long and unsigned long, for CUDA's dialect under NVRTC: int64_t and uint64_t are these types, and
// CUDA's own functions are on long long.
//
// As templates, so that a program's own functions of these types are no second definitions.
#pragma once
#include <launchpath/keywords.h>

#define __LP_ATOMIC(name, _T, own) __LP_LAZY _T name(_T *p, _T v) { return (_T)name((own *)p, (own)v); }
#define __LP_EITHER(name, own)            \
  __LP_ATOMIC(name, unsigned long, own)   \
  __LP_ATOMIC(name, long, own)
#define __LP_ATOMICS(suffix)                                                   \
  __LP_EITHER(atomicAdd##suffix, unsigned long long)                           \
  __LP_EITHER(atomicExch##suffix, unsigned long long)                          \
  __LP_EITHER(atomicAnd##suffix, unsigned long long)                           \
  __LP_EITHER(atomicOr##suffix, unsigned long long)                            \
  __LP_EITHER(atomicXor##suffix, unsigned long long)                           \
  __LP_ATOMIC(atomicMin##suffix, unsigned long, unsigned long long)            \
  __LP_ATOMIC(atomicMax##suffix, unsigned long, unsigned long long)            \
  __LP_ATOMIC(atomicMin##suffix, long, long long)                              \
  __LP_ATOMIC(atomicMax##suffix, long, long long)                              \
  __LP_LAZY unsigned long atomicCAS##suffix(unsigned long *p, unsigned long expected, unsigned long v) { \
    return atomicCAS##suffix((unsigned long long *)p, (unsigned long long)expected, (unsigned long long)v); \
  }                                                                            \
  __LP_LAZY long atomicCAS##suffix(long *p, long expected, long v) {           \
    return (long)atomicCAS##suffix((unsigned long long *)p, (unsigned long long)expected, (unsigned long long)v); \
  }
__LP_ATOMICS()
__LP_ATOMICS(_block)
__LP_ATOMICS(_system)
#undef __LP_ATOMICS
#undef __LP_EITHER
#undef __LP_ATOMIC

// Atomic functions that HIP has and CUDA lacks, for NVRTC: on more types, and through volatile pointers.
//
// Where CUDA has one of its own for a pointer that is not volatile, that is the better match.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

namespace __lp {
template <class _To, class _From> __LP_DEVICE _To same_bits(_From from) {
  static_assert(sizeof(_To) == sizeof(_From), "bits of another size");
  _To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
// By compare and exchange: what other types of this size have is as good as the type's own.
template <class _T, class _F> __LP_DEVICE _T updated(volatile _T *p, _F next) {
  typedef bits_of<_T> _U;
  _U *at = (_U *)p, seen = *(volatile _U *)at, expected;
  do {
    expected = seen;
    seen = ::atomicCAS(at, expected, same_bits<_U>(next(same_bits<_T>(expected))));
  } while (seen != expected);
  return same_bits<_T>(expected);
}
}  // namespace __lp

#define __LP_OWN(name, _T, own) \
  __LP_DEVICE _T name(volatile _T *p, _T v) { return (_T)name((own *)p, (own)v); }
#define __LP_BITS(name, _T)                                            \
  __LP_DEVICE _T name(volatile _T *p, _T v) {                          \
    typedef __lp::bits_of<_T> _U;                                      \
    return __lp::same_bits<_T>(name((_U *)p, __lp::same_bits<_U>(v))); \
  }
#define __LP_LOOP(name, _T, expression)                                \
  __LP_DEVICE _T name(volatile _T *p, _T v) {                          \
    return __lp::updated(p, [v](_T old) { return (_T)(expression); }); \
  }
#define __LP_NEGATED(name, add, _T, own) \
  __LP_DEVICE _T name(volatile _T *p, _T v) { return (_T)add((own *)p, (own)(0 - (own)v)); }

#define __LP_INTEGERS(suffix, _T, own)                                  \
  __LP_OWN(atomicAdd##suffix, _T, own)                                  \
  __LP_OWN(atomicExch##suffix, _T, own)                                 \
  __LP_OWN(atomicAnd##suffix, _T, own)                                  \
  __LP_OWN(atomicOr##suffix, _T, own)                                   \
  __LP_OWN(atomicXor##suffix, _T, own)                                  \
  __LP_NEGATED(atomicSub##suffix, atomicAdd##suffix, _T, own)           \
  __LP_DEVICE _T atomicCAS##suffix(volatile _T *p, _T expected, _T v) { \
    return (_T)atomicCAS##suffix((own *)p, (own)expected, (own)v);      \
  }
#define __LP_FLOATS(suffix, _T)                              \
  __LP_OWN(atomicAdd##suffix, _T, _T)                        \
  __LP_BITS(atomicExch##suffix, _T)                          \
  __LP_NEGATED(atomicSub##suffix, atomicAdd##suffix, _T, _T) \
  __LP_LOOP(atomicMin##suffix, _T, v < old ? v : old)        \
  __LP_LOOP(atomicMax##suffix, _T, v > old ? v : old)
#define __LP_ATOMICS(suffix)                                          \
  __LP_INTEGERS(suffix, int, int)                                     \
  __LP_INTEGERS(suffix, unsigned int, unsigned int)                   \
  __LP_INTEGERS(suffix, long long, unsigned long long)                \
  __LP_INTEGERS(suffix, unsigned long long, unsigned long long)       \
  __LP_INTEGERS(suffix, long, unsigned long long)                     \
  __LP_INTEGERS(suffix, unsigned long, unsigned long long)            \
  __LP_OWN(atomicMin##suffix, int, int)                               \
  __LP_OWN(atomicMax##suffix, int, int)                               \
  __LP_OWN(atomicMin##suffix, unsigned int, unsigned int)             \
  __LP_OWN(atomicMax##suffix, unsigned int, unsigned int)             \
  __LP_OWN(atomicMin##suffix, long long, long long)                   \
  __LP_OWN(atomicMax##suffix, long long, long long)                   \
  __LP_OWN(atomicMin##suffix, unsigned long long, unsigned long long) \
  __LP_OWN(atomicMax##suffix, unsigned long long, unsigned long long) \
  __LP_OWN(atomicMin##suffix, long, long long)                        \
  __LP_OWN(atomicMax##suffix, long, long long)                        \
  __LP_OWN(atomicMin##suffix, unsigned long, unsigned long long)      \
  __LP_OWN(atomicMax##suffix, unsigned long, unsigned long long)      \
  __LP_OWN(atomicInc##suffix, unsigned int, unsigned int)             \
  __LP_OWN(atomicDec##suffix, unsigned int, unsigned int)             \
  __LP_FLOATS(suffix, float)                                          \
  __LP_FLOATS(suffix, double)
__LP_ATOMICS()
__LP_ATOMICS(_block)
__LP_ATOMICS(_system)
#undef __LP_ATOMICS
#undef __LP_FLOATS
#undef __LP_INTEGERS
#undef __LP_NEGATED
#undef __LP_LOOP
#undef __LP_BITS
#undef __LP_OWN

#include <launchpath/threads/hip_atomic_names.h>

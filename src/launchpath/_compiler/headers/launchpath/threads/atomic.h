// Atomic functions: relaxed, on int, unsigned, long, long long, their unsigned kinds, float and double.
//
// Templates over the element's type on volatile pointers, so that a program's own overload for a plain pointer, such
// as the well-known atomicAdd for double, is the better match and no second definition.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/spirv.h>
#include <launchpath/types.h>
#include <launchpath/vector.h>

#define __LP_PLACE volatile
__LP_KNOWN unsigned int __spirv_AtomicCompareExchange(__LP_PLACE unsigned int *, int scope, int equal, int unequal,
                                                      unsigned int value, unsigned int expected);
__LP_KNOWN unsigned long __spirv_AtomicCompareExchange(__LP_PLACE unsigned long *, int scope, int equal, int unequal,
                                                       unsigned long value, unsigned long expected);

namespace __lp {
// Scopes as Clang numbers them.
enum scope { in_block = 3, in_device = 4, in_system = 5 };

// Where addresses are one space, atomics on generic pointers are left out by some runtimes: they go by global ones.
template <class _T> __LP_DEVICE __LP_PLACE _T *place(volatile _T *p) { return (__LP_PLACE _T *)p; }

template <class _T> inline constexpr bool is_atomic_integer = is_integer<_T> && (sizeof(_T) == 4 || sizeof(_T) == 8);
template <class _T> inline constexpr bool is_atomic = is_atomic_integer<_T> || is_float<_T>;

// As functions, since Clang's SPIR-V target fails on the pair that its own compare-and-exchange makes within loops.
template <int _S, class _T> __LP_DEVICE bool exchange_if(volatile _T *p, _T &seen, _T value) {
  constexpr int scope =
      _S == in_block ? __LP_SCOPE_BLOCK : _S == in_device ? __LP_SCOPE_DEVICE : __LP_SCOPE_SYSTEM;
  _T expected = seen;
  seen = __spirv_AtomicCompareExchange(place(p), scope, 0, 0, value, expected);
  return seen == expected;
}

// What has no instruction of its own is a loop over compare-and-exchange.
template <int _S, class _T, class _F> __LP_DEVICE _T update(volatile _T *p, _F next) {
  typedef bits_of<_T> _U;
  volatile _U *at = (volatile _U *)p;
  _U seen = __hip_atomic_load(place(at), 0, _S);
  while (!exchange_if<_S>(at, seen, __builtin_bit_cast(_U, (_T)next(__builtin_bit_cast(_T, seen))))) {
  }
  return __builtin_bit_cast(_T, seen);
}

template <int _S, class _T> __LP_DEVICE _T add(volatile _T *p, _T v) {
  static_assert(is_atomic<_T>, "atomicAdd takes 4 or 8 byte integers, float and double");
  if constexpr (is_integer<_T>) return __hip_atomic_fetch_add(place(p), v, 0, _S);
  else return update<_S>(p, [=](_T old) { return old + v; });
}
template <int _S, class _T> __LP_DEVICE _T sub(volatile _T *p, _T v) {
  static_assert(is_atomic<_T>, "atomicSub takes 4 or 8 byte integers, float and double");
  if constexpr (is_integer<_T>) return __hip_atomic_fetch_sub(place(p), v, 0, _S);
  else return update<_S>(p, [=](_T old) { return old - v; });
}
template <int _S, class _T> __LP_DEVICE _T minimum(volatile _T *p, _T v) {
  static_assert(is_atomic<_T>, "atomicMin takes 4 or 8 byte integers, float and double");
  if constexpr (is_integer<_T>) return __hip_atomic_fetch_min(place(p), v, 0, _S);
  else return update<_S>(p, [=](_T old) { return v < old || old != old ? v : old; });
}
template <int _S, class _T> __LP_DEVICE _T maximum(volatile _T *p, _T v) {
  static_assert(is_atomic<_T>, "atomicMax takes 4 or 8 byte integers, float and double");
  if constexpr (is_integer<_T>) return __hip_atomic_fetch_max(place(p), v, 0, _S);
  else return update<_S>(p, [=](_T old) { return v > old || old != old ? v : old; });
}
template <int _S, class _T> __LP_DEVICE _T bit_and(volatile _T *p, _T v) {
  static_assert(is_atomic_integer<_T>, "atomicAnd takes 4 or 8 byte integers");
  return __hip_atomic_fetch_and(place(p), v, 0, _S);
}
template <int _S, class _T> __LP_DEVICE _T bit_or(volatile _T *p, _T v) {
  static_assert(is_atomic_integer<_T>, "atomicOr takes 4 or 8 byte integers");
  return __hip_atomic_fetch_or(place(p), v, 0, _S);
}
template <int _S, class _T> __LP_DEVICE _T bit_xor(volatile _T *p, _T v) {
  static_assert(is_atomic_integer<_T>, "atomicXor takes 4 or 8 byte integers");
  return __hip_atomic_fetch_xor(place(p), v, 0, _S);
}
template <int _S, class _T> __LP_DEVICE _T exchange(volatile _T *p, _T v) {
  static_assert(is_atomic<_T>, "atomicExch takes 4 or 8 byte integers, float and double");
  typedef bits_of<_T> _U;
  return __builtin_bit_cast(_T, __hip_atomic_exchange(place((volatile _U *)p), __builtin_bit_cast(_U, v), 0, _S));
}
template <int _S, class _T> __LP_DEVICE _T compare(volatile _T *p, _T expected, _T v) {
  static_assert(is_atomic<_T> || (is_integer<_T> && sizeof(_T) == 2),
                "atomicCAS takes 2, 4 or 8 byte integers, float and double");
  if constexpr (sizeof(_T) == 2) {  // half of the word that holds it
    volatile unsigned *word = (volatile unsigned *)((unsigned long)p & ~3ul);
    int shift = ((unsigned long)p & 2) * 8;
    unsigned seen = __hip_atomic_load(place(word), 0, _S);
    do {
      _T old = (_T)(seen >> shift);
      if (old != expected) return old;
    } while (!exchange_if<_S>(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)(unsigned short)v << shift));
    return expected;
  } else {
    typedef bits_of<_T> _U;
    _U seen = __builtin_bit_cast(_U, expected);
    exchange_if<_S>((volatile _U *)p, seen, __builtin_bit_cast(_U, v));
    return __builtin_bit_cast(_T, seen);
  }
}
template <int _S> __LP_DEVICE unsigned increment(volatile unsigned *p, unsigned last) {
  return update<_S>(p, [=](unsigned old) { return old >= last ? 0u : old + 1u; });
}
template <int _S> __LP_DEVICE unsigned decrement(volatile unsigned *p, unsigned last) {
  return update<_S>(p, [=](unsigned old) { return old == 0u || old > last ? last : old - 1u; });
}
}  // namespace __lp

#define __LP_ATOMIC(name, does, suffix, _S) \
  template <class _T> __LP_DEVICE _T name##suffix(volatile _T *p, __lp::given<_T> v) { return __lp::does<_S>(p, v); }
#define __LP_ATOMICS(suffix, _S)                                                                                      \
  __LP_ATOMIC(atomicAdd, add, suffix, _S)                                                                             \
  __LP_ATOMIC(atomicSub, sub, suffix, _S)                                                                             \
  __LP_ATOMIC(atomicMin, minimum, suffix, _S)                                                                         \
  __LP_ATOMIC(atomicMax, maximum, suffix, _S)                                                                         \
  __LP_ATOMIC(atomicAnd, bit_and, suffix, _S)                                                                         \
  __LP_ATOMIC(atomicOr, bit_or, suffix, _S)                                                                           \
  __LP_ATOMIC(atomicXor, bit_xor, suffix, _S)                                                                         \
  __LP_ATOMIC(atomicExch, exchange, suffix, _S)                                                                       \
  template <class _T> __LP_DEVICE _T atomicCAS##suffix(volatile _T *p, __lp::given<_T> expected, __lp::given<_T> v) { \
    return __lp::compare<_S>(p, expected, v);                                                                         \
  }                                                                                                                   \
  __LP_LAZY unsigned atomicInc##suffix(volatile unsigned *p, unsigned last) { return __lp::increment<_S>(p, last); }  \
  __LP_LAZY unsigned atomicDec##suffix(volatile unsigned *p, unsigned last) { return __lp::decrement<_S>(p, last); }
__LP_ATOMICS(, __lp::in_device)
__LP_ATOMICS(_block, __lp::in_block)
__LP_ATOMICS(_system, __lp::in_system)
// Of vectors, element by element.
#define __LP_ATOMIC_VECTOR(_T, ...)                          \
  __LP_LAZY _T atomicAdd(_T *p, _T v) { return {__VA_ARGS__}; }
__LP_ATOMIC_VECTOR(float2, atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y))
__LP_ATOMIC_VECTOR(float4, atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z), atomicAdd(&p->w, v.w))
#undef __LP_ATOMIC_VECTOR
#undef __LP_ATOMICS
#undef __LP_ATOMIC
#include <launchpath/threads/hip_atomic_names.h>

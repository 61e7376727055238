/* CUDA's atomics over __lpi_fetch, __lpi_exchange and __lpi_compare, which each dialect brings: relaxed and
   device-wide, as in HIP. */
#define __lpi_atomics(T)                                                      \
  __lpi T atomicAdd(volatile T *p, T v) { return __lpi_fetch(add, T, p, v); } \
  __lpi T atomicSub(volatile T *p, T v) { return __lpi_fetch(sub, T, p, v); } \
  __lpi T atomicExch(volatile T *p, T v) { return __lpi_exchange(T, p, v); }  \
  __lpi T atomicMin(volatile T *p, T v) { return __lpi_fetch(min, T, p, v); } \
  __lpi T atomicMax(volatile T *p, T v) { return __lpi_fetch(max, T, p, v); } \
  __lpi T atomicAnd(volatile T *p, T v) { return __lpi_fetch(and, T, p, v); } \
  __lpi T atomicOr(volatile T *p, T v) { return __lpi_fetch(or, T, p, v); }   \
  __lpi T atomicXor(volatile T *p, T v) { return __lpi_fetch(xor, T, p, v); } \
  __lpi T atomicCAS(volatile T *p, T seen, T v) { return __lpi_compare(T, p, seen, v); }
__lpi_atomics(int)
__lpi_atomics(uint)
#ifdef __lpi_int64_atomics
__lpi_atomics(long)
__lpi_atomics(ulong)
#endif

/* Loops over compare-exchange, for what has no instruction of its own. */
#define __lpi_loop(T, U, from, to, name, next)            \
  __lpi T name(volatile T *p, T v) {                      \
    volatile U *q = (volatile U *)p;                      \
    U seen = *q;                                          \
    for (;;) {                                            \
      T old = from(seen);                                 \
      U got = __lpi_compare(U, q, seen, to((T)(next)));   \
      if (got == seen) return old;                        \
      seen = got;                                         \
    }                                                     \
  }
__lpi_loop(uint, uint, , , atomicInc, old >= v ? 0u : old + 1u)
__lpi_loop(uint, uint, , , atomicDec, old == 0u || old > v ? v : old - 1u)
__lpi_loop(float, uint, as_float, as_uint, atomicAdd, old + v)
__lpi_loop(float, uint, as_float, as_uint, atomicSub, old - v)
__lpi_loop(float, uint, as_float, as_uint, atomicMin, fmin(old, v))
__lpi_loop(float, uint, as_float, as_uint, atomicMax, fmax(old, v))
__lpi float atomicExch(volatile float *p, float v) {
  return as_float(__lpi_exchange(uint, (volatile uint *)p, as_uint(v)));
}
#if defined(__lpi_fp64) && defined(__lpi_int64_atomics)
__lpi_loop(double, ulong, as_double, as_ulong, atomicAdd, old + v)
__lpi_loop(double, ulong, as_double, as_ulong, atomicSub, old - v)
__lpi_loop(double, ulong, as_double, as_ulong, atomicMin, fmin(old, v))
__lpi_loop(double, ulong, as_double, as_ulong, atomicMax, fmax(old, v))
__lpi double atomicExch(volatile double *p, double v) {
  return as_double(__lpi_exchange(ulong, (volatile ulong *)p, as_ulong(v)));
}
#endif

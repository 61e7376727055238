// GCC's and Clang's built-in arithmetic that says whether it overflows, which NVRTC lacks.
#pragma once
#ifdef __CUDACC_RTC__
namespace __lp {
template <class T> constexpr bool overflow_is_unsigned = T(-1) > T(0);
template <class T, class U> constexpr bool overflow_same = false;
template <class T> constexpr bool overflow_same<T, T> = true;
template <bool> struct overflow_wide { using type = long long; };
template <> struct overflow_wide<true> { using type = unsigned long long; };

template <class W, class R> __device__ __forceinline__ bool overflow_narrow(W exact, R *result) {
  *result = static_cast<R>(exact);
  return static_cast<W>(*result) != exact || (*result < R(0)) != (exact < W(0));
}
// Operands of less than 64 bits have exact results in 64; others must have one type.
template <class A, class B, class R> constexpr bool overflow_is_small = sizeof(A) < 8 && sizeof(B) < 8;
#define __LP_OVERFLOW_ONE_TYPE(A, B, R)                       \
  static_assert(overflow_same<A, B> && overflow_same<A, R>,   \
                "expected operands and a result of one type: NVRTC has no wider type than 64 bits to compute with")

template <class A, class B, class R> __device__ __forceinline__ bool mul_overflow(A a, B b, R *result) {
  if constexpr (overflow_is_small<A, B, R>) {
    using W = typename overflow_wide<overflow_is_unsigned<A> && overflow_is_unsigned<B>>::type;
    return overflow_narrow(static_cast<W>(a) * static_cast<W>(b), result);
  } else {
    __LP_OVERFLOW_ONE_TYPE(A, B, R);
    *result = static_cast<R>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
    if constexpr (overflow_is_unsigned<A>) return __umul64hi(a, b) != 0;
    else return __mul64hi(a, b) != *result >> 63;
  }
}
template <class A, class B, class R> __device__ __forceinline__ bool add_overflow(A a, B b, R *result) {
  if constexpr (overflow_is_small<A, B, R>) {
    return overflow_narrow(static_cast<long long>(a) + static_cast<long long>(b), result);
  } else {
    __LP_OVERFLOW_ONE_TYPE(A, B, R);
    *result = static_cast<R>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
    if constexpr (overflow_is_unsigned<A>) return *result < a;
    else return ((a ^ *result) & (b ^ *result)) < 0;
  }
}
template <class A, class B, class R> __device__ __forceinline__ bool sub_overflow(A a, B b, R *result) {
  if constexpr (overflow_is_small<A, B, R>) {
    return overflow_narrow(static_cast<long long>(a) - static_cast<long long>(b), result);
  } else {
    __LP_OVERFLOW_ONE_TYPE(A, B, R);
    *result = static_cast<R>(static_cast<unsigned long long>(a) - static_cast<unsigned long long>(b));
    if constexpr (overflow_is_unsigned<A>) return a < b;
    else return ((a ^ b) & (a ^ *result)) < 0;
  }
}
}  // namespace __lp
#define __builtin_mul_overflow(a, b, result) __lp::mul_overflow(a, b, result)
#define __builtin_add_overflow(a, b, result) __lp::add_overflow(a, b, result)
#define __builtin_sub_overflow(a, b, result) __lp::sub_overflow(a, b, result)
#endif

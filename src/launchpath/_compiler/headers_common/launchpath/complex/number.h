// thrust::complex: the number.
#pragma once
#include <launchpath/types.h>

#ifdef __CUDACC_RTC__
#define __LP_NUMBER __host__ __device__
#else
#define __LP_NUMBER __host__ __device__ inline
#endif

namespace thrust {
template <class _T> struct complex;

// What a result of two types is of: double if one of them is.
template <class _A, class _B>
using __lp_promoted_t = __lp::conditional_t<__lp::is_same<_A, double> || __lp::is_same<_B, double>, double, float>;

// Functions for real numbers that stand beside complex ones.
template <class _T, class _Result> using __lp_if_real = __lp::enable_if_t<__lp::is_number<_T>, _Result>;

template <class _T> struct alignas(2 * sizeof(_T)) complex {
  typedef _T value_type;

  complex() = default;
  __LP_NUMBER constexpr complex(const _T &re) : __re(re), __im(_T()) {}
  __LP_NUMBER constexpr complex(const _T &re, const _T &im) : __re(re), __im(im) {}
  complex(const complex &) = default;
  template <class _U> __LP_NUMBER constexpr complex(const complex<_U> &z) : __re((_T)z.real()), __im((_T)z.imag()) {}
  complex &operator=(const complex &) = default;
  __LP_NUMBER complex &operator=(const _T &re) { return __re = re, __im = _T(), *this; }
  template <class _U> __LP_NUMBER complex &operator=(const complex<_U> &z) {
    return __re = (_T)z.real(), __im = (_T)z.imag(), *this;
  }

  __LP_NUMBER constexpr _T real() const { return __re; }
  __LP_NUMBER constexpr _T imag() const { return __im; }
  __LP_NUMBER _T real() const volatile { return __re; }
  __LP_NUMBER _T imag() const volatile { return __im; }
  __LP_NUMBER void real(_T re) { __re = re; }
  __LP_NUMBER void imag(_T im) { __im = im; }
  __LP_NUMBER void real(_T re) volatile { __re = re; }
  __LP_NUMBER void imag(_T im) volatile { __im = im; }

  template <class _U> __LP_NUMBER complex &operator+=(const complex<_U> &z) { return *this = *this + z; }
  template <class _U> __LP_NUMBER complex &operator-=(const complex<_U> &z) { return *this = *this - z; }
  template <class _U> __LP_NUMBER complex &operator*=(const complex<_U> &z) { return *this = *this * z; }
  template <class _U> __LP_NUMBER complex &operator/=(const complex<_U> &z) { return *this = *this / z; }
  template <class _U> __LP_NUMBER __lp_if_real<_U, complex &> operator+=(const _U &x) { return *this = *this + x; }
  template <class _U> __LP_NUMBER __lp_if_real<_U, complex &> operator-=(const _U &x) { return *this = *this - x; }
  template <class _U> __LP_NUMBER __lp_if_real<_U, complex &> operator*=(const _U &x) { return *this = *this * x; }
  template <class _U> __LP_NUMBER __lp_if_real<_U, complex &> operator/=(const _U &x) { return *this = *this / x; }

 private:
  _T __re, __im;
};
}  // namespace thrust

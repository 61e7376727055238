// AMD's functions for products of matrices that a warp of 32 holds together (WMMA of gfx11), made of shuffles. Lane l
// has row l % 16 of the first matrix, column l % 16 of the second, and column l % 16 of the sums in rows 2 i + l / 16.
#pragma once
#include <launchpath/half/bits.h>
#include <launchpath/threads/warp.h>

#ifndef __LP_CUDA__
namespace __lp {
struct of_halves {
  static __LP_BOTH float wide(unsigned bits) {
#ifdef __LP_NO_FP16__
    return half_to_float((unsigned short)bits);
#else
    return (float)__builtin_bit_cast(_Float16, (unsigned short)bits);
#endif
  }
  static __LP_BOTH float added(unsigned a, unsigned b, float sum, bool, bool) {
    return sum + wide(a) * wide(b) + wide(a >> 16) * wide(b >> 16);
  }
};
struct of_bfloats {
  static __LP_BOTH float wide(unsigned bits) { return __builtin_bit_cast(float, bits); }
  static __LP_BOTH float added(unsigned a, unsigned b, float sum, bool, bool) {
    return sum + wide(a << 16) * wide(b << 16) + wide(a & 0xffff0000u) * wide(b & 0xffff0000u);
  }
};
template <int _BITS> struct of_integers {
  static __LP_BOTH int element(unsigned word, int from, bool is_signed) {
    unsigned high = word << (32 - _BITS - from);
    return is_signed ? (int)high >> (32 - _BITS) : (int)(high >> (32 - _BITS));
  }
  static __LP_BOTH long long added(unsigned a, unsigned b, long long sum, bool a_signed, bool b_signed) {
    for (int i = 0; i < 32; i += _BITS) sum += element(a, i, a_signed) * element(b, i, b_signed);
    return sum;
  }
};
// The product's element in row 2 i + l / 16, added to `sum`.
template <class _How, class _V, class _S>
__LP_DEVICE _S matrix_element(_V a, _V b, int i, _S sum, bool a_signed = true, bool b_signed = true) {
  struct words {
    unsigned at[sizeof(_V) / 4];
  };
  words row = __builtin_bit_cast(words, a), column = __builtin_bit_cast(words, b);
  for (unsigned k = 0; k < sizeof(_V) / 4; ++k)
    sum = _How::added(word_from(row.at[k], 2 * i + lane() / 16), column.at[k], sum, a_signed, b_signed);
  return sum;
}
template <class _How, class _V, class _C> __LP_DEVICE _C matrix_product(_V a, _V b, _C c) {
  for (int i = 0; i < 8; ++i) c[i] = matrix_element<_How>(a, b, i, (float)c[i]);
  return c;
}
template <class _How, class _V, class _C>
__LP_DEVICE _C integer_product(bool a_signed, _V a, bool b_signed, _V b, _C c, bool clamp) {
  for (int i = 0; i < 8; ++i) {
    long long sum = matrix_element<_How>(a, b, i, (long long)c[i], a_signed, b_signed);
    if (clamp) sum = sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum;
    c[i] = (int)sum;
  }
  return c;
}
}  // namespace __lp

template <class _V, class _C> __LP_WARP _C __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(_V a, _V b, _C c) {
  return __lp::matrix_product<__lp::of_halves>(a, b, c);
}
template <class _V, class _C> __LP_WARP _C __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(_V a, _V b, _C c) {
  return __lp::matrix_product<__lp::of_bfloats>(a, b, c);
}
// The sums are the lower or the upper halves of words; the others stay.
template <class _V> __LP_WARP _V __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(_V a, _V b, _V c, bool upper) {
  for (int i = 0; i < 8; ++i)
    c[2 * i + upper] = __lp::matrix_element<__lp::of_halves>(a, b, i, (float)c[2 * i + upper]);
  return c;
}
template <class _V, class _C>
__LP_WARP _C __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(bool a_signed, _V a, bool b_signed, _V b, _C c, bool clamp) {
  return __lp::integer_product<__lp::of_integers<8>>(a_signed, a, b_signed, b, c, clamp);
}
template <class _V, class _C>
__LP_WARP _C __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32(bool a_signed, _V a, bool b_signed, _V b, _C c, bool clamp) {
  return __lp::integer_product<__lp::of_integers<4>>(a_signed, a, b_signed, b, c, clamp);
}
#endif

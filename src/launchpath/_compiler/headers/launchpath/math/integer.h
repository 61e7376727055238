// Integer intrinsics.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/spirv.h>

__LP_PURE long __spirv_ocl_s_mul_hi(long, long);
__LP_PURE unsigned long __spirv_ocl_u_mul_hi(unsigned long, unsigned long);

__LP_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__LP_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__LP_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
__LP_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
__LP_DEVICE int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz((unsigned)x) + 1; }
__LP_DEVICE int __ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1; }
__LP_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__LP_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

__LP_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
__LP_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
__LP_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__LP_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
__LP_DEVICE long long __mul64hi(long long a, long long b) { return __spirv_ocl_s_mul_hi((long)a, (long)b); }
__LP_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __spirv_ocl_u_mul_hi((unsigned long)a, (unsigned long)b);
}
// As templates, so that a program may have its own of these names.
__LP_LAZY int mul24(int a, int b) { return __mul24(a, b); }
__LP_LAZY unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
__LP_LAZY int mulhi(int a, int b) { return __mulhi(a, b); }
__LP_LAZY unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
__LP_LAZY long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
__LP_LAZY unsigned long long umul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }

// Rounded averages, without overflow.
__LP_DEVICE int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
__LP_DEVICE int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
__LP_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__LP_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
__LP_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
__LP_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }

// Bytes of y:x chosen by the low three bits of each nibble.
__LP_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned choice) {
  unsigned long long from = (unsigned long long)y << 32 | x;
  unsigned made = 0;
  for (int i = 0; i < 4; ++i) {
    made |= ((unsigned)(from >> 8 * (choice >> 4 * i & 7)) & 0xffu) << 8 * i;
  }
  return made;
}

// 32 bits out of high:low, shifted by n; `c`: n up to 32, the others modulo 32.
__LP_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
  return (unsigned)((((unsigned long long)high << 32 | low) << (n & 31)) >> 32);
}
__LP_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (n & 31));
}
__LP_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? low : __funnelshift_l(low, high, n);
}
__LP_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? high : __funnelshift_r(low, high, n);
}

__LP_LAZY unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
__LP_LAZY unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
__LP_LAZY unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
// Where the nth set bit is, counted from bit `base` upwards, or downwards for negative n; all ones if there is none.
__LP_LAZY unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return mask >> (base & 31u) & 1u ? base : ~0u;
  int step = n > 0 ? 1 : -1;
  for (int at = (int)base; at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1u) && (n -= step) == 0) return (unsigned)at;
  }
  return ~0u;
}

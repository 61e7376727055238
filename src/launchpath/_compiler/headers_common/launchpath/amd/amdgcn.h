// AMD's own names: functions that its compiler knows, and those of HIP's headers that programs call too. Included after
// all others, which they are made of.
//
// Warps are of 32 here: what is of 64 lanes on AMD's hardware has its upper half empty. Templates, so that only what a
// program uses is made.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/threads/warp.h>
#include <launchpath/amd/lanes.h>

#define __AMDGCN_WAVEFRONT_SIZE 32
#define __AMDGCN_WAVEFRONT_SIZE__ 32

#define __LP_GCN(type, name) __LP_LAZY type __builtin_amdgcn_##name
#define __LP_GCN_WARP(type, name) template <int = 0> __LP_WARP type __builtin_amdgcn_##name
#define __LP_GCN_AXIS(axis)                                                      \
  __LP_GCN(unsigned, workitem_id_##axis)() { return threadIdx.axis; }            \
  __LP_GCN(unsigned, workgroup_id_##axis)() { return blockIdx.axis; }            \
  __LP_GCN(unsigned short, workgroup_size_##axis)() { return blockDim.axis; }    \
  __LP_GCN(unsigned, grid_size_##axis)() { return gridDim.axis * blockDim.axis; }
__LP_GCN_AXIS(x)
__LP_GCN_AXIS(y)
__LP_GCN_AXIS(z)
#undef __LP_GCN_AXIS

__LP_GCN(void, s_barrier)() { __syncthreads(); }
__LP_GCN(void, fence)(unsigned, const char *) { __threadfence(); }
__LP_GCN(void, s_sleep)(int) {}
__LP_GCN(void, s_setprio)(short) {}
__LP_GCN(void, s_waitcnt)(int) {}
__LP_GCN(void, sched_barrier)(int) {}
__LP_GCN(void, sched_group_barrier)(int, int, int) {}
__LP_GCN_WARP(void, wave_barrier)() { __lp::sync_warp(); }
__LP_GCN(unsigned, wavefrontsize)() { return 32; }

__LP_GCN_WARP(int, readfirstlane)(int v) { return __lp::from_first_lane(v); }
__LP_GCN_WARP(int, readlane)(int v, int lane) { return __lp::from_lane(v, (unsigned)lane & 31u); }
__LP_GCN_WARP(int, ds_bpermute)(int at, int v) { return __lp::from_lane(v, (unsigned)at >> 2 & 31u); }
// Each lane sends its value to a lane; of several the highest is taken, and 0 where none sends.
__LP_GCN_WARP(int, ds_permute)(int at, int v) {
  const unsigned active = __lp::ballot(true), target = (unsigned)at >> 2 & 31u;
  int got = 0;
  for (unsigned source = 0; source < 32u; ++source) {
    const unsigned aimed = __lp::from_lane(target, source);
    const int sent = __lp::from_lane(v, source);
    if ((active >> source & 1u) && aimed == __lp::lane()) got = sent;
  }
  return got;
}
__LP_GCN_WARP(unsigned long long, ballot_w64)(bool vote) { return __lp::ballot(vote); }
__LP_GCN_WARP(unsigned long long, read_exec)() { return __lp::ballot(true); }
__LP_GCN_WARP(unsigned, ballot_w32)(bool vote) { return __lp::ballot(vote); }
__LP_GCN_WARP(unsigned, mbcnt_lo)(unsigned mask, unsigned more) {
  return more + (unsigned)__popc(mask & ((1u << __lp::lane()) - 1u));
}
__LP_GCN(unsigned, mbcnt_hi)(unsigned, unsigned more) { return more; }

__LP_GCN(float, rcpf)(float x) { return 1.0f / x; }
__LP_GCN(float, rsqf)(float x) { return rsqrtf(x); }
__LP_GCN(float, sqrtf)(float x) { return sqrtf(x); }
__LP_GCN(float, exp2f)(float x) { return exp2f(x); }
__LP_GCN(float, logf)(float x) { return log2f(x); }
__LP_GCN(float, fractf)(float x) { return x - floorf(x); }
__LP_GCN(float, ldexpf)(float x, int n) { return ldexpf(x, n); }
__LP_GCN(float, fmed3f)(float a, float b, float c) { return fmaxf(fminf(a, b), fminf(fmaxf(a, b), c)); }
// Infinities and what is no number have the exponent 0, and are their own mantissas.
__LP_GCN(int, frexp_expf)(float x) {
  int n = 0;
  return x - x == 0.0f ? (frexpf(x, &n), n) : 0;
}
__LP_GCN(float, frexp_mantf)(float x) {
  int n = 0;
  return x - x == 0.0f ? frexpf(x, &n) : x;
}
__LP_GCN(int, frexp_exp)(double x) {
  int n = 0;
  return x - x == 0.0 ? (frexp(x, &n), n) : 0;
}
__LP_GCN(double, frexp_mant)(double x) {
  int n = 0;
  return x - x == 0.0 ? frexp(x, &n) : x;
}
// Sine and cosine of turns.
__LP_GCN(float, sinf)(float x) { return sinpif(2.0f * x); }
__LP_GCN(float, cosf)(float x) { return cospif(2.0f * x); }
__LP_GCN(double, rcp)(double x) { return 1.0 / x; }
__LP_GCN(double, rsq)(double x) { return rsqrt(x); }

__LP_GCN(unsigned, ubfe)(unsigned x, unsigned from, unsigned width) {
  return width == 0u ? 0u : x >> (from & 31u) & ~0u >> (32u - (width & 31u)) % 32u;
}
__LP_GCN(int, sbfe)(int x, unsigned from, unsigned width) {
  return width == 0u ? 0 : (int)((unsigned)x << (32u - width - from)) >> (32u - width);
}
__LP_GCN(unsigned, alignbit)(unsigned high, unsigned low, unsigned n) { return __funnelshift_r(low, high, n); }
__LP_GCN(unsigned, alignbyte)(unsigned high, unsigned low, unsigned n) {
  return __funnelshift_r(low, high, 8 * (n & 3));
}
// Bytes of high:low by the bytes of `choice`: 0 to 7 a byte, 8 to 11 the sign of byte 1, 3, 5 or 7, 12 no bits, and all
// bits above.
__LP_GCN(unsigned, perm)(unsigned high, unsigned low, unsigned choice) {
  unsigned long long from = (unsigned long long)high << 32 | low;
  unsigned made = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned which = choice >> 8 * i & 0xffu;
    unsigned byte = (unsigned)(from >> 8 * (which & 7u)) & 0xffu;
    unsigned sign = (unsigned)(from >> (16 * (which & 3u) + 15)) & 1u ? 0xffu : 0u;
    made |= (which < 8u ? byte : which < 12u ? sign : which == 12u ? 0u : 0xffu) << 8 * i;
  }
  return made;
}

// Sums of products of bytes or half bytes; `clamp`: at the ends of 32 bits, and not modulo 2^32.
namespace __lp {
__LP_DEVICE int clamped(long long sum, bool clamp) {
  return (int)(!clamp ? sum : sum < -0x80000000ll ? -0x80000000ll : sum > 0x7fffffffll ? 0x7fffffffll : sum);
}
__LP_DEVICE unsigned clamped(unsigned long long sum, bool clamp) {
  return (unsigned)(clamp && sum > 0xffffffffull ? 0xffffffffull : sum);
}
__LP_DEVICE int piece_of(int word, bool is_signed, int bits, int i) {
  return is_signed ? (int)((unsigned)word << (32 - bits * (i + 1))) >> (32 - bits)
                   : (int)((unsigned)word >> bits * i & ((1u << bits) - 1u));
}
__LP_DEVICE int mixed_dot(bool a_signed, int a, bool b_signed, int b, int bits) {
  int sum = 0;
  for (int i = 0; i < 32 / bits; ++i) sum += piece_of(a, a_signed, bits, i) * piece_of(b, b_signed, bits, i);
  return sum;
}
}  // namespace __lp
__LP_GCN(int, sdot4)(int a, int b, int c, bool clamp) {
  return clamp ? __lp::clamped((long long)c + __dp4a(a, b, 0), true) : __dp4a(a, b, c);
}
__LP_GCN(unsigned, udot4)(unsigned a, unsigned b, unsigned c, bool clamp) {
  return clamp ? __lp::clamped((unsigned long long)c + __dp4a(a, b, 0u), true) : __dp4a(a, b, c);
}
__LP_GCN(int, sudot4)(bool a_signed, int a, bool b_signed, int b, int c, bool clamp) {
  return __lp::clamped((long long)c + __lp::mixed_dot(a_signed, a, b_signed, b, 8), clamp);
}
__LP_GCN(int, sdot8)(int a, int b, int c, bool clamp) {
  return __lp::clamped((long long)c + __lp::mixed_dot(true, a, true, b, 4), clamp);
}
__LP_GCN(unsigned, udot8)(unsigned a, unsigned b, unsigned c, bool clamp) {
  return __lp::clamped((unsigned long long)c + (unsigned)__lp::mixed_dot(false, (int)a, false, (int)b, 4), clamp);
}
__LP_GCN(int, sudot8)(bool a_signed, int a, bool b_signed, int b, int c, bool clamp) {
  return __lp::clamped((long long)c + __lp::mixed_dot(a_signed, a, b_signed, b, 4), clamp);
}

// Sums of absolute differences; `msad_u8`: of the bytes that are not 0 in the second number.
__LP_GCN(unsigned, sad_u8)(unsigned a, unsigned b, unsigned c) { return c + __vsadu4(a, b); }
__LP_GCN(unsigned, sad_hi_u8)(unsigned a, unsigned b, unsigned c) { return c + (__vsadu4(a, b) << 16); }
__LP_GCN(unsigned, sad_u16)(unsigned a, unsigned b, unsigned c) { return c + __vsadu2(a, b); }
__LP_GCN(unsigned, msad_u8)(unsigned a, unsigned mask, unsigned c) {
  for (int i = 0; i < 32; i += 8) {
    int of = (int)(a >> i & 0xffu), other = (int)(mask >> i & 0xffu);
    c += other == 0 ? 0u : (unsigned)(of > other ? of - other : other - of);
  }
  return c;
}
// The mean of each byte, rounded up where the lowest bit of the byte in `up` is set.
__LP_GCN(unsigned, lerp)(unsigned a, unsigned b, unsigned up) {
  unsigned made = 0;
  for (int i = 0; i < 32; i += 8) made |= ((a >> i & 0xffu) + (b >> i & 0xffu) + (up >> i & 1u)) >> 1 << i;
  return made;
}
#undef __LP_GCN
#undef __LP_GCN_WARP

// One lane's value by the permutation that the hardware's instruction names: a mask of and, or, xor of the lane's
// number within 32, or, with the highest bit, four lanes in a quad.
namespace __lp {
__LP_DEVICE unsigned swizzled(unsigned lane, int pattern) {
  if (pattern & 0x8000) return (lane & ~3u) | ((unsigned)pattern >> 2 * (lane & 3u) & 3u);
  return ((lane & (unsigned)pattern) | ((unsigned)pattern >> 5 & 31u)) ^ ((unsigned)pattern >> 10 & 31u);
}
}  // namespace __lp
template <int = 0> __LP_WARP int __hip_ds_bpermute(int at, int v) {
  return __lp::from_lane(v, (unsigned)at >> 2 & 31u);
}
template <int = 0> __LP_WARP int __hip_ds_permute(int at, int v) { return __builtin_amdgcn_ds_permute(at, v); }
template <int = 0> __LP_WARP float __hip_ds_permutef(int at, float v) {
  return __int_as_float(__builtin_amdgcn_ds_permute(at, __float_as_int(v)));
}
template <int = 0> __LP_WARP float __hip_ds_bpermutef(int at, float v) {
  return __lp::from_lane(v, (unsigned)at >> 2 & 31u);
}
template <int _P> __LP_WARP int __hip_ds_swizzle_N(int v) {
  return __lp::from_lane(v, __lp::swizzled(__lp::lane(), _P) & 31u);
}
template <int _P> __LP_WARP float __hip_ds_swizzlef_N(float v) {
  return __lp::from_lane(v, __lp::swizzled(__lp::lane(), _P) & 31u);
}
#define __hip_ds_swizzle(v, pattern) __hip_ds_swizzle_N<(pattern)>((v))
#define __hip_ds_swizzlef(v, pattern) __hip_ds_swizzlef_N<(pattern)>((v))
#define __builtin_amdgcn_ds_swizzle(v, pattern) __hip_ds_swizzle_N<(pattern)>((v))

__LP_LAZY unsigned __lastbit_u32_u32(unsigned x) { return (unsigned)(__ffs((int)x) - 1); }
__LP_LAZY unsigned __lastbit_u32_u64(unsigned long long x) { return (unsigned)(__ffsll((long long)x) - 1); }
__LP_LAZY unsigned __bitextract_u32(unsigned x, unsigned from, unsigned width) {
  return x >> (from & 31u) & ((1u << (width & 31u)) - 1u);
}
__LP_LAZY unsigned long long __bitextract_u64(unsigned long long x, unsigned from, unsigned width) {
  return x >> (from & 63u) & ((1ull << (width & 63u)) - 1ull);
}
__LP_LAZY unsigned __bitinsert_u32(unsigned x, unsigned bits, unsigned from, unsigned width) {
  unsigned mask = ((1u << (width & 31u)) - 1u) << (from & 31u);
  return (x & ~mask) | (bits << (from & 31u) & mask);
}
__LP_LAZY unsigned long long __bitinsert_u64(unsigned long long x, unsigned long long bits, unsigned long long from,
                                             unsigned long long width) {
  unsigned long long mask = ((1ull << (width & 63u)) - 1ull) << (from & 63u);
  return (x & ~mask) | (bits << (from & 63u) & mask);
}
template <class _T> __LP_WARP __lp_mask __match_any(_T v) { return __match_any_sync(__activemask(), v); }
template <int = 0> __LP_WARP unsigned long long __ballot64(int vote) { return __lp::ballot(vote != 0); }

// Sums of products, which saturate on demand: of 16 bits, of 8, of 4, and of halves.
namespace __lp {
__LP_DEVICE int dotted(long long sum, bool saturate) {
  if (!saturate) return (int)sum;
  return sum > 2147483647ll ? 2147483647 : sum < -2147483648ll ? (int)-2147483648ll : (int)sum;
}
__LP_DEVICE unsigned dotted(unsigned long long sum, bool saturate) {
  return saturate && sum > 0xffffffffull ? 0xffffffffu : (unsigned)sum;
}
}  // namespace __lp
__LP_LAZY int amd_mixed_dot(short2 a, short2 b, int c, bool saturate) {
  return __lp::dotted((long long)a.x * b.x + (long long)a.y * b.y + c, saturate);
}
__LP_LAZY unsigned amd_mixed_dot(ushort2 a, ushort2 b, unsigned c, bool saturate) {
  return __lp::dotted((unsigned long long)a.x * b.x + (unsigned long long)a.y * b.y + c, saturate);
}
__LP_LAZY int amd_mixed_dot(char4 a, char4 b, int c, bool saturate) {
  return __lp::dotted((long long)__dp4a(a, b, 0) + c, saturate);
}
__LP_LAZY unsigned amd_mixed_dot(uchar4 a, uchar4 b, unsigned c, bool saturate) {
  return __lp::dotted((unsigned long long)__dp4a(a, b, 0u) + c, saturate);
}
__LP_LAZY int amd_mixed_dot(int a, int b, int c, bool saturate) {
  long long sum = c;
  for (int i = 28; i >= 0; i -= 4) sum += ((int)((unsigned)a << i) >> 28) * ((int)((unsigned)b << i) >> 28);
  return __lp::dotted(sum, saturate);
}
__LP_LAZY unsigned amd_mixed_dot(unsigned a, unsigned b, unsigned c, bool saturate) {
  unsigned long long sum = c;
  for (int i = 0; i < 32; i += 4) sum += (a >> i & 15u) * (b >> i & 15u);
  return __lp::dotted(sum, saturate);
}
struct __half2;
template <class _H>
__LP_DEVICE __lp::enable_if_t<__lp::is_same<_H, __half2>, float> amd_mixed_dot(_H a, _H b, float c, bool saturate) {
  float sum = (float)a.x * (float)b.x + (float)a.y * (float)b.y + c;
  return saturate ? fminf(fmaxf(sum, 0.0f), 1.0f) : sum;
}

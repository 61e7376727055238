// AMD's own names: functions that its compiler knows, and those of HIP's headers that programs call too. Included after
// all others, which they are made of.
//
// Warps are of 32 here: what is of 64 lanes on AMD's hardware has its upper half empty. Templates, so that only what a
// program uses is made.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/warp.h>

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
__LP_GCN_WARP(unsigned long long, ballot_w64)(bool vote) { return __lp::ballot(vote); }
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
__LP_GCN(int, sdot4)(int a, int b, int c, bool) { return __dp4a(a, b, c); }
__LP_GCN(unsigned, udot4)(unsigned a, unsigned b, unsigned c, bool) { return __dp4a(a, b, c); }
__LP_GCN(unsigned, sad_u8)(unsigned a, unsigned b, unsigned c) { return c + __vsadu4(a, b); }
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
template <class _T> __LP_WARP __lp_mask __match_any(_T v) { return __match_any_sync(__activemask(), v); }
template <int = 0> __LP_WARP unsigned long long __ballot64(int vote) { return __lp::ballot(vote != 0); }
__LP_LAZY int amd_mixed_dot(char4 a, char4 b, int c, bool) { return __dp4a(a, b, c); }

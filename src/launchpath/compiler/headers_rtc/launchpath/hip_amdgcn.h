// AMD's own names, where NVRTC compiles: functions that its compiler knows, and those of HIP's headers.
//
// Warps are of 32 here: what is of 64 lanes on AMD's hardware has its upper half empty. Templates, so that only what a
// program uses is made.
#pragma once

#define __LP_LAZY template <int = 0> __LP_DEVICE
#define __LP_GCN(type, name) __LP_LAZY type __builtin_amdgcn_##name
#define __LP_GCN_AXIS(axis)                                                      \
  __LP_GCN(unsigned, workitem_id_##axis)() { return threadIdx.axis; }            \
  __LP_GCN(unsigned, workgroup_id_##axis)() { return blockIdx.axis; }            \
  __LP_GCN(unsigned short, workgroup_size_##axis)() { return blockDim.axis; }    \
  __LP_GCN(unsigned, grid_size_##axis)() { return gridDim.axis * blockDim.axis; }
__LP_GCN_AXIS(x)
__LP_GCN_AXIS(y)
__LP_GCN_AXIS(z)
#undef __LP_GCN_AXIS

#ifndef __ATOMIC_RELAXED
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
#endif
#define amdgpu_flat_work_group_size(...)
#define amdgpu_waves_per_eu(...)
#define amdgpu_num_vgpr(...)
#define amdgpu_num_sgpr(...)

__LP_GCN(void, s_barrier)() { __syncthreads(); }
__LP_GCN(void, fence)(unsigned, const char *) { __threadfence(); }
__LP_GCN(void, s_sleep)(int) {}
__LP_GCN(void, s_setprio)(short) {}
__LP_GCN(void, s_waitcnt)(int) {}
__LP_GCN(void, sched_barrier)(int) {}
__LP_GCN(void, sched_group_barrier)(int, int, int) {}
__LP_GCN(void, wave_barrier)() { __syncwarp(__activemask()); }
__LP_GCN(unsigned, wavefrontsize)() { return 32; }

__LP_GCN(int, readfirstlane)(int v) {
  unsigned mask = __activemask();
  return __shfl_sync(mask, v, __ffs((int)mask) - 1);
}
__LP_GCN(int, readlane)(int v, int lane) { return __shfl_sync(__activemask(), v, lane & 31); }
__LP_GCN(int, ds_bpermute)(int at, int v) { return __shfl_sync(__activemask(), v, at >> 2 & 31); }
__LP_GCN(unsigned long long, ballot_w64)(bool vote) { return __ballot_sync(__activemask(), vote); }
__LP_GCN(unsigned, ballot_w32)(bool vote) { return __ballot_sync(__activemask(), vote); }
__LP_GCN(unsigned, mbcnt_lo)(unsigned mask, unsigned more) {
  return more + (unsigned)__popc((int)(mask & ((1u << __lane_id()) - 1u)));
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

// One lane's value by the permutation that the hardware's instruction names: a mask of and, or, xor of the lane's
// number within 32, or, with the highest bit, four lanes in a quad.
namespace __lp_rtc {
__LP_DEVICE int swizzled(int pattern) {
  unsigned lane = __lane_id(), bits = (unsigned)pattern;
  if (bits & 0x8000u) return (int)((lane & ~3u) | (bits >> 2 * (lane & 3u) & 3u));
  return (int)((((lane & bits) | (bits >> 5 & 31u)) ^ (bits >> 10 & 31u)) & 31u);
}
}  // namespace __lp_rtc
__LP_LAZY int __hip_ds_bpermute(int at, int v) { return __shfl_sync(__activemask(), v, at >> 2 & 31); }
__LP_LAZY float __hip_ds_bpermutef(int at, float v) { return __shfl_sync(__activemask(), v, at >> 2 & 31); }
template <int _P> __LP_DEVICE int __hip_ds_swizzle_N(int v) {
  return __shfl_sync(__activemask(), v, __lp_rtc::swizzled(_P));
}
template <int _P> __LP_DEVICE float __hip_ds_swizzlef_N(float v) {
  return __shfl_sync(__activemask(), v, __lp_rtc::swizzled(_P));
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
template <class _T> __LP_DEVICE unsigned long long __match_any(_T v) { return __match_any_sync(__activemask(), v); }
__LP_LAZY unsigned long long __ballot64(int vote) { return __ballot_sync(__activemask(), vote); }
__LP_LAZY int amd_mixed_dot(char4 a, char4 b, int c, bool) { return __dp4a(a, b, c); }
#undef __LP_LAZY

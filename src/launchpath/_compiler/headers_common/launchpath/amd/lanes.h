// AMD's moves of values between lanes: those of data-parallel primitives (DPP), and permutations within rows of 16. The
// numbers are those of "AMD Instinct MI200 ISA" and "RDNA3 ISA", sections on DPP. Warps are of 32 here.
#pragma once
#include <launchpath/threads/warp.h>

namespace __lp {
// The lane whose value a lane gets; 32 if there is none.
__LP_DEVICE unsigned dpp_source(unsigned lane, int control) {
  const unsigned row = lane & ~15u, at = lane & 15u, n = (unsigned)control & 15u;
  const unsigned none = 32u;
  if (control < 0x100) return (lane & ~3u) | ((unsigned)control >> 2 * (lane & 3u) & 3u);  // quad_perm
  if (control < 0x110) return at + n < 16u ? lane + n : none;                              // row_shl
  if (control < 0x120) return at >= n ? lane - n : none;                                   // row_shr
  if (control < 0x130) return row | ((at - n) & 15u);                                      // row_ror
  if (control == 0x130) return lane + 1u;                                                  // wave_shl
  if (control == 0x134) return (lane + 1u) & 31u;                                          // wave_rol
  if (control == 0x138) return lane ? lane - 1u : none;                                    // wave_shr
  if (control == 0x13c) return (lane - 1u) & 31u;                                          // wave_ror
  if (control == 0x140) return row | (15u - at);                                           // row_mirror
  if (control == 0x141) return (lane & ~7u) | (7u - (lane & 7u));                          // row_half_mirror
  if (control == 0x142) return row ? row - 1u : none;                                      // row_bcast:15
  if (control == 0x143) return none;                                                       // row_bcast:31
  return control < 0x160 ? row | n : row | (at ^ n);                                       // row_share, row_xmask
}

__LP_DEVICE unsigned permuted(unsigned lane, unsigned low, unsigned high) {
  return (lane & 8u ? high : low) >> 4u * (lane & 7u) & 15u;
}

// A value of another lane, or `other` if that is none, or is not active.
template <class _T> __LP_WARP _T from_active(_T v, unsigned source, _T other, bool of_any) {
  const unsigned active = ballot(true);  // of all lanes that come here: not within a condition
  const bool is_there = source < 32u && (of_any || (active >> (source & 31u) & 1u));
  const _T got = from_lane(v, source & 31u);
  return is_there ? got : other;
}
}  // namespace __lp

template <class _T, class _U>
__LP_WARP _U __builtin_amdgcn_update_dpp(_T old, _U v, int control, int rows, int banks, bool zero) {
  const unsigned lane = __lp::lane();
  const _U got = __lp::from_active(v, __lp::dpp_source(lane, control), zero ? (_U)0 : (_U)old, false);
  return (rows >> (lane >> 4) & 1) && (banks >> (lane >> 2 & 3u) & 1) ? got : (_U)old;
}
// What has no source is not defined: it keeps its own value.
template <class _T> __LP_WARP _T __builtin_amdgcn_mov_dpp(_T v, int control, int rows, int banks, bool zero) {
  return __builtin_amdgcn_update_dpp(v, v, control, rows, banks, zero);
}
template <int = 0>
__LP_WARP unsigned __builtin_amdgcn_permlane16(
    unsigned old, unsigned v, unsigned low, unsigned high, bool of_any, bool zero) {
  const unsigned lane = __lp::lane();
  return __lp::from_active(v, (lane & ~15u) | __lp::permuted(lane, low, high), zero ? 0u : old, of_any);
}
template <int = 0>
__LP_WARP unsigned __builtin_amdgcn_permlanex16(
    unsigned old, unsigned v, unsigned low, unsigned high, bool of_any, bool zero) {
  const unsigned lane = __lp::lane();
  return __lp::from_active(v, (~lane & 16u) | __lp::permuted(lane, low, high), zero ? 0u : old, of_any);
}

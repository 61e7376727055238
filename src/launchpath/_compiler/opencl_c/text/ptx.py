"""Warp functions and the clock on NVIDIA's OpenCL, which has no sub-groups but takes PTX in its OpenCL C.

Lanes are the hardware's: a warp is 32 threads that follow each other in a group. The threads that call an exchange take
part in it: the mask that the source passes is not in SPIR-V, so that the hardware is asked for the active lanes.
"""

from __future__ import annotations

_ACTIVE = """\
static uint NAME(void) {
  uint lanes;
  __asm__ volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}"""
_LANE = """\
static uint NAME(void) {
  uint lane;
  __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}"""
_MASK = """\
static uint4 NAME(void) {
  uint lanes;
  __asm__("mov.u32 %0, %%lanemask_WHICH;" : "=r"(lanes));
  return (uint4)(lanes, 0, 0, 0);
}"""
_BALLOT = """\
static uint4 NAME(bool vote) {
  uint lanes;
  __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                   : "=r"(lanes) : "r"((uint)vote), "r"(ACTIVE()) : "memory");
  return (uint4)(lanes, 0, 0, 0);
}"""
_SHUFFLE = """\
static uint NAME(uint value, uint lane) {
  uint shuffled;
  __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;"
                   : "=r"(shuffled) : "r"(value), "r"(lane), "r"(ACTIVE()) : "memory");
  return shuffled;
}"""
_WIDE = """\
static ulong NAME(ulong value, uint lane) {
  uint low = SHUFFLE((uint)value, lane), high = SHUFFLE((uint)(value >> 32), lane);
  return (ulong)high << 32 | low;
}"""
_CLOCK = """\
static ulong NAME(void) {
  ulong ticks;
  __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(ticks) :: "memory");
  return ticks;
}"""

# Every thread of the warp that has not ended waits.
SYNC = '__asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");'

# Name of a helper: its text, with what it calls in capitals, and the names of those helpers.
HELPERS = {
    "active_lanes": (_ACTIVE, {}),
    "lane": (_LANE, {}),
    **{f"lanes_{relation}": (_MASK.replace("WHICH", relation), {}) for relation in ("eq", "ge", "gt", "le", "lt")},
    "warp_ballot": (_BALLOT, {"ACTIVE": "active_lanes"}),
    "warp_shuffle": (_SHUFFLE, {"ACTIVE": "active_lanes"}),
    "warp_shuffle_wide": (_WIDE, {"SHUFFLE": "warp_shuffle"}),
    "multiprocessor_clock": (_CLOCK, {}),
}
WARP_SIZE = 32
_LINEAR = "(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)"
_THREADS = "get_local_size(0) * get_local_size(1) * get_local_size(2)"
WARP_OF_THREAD = f"(uint)(({_LINEAR}) / {WARP_SIZE})"
WARPS = f"(uint)(({_THREADS} + {WARP_SIZE - 1}) / {WARP_SIZE})"

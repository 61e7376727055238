// `thread_group`: any of the groups, which one is known at run time.
#pragma once
#include <launchpath/c_library/exit.h>
#include <launchpath/threads/index.h>
#include <launchpath/threads/sync.h>
#include <launchpath/threads/warp.h>

#define __LP_GROUP __attribute__((device, always_inline))
#ifdef __LP_NO_WARPS__
#define __LP_TILE \
  __LP_GROUP __attribute__((unavailable(__LP_NO_TILE_SYNC)))
#else
#define __LP_TILE __LP_GROUP
#endif
#define __LP_NO_GRID_SYNC "no device here runs the threads of a whole grid at once, as grid.sync() needs"
#define __LP_NO_TILE_SYNC "tiles of a block need sub-groups, which this device does not have"

namespace cooperative_groups {
namespace __v1 {
__LP_DEVICE unsigned int rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__LP_DEVICE unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
__LP_DEVICE unsigned int rank_of_block() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
__LP_DEVICE unsigned int blocks_of_grid() { return gridDim.x * gridDim.y * gridDim.z; }
__LP_DEVICE unsigned long long rank_in_grid() {
  return (unsigned long long)rank_of_block() * threads_of_block() + rank_in_block();
}
__LP_DEVICE unsigned long long threads_of_grid() { return (unsigned long long)blocks_of_grid() * threads_of_block(); }
// Barriers that no device has: refused by Clang where it knows the group, else by the kernel. In a program with host code
// it is the kernel: the program asks first whether the device has them.
#if defined(__LP_PROGRAM__) || defined(__LP_NATIVE__)
#define __LP_KNOWS_LATE__
#define __LP_GRID_SYNC __LP_GROUP
#else
#define __LP_GRID_SYNC __attribute__((device, unavailable(__LP_NO_GRID_SYNC)))
__attribute__((device, error(__LP_NO_GRID_SYNC))) void sync_of_grid();
#endif
__attribute__((device, error(__LP_NO_TILE_SYNC))) void sync_of_tile();
// Not inlined: what takes a group is to stay small enough to be inlined, where Clang then knows the group.
#define __LP_REFUSE(name, reason)                                                     \
  static __attribute__((device, noinline)) void name() {                              \
    if (rank_in_grid() == 0u) printf("thread_group::sync(): " reason "\n");          \
    __trap();                                                                         \
  }
__LP_REFUSE(refuse_grid, __LP_NO_GRID_SYNC)
__LP_DEVICE void sync_of_any_grid() { blocks_of_grid() == 1u ? __syncthreads() : refuse_grid(); }
#ifdef __LP_KNOWS_LATE__
__LP_DEVICE void sync_of_grid() { sync_of_any_grid(); }
#endif
#ifdef __LP_NO_WARPS__
__LP_REFUSE(refuse_tile, __LP_NO_TILE_SYNC)
#endif
#undef __LP_REFUSE
#ifdef __LP_NO_WARPS__
__LP_DEVICE unsigned int rank_in_members(unsigned int) { return 0u; }
__LP_DEVICE void sync_members(bool is_known) { is_known ? sync_of_tile() : refuse_tile(); }
#else
__LP_DEVICE unsigned int rank_in_members(unsigned int members) {
  return (unsigned int)__popc(members & ((1u << __lane_id()) - 1u));
}
__LP_DEVICE void sync_members(bool) { __syncwarp(); }
#endif
}  // namespace __v1

// As HIP numbers them.
namespace internal {
enum group_type { cg_invalid, cg_multi_grid, cg_grid, cg_workgroup, cg_tiled_group, cg_coalesced_group };
}  // namespace internal

#ifdef __LP_CUDA__
typedef unsigned long long __group_size;
#else
typedef unsigned int __group_size;
#endif

struct thread_group {
  internal::group_type __type;
  unsigned int __number;  // a tile's size; the members of a coalesced group
  __LP_GROUP thread_group(internal::group_type type, unsigned int number) : __type(type), __number(number) {}
  __LP_GROUP void sync() const {
    bool is_known = __builtin_constant_p(__type);
    if (__type == internal::cg_tiled_group || __type == internal::cg_coalesced_group) {
      __v1::sync_members(is_known);
    } else {
      if (__type == internal::cg_grid) is_known ? __v1::sync_of_grid() : __v1::sync_of_any_grid();
      __syncthreads();
    }
  }
  __LP_GROUP __group_size thread_rank() const {
    if (__type == internal::cg_workgroup) return __v1::rank_in_block();
    if (__type == internal::cg_grid) return (__group_size)__v1::rank_in_grid();
    if (__type == internal::cg_tiled_group) return __v1::rank_in_block() % __number;
    return __v1::rank_in_members(__number);
  }
  __LP_GROUP __group_size size() const {
    if (__type == internal::cg_workgroup) return __v1::threads_of_block();
    if (__type == internal::cg_grid) return (__group_size)__v1::threads_of_grid();
    if (__type == internal::cg_tiled_group) return __number;
    return (unsigned int)__popc(__number);
  }
  __LP_GROUP __group_size num_threads() const { return size(); }
  __LP_GROUP bool is_valid() const { return __type != internal::cg_grid; }
  __LP_GROUP unsigned int cg_type() const { return __type; }
};
}  // namespace cooperative_groups

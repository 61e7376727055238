// The groups that every device has: the block, one thread, and, by their members only, the grid.
#pragma once
#include <launchpath/groups/group.h>

namespace cooperative_groups {
struct thread_block : thread_group {
  __LP_GROUP thread_block() : thread_group(internal::cg_workgroup, 0u) {}
  static __LP_GROUP void sync() { __syncthreads(); }
  static __LP_GROUP unsigned int thread_rank() { return __v1::rank_in_block(); }
  static __LP_GROUP unsigned int size() { return __v1::threads_of_block(); }
  static __LP_GROUP unsigned int num_threads() { return __v1::threads_of_block(); }
  static __LP_GROUP dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __LP_GROUP dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __LP_GROUP dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __LP_GROUP dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __LP_GROUP bool is_valid() { return true; }
};
__LP_DEVICE thread_block this_thread_block() { return thread_block(); }

struct grid_group : thread_group {
  __LP_GROUP grid_group() : thread_group(internal::cg_grid, 0u) {}
  static __LP_GRID_SYNC void sync() { __v1::sync_of_grid(); }
  static __LP_GROUP unsigned long long thread_rank() { return __v1::rank_in_grid(); }
  static __LP_GROUP unsigned long long size() { return __v1::threads_of_grid(); }
  static __LP_GROUP unsigned long long num_threads() { return size(); }
  static __LP_GROUP unsigned long long num_blocks() { return __v1::blocks_of_grid(); }
  static __LP_GROUP unsigned long long block_rank() { return __v1::rank_of_block(); }
  static __LP_GROUP dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __LP_GROUP dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __LP_GROUP dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __LP_GROUP bool is_valid() { return false; }
};
__LP_DEVICE grid_group this_grid() { return grid_group(); }

struct multi_grid_group : thread_group {
  unsigned int num_grids() const;
  unsigned int grid_rank() const;
};
__attribute__((device,
               unavailable("a launch is on one device here, and a multi_grid_group is of several"))) multi_grid_group
this_multi_grid();

template <class _G> __LP_DEVICE void sync(const _G &group) { group.sync(); }
template <class _G> __LP_DEVICE auto thread_rank(const _G &group) { return group.thread_rank(); }
template <class _G> __LP_DEVICE auto group_size(const _G &group) { return group.size(); }
}  // namespace cooperative_groups

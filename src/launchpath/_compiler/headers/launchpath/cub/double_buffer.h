// CUB's pair of buffers, of which one has the data and sorting may end in the other.
#pragma once
#include <launchpath/cub/base.h>

namespace __LP_CUB {
template <class _T> struct DoubleBuffer {
  _T *d_buffers[2];
  int selector;
  __LP_CUB_BOTH DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __LP_CUB_BOTH DoubleBuffer(_T *current, _T *alternate) : d_buffers{current, alternate}, selector(0) {}
  __LP_CUB_BOTH _T *Current() { return d_buffers[selector]; }
  __LP_CUB_BOTH _T *Alternate() { return d_buffers[selector ^ 1]; }
};
}  // namespace __LP_CUB

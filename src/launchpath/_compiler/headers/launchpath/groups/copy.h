// Copies by a whole group, done when they return.
#pragma once
#include <launchpath/groups/tile.h>

namespace cooperative_groups {
template <class _G, class _T> __LP_DEVICE void memcpy_async(const _G &group, _T *to, const _T *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(_T); i += group.size()) to[i] = from[i];
}
template <class _G> __LP_DEVICE void wait(const _G &group) { group.sync(); }
template <unsigned int _N, class _G> __LP_DEVICE void wait_prior(const _G &group) { group.sync(); }
}  // namespace cooperative_groups

// std::sort, by heaps: no recursion and no memory of its own.
#pragma once

namespace std {
template <class _I, class _F> __LP_BOTH constexpr void sort(_I first, _I last, _F less) {
  auto n = last - first;
  for (auto start = n / 2, end = n; end > 1;) {
    if (start > 0) {
      --start;
    } else {
      --end;
      auto before = first[0];
      first[0] = first[end];
      first[end] = before;
    }
    for (auto root = start; 2 * root + 1 < end;) {
      auto child = 2 * root + 1;
      if (child + 1 < end && less(first[child], first[child + 1])) ++child;
      if (!less(first[root], first[child])) break;
      auto before = first[root];
      first[root] = first[child];
      first[child] = before;
      root = child;
    }
  }
}
template <class _I> __LP_BOTH constexpr void sort(_I first, _I last) {
  sort(first, last, [](const auto &a, const auto &b) { return a < b; });
}
}  // namespace std

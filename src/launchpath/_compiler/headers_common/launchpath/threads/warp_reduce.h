// Warp functions that find equal values, and those that reduce: loops over the lanes, as of devices before they had
// instructions. Each side's warp.h includes it, and has the exchange of values and the vote that they are made of.
#pragma once
#include <launchpath/keywords.h>

namespace __lp {
typedef decltype(ballot(true)) votes;  // a bit for each lane
__LP_DEVICE unsigned first_lane(unsigned lanes) { return (unsigned)(__ffs((int)lanes) - 1); }
__LP_DEVICE unsigned first_lane(unsigned long long lanes) { return (unsigned)(__ffsll((long long)lanes) - 1); }

template <class _T, class _F> __LP_DEVICE _T reduce(votes mask, _T value, _F join) {
  unsigned first = first_lane(mask);
  _T all = from_lane(value, first);
  for (unsigned i = 0; i < __LP_WARP_SIZE; ++i) {
    _T other = from_lane(value, i);
    if (i != first && (mask >> i & 1)) all = join(all, other);
  }
  return all;
}
}  // namespace __lp

template <class _T> __LP_WARP __lp_mask __match_any_sync(unsigned long long mask, _T value) {
  __lp::votes active = __lp::ballot(true) & (__lp::votes)mask, same = 0;
  for (unsigned i = 0; i < __LP_WARP_SIZE; ++i) {
    if (__lp::from_lane(value, i) == value) same |= (__lp::votes)1 << i;
  }
  return same & active;
}
template <class _T> __LP_WARP __lp_mask __match_all_sync(unsigned long long mask, _T value, int *all) {
  _T other = __lp::from_lane(value, __lp::first_lane((__lp::votes)mask));
  *all = (__lp::ballot(other != value) & (__lp::votes)mask) == 0;
  return *all ? (__lp::votes)mask : 0;
}
#define __LP_REDUCE(name, expression)                                                           \
  template <class _T> __LP_WARP _T __reduce_##name##_sync(unsigned long long mask, _T value) {  \
    return __lp::reduce((__lp::votes)mask, value, [](_T a, _T b) -> _T { return expression; }); \
  }
__LP_REDUCE(add, a + b)
__LP_REDUCE(min, b < a ? b : a)
__LP_REDUCE(max, b > a ? b : a)
__LP_REDUCE(and, a & b)
__LP_REDUCE(or, a | b)
__LP_REDUCE(xor, a ^ b)
#undef __LP_REDUCE

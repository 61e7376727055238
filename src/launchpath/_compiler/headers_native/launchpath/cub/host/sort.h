// cub::DeviceRadixSort, DeviceMergeSort and the sorts of segments. All of them are stable.
#pragma once
#include <algorithm>
#include <cstring>
#include <numeric>
#include <launchpath/cub/host/call.h>

namespace __LP_CUB {
template <size_t> struct __word_of;
template <> struct __word_of<1> { typedef uint8_t type; };
template <> struct __word_of<2> { typedef uint16_t type; };
template <> struct __word_of<4> { typedef uint32_t type; };
template <> struct __word_of<8> { typedef uint64_t type; };
template <> struct __word_of<16> { typedef unsigned __int128 type; };
template <class _K> using __word = typename __word_of<sizeof(_K)>::type;

// A key's bits, so that they are ordered as the keys are. Classes of keys are half and bfloat16; zeros are equal.
template <class _K> __attribute__((host)) __word<_K> __bits_of(const _K &key) {
  typedef __word<_K> _W;
  constexpr _W sign = (_W)1 << (sizeof(_W) * 8 - 1);
  _W bits;
  std::memcpy(&bits, &key, sizeof bits);
  if constexpr (std::is_floating_point_v<_K> || std::is_class_v<_K>) {
    if (bits == sign) bits = 0;
    return bits & sign ? (_W)~bits : (_W)(bits ^ sign);
  } else if constexpr ((_K)-1 < (_K)0) {
    return bits ^ sign;
  } else {
    return bits;
  }
}

// Gives `move(from, to)` for each key, of the order by its bits from `begin` to `end`.
template <class _K, class _F>
__attribute__((host)) void __radix_order(const _K *keys, size_t count, bool descending, int begin, int end, _F move) {
  typedef __word<_K> _W;
  struct each {
    _W bits;
    size_t from;
  };
  end = std::min(end, (int)sizeof(_K) * 8);
  std::vector<each> items(count), next(count);
  for (size_t i = 0; i < count; i++) items[i] = {descending ? (_W)~__bits_of(keys[i]) : __bits_of(keys[i]), i};
  for (int bit = begin; bit < end; bit += 8) {
    const _W mask = (_W)((1u << std::min(8, end - bit)) - 1);
    size_t places[256] = {};
    for (const each &item : items) places[(size_t)((item.bits >> bit) & mask)]++;
    if (std::find(places, places + 256, count) != places + 256) continue;
    size_t place = 0;
    for (size_t &each_place : places) place += std::exchange(each_place, place);
    for (const each &item : items) next[places[(size_t)((item.bits >> bit) & mask)]++] = item;
    items.swap(next);
  }
  for (size_t to = 0; to < count; to++) move(items[to].from, to);
}
template <class _K>
__attribute__((host)) void __radix_keys(const _K *in, _K *out, size_t count, bool descending, int begin, int end) {
  const std::vector<_K> keys(in, in + count);
  __radix_order(keys.data(), count, descending, begin, end, [&](size_t from, size_t to) { out[to] = keys[from]; });
}
template <class _K, class _V>
__attribute__((host)) void __radix_pairs(const _K *in, _K *out, const _V *values_in, _V *values_out, size_t count,
                                         bool descending, int begin, int end) {
  const std::vector<_K> keys(in, in + count);
  const std::vector<_V> values(values_in, values_in + count);
  __radix_order(keys.data(), count, descending, begin, end, [&](size_t from, size_t to) {
    out[to] = keys[from];
    values_out[to] = values[from];
  });
}

#define __LP_CUB_RADIX(_Keys, _Pairs, _descending)                                                                     \
  template <class _K, class _N>                                                                                        \
  __LP_CUB_HOST _Keys(void *storage, size_t &bytes, const _K *in, _K *out, _N count, int begin = 0,                    \
                      int end = sizeof(_K) * 8, __stream = nullptr, bool = false) {                                 \
    return __run(storage, bytes, [&] { __radix_keys(in, out, (size_t)count, _descending, begin, end); });              \
  }                                                                                                                    \
  template <class _K, class _N>                                                                                        \
  __LP_CUB_HOST _Keys(void *storage, size_t &bytes, DoubleBuffer<_K> &keys, _N count, int begin = 0,                   \
                      int end = sizeof(_K) * 8, __stream = nullptr, bool = false) {                                 \
    return __run(storage, bytes, [&] {                                                                                 \
      __radix_keys(keys.Current(), keys.Alternate(), (size_t)count, _descending, begin, end);                          \
      keys.selector ^= 1;                                                                                              \
    });                                                                                                                \
  }                                                                                                                    \
  template <class _K, class _V, class _N>                                                                              \
  __LP_CUB_HOST _Pairs(void *storage, size_t &bytes, const _K *in, _K *out, const _V *values_in, _V *values_out,       \
                       _N count, int begin = 0, int end = sizeof(_K) * 8, __stream = nullptr, bool = false) {       \
    return __run(storage, bytes, [&] {                                                                                 \
      __radix_pairs(in, out, values_in, values_out, (size_t)count, _descending, begin, end);                           \
    });                                                                                                                \
  }                                                                                                                    \
  template <class _K, class _V, class _N>                                                                              \
  __LP_CUB_HOST _Pairs(void *storage, size_t &bytes, DoubleBuffer<_K> &keys, DoubleBuffer<_V> &values, _N count,       \
                       int begin = 0, int end = sizeof(_K) * 8, __stream = nullptr, bool = false) {                 \
    return __run(storage, bytes, [&] {                                                                                 \
      __radix_pairs(keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), (size_t)count,             \
                    _descending, begin, end);                                                                          \
      keys.selector ^= 1;                                                                                              \
      values.selector ^= 1;                                                                                            \
    });                                                                                                                \
  }
struct DeviceRadixSort {
  __LP_CUB_RADIX(SortKeys, SortPairs, false)
  __LP_CUB_RADIX(SortKeysDescending, SortPairsDescending, true)
};
#undef __LP_CUB_RADIX

// What is in no segment is not written; the other buffer gets it, for that is where a program looks then.
template <class _T> __attribute__((host)) void __copy_all(DoubleBuffer<_T> &buffer, size_t count) {
  std::copy(buffer.Current(), buffer.Current() + count, buffer.Alternate());
  buffer.selector ^= 1;
}
// The bits are those of the whole key where a sort has no such parameters.
#define __LP_CUB_SEGMENTED(_Keys, _Pairs, _descending, _BITS, _begin, _end)                                            \
  template <class _K, class _N, class _M, class _B, class _E>                                                          \
  __LP_CUB_HOST _Keys(void *storage, size_t &bytes, const _K *in, _K *out, _N, _M segments, _B begins, _E ends         \
                      _BITS(_K), __stream = nullptr, bool = false) {                                                \
    return __run(storage, bytes, [&] {                                                                                 \
      for (size_t i = 0; i < (size_t)segments; i++)                                                                    \
        if (begins[i] < ends[i])                                                                                       \
          __radix_keys(in + begins[i], out + begins[i], (size_t)(ends[i] - begins[i]), _descending, _begin, _end);     \
    });                                                                                                                \
  }                                                                                                                    \
  template <class _K, class _N, class _M, class _B, class _E>                                                          \
  __LP_CUB_HOST _Keys(void *storage, size_t &bytes, DoubleBuffer<_K> &keys, _N count, _M segments, _B begins, _E ends  \
                      _BITS(_K), __stream = nullptr, bool = false) {                                                \
    return __run(storage, bytes, [&] {                                                                                 \
      __copy_all(keys, (size_t)count);                                                                                 \
      _K *const all = keys.Current();                                                                                  \
      for (size_t i = 0; i < (size_t)segments; i++)                                                                    \
        if (begins[i] < ends[i])                                                                                       \
          __radix_keys(all + begins[i], all + begins[i], (size_t)(ends[i] - begins[i]), _descending, _begin, _end);    \
    });                                                                                                                \
  }                                                                                                                    \
  template <class _K, class _V, class _N, class _M, class _B, class _E>                                                \
  __LP_CUB_HOST _Pairs(void *storage, size_t &bytes, const _K *in, _K *out, const _V *values_in, _V *values_out, _N,   \
                       _M segments, _B begins, _E ends _BITS(_K), __stream = nullptr, bool = false) {               \
    return __run(storage, bytes, [&] {                                                                                 \
      for (size_t i = 0; i < (size_t)segments; i++)                                                                    \
        if (begins[i] < ends[i])                                                                                       \
          __radix_pairs(in + begins[i], out + begins[i], values_in + begins[i], values_out + begins[i],                \
                        (size_t)(ends[i] - begins[i]), _descending, _begin, _end);                                     \
    });                                                                                                                \
  }                                                                                                                    \
  template <class _K, class _V, class _N, class _M, class _B, class _E>                                                \
  __LP_CUB_HOST _Pairs(void *storage, size_t &bytes, DoubleBuffer<_K> &keys, DoubleBuffer<_V> &values, _N count,       \
                       _M segments, _B begins, _E ends _BITS(_K), __stream = nullptr, bool = false) {               \
    return __run(storage, bytes, [&] {                                                                                 \
      __copy_all(keys, (size_t)count);                                                                                 \
      __copy_all(values, (size_t)count);                                                                               \
      _K *const all = keys.Current();                                                                                  \
      _V *const with = values.Current();                                                                               \
      for (size_t i = 0; i < (size_t)segments; i++)                                                                    \
        if (begins[i] < ends[i])                                                                                       \
          __radix_pairs(all + begins[i], all + begins[i], with + begins[i], with + begins[i],                          \
                        (size_t)(ends[i] - begins[i]), _descending, _begin, _end);                                     \
    });                                                                                                                \
  }
#define __LP_CUB_BITS(_K) , int begin = 0, int end = sizeof(_K) * 8
#define __LP_CUB_NO_BITS(_K)
struct DeviceSegmentedRadixSort {
  __LP_CUB_SEGMENTED(SortKeys, SortPairs, false, __LP_CUB_BITS, begin, end)
  __LP_CUB_SEGMENTED(SortKeysDescending, SortPairsDescending, true, __LP_CUB_BITS, begin, end)
};
struct DeviceSegmentedSort {
  __LP_CUB_SEGMENTED(SortKeys, SortPairs, false, __LP_CUB_NO_BITS, 0, sizeof(_K) * 8)
  __LP_CUB_SEGMENTED(SortKeysDescending, SortPairsDescending, true, __LP_CUB_NO_BITS, 0, sizeof(_K) * 8)
  __LP_CUB_SEGMENTED(StableSortKeys, StableSortPairs, false, __LP_CUB_NO_BITS, 0, sizeof(_K) * 8)
  __LP_CUB_SEGMENTED(StableSortKeysDescending, StableSortPairsDescending, true, __LP_CUB_NO_BITS, 0, sizeof(_K) * 8)
};
#undef __LP_CUB_SEGMENTED
#undef __LP_CUB_BITS
#undef __LP_CUB_NO_BITS

struct DeviceMergeSort {
  template <class _I, class _O, class _N, class _F, class... _S>
  __LP_CUB_HOST SortKeysCopy(void *storage, size_t &bytes, _I in, _O out, _N count, _F less, _S...) {
    return __run(storage, bytes, [&] {
      std::vector<__value_of<_I>> keys(in, in + count);
      std::stable_sort(keys.begin(), keys.end(), less);
      std::copy(keys.begin(), keys.end(), out);
    });
  }
  template <class _I, class _V, class _O, class _W, class _N, class _F, class... _S>
  __LP_CUB_HOST SortPairsCopy(void *storage, size_t &bytes, _I in, _V values_in, _O out, _W values_out, _N count, _F less,
                              _S...) {
    return __run(storage, bytes, [&] {
      const std::vector<__value_of<_I>> keys(in, in + count);
      const std::vector<__value_of<_V>> values(values_in, values_in + count);
      std::vector<size_t> order((size_t)count);
      std::iota(order.begin(), order.end(), (size_t)0);
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return less(keys[a], keys[b]); });
      for (size_t i = 0; i < order.size(); i++) {
        out[i] = keys[order[i]];
        values_out[i] = values[order[i]];
      }
    });
  }
  template <class _I, class _N, class _F, class... _S>
  __LP_CUB_HOST SortKeys(void *storage, size_t &bytes, _I keys, _N count, _F less, _S...) {
    return SortKeysCopy(storage, bytes, keys, keys, count, less);
  }
  template <class _I, class _N, class _F, class... _S>
  __LP_CUB_HOST StableSortKeys(void *storage, size_t &bytes, _I keys, _N count, _F less, _S...) {
    return SortKeysCopy(storage, bytes, keys, keys, count, less);
  }
  template <class _I, class _O, class _N, class _F, class... _S>
  __LP_CUB_HOST StableSortKeysCopy(void *storage, size_t &bytes, _I in, _O out, _N count, _F less, _S...) {
    return SortKeysCopy(storage, bytes, in, out, count, less);
  }
  template <class _I, class _V, class _N, class _F, class... _S>
  __LP_CUB_HOST SortPairs(void *storage, size_t &bytes, _I keys, _V values, _N count, _F less, _S...) {
    return SortPairsCopy(storage, bytes, keys, values, keys, values, count, less);
  }
  template <class _I, class _V, class _N, class _F, class... _S>
  __LP_CUB_HOST StableSortPairs(void *storage, size_t &bytes, _I keys, _V values, _N count, _F less, _S...) {
    return SortPairsCopy(storage, bytes, keys, values, keys, values, count, less);
  }
};
}  // namespace __LP_CUB

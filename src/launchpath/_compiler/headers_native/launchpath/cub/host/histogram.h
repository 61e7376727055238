// cub::DeviceHistogram. A sample outside of all levels is in no bin.
#pragma once
#include <algorithm>
#include <launchpath/cub/host/call.h>

namespace __LP_CUB {
template <class _S, class _L> __attribute__((host)) int __even_bin(_S sample, _L lower, _L upper, int bins) {
  typedef std::common_type_t<_S, _L> _C;
  if (!((_C)lower <= (_C)sample && (_C)sample < (_C)upper)) return -1;
  if constexpr (std::is_integral_v<_C>)
    return (int)((__int128)((__int128)sample - (__int128)lower) * bins / ((__int128)upper - (__int128)lower));
  else
    return std::min(bins - 1, (int)(((_C)sample - (_C)lower) * ((_C)bins / ((_C)upper - (_C)lower))));
}
template <class _S, class _P> __attribute__((host)) int __range_bin(_S sample, _P levels, int count) {
  const auto end = levels + count;
  const auto above = std::upper_bound(levels, end, sample);
  return above == levels || above == end ? -1 : (int)(above - levels) - 1;
}
// All channels of a picture: `bin(channel, sample)`.
template <int _C, int _A, class _I, class _H, class _L, class _N, class _F>
__attribute__((host)) void __histograms(_I samples, _H &&histograms, _L &&levels, _N columns, _N rows, size_t stride,
                                        _F bin) {
  for (int channel = 0; channel < _A; channel++)
    for (int i = 0; i < (int)levels[channel] - 1; i++) histograms[channel][i] = 0;
  for (size_t row = 0; row < (size_t)rows; row++)
    for (size_t column = 0; column < (size_t)columns; column++)
      for (int channel = 0; channel < _A; channel++) {
        // Rows are `stride` bytes apart, which are whole samples.
        const size_t at = row * (stride / sizeof(__value_of<_I>)) + column * _C + (size_t)channel;
        const int chosen = bin(channel, samples[at]);
        if (chosen >= 0) ++histograms[channel][chosen];
      }
}

struct DeviceHistogram {
  template <int _C, int _A, class _I, class _H, class _L, class _N>
  __LP_CUB_HOST MultiHistogramEven(void *storage, size_t &bytes, _I samples, _H &&histograms, const int *levels,
                                   const _L *lower, const _L *upper, _N columns, _N rows, size_t stride,
                                   __stream = nullptr, bool = false) {
    return __run(storage, bytes, [&] {
      __histograms<_C, _A>(samples, histograms, levels, columns, rows, stride, [&](int channel, auto sample) {
        return __even_bin(sample, lower[channel], upper[channel], levels[channel] - 1);
      });
    });
  }
  template <int _C, int _A, class _I, class _H, class _L, class _N>
  __LP_CUB_HOST MultiHistogramEven(void *storage, size_t &bytes, _I samples, _H &&histograms, const int *levels,
                                   const _L *lower, const _L *upper, _N pixels, __stream = nullptr, bool = false) {
    return MultiHistogramEven<_C, _A>(storage, bytes, samples, histograms, levels, lower, upper, pixels, (_N)1, 0);
  }
  template <int _C, int _A, class _I, class _H, class _P, class _N>
  __LP_CUB_HOST MultiHistogramRange(void *storage, size_t &bytes, _I samples, _H &&histograms, const int *counts,
                                    _P &&levels, _N columns, _N rows, size_t stride, __stream = nullptr,
                                    bool = false) {
    return __run(storage, bytes, [&] {
      __histograms<_C, _A>(samples, histograms, counts, columns, rows, stride, [&](int channel, auto sample) {
        return __range_bin(sample, levels[channel], counts[channel]);
      });
    });
  }
  template <int _C, int _A, class _I, class _H, class _P, class _N>
  __LP_CUB_HOST MultiHistogramRange(void *storage, size_t &bytes, _I samples, _H &&histograms, const int *counts,
                                    _P &&levels, _N pixels, __stream = nullptr, bool = false) {
    return MultiHistogramRange<_C, _A>(storage, bytes, samples, histograms, counts, levels, pixels, (_N)1, 0);
  }
  template <class _I, class _H, class _L, class _N>
  __LP_CUB_HOST HistogramEven(void *storage, size_t &bytes, _I samples, _H *histogram, int levels, _L lower, _L upper,
                              _N count, __stream stream = nullptr, bool = false) {
    return MultiHistogramEven<1, 1>(storage, bytes, samples, &histogram, &levels, &lower, &upper, count, stream);
  }
  template <class _I, class _H, class _L, class _N>
  __LP_CUB_HOST HistogramEven(void *storage, size_t &bytes, _I samples, _H *histogram, int levels, _L lower, _L upper,
                              _N columns, _N rows, size_t stride, __stream = nullptr, bool = false) {
    return MultiHistogramEven<1, 1>(storage, bytes, samples, &histogram, &levels, &lower, &upper, columns, rows, stride);
  }
  template <class _I, class _H, class _P, class _N>
  __LP_CUB_HOST HistogramRange(void *storage, size_t &bytes, _I samples, _H *histogram, int count, _P levels, _N samples_,
                               __stream stream = nullptr, bool = false) {
    return MultiHistogramRange<1, 1>(storage, bytes, samples, &histogram, &count, &levels, samples_, stream);
  }
  template <class _I, class _H, class _P, class _N>
  __LP_CUB_HOST HistogramRange(void *storage, size_t &bytes, _I samples, _H *histogram, int count, _P levels, _N columns,
                               _N rows, size_t stride, __stream = nullptr, bool = false) {
    return MultiHistogramRange<1, 1>(storage, bytes, samples, &histogram, &count, &levels, columns, rows, stride);
  }
};
}  // namespace __LP_CUB

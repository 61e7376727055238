// cub::DeviceSelect, DevicePartition and DeviceRunLengthEncode. An output may be the input.
#pragma once
#include <launchpath/cub/host/call.h>

namespace __LP_CUB {
struct DeviceSelect {
  template <class _I, class _O, class _C, class _N, class _F, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST If(void *storage, size_t &bytes, _I in, _O out, _C selected, _N count, _F wanted, _S...) {
    return __run(storage, bytes, [&] {
      size_t to = 0;
      for (size_t i = 0; i < (size_t)count; i++) {
        const __value_of<_I> item = in[i];
        if (wanted(item)) out[to++] = item;
      }
      *selected = (__held<_C, int>)to;
    });
  }
  template <class _I, class _C, class _N, class _F, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST If(void *storage, size_t &bytes, _I data, _C selected, _N count, _F wanted, _S...) {
    return If(storage, bytes, data, data, selected, count, wanted);
  }
  template <class _I, class _G, class _O, class _C, class _N, class _F, class... _S>
  __LP_CUB_HOST FlaggedIf(void *storage, size_t &bytes, _I in, _G flags, _O out, _C selected, _N count, _F wanted,
                          _S...) {
    return __run(storage, bytes, [&] {
      size_t to = 0;
      for (size_t i = 0; i < (size_t)count; i++) {
        const __value_of<_I> item = in[i];
        if (wanted(flags[i])) out[to++] = item;
      }
      *selected = (__held<_C, int>)to;
    });
  }
  template <class _I, class _G, class _O, class _C, class _N, class... _S, __LP_CUB_NUMBER(_N),
            std::enable_if_t<!std::is_integral_v<_C>, int> = 0>
  __LP_CUB_HOST Flagged(void *storage, size_t &bytes, _I in, _G flags, _O out, _C selected, _N count, _S...) {
    return FlaggedIf(storage, bytes, in, flags, out, selected, count, [](const auto &flag) { return (bool)flag; });
  }
  template <class _I, class _G, class _C, class _N, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST Flagged(void *storage, size_t &bytes, _I data, _G flags, _C selected, _N count, _S...) {
    return FlaggedIf(storage, bytes, data, flags, data, selected, count, [](const auto &flag) { return (bool)flag; });
  }
  template <class _I, class _O, class _C, class _N, class... _S>
  __LP_CUB_HOST Unique(void *storage, size_t &bytes, _I in, _O out, _C selected, _N count, _S...) {
    return __run(storage, bytes, [&] {
      size_t to = 0;
      __value_of<_I> last{};
      for (size_t i = 0; i < (size_t)count; i++) {
        const __value_of<_I> item = in[i];
        if (i == 0 || !(last == item)) out[to++] = item;
        last = item;
      }
      *selected = (__held<_C, int>)to;
    });
  }
  template <class _K, class _V, class _KO, class _VO, class _C, class _N, class... _S>
  __LP_CUB_HOST UniqueByKey(void *storage, size_t &bytes, _K keys, _V values, _KO keys_out, _VO values_out, _C selected,
                            _N count, _S...) {
    return __run(storage, bytes, [&] {
      size_t to = 0;
      __value_of<_K> last{};
      for (size_t i = 0; i < (size_t)count; i++) {
        const __value_of<_K> key = keys[i];
        if (i == 0 || !(last == key)) {
          values_out[to] = values[i];
          keys_out[to++] = key;
        }
        last = key;
      }
      *selected = (__held<_C, int>)to;
    });
  }
};

// The items that are not selected are behind the others, in reverse.
struct DevicePartition {
  template <class _I, class _G, class _O, class _C, class _N, class... _S>
  __LP_CUB_HOST Flagged(void *storage, size_t &bytes, _I in, _G flags, _O out, _C selected, _N count, _S...) {
    return __run(storage, bytes, [&] {
      size_t to = 0, end = (size_t)count;
      for (size_t i = 0; i < (size_t)count; i++) {
        if (flags[i])
          out[to++] = in[i];
        else
          out[--end] = in[i];
      }
      *selected = (__held<_C, int>)to;
    });
  }
  template <class _I, class _O, class _C, class _N, class _F, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST If(void *storage, size_t &bytes, _I in, _O out, _C selected, _N count, _F wanted, _S...) {
    return __run(storage, bytes, [&] {
      size_t to = 0, end = (size_t)count;
      for (size_t i = 0; i < (size_t)count; i++) {
        const __value_of<_I> item = in[i];
        if (wanted(item))
          out[to++] = item;
        else
          out[--end] = item;
      }
      *selected = (__held<_C, int>)to;
    });
  }
  // In three parts, all in order.
  template <class _I, class _A, class _B, class _R, class _C, class _N, class _F, class _G, class... _S,
            __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST If(void *storage, size_t &bytes, _I in, _A first, _B second, _R rest, _C selected, _N count, _F to_first,
                   _G to_second, _S...) {
    return __run(storage, bytes, [&] {
      size_t firsts = 0, seconds = 0, others = 0;
      for (size_t i = 0; i < (size_t)count; i++) {
        const __value_of<_I> item = in[i];
        if (to_first(item))
          first[firsts++] = item;
        else if (to_second(item))
          second[seconds++] = item;
        else
          rest[others++] = item;
      }
      selected[0] = (__held<_C, int>)firsts;
      selected[1] = (__held<_C, int>)seconds;
    });
  }
};

struct DeviceRunLengthEncode {
  template <class _I, class _U, class _L, class _C, class _N, class... _S>
  __LP_CUB_HOST Encode(void *storage, size_t &bytes, _I in, _U unique, _L lengths, _C runs, _N count, _S...) {
    return __run(storage, bytes, [&] {
      size_t run = 0;
      for (size_t i = 0; i < (size_t)count; run++) {
        const size_t begin = i;
        const __value_of<_I> item = in[i];
        while (++i < (size_t)count && item == in[i]) {
        }
        unique[run] = item;
        lengths[run] = (__held<_L, int>)(i - begin);
      }
      *runs = (__held<_C, int>)run;
    });
  }
  template <class _I, class _P, class _L, class _C, class _N, class... _S>
  __LP_CUB_HOST NonTrivialRuns(void *storage, size_t &bytes, _I in, _P offsets, _L lengths, _C runs, _N count, _S...) {
    return __run(storage, bytes, [&] {
      size_t run = 0;
      for (size_t i = 0; i < (size_t)count;) {
        const size_t begin = i;
        while (++i < (size_t)count && in[begin] == in[i]) {
        }
        if (i - begin == 1) continue;
        offsets[run] = (__held<_P, int>)begin;
        lengths[run++] = (__held<_L, int>)(i - begin);
      }
      *runs = (__held<_C, int>)run;
    });
  }
};
}  // namespace __LP_CUB

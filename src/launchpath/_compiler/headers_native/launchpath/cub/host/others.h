// CUB's other device-wide functions, and its allocator. DeviceSpmv and DeviceTransform are not here: a program that calls
// them does not compile.
#pragma once
#include <algorithm>
#include <cstring>
#include <launchpath/cub/host/call.h>

namespace __LP_CUB {
struct CachingDeviceAllocator {
  template <class... _A> __attribute__((host)) CachingDeviceAllocator(_A &&...) {}
  template <class _T> __LP_CUB_HOST __allocate(_T **memory, size_t bytes) {
    *memory = static_cast<_T *>(launchpath_allocate(bytes ? bytes : 1));
    return (__LP_CUB_ERROR)(*memory ? 0 : 2);  // out of memory
  }
  template <class _T, class... _S> __attribute__((host)) __LP_CUB_ERROR DeviceAllocate(_T **memory, size_t bytes, _S...) {
    return __allocate(memory, bytes);
  }
  template <class _T, class... _S>
  __attribute__((host)) __LP_CUB_ERROR DeviceAllocate(int, _T **memory, size_t bytes, _S...) {
    return __allocate(memory, bytes);
  }
  __attribute__((host)) __LP_CUB_ERROR DeviceFree(void *memory) { return DeviceFree(0, memory); }
  __attribute__((host)) __LP_CUB_ERROR DeviceFree(int, void *memory) {
    launchpath_free(memory);
    return (__LP_CUB_ERROR)0;
  }
  __attribute__((host)) __LP_CUB_ERROR FreeAllCached() { return (__LP_CUB_ERROR)0; }
  __attribute__((host)) __LP_CUB_ERROR SetMaxCachedBytes(size_t) { return (__LP_CUB_ERROR)0; }
};

struct __difference {
  template <class _A, class _B> auto operator()(const _A &a, const _B &b) const { return a - b; }
};
struct DeviceAdjacentDifference {
  template <class _I, class _O, class _N, class _F = __difference, class... _S>
  __LP_CUB_HOST SubtractLeftCopy(void *storage, size_t &bytes, _I in, _O out, _N count, _F op = _F(), _S...) {
    return __run(storage, bytes, [&] {
      for (size_t i = (size_t)count; i-- > 1;) out[i] = op(in[i], in[i - 1]);
      if (count) out[0] = in[0];
    });
  }
  template <class _I, class _N, class _F = __difference, class... _S>
  __LP_CUB_HOST SubtractLeft(void *storage, size_t &bytes, _I data, _N count, _F op = _F(), _S...) {
    return SubtractLeftCopy(storage, bytes, data, data, count, op);
  }
  template <class _I, class _O, class _N, class _F = __difference, class... _S>
  __LP_CUB_HOST SubtractRightCopy(void *storage, size_t &bytes, _I in, _O out, _N count, _F op = _F(), _S...) {
    return __run(storage, bytes, [&] {
      for (size_t i = 0; i + 1 < (size_t)count; i++) out[i] = op(in[i], in[i + 1]);
      if (count) out[(size_t)count - 1] = in[(size_t)count - 1];
    });
  }
  template <class _I, class _N, class _F = __difference, class... _S>
  __LP_CUB_HOST SubtractRight(void *storage, size_t &bytes, _I data, _N count, _F op = _F(), _S...) {
    return SubtractRightCopy(storage, bytes, data, data, count, op);
  }
};

struct DeviceMerge {
  template <class _I, class _N, class _J, class _M, class _O, class _F = std::less<>, class... _S>
  __LP_CUB_HOST MergeKeys(void *storage, size_t &bytes, _I a, _N count, _J b, _M others, _O out, _F less = _F(), _S...) {
    return __run(storage, bytes, [&] { std::merge(a, a + count, b, b + others, out, less); });
  }
  template <class _I, class _V, class _N, class _J, class _W, class _M, class _O, class _U, class _F = std::less<>,
            class... _S>
  __LP_CUB_HOST MergePairs(void *storage, size_t &bytes, _I a, _V values_a, _N count, _J b, _W values_b, _M others, _O out,
                           _U values, _F less = _F(), _S...) {
    return __run(storage, bytes, [&] {
      size_t i = 0, j = 0;
      for (size_t to = 0; to < (size_t)count + (size_t)others; to++) {
        if (i < (size_t)count && (j == (size_t)others || !less(b[j], a[i]))) {
          out[to] = a[i];
          values[to] = values_a[i++];
        } else {
          out[to] = b[j];
          values[to] = values_b[j++];
        }
      }
    });
  }
};

struct DeviceCopy {
  template <class _I, class _O, class _C, class _N, class... _S>
  __LP_CUB_HOST Batched(void *storage, size_t &bytes, _I inputs, _O outputs, _C sizes, _N count, _S...) {
    return __run(storage, bytes, [&] {
      for (size_t i = 0; i < (size_t)count; i++) std::copy(inputs[i], inputs[i] + sizes[i], outputs[i]);
    });
  }
};
struct DeviceMemcpy {
  template <class _I, class _O, class _C, class _N, class... _S>
  __LP_CUB_HOST Batched(void *storage, size_t &bytes, _I inputs, _O outputs, _C sizes, _N count, _S...) {
    return __run(storage, bytes, [&] {
      for (size_t i = 0; i < (size_t)count; i++) std::memcpy(outputs[i], inputs[i], (size_t)sizes[i]);
    });
  }
};

// Without memory, or with as much as the other functions want.
struct DeviceFor {
  template <class _N, class _F, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST Bulk(_N count, _F op, _S...) {
    return __now([&] { for (_N i = 0; i < count; i++) op(i); });
  }
  template <class _N, class _F, class... _S, __LP_CUB_NUMBER(_N)>
  __LP_CUB_HOST Bulk(void *storage, size_t &bytes, _N count, _F op, _S...) {
    return __run(storage, bytes, [&] { for (_N i = 0; i < count; i++) op(i); });
  }
#define __LP_CUB_EACH(_Name, _NameN)                                                                   \
  template <class _I, class _N, class _F, class... _S, __LP_CUB_NUMBER(_N)>                            \
  __LP_CUB_HOST _NameN(_I first, _N count, _F op, _S...) {                                             \
    return __now([&] { for (_N i = 0; i < count; i++) op(first[i]); });                                \
  }                                                                                                    \
  template <class _I, class _N, class _F, class... _S, __LP_CUB_NUMBER(_N)>                            \
  __LP_CUB_HOST _NameN(void *storage, size_t &bytes, _I first, _N count, _F op, _S...) {               \
    return __run(storage, bytes, [&] { for (_N i = 0; i < count; i++) op(first[i]); });                \
  }                                                                                                    \
  template <class _I, class _F, class... _S> __LP_CUB_HOST _Name(_I first, _I last, _F op, _S...) {    \
    return __now([&] { for (; first != last; ++first) op(*first); });                                  \
  }                                                                                                    \
  template <class _I, class _F, class... _S>                                                           \
  __LP_CUB_HOST _Name(void *storage, size_t &bytes, _I first, _I last, _F op, _S...) {                 \
    return __run(storage, bytes, [&] { for (; first != last; ++first) op(*first); });                  \
  }
  __LP_CUB_EACH(ForEach, ForEachN)
  __LP_CUB_EACH(ForEachCopy, ForEachCopyN)
#undef __LP_CUB_EACH
};
}  // namespace __LP_CUB

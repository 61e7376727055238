// Memory functions of the C library, and loads and stores that name a cache.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

#define __LP_BYTES extern "C" inline __attribute__((device, always_inline))
__LP_BYTES void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
__LP_BYTES void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }
#include <launchpath/c_library/bytes.h>
#undef __LP_BYTES

// Host code that is read for kernels uses these too: virtual functions are read whole.
#ifdef __LP_HOST__
#define __LP_PLACED inline __attribute__((device, always_inline))
#else
#define __LP_PLACED inline __attribute__((host, device, always_inline))
#endif
__LP_PLACED void *operator new(size_t, void *at) noexcept { return at; }
__LP_PLACED void *operator new[](size_t, void *at) noexcept { return at; }
#undef __LP_PLACED
inline __attribute__((device, always_inline)) void operator delete(void *, void *) noexcept {}
inline __attribute__((device, always_inline)) void operator delete[](void *, void *) noexcept {}

// Caches are the device's own matter.
#define __LP_LOAD(name) \
  template <class _T> __LP_DEVICE _T name(const _T *at) { return *at; }
__LP_LOAD(__ldg)
__LP_LOAD(__ldca)
__LP_LOAD(__ldcg)
__LP_LOAD(__ldcs)
__LP_LOAD(__ldlu)
__LP_LOAD(__ldcv)
#undef __LP_LOAD
#define __LP_STORE(name) \
  template <class _T> __LP_DEVICE void name(_T *at, __lp::given<_T> value) { *at = value; }
__LP_STORE(__stwb)
__LP_STORE(__stcg)
__LP_STORE(__stcs)
__LP_STORE(__stwt)
#undef __LP_STORE
__LP_DEVICE void __prefetch_global_l1(const void *) {}
__LP_DEVICE void __prefetch_global_l2(const void *) {}

// An address in one of the hardware's spaces, as instructions of its own want it: of which there are none here.
__LP_LAZY size_t __cvta_generic_to_global(const void *at) { return (size_t)at; }
__LP_LAZY size_t __cvta_generic_to_shared(const void *at) { return (size_t)at; }
__LP_LAZY size_t __cvta_generic_to_local(const void *at) { return (size_t)at; }
__LP_LAZY size_t __cvta_generic_to_constant(const void *at) { return (size_t)at; }
__LP_LAZY void *__cvta_global_to_generic(size_t at) { return (void *)at; }
__LP_LAZY void *__cvta_shared_to_generic(size_t at) { return (void *)at; }
__LP_LAZY void *__cvta_local_to_generic(size_t at) { return (void *)at; }
__LP_LAZY void *__cvta_constant_to_generic(size_t at) { return (void *)at; }

// Counters of profilers.
__LP_LAZY void __prof_trigger(int) {}
__LP_LAZY void __pm0() {}
__LP_LAZY void __pm1() {}
__LP_LAZY void __pm2() {}
__LP_LAZY void __pm3() {}

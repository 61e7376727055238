// Memory that kernels allocate: malloc, free, new and delete. It lasts until it is freed, in later launches too.
//
// The heap is a variable of the program's. Free blocks are kept in a list for each size, and the rest lies behind `top`.
// There is no lock: lanes that run in step would wait for each other for ever.
#pragma once
#include <launchpath/threads/atomic.h>
#include <launchpath/threads/sync.h>

#ifdef LAUNCHPATH_HEAP_BYTES  // given with a compilation
#define __LP_HEAP_BYTES (LAUNCHPATH_HEAP_BYTES)
#else
#define __LP_HEAP_BYTES (8 << 20)  // CUDA's default, cudaLimitMallocHeapSize
#endif

namespace __lp {
static_assert(__LP_HEAP_BYTES >= 1024 && __LP_HEAP_BYTES <= (1ll << 34), "LAUNCHPATH_HEAP_BYTES: from 1 KiB to 16 GiB");
// Of a list. The upper half counts the changes of the list. The lower half is the number of its first block, or 0.
typedef unsigned long long heap_head;
enum : unsigned { heap_unit = 16, heap_sizes = 160, heap_units = __LP_HEAP_BYTES / heap_unit };

// Before each block. Sizes and numbers are in units; a block's number is that of its header, plus 1.
struct alignas(16) heap_header {
  unsigned next, units, size, is_allocated;
};

// A template: programs that do not allocate have no heap.
template <int = 0> struct heap {
  static __attribute__((device)) heap_header blocks[heap_units];
  static __attribute__((device)) heap_head lists[heap_sizes];
  static __attribute__((device)) unsigned top;

  // Four sizes for each power of two, at most a fourth larger than what is asked for.
  static inline __attribute__((device)) unsigned rounded(unsigned units, unsigned &size) {
    unsigned power = 32 - __builtin_clz(units), step = power > 3 ? power - 3 : 0;
    unsigned steps = (units + (1u << step) - 1) >> step;
    size = 4 * step + steps;
    return steps << step;
  }

  static inline __attribute__((device)) void *allocated(unsigned number) {
    blocks[number - 1].is_allocated = 1;
    return &blocks[number];
  }

  static inline __attribute__((device)) void *popped(unsigned size) {
    heap_head head = atomicAdd(&lists[size], 0ull);
    while (unsigned number = (unsigned)head) {
      __threadfence();
      // Another thread may have taken it meanwhile, and put it back: then the count differs.
      heap_head next = ((head >> 32) + 1) << 32 | atomicAdd(&blocks[number - 1].next, 0u);
      heap_head current = atomicCAS(&lists[size], head, next);
      if (current == head) return allocated(number);
      head = current;
    }
    return nullptr;
  }

  static inline __attribute__((device)) void *allocate(size_t bytes) {
    if (bytes > (size_t)(heap_units - 1) * heap_unit) return nullptr;
    unsigned size, units = rounded(1 + (unsigned)((bytes + heap_unit - 1) / heap_unit), size);
    if (void *block = popped(size)) return block;
    unsigned start = atomicAdd(&top, 0u);
    while (units <= heap_units - start) {
      unsigned current = atomicCAS(&top, start, start + units);
      if (current == start) {
        blocks[start].units = units;
        blocks[start].size = size;
        return allocated(start + 1);
      }
      start = current;
    }
    // No block is divided: a small request takes all of a large block.
    for (unsigned larger = size + 1; larger < heap_sizes; ++larger)
      if (void *block = popped(larger)) return block;
    return nullptr;
  }

  static inline __attribute__((device)) void release(void *at) {
    if (at == nullptr) return;
    heap_header *header = (heap_header *)at - 1;
    if ((size_t)header - (size_t)blocks >= sizeof(blocks)) return;  // no memory of this heap
    if (atomicExch(&header->is_allocated, 0u) != 1u) return;  // it is free already
    unsigned number = (unsigned)(header - blocks) + 1, size = header->size;
    heap_head head = atomicAdd(&lists[size], 0ull);
    for (;;) {
      atomicExch(&header->next, (unsigned)head);
      __threadfence();
      heap_head current = atomicCAS(&lists[size], head, ((head >> 32) + 1) << 32 | number);
      if (current == head) return;
      head = current;
    }
  }

  static inline __attribute__((device)) void *reallocated(void *at, size_t bytes) {
    void *to = allocate(bytes);
    if (at == nullptr || to == nullptr) return to;
    size_t before = (size_t)(((heap_header *)at - 1)->units - 1) * heap_unit;
    __builtin_memcpy(to, at, before < bytes ? before : bytes);
    release(at);
    return to;
  }
};
template <int _N> __attribute__((device)) heap_header heap<_N>::blocks[heap_units];
template <int _N> __attribute__((device)) heap_head heap<_N>::lists[heap_sizes];
template <int _N> __attribute__((device)) unsigned heap<_N>::top;
}  // namespace __lp
#undef __LP_HEAP_BYTES

// By names of their own: compilers know what a function named malloc does, and this one has memory of the program's.
#define __LP_HEAP(type, name, label, ...)                            \
  extern "C" __attribute__((device)) type name(__VA_ARGS__) __asm__(label); \
  extern "C" inline __attribute__((device)) type name(__VA_ARGS__)
__LP_HEAP(void *, malloc, "__lp_malloc", size_t bytes) { return __lp::heap<>::allocate(bytes); }
__LP_HEAP(void, free, "__lp_free", void *at) { __lp::heap<>::release(at); }
__LP_HEAP(void *, realloc, "__lp_realloc", void *at, size_t bytes) { return __lp::heap<>::reallocated(at, bytes); }
__LP_HEAP(void *, calloc, "__lp_calloc", size_t count, size_t bytes) {
  void *at = bytes != 0 && count > ~(size_t)0 / bytes ? nullptr : __lp::heap<>::allocate(count * bytes);
  return at != nullptr ? __builtin_memset(at, 0, count * bytes) : nullptr;
}
// Clang has declared the operators, and lets no header define them. It finds these by their names. They come behind the
// source, but for those that the program has itself: see _compiler/heap_operators.py.
#define __LP_Znwm __LP_HEAP(void *, __lp_new, "_Znwm", size_t bytes) { return __lp::heap<>::allocate(bytes); }
#define __LP_ZdlPv __LP_HEAP(void, __lp_delete, "_ZdlPv", void *at) { __lp::heap<>::release(at); }
// As C++ has them: by the others.
#define __LP_Znam __LP_HEAP(void *, __lp_new_array, "_Znam", size_t bytes) { return ::operator new(bytes); }
#define __LP_ZdaPv __LP_HEAP(void, __lp_delete_array, "_ZdaPv", void *at) { ::operator delete(at); }
#define __LP_ZdlPvm __LP_HEAP(void, __lp_delete_sized, "_ZdlPvm", void *at, size_t) { ::operator delete(at); }
#define __LP_ZdaPvm __LP_HEAP(void, __lp_delete_sized_array, "_ZdaPvm", void *at, size_t) { ::operator delete[](at); }

// Memory that kernels allocate: malloc, free, new and delete. It lasts until it is freed, in later launches too.
//
// The heap is a variable of the program's. Free blocks are kept in a list for each size, and the rest lies behind `top`.
// Nothing is locked, so no thread waits for another: lanes that run in step would wait for ever.
#pragma once
#include <launchpath/atomic.h>
#include <launchpath/sync.h>

#ifdef LAUNCHPATH_HEAP_BYTES  // given with a compilation
#define __LP_HEAP_BYTES LAUNCHPATH_HEAP_BYTES
#else
#define __LP_HEAP_BYTES (8 << 20)  // CUDA's default, cudaLimitMallocHeapSize
#endif

namespace __lp {
typedef unsigned long long heap_head;  // of a list: a count of its changes above the number of its first block, or 0
enum : unsigned { heap_unit = 16, heap_sizes = 160, heap_units = __LP_HEAP_BYTES / heap_unit };

// Before each block. Sizes and numbers are in units; a block's number is that of its header, plus 1.
struct heap_header {
  unsigned next, units, size, used;
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

  static inline __attribute__((device)) void *taken(unsigned number) {
    blocks[number - 1].used = 1;
    return &blocks[number];
  }

  static inline __attribute__((device)) void *from_list(unsigned size) {
    heap_head head = atomicAdd(&lists[size], 0ull);
    while (unsigned number = (unsigned)head) {
      __threadfence();
      // Another thread may have taken it meanwhile, and put it back: then the count differs.
      heap_head next = ((head >> 32) + 1) << 32 | atomicAdd(&blocks[number - 1].next, 0u);
      heap_head seen = atomicCAS(&lists[size], head, next);
      if (seen == head) return taken(number);
      head = seen;
    }
    return nullptr;
  }

  static inline __attribute__((device)) void *allocate(size_t bytes) {
    if (bytes > (size_t)(heap_units - 1) * heap_unit) return nullptr;
    unsigned size, units = rounded(1 + (unsigned)((bytes + heap_unit - 1) / heap_unit), size);
    if (void *found = from_list(size)) return found;
    unsigned start = atomicAdd(&top, 0u);
    while (start + units <= heap_units) {
      unsigned seen = atomicCAS(&top, start, start + units);
      if (seen == start) {
        blocks[start].units = units;
        blocks[start].size = size;
        return taken(start + 1);
      }
      start = seen;
    }
    for (unsigned larger = size + 1; larger < heap_sizes; ++larger)
      if (void *found = from_list(larger)) return found;
    return nullptr;
  }

  static inline __attribute__((device)) void release(void *at) {
    if (at == nullptr) return;
    heap_header *header = (heap_header *)at - 1;
    if (atomicExch(&header->used, 0u) != 1u) return;  // it is free
    unsigned number = (unsigned)(header - blocks) + 1, size = header->size;
    heap_head head = atomicAdd(&lists[size], 0ull);
    for (;;) {
      atomicExch(&header->next, (unsigned)head);
      __threadfence();
      heap_head seen = atomicCAS(&lists[size], head, ((head >> 32) + 1) << 32 | number);
      if (seen == head) return;
      head = seen;
    }
  }

  static inline __attribute__((device)) void *moved(void *at, size_t bytes) {
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
__LP_HEAP(void *, realloc, "__lp_realloc", void *at, size_t bytes) { return __lp::heap<>::moved(at, bytes); }
__LP_HEAP(void *, calloc, "__lp_calloc", size_t count, size_t bytes) {
  void *at = bytes != 0 && count > ~(size_t)0 / bytes ? nullptr : __lp::heap<>::allocate(count * bytes);
  return at != nullptr ? __builtin_memset(at, 0, count * bytes) : nullptr;
}
// Clang has declared the operators, and lets no header define them. It finds these by their names.
__LP_HEAP(void *, __lp_new, "_Znwm", size_t bytes) { return __lp::heap<>::allocate(bytes); }
__LP_HEAP(void *, __lp_new_array, "_Znam", size_t bytes) { return __lp::heap<>::allocate(bytes); }
__LP_HEAP(void, __lp_delete, "_ZdlPv", void *at) { __lp::heap<>::release(at); }
__LP_HEAP(void, __lp_delete_array, "_ZdaPv", void *at) { __lp::heap<>::release(at); }
__LP_HEAP(void, __lp_delete_sized, "_ZdlPvm", void *at, size_t) { __lp::heap<>::release(at); }
__LP_HEAP(void, __lp_delete_sized_array, "_ZdaPvm", void *at, size_t) { __lp::heap<>::release(at); }
#undef __LP_HEAP

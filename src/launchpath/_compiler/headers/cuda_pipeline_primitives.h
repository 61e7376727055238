// Copies to shared memory by pieces of 4, 8 or 16 bytes, done when the call returns.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <launchpath/keywords.h>
#include <launchpath/types.h>

// What is beyond `size - zeros` bytes becomes zero.
__LP_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
  for (size_t i = 0; i < size; ++i) ((char *)to)[i] = i < size - zeros ? ((const char *)from)[i] : 0;
}
__LP_DEVICE void __pipeline_commit() {}
__LP_DEVICE void __pipeline_wait_prior(size_t) {}
}

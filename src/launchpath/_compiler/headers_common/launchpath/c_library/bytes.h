// The C library's functions on bytes that are loops here: memcpy and memset are the compilers' own. __LP_BYTES is what
// they are: Clang makes calls of memmove by its very name, NVRTC's sources may have functions of these names themselves.
#pragma once
#include <launchpath/keywords.h>

__LP_BYTES void *memmove(void *to, const void *from, size_t size) {
  char *a = (char *)to;
  const char *b = (const char *)from;
  if (a <= b) {
    for (size_t i = 0; i < size; ++i) a[i] = b[i];
  } else {
    for (size_t i = size; i > 0; --i) a[i - 1] = b[i - 1];
  }
  return to;
}
__LP_BYTES int memcmp(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    int difference = (int)((const unsigned char *)a)[i] - (int)((const unsigned char *)b)[i];
    if (difference != 0) return difference;
  }
  return 0;
}

// The C library's functions on text and bytes, and those that end a program, which end the kernel: NVRTC has none.
//
// Templates, so that a program's own functions of these names are the better match.
#pragma once
#define __LP_LAZY template <int = 0> __LP_BOTH

__LP_LAZY void *memmove(void *to, const void *from, size_t size) {
  char *a = (char *)to;
  const char *b = (const char *)from;
  if (a <= b) {
    for (size_t i = 0; i < size; ++i) a[i] = b[i];
  } else {
    for (size_t i = size; i > 0; --i) a[i - 1] = b[i - 1];
  }
  return to;
}
__LP_LAZY int memcmp(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    int difference = (int)((const unsigned char *)a)[i] - (int)((const unsigned char *)b)[i];
    if (difference != 0) return difference;
  }
  return 0;
}
__LP_LAZY size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n] != 0) ++n;
  return n;
}
__LP_LAZY int strncmp(const char *a, const char *b, size_t most) {
  for (size_t i = 0; i < most; ++i) {
    int difference = (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
    if (difference != 0 || a[i] == 0) return difference;
  }
  return 0;
}
__LP_LAZY int strcmp(const char *a, const char *b) { return strncmp(a, b, ~(size_t)0); }
__LP_LAZY char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++] != 0);
  return to;
}
// What is left of the `most` characters becomes zero.
__LP_LAZY char *strncpy(char *to, const char *from, size_t most) {
  bool ended = false;
  for (size_t i = 0; i < most; ++i) {
    ended = ended || from[i] == 0;
    to[i] = ended ? 0 : from[i];
  }
  return to;
}
__LP_LAZY char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
namespace __lp_rtc {
template <class _C> struct text {};
template <> struct text<char> { typedef char *type; };
template <> struct text<const char> { typedef const char *type; };
}  // namespace __lp_rtc
template <class _C> __LP_BOTH typename __lp_rtc::text<_C>::type strchr(_C *text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return text;
    if (*text == 0) return nullptr;
  }
}

__LP_LAZY int isdigit(int c) { return c >= '0' && c <= '9'; }
__LP_LAZY int isupper(int c) { return c >= 'A' && c <= 'Z'; }
__LP_LAZY int islower(int c) { return c >= 'a' && c <= 'z'; }
__LP_LAZY int isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
__LP_LAZY int isalnum(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
__LP_LAZY int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
__LP_LAZY int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
__LP_LAZY int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

#ifdef __CUDACC_RTC__
template <int = 0> __LP_DEVICE void abort() { __trap(); }
template <int = 0> __LP_DEVICE void exit(int) { __trap(); }
#else
template <int = 0> __LP_DEVICE void exit(int) { __builtin_trap(); }
#endif
#undef __LP_LAZY

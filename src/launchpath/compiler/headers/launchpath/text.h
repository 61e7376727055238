// The C library's functions on text, and those that end a program, which end a thread here.
//
// Templates, so that a program's own functions of these names are the better match: CUDA has none, so many have them.
// (Those of the host are no match at all in kernels.)
#pragma once
#include <launchpath/assert.h>
#include <launchpath/keywords.h>
#include <launchpath/types.h>

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
template <class _C> __LP_DEVICE __lp::enable_if_t<__lp::is_same<const _C, const char>, _C *> strchr(_C *text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return text;
    if (*text == 0) return nullptr;
  }
}

__LP_LAZY int isdigit(int c) { return c >= '0' && c <= '9'; }
__LP_LAZY int isupper(int c) { return c >= 'A' && c <= 'Z'; }
__LP_LAZY int islower(int c) { return c >= 'a' && c <= 'z'; }
__LP_LAZY int isalpha(int c) { return isupper(c) || islower(c); }
__LP_LAZY int isalnum(int c) { return isalpha(c) || isdigit(c); }
__LP_LAZY int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
__LP_LAZY int toupper(int c) { return islower(c) ? c - 'a' + 'A' : c; }
__LP_LAZY int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : c; }

__LP_LAZY void abort() { __trap(); }
__LP_LAZY void exit(int) { __trap(); }

// The C library's functions on text.
//
// Templates, so that a program's own functions of these names are the better match: CUDA has none, so many have them.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

#define __LP_TEXT template <int = 0> __LP_CLIB

__LP_TEXT size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n] != 0) ++n;
  return n;
}
__LP_TEXT int strncmp(const char *a, const char *b, size_t most) {
  for (size_t i = 0; i < most; ++i) {
    int difference = (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
    if (difference != 0 || a[i] == 0) return difference;
  }
  return 0;
}
__LP_TEXT int strcmp(const char *a, const char *b) { return strncmp(a, b, ~(size_t)0); }
__LP_TEXT char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++] != 0);
  return to;
}
// What is left of the `most` characters becomes zero.
__LP_TEXT char *strncpy(char *to, const char *from, size_t most) {
  bool ended = false;
  for (size_t i = 0; i < most; ++i) {
    ended = ended || from[i] == 0;
    to[i] = ended ? 0 : from[i];
  }
  return to;
}
__LP_TEXT char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
template <class _C> __LP_CLIB __lp::enable_if_t<__lp::is_same<const _C, const char>, _C *> strchr(_C *text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return text;
    if (*text == 0) return nullptr;
  }
}

__LP_TEXT int isdigit(int c) { return c >= '0' && c <= '9'; }
__LP_TEXT int isupper(int c) { return c >= 'A' && c <= 'Z'; }
__LP_TEXT int islower(int c) { return c >= 'a' && c <= 'z'; }
__LP_TEXT int isalpha(int c) { return isupper(c) || islower(c); }
__LP_TEXT int isalnum(int c) { return isalpha(c) || isdigit(c); }
__LP_TEXT int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
__LP_TEXT int toupper(int c) { return islower(c) ? c - 'a' + 'A' : c; }
__LP_TEXT int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : c; }
#undef __LP_TEXT

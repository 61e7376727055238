// C's common definitions.
#pragma once
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#ifdef __CUDACC_RTC__
#define offsetof(type, member) ((size_t) & reinterpret_cast<char const volatile &>(((type *)0)->member))
#else
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#endif
#ifndef __CUDACC_RTC__  // which has them by itself
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif

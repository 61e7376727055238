// The C library's functions that end a program: here they end the kernel. hipRTC has abort.
#pragma once
#include <launchpath/keywords.h>

// Templates, so that a program's own functions of these names are the better match.
#ifdef __CUDACC_RTC__
__LP_LAZY void abort() { __trap(); }
#ifdef __LP_CUDA__
// What a failed assert calls, by its name in the C library: some sources declare it, some call it without an include.
extern "C" __LP_BOTH void __assert_fail(const char *condition, const char *file, unsigned line,
                                        const char *function) noexcept {
  __assertfail(condition, file, line, function, 1);
}
#endif
#endif
__LP_LAZY void exit(int) { __builtin_trap(); }

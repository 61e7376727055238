/* Impossible states, looked for in builds that are made with LAUNCHPATH_BUILD_ASSERTS=1. Others do not even evaluate the
   condition: it must be an expression without side effects, and without `and`, `or` and `if`, of which Cython makes
   statements in front of the macro. */
#ifndef LAUNCHPATH_ASSERTION_H
#define LAUNCHPATH_ASSERTION_H

#ifdef LP_ASSERTS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LP_ASSERTS_ON 1
#define LP_ASSERT(condition) ((condition) ? (void)0 : lp_assertion_failed(#condition, __FILE__, __LINE__))
/* Says where, and the condition without what Cython puts before names (__pyx_v_queue), and ends the process. */
__attribute__((noinline, cold, noreturn)) static void lp_assertion_failed(const char *text, const char *file, int line) {
    fprintf(stderr, "%s:%d: impossible state: expected ", file, line);
    while (*text) {
        if (strncmp(text, "__pyx_", 6) == 0 && text[6] && text[7] == '_') text += 8;
        fputc(*text++, stderr);
    }
    fputc('\n', stderr);
    fflush(stderr);
    abort();
}
#else
#define LP_ASSERTS_ON 0
#define LP_ASSERT(condition) ((void)0)
#endif

#endif

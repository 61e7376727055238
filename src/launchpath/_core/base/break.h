/* Where a debugger stops: at the host's launch of a kernel that LAUNCHPATH_BREAK names. */
#ifndef LAUNCHPATH_BREAK_H
#define LAUNCHPATH_BREAK_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
/* Whether a debugger is attached to this process: without one, the trap would end it. */
static int lp_is_debugged(void) {
    char line[256];
    int tracer = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (status == 0) return 0;
    while (fgets(line, sizeof line, status) != 0) {
        if (strncmp(line, "TracerPid:", 10) == 0) tracer = atoi(line + 10);
    }
    fclose(status);
    return tracer != 0;
}
#else
static int lp_is_debugged(void) { return 0; }
#endif

/* Exported, so that a debugger can set a breakpoint by this name too. The launch is in the frames above. */
#ifdef _WIN32
static void launchpath_break(const char *launch) { (void)launch; }
#else
__attribute__((noinline, used, visibility("default"))) void launchpath_break(const char *launch) {
    if (!lp_is_debugged()) return;
    fprintf(stderr, "launchpath: a launch of %s, which LAUNCHPATH_BREAK names\n", launch);
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("int3; nop");
#else
    raise(SIGTRAP);
#endif
}
#endif

#endif

/* What a process says when a signal ends it while kernels of CPU devices are under way: one line, with their names.

   Only functions that are safe in a signal's handler are called. A handler that was there before runs afterwards, with
   the same fault: this one puts it back, and the instruction faults again. So the process ends by the same signal. */
#ifndef LAUNCHPATH_CRASH_H
#define LAUNCHPATH_CRASH_H

/* Writes up to so many names of kernels that are not known to be complete; gives how many there are. */
typedef int (*lp_unfinished)(const char **names, int room);

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void lp_interrupted_end(void) {
    fflush(NULL);
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}

/* What is registered last comes first: before the destructors of drivers. */
static void lp_end_by_interrupt(void) { atexit(lp_interrupted_end); }

#ifdef _WIN32
static void lp_crash_watch(lp_unfinished unfinished, int bounds) { (void)unfinished; (void)bounds; }
#else

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define LP_CRASH_NAMES 8
#define LP_CRASH_PATIENCE 200 /* milliseconds that a thread waits for the line of another */

static const struct { int number; const char *name; } lp_crash_signals[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},
};
#define LP_CRASH_SIGNALS (sizeof lp_crash_signals / sizeof lp_crash_signals[0])

static struct sigaction lp_crash_before[LP_CRASH_SIGNALS];
static lp_unfinished lp_crash_unfinished;
static int lp_crash_bounds;  /* kernels check their accesses */
static pid_t lp_crash_pid;   /* a forked child has no kernels under way */
static int lp_crash_told;    /* 1: a thread writes the line, 2: it is written */

typedef struct {
    char text[1024];
    size_t size;
} lp_crash_line;

static void lp_crash_add(lp_crash_line *line, const char *text) {
    while (*text != 0 && line->size < sizeof line->text) line->text[line->size++] = *text++;
}

static void lp_crash_write(const char *signal_name, const char **names, int n) {
    lp_crash_line line;
    const char *at = line.text;
    int i;
    line.size = 0;
    lp_crash_add(&line, "launchpath: ");
    lp_crash_add(&line, signal_name);
    lp_crash_add(&line, " ends the process while kernels on CPU devices are not known to be complete: ");
    for (i = 0; i < n && i < LP_CRASH_NAMES; i++) {
        lp_crash_add(&line, i ? ", '" : "'");
        lp_crash_add(&line, names[i]);
        lp_crash_add(&line, "'");
    }
    if (n > LP_CRASH_NAMES) lp_crash_add(&line, ", ...");
    if (line.size > sizeof line.text - 160) line.size = sizeof line.text - 160; /* of long names */
    lp_crash_add(&line, lp_crash_bounds
        ? ". LAUNCHPATH_DEBUG=bounds is on: an access that it does not check, or host code, can be the cause\n"
        : ". Set LAUNCHPATH_DEBUG=bounds to find a wrong index or a null pointer in a kernel\n");
    while (line.size) {
        ssize_t written = write(STDERR_FILENO, at, line.size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        at += written;
        line.size -= (size_t)written;
    }
}

static void lp_crash_wait(void) {
    struct timespec moment = {0, 1000000};
    int i;
    for (i = 0; i < LP_CRASH_PATIENCE && __atomic_load_n(&lp_crash_told, __ATOMIC_ACQUIRE) == 1; i++) {
        nanosleep(&moment, 0);
    }
}

static void lp_crash_handle(int number, siginfo_t *info, void *context) {
    const char *names[LP_CRASH_NAMES];
    int error = errno, n, nobody = 0;
    size_t i = 0;
    /* LLVM's handlers take a signal that another process has sent without an end. */
    int ends = info->si_code > 0 || info->si_pid == lp_crash_pid;
    (void)context;
    while (i + 1 < LP_CRASH_SIGNALS && lp_crash_signals[i].number != number) i++;
    if (ends && getpid() == lp_crash_pid && !PyGILState_Check()) { /* with the GIL it is host code that runs */
        n = lp_crash_unfinished(names, LP_CRASH_NAMES);
        if (n && __atomic_compare_exchange_n(&lp_crash_told, &nobody, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            lp_crash_write(lp_crash_signals[i].name, names, n);
            __atomic_store_n(&lp_crash_told, 2, __ATOMIC_RELEASE);
        } else {
            lp_crash_wait(); /* several threads of a kernel fault at once */
        }
    }
    sigaction(number, &lp_crash_before[i], 0);
    if (info->si_code <= 0) raise(number); /* no instruction faults again: it comes at the return */
    errno = error;
}

/* Watch for such ends from now on. */
static void lp_crash_watch(lp_unfinished unfinished, int bounds) {
    struct sigaction own, now;
    size_t i;
    int is_first = lp_crash_pid != getpid();
    lp_crash_unfinished = unfinished;
    lp_crash_bounds = bounds;
    if (!is_first) return;
    lp_crash_pid = getpid();
    for (i = 0; i < LP_CRASH_SIGNALS; i++) {
        int number = lp_crash_signals[i].number;
        if (sigaction(number, 0, &now)) continue;
        if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN) continue;
        /* PoCL's handler lets the thread go on after a division by zero: then nothing ends. */
        if (number == SIGFPE && ((now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)) continue;
        lp_crash_before[i] = now;
        own.sa_sigaction = lp_crash_handle;
        own.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&own.sa_mask);
        sigaction(number, &own, 0);
    }
}
#endif

#endif

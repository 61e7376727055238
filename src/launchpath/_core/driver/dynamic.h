/* System functions for drivers: opening a library at run time, and knowing that the process is ending. */
#ifndef LAUNCHPATH_DYNAMIC_H
#define LAUNCHPATH_DYNAMIC_H

/* Set when the interpreter exits and in the child of a fork. From then on releasing does nothing: what is still alive may
   be in use by commands in flight, or waiting for threads that the child does not have. */
static int lp_exiting = 0;

/* Calls into drivers' compilers that are under way on threads which exit does not wait for. */
static unsigned long lp_builds = 0;

#ifdef _WIN32
#include <stdio.h>
#include <windows.h>
static void lp_watch_forks(void) {}
static void lp_count_builds(int more) { InterlockedExchangeAdd((volatile LONG *)&lp_builds, more); }
static void lp_watch_builds(void) {}
static void *lp_library_open(const char *path, char *why, size_t room) {
    HMODULE library = LoadLibraryA(path);
    if (!library) snprintf(why, room, "LoadLibrary: error %lu", (unsigned long)GetLastError());
    return (void *)library;
}
static void *lp_library_find(void *library, const char *name) {
    return (void *)GetProcAddress((HMODULE)library, name);
}
static void *lp_recorder_delays(void) { return 0; }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
/* Intel's runtime waits for its commands when a process exits; a child forked with commands in flight would hang. So the
   child leaves without the runtime's destructors. Exit handlers run last-registered first: registered at the fork, this
   runs before the destructors of all libraries loaded until then, and after the interpreter has finished. */
static void lp_leave_child(int status, void *unused) {
    (void)unused;
    fflush(NULL);
    _exit(status);
}
#endif
static void lp_forked(void) {
    lp_exiting = 1;
#ifdef __GLIBC__
    on_exit(lp_leave_child, NULL);
#endif
}
static void lp_count_builds(int more) { __atomic_add_fetch(&lp_builds, (unsigned long)more, __ATOMIC_SEQ_CST); }

#ifdef __GLIBC__
/* Destructors of a runtime's libraries must not run while its compiler works on another thread: that crashes, or waits for
   a lock for ever. Register this after the runtime is loaded: exit handlers run last-registered first, so that it runs
   before the runtime's destructors. */
static void lp_leave_builds(int status, void *unused) {
    (void)unused;
    if (__atomic_load_n(&lp_builds, __ATOMIC_SEQ_CST) != 0) {
        fflush(NULL);
        _exit(status);
    }
}
static void lp_watch_builds(void) { on_exit(lp_leave_builds, NULL); }
#else
static void lp_watch_builds(void) {} /* there is no on_exit, which tells the status to exit with */
#endif

static void lp_watch_forks(void) { pthread_atfork(NULL, NULL, lp_forked); }

/* RTLD_LOCAL: other libraries must not resolve their symbols to those of the runtime's own libraries (an old TBB, a second
   LLVM). */
static void *lp_library_open(const char *path, char *why, size_t room) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *text = dlerror();
        snprintf(why, room, "%s", text ? text : "dlopen failed");
    }
    return library;
}
/* Where `launchpath trace` has put its recorder in front of the libraries, the function below it: the core's own trace has a
   record of each launch, and the recorder would write another one. */
static void *lp_library_find(void *library, const char *name) {
    static void *(*below)(void *, const char *);
    static int looked;
    if (!looked) {
        below = (void *(*)(void *, const char *))dlsym(RTLD_DEFAULT, "launchpath_recorder_below");
        looked = 1;
    }
    return below ? below(library, name) : dlsym(library, name);
}
/* The recorder's state of delays, see trace/records/delays.h; NULL: it is not there, or delays nothing. */
static void *lp_recorder_delays(void) {
    void *(*delays)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "launchpath_recorder_delays");
    return delays ? delays() : 0;
}
#endif

#endif

/* What C callers have on each thread: the text of the last error, and pushed configurations. */
#ifndef LAUNCHPATH_C_THREAD_H
#define LAUNCHPATH_C_THREAD_H

#include <Python.h>
#include <stdlib.h>
#include "launchpath.h"
#include "../base/lock.h"

#define ALL_ARGUMENTS ((size_t)-1) /* of a launch: as many as the kernel has */

typedef struct {
    uint32_t n; /* configurations that were pushed */
    launchpath_configuration at[LAUNCHPATH_STACK];
    char text[1024]; /* why the last call that failed did */
    void *null_queue; /* of compiled programs: the queue of the null stream on the device that the thread chose, or NULL */
    int device;       /* the number of that device */
    int failure_pending; /* a function of HIP's has failed since the thread asked for its last error */
    PyThreadState *python; /* of a thread that is not Python's: what Python has of it until the thread ends */
} lp_c_thread;

static uint64_t lp_c_threads = 0; /* that have ever had one */

/* This thread's, or NULL: it has none yet. It is too large for the memory that threads have from their beginning. */
static LP_THREAD_LOCAL lp_c_thread *lp_c_here = 0;

#ifdef _WIN32
static inline lp_c_thread *lp_c_new(void) { return lp_c_here = (lp_c_thread *)calloc(1, sizeof(lp_c_thread)); }
#else
static void lp_c_end(void *thread) {
    lp_c_thread *here = (lp_c_thread *)thread;
    if (here->python != 0 && Py_IsInitialized()) {
        /* Not PyGILState_Release: glibc may have cleared the value by which that finds the thread's state. */
        PyEval_RestoreThread(here->python);
        PyThreadState_Clear(here->python);
        PyThreadState_DeleteCurrent();
    }
    free(here);
}
static pthread_key_t lp_c_key; /* its destructor frees what a thread has when it ends */
static pthread_once_t lp_c_once = PTHREAD_ONCE_INIT;
static int lp_c_key_made = 0;
static void lp_c_begin(void) { lp_c_key_made = pthread_key_create(&lp_c_key, lp_c_end) == 0; }
__attribute__((noinline, cold)) static lp_c_thread *lp_c_new(void) {
    lp_c_here = (lp_c_thread *)calloc(1, sizeof(lp_c_thread));
    lp_add(&lp_c_threads, 1);
    pthread_once(&lp_c_once, lp_c_begin);
    if (lp_c_key_made) pthread_setspecific(lp_c_key, lp_c_here);
    return lp_c_here;
}
#endif

/* This thread's; NULL: out of memory. */
static inline lp_c_thread *lp_c_thread_here(void) { return lp_c_here ? lp_c_here : lp_c_new(); }

/* Keep what Python has of this thread until the thread ends: its values of threading.local last from call to call. */
static inline void lp_c_keep_python(void) {
    lp_c_thread *here = lp_c_thread_here();
    if (here == 0 || here->python != 0 || PyGILState_GetThisThreadState() != 0) return;
    PyGILState_Ensure();
    here->python = PyEval_SaveThread();
}

#endif

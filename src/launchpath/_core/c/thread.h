/* What C callers have on each thread: the text of the last error, and pushed configurations. */
#ifndef LAUNCHPATH_C_THREAD_H
#define LAUNCHPATH_C_THREAD_H

#include <stdlib.h>
#include "launchpath.h"
#include "../base/lock.h"

typedef struct {
    uint32_t n; /* configurations that were pushed */
    launchpath_configuration at[LAUNCHPATH_STACK];
    char text[1024]; /* why the last call that failed did */
} lp_c_thread;

/* This thread's, or NULL: it has none yet. It is too large for the memory that threads have from their beginning. */
static LP_THREAD_LOCAL lp_c_thread *lp_c_here = 0;

#ifdef _WIN32
static inline lp_c_thread *lp_c_new(void) { return lp_c_here = (lp_c_thread *)calloc(1, sizeof(lp_c_thread)); }
#else
static pthread_key_t lp_c_key; /* its destructor frees what a thread has when it ends */
static pthread_once_t lp_c_once = PTHREAD_ONCE_INIT;
static int lp_c_key_made = 0;
static void lp_c_begin(void) { lp_c_key_made = pthread_key_create(&lp_c_key, free) == 0; }
__attribute__((noinline, cold)) static lp_c_thread *lp_c_new(void) {
    lp_c_here = (lp_c_thread *)calloc(1, sizeof(lp_c_thread));
    pthread_once(&lp_c_once, lp_c_begin);
    if (lp_c_key_made) pthread_setspecific(lp_c_key, lp_c_here);
    return lp_c_here;
}
#endif

/* This thread's; NULL: out of memory. */
static inline lp_c_thread *lp_c_thread_here(void) { return lp_c_here ? lp_c_here : lp_c_new(); }

#endif

/* What is called when a thread ends that has asked for it. */
#ifndef LAUNCHPATH_THREAD_END_H
#define LAUNCHPATH_THREAD_END_H

#ifdef _WIN32
typedef struct {
    int known;
} lp_thread_end;
static inline void lp_thread_end_by(lp_thread_end *end, void (*function)(void *)) {}
static inline void lp_thread_end_with(lp_thread_end *end, void *data) {}
#else
#include <pthread.h>

typedef struct {
    pthread_key_t key;
    int known;
} lp_thread_end;
/* Where the system has no room for one more function, it is not called. */
static inline void lp_thread_end_by(lp_thread_end *end, void (*function)(void *)) {
    end->known = pthread_key_create(&end->key, function) == 0;
}
/* `data` is what the function gets when the calling thread ends. */
static inline void lp_thread_end_with(lp_thread_end *end, void *data) {
    if (end->known) pthread_setspecific(end->key, data);
}
#endif

#endif

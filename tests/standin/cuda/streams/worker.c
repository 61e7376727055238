/* Workers: threads that run operations when all they wait for has happened, and one thread for all host functions and
 * all that destroys user objects, as CUDA may have it: one of them that waits for another one never ends. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "../core.h"
#include "../profiler.h"

#define MOST \
    64 /* kernels that run at the same time; one that waits for another one's effect needs a thread of its own */
#define POLL_NS 100000

bool workers_paused;
_Thread_local const char *outside;

static pthread_cond_t work, completed, due;
static unsigned int workers, idle;
static bool polling, has_caller;
static struct operation *first_due, *last_due;

__attribute__((constructor)) static void conditions(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&work, &attributes);
    pthread_cond_init(&completed, &attributes);
    pthread_cond_init(&due, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void spawn(void *(*function)(void *)) {
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all); /* the program's signals are for its own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, function, NULL))
        report("no thread could be started");
    else
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void finish(struct operation *operation, int code) {
    struct standin_profiled *record = operation->record;
    if (code) context_fail(operation->stream->context, code);
    if (record) record->profiler->over(record, operation->ran && !code);
    operation_apply(operation);
    operation_complete(operation);
    while (option_destroy_at_once && user_objects_destroy());
}

void call_outside(CUhostFn function, void *data, const char *what) {
    const char *before = outside;
    pthread_mutex_unlock(&standin_lock);
    outside = what;
    function(data);
    outside = before;
    pthread_mutex_lock(&standin_lock);
}

static void *call_functions(void *nothing) {
    pthread_mutex_lock(&standin_lock);
    for (;;) {
        if (user_objects_destroy()) continue;
        if (!first_due) {
            pthread_cond_wait(&due, &standin_lock);
            continue;
        }
        struct operation *operation = first_due;
        first_due = operation->following;
        if (!first_due) last_due = NULL;
        if (!operation->stream->context->error && !standin_stopped)
            call_outside(operation->as.host.function, operation->as.host.data, "a host function");
        finish(operation, 0);
        workers_wake();
    }
    return nothing;
}

void worker_for_functions(void) {
    if (!has_caller) spawn(call_functions);
    has_caller = true;
    pthread_cond_signal(&due);
}

static void start(struct operation *operation) {
    operation->running = true;
    if (operation->kind == OP_HOST) {
        if (last_due)
            last_due->following = operation;
        else
            first_due = operation;
        last_due = operation;
        worker_for_functions();
        return;
    }
    bool skipped = operation->stream->context->error;
    int code = skipped ? 0 : operation_check(operation);
    if (!skipped && !code && operation_is_long(operation)) {
        bool begun = operation->begun;
        workers_wake(); /* somebody else goes on meanwhile */
        /* A dependent kernel starts, and waits at its entry. */
        struct operation *next = operation->next;
        struct standin_profiled *early = next && next->dependent && !next->begun ? next->record : NULL;
        if (early) next->begun = true;
        pthread_mutex_unlock(&standin_lock);
        if (operation->record && !begun) operation->record->profiler->starts(operation->record);
        if (early) early->profiler->starts(early);
        code = operation_run(operation);
        if (operation->record) operation->record->profiler->stops(operation->record);
        operation->ran = true;
        pthread_mutex_lock(&standin_lock);
    }
    finish(operation, code);
}

static void *run(void *nothing) {
    pthread_mutex_lock(&standin_lock);
    while (!standin_stopped) {
        struct operation *operation = operation_ready(NULL, workers_paused);
        if (operation) {
            start(operation);
            continue;
        }
        idle++;
        if (operations_polling && !polling) {
            struct timespec until;
            clock_gettime(CLOCK_MONOTONIC, &until);
            until.tv_nsec += POLL_NS;
            if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
            polling = true;
            pthread_cond_timedwait(&work, &standin_lock, &until);
            polling = false;
        } else
            pthread_cond_wait(&work, &standin_lock);
        idle--;
    }
    workers--;
    pthread_mutex_unlock(&standin_lock);
    return nothing;
}

void workers_wake(void) {
    if (standin_stopped || !operations_pending) return;
    if (!operation_ready(NULL, workers_paused) && (polling || !operations_polling)) return;
    if (idle) {
        pthread_cond_signal(&work);
    } else if (workers < MOST) {
        workers++;
        spawn(run);
    }
}

void workers_wait(void) { pthread_cond_wait(&completed, &standin_lock); }

void workers_completed(void) { pthread_cond_broadcast(&completed); }

void work_finish(CUcontext context) {
    struct waits waits = {0};
    for (CUstream stream = context->streams; stream; stream = stream->next)
        waits_add(&waits, stream, stream->submitted);
    waits_finish(&waits);
}

EXPORT void standin_pause(void) {
    pthread_mutex_lock(&standin_lock);
    workers_paused = true;
    pthread_mutex_unlock(&standin_lock);
}

EXPORT void standin_resume(void) {
    pthread_mutex_lock(&standin_lock);
    workers_paused = false;
    workers_wake();
    pthread_mutex_unlock(&standin_lock);
}

static unsigned int step(CUstream only, unsigned int count) {
    unsigned int steps = 0;
    while (workers_paused && steps < count) {
        struct operation *operation = operation_ready(only, false);
        if (!operation) break;
        struct waits waits = {0};
        waits_add(&waits, operation->stream, operation->stream->done + 1);
        operation->granted = true;
        workers_wake();
        waits_finish(&waits);
        steps++;
    }
    return steps;
}

EXPORT unsigned int standin_step(unsigned int count) {
    pthread_mutex_lock(&standin_lock);
    unsigned int steps = step(NULL, count);
    pthread_mutex_unlock(&standin_lock);
    return steps;
}

EXPORT unsigned int standin_step_stream(void *handle, unsigned int count) {
    CUstream stream;
    pthread_mutex_lock(&standin_lock);
    unsigned int steps = stream_find(handle, &stream) ? 0 : step(stream, count);
    pthread_mutex_unlock(&standin_lock);
    return steps;
}

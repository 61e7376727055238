/* Calls: each is written down, and fails if a test asked for that. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../core.h"

#define KEPT (1 << 17) /* the newest calls */

struct entry {
    struct call call;
    long thread;
};

struct fault {
    struct fault *next;
    unsigned int nth;
    int code;
    char name[];
};

static struct entry *entries;
static size_t first, count, allocated;
static bool recording = true;
static struct fault *faults;

static int fault_of(const char *name) {
    for (struct fault *fault = faults; fault; fault = fault->next) {
        if (strcmp(fault->name, name)) continue;
        if (!fault->nth) return fault->code;
        if (--fault->nth) continue;
        int code = fault->code;
        for (struct fault **at = &faults; *at; at = &(*at)->next)
            if (*at == fault) {
                *at = fault->next;
                break;
            }
        free(fault);
        return code;
    }
    return 0;
}

int fault_of_run(const char *name) {
    char text[256];
    snprintf(text, sizeof text, "run:%s", name);
    return fault_of(text);
}

static _Atomic(int (*)(void)) depth; /* see standin_watch */
static char past[1 << 12];           /* names of calls from outside of the driver's table */

/* Note the calls that a thread makes while the function gives 0; NULL: no more. */
EXPORT void standin_watch(int (*function)(void)) {
    past[0] = 0;
    depth = function;
}

EXPORT const char *standin_past(void) { return past; }

static void watch(const char *name) {
    int (*inside)(void) = depth;
    if (!inside || inside()) return;
    pthread_mutex_lock(&standin_lock);
    if (!strstr(past, name) && strlen(past) + strlen(name) + 2 < sizeof past) strcat(strcat(past, name), " ");
    pthread_mutex_unlock(&standin_lock);
}

bool call_begin(struct call *call, const char *name, const void *stream, enum needs needs) {
    call->name = name;
    call->stream = stream;
    call->detail[0] = 0;
    call->locked = false;
    call->result = SI_SUCCESS;
    if (standin_forked) { /* without the lock, see library.c */
        call->result = SI_ERROR_NOT_INITIALIZED;
        return false;
    }
    watch(name);
    profile_begin(name);
    pthread_mutex_lock(&standin_lock);
    call->locked = true;
    if (standin_stopped)
        call->result = SI_ERROR_DEINITIALIZED;
    else if (outside && needs) {
        report("%s was called from %s", name, outside);
        call->result = SI_ERROR_NOT_PERMITTED;
    } else if (needs && !standin_initialized)
        call->result = SI_ERROR_NOT_INITIALIZED;
    else if ((call->result = fault_of(name)))
        ;
    else if (needs == NEEDS_CONTEXT && !context_is(current))
        call->result = current ? SI_ERROR_CONTEXT_IS_DESTROYED : SI_ERROR_INVALID_CONTEXT;
    else if (needs == NEEDS_CONTEXT) {
        if (current->idle_lock) idle_pass(current, name);
        call->result = current->error;
    }
    return !call->result;
}

bool call_begin_end(struct call *call, const char *name, const void *stream) {
    if (call_begin(call, name, stream, NEEDS_CONTEXT)) return true;
    return call->locked && context_is(current) && current->error == (int)call->result;
}

CUresult call_end(struct call *call, int code) {
    call->result = code;
    if (!call->locked) return code;
    if (recording) {
        if (count == allocated && allocated < KEPT) { /* `first` is 0 until all that may be kept is */
            allocated = allocated ? 2 * allocated : KEPT / 32;
            entries = realloc(entries, allocated * sizeof *entries);
        }
        struct entry *entry = &entries[(first + count) % allocated];
        if (count < allocated)
            count++;
        else
            first = (first + 1) % allocated;
        entry->call = *call;
        entry->thread = syscall(SYS_gettid);
    }
    while (option_destroy_at_once && user_objects_destroy());
    pthread_mutex_unlock(&standin_lock);
    profile_end(call->name, &code);
    return code;
}

EXPORT size_t standin_calls(char *text, size_t size, int clear) {
    pthread_mutex_lock(&standin_lock);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[(first + i) % allocated];
        size_t room = length < size ? size - length : 0;
        length += (size_t)snprintf(room ? text + length : NULL, room, "%s\t%ld\t%llu\t%d\t%s\n", entry->call.name,
                                   entry->thread, (unsigned long long)(uintptr_t)entry->call.stream,
                                   (int)entry->call.result, entry->call.detail);
    }
    if (!length && size) text[0] = 0;
    if (clear && length < size) first = count = 0;
    pthread_mutex_unlock(&standin_lock);
    return length + 1;
}

EXPORT void standin_record(int on) {
    pthread_mutex_lock(&standin_lock);
    recording = on;
    pthread_mutex_unlock(&standin_lock);
}

EXPORT void standin_fail(const char *name, unsigned int nth, int code) {
    pthread_mutex_lock(&standin_lock);
    for (struct fault **at = &faults; *at;) {
        struct fault *fault = *at;
        if (name && (code || strcmp(fault->name, name))) {
            at = &fault->next;
            continue;
        }
        *at = fault->next;
        free(fault);
    }
    if (name && code) {
        struct fault *fault = calloc(1, sizeof *fault + strlen(name) + 1);
        strcpy(fault->name, name);
        fault->nth = nth;
        fault->code = code;
        fault->next = faults;
        faults = fault;
    }
    pthread_mutex_unlock(&standin_lock);
}

void calls_reset(void) {
    first = count = 0;
    recording = true;
    while (faults) {
        struct fault *fault = faults;
        faults = fault->next;
        free(fault);
    }
}

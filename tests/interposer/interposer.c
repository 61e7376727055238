/* An OpenCL library that forwards each call to the real one, counts it, and fails it if it was told to.
 *
 * INTERPOSER_LIBRARY names the real one, INTERPOSER_NEEDED libraries to open before it, by colons; INTERPOSER_FAIL is
 * NAME:NTH:CODE of a call to fail from the start. A call that fails is not forwarded, but for releases other than of memory:
 * nobody could do those again. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum kind { CONTEXT, QUEUE, PROGRAM, KERNEL, EVENT, MEMORY, KINDS };
static const char *const KIND_NAMES[KINDS] = {"contexts", "queues", "programs", "kernels", "events", "memory"};
static atomic_long live[KINDS];

struct function {
    const char *name;
    void *own; /* what forwards to it here */
    _Atomic(void *) real;
    atomic_long calls, until; /* fails when `until` falls to 0 */
    atomic_long past; /* calls from outside of the driver's table, see interposer_watch */
    atomic_int code, failed;
};

#define CODE(function, parameters, arguments) I_##function,
#define ENQUEUE CODE
#define OBJECT(kind, function, parameters, arguments) I_##function,
#define RELEASE OBJECT
enum {
#include "functions.h"
    I_clSVMAlloc,
    I_clSVMFree,
    I_clEnqueueMapBuffer,
    I_clGetExtensionFunctionAddressForPlatform,
    FUNCTIONS
};
#undef CODE
#undef OBJECT

#define CODE(function, parameters, arguments) EXPORT int32_t function parameters;
#define OBJECT(kind, function, parameters, arguments) EXPORT void *function parameters;
#undef RELEASE
#define RELEASE(kind, function, parameters, arguments) EXPORT int32_t function parameters;
#include "functions.h"
#undef CODE
#undef OBJECT
#undef RELEASE

#define CODE(function, parameters, arguments) {.name = #function, .own = (void *)function},
#define OBJECT(kind, function, parameters, arguments) {.name = #function, .own = (void *)function},
#define RELEASE OBJECT
static struct function functions[FUNCTIONS] = {
#include "functions.h"
    {.name = "clSVMAlloc"},
    {.name = "clSVMFree"},
    {.name = "clEnqueueMapBuffer"},
    {.name = "clGetExtensionFunctionAddressForPlatform"},
};
#undef CODE
#undef ENQUEUE
#undef OBJECT
#undef RELEASE

static void *library;
static _Atomic(int (*)(void)) depth; /* says how many calls through the table this thread is in */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct function *function_of(const char *name) {
    for (int i = 0; i < FUNCTIONS; i++)
        if (!strcmp(functions[i].name, name)) return &functions[i];
    return NULL;
}

EXPORT int interposer_fail(const char *name, long nth, int code) {
    struct function *function = function_of(name);
    if (!function) return -1;
    function->failed = 0;
    function->code = code;
    function->until = nth;
    return 0;
}

static void begin(void) {
    const char *needed = getenv("INTERPOSER_NEEDED"), *path = getenv("INTERPOSER_LIBRARY"), *fail = getenv("INTERPOSER_FAIL");
    char *rest = strdup(needed ? needed : ""), *at = rest, *next, name[128];
    while ((next = strsep(&at, ":")))
        if (*next && !dlopen(next, RTLD_NOW | RTLD_LOCAL)) fprintf(stderr, "interposer: %s\n", dlerror());
    free(rest);
    library = dlopen(path ? path : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "interposer: %s\n", dlerror());
        abort();
    }
    long nth;
    int code;
    if (fail && sscanf(fail, "%127[^:]:%ld:%d", name, &nth, &code) == 3) interposer_fail(name, nth, code);
}

static void *real(struct function *function) {
    pthread_once(&once, begin);
    void *found = function->real;
    if (!found) function->real = found = dlsym(library, function->name);
    return found;
}

/* Counts a call; returns the code that it is to fail with, or 0. */
static int32_t counted(struct function *function) {
    int (*inside)(void) = depth;
    function->calls++;
    if (inside && !inside()) function->past++;
    if (function->until <= 0 || --function->until != 0) return 0;
    function->failed = 1;
    return function->code;
}

#define CODE(function, parameters, arguments)                                 \
    EXPORT int32_t function parameters {                                      \
        int32_t(*call) parameters = real(&functions[I_##function]);           \
        int32_t injected = counted(&functions[I_##function]);                 \
        return injected ? injected : call arguments;                          \
    }
#define ENQUEUE(function, parameters, arguments)                              \
    EXPORT int32_t function parameters {                                      \
        int32_t(*call) parameters = real(&functions[I_##function]);           \
        int32_t injected = counted(&functions[I_##function]);                 \
        if (injected) return injected;                                        \
        int32_t result = call arguments;                                      \
        if (!result && event) live[EVENT]++;                                  \
        return result;                                                        \
    }
#define OBJECT(kind, function, parameters, arguments)                         \
    EXPORT void *function parameters {                                        \
        void *(*call)parameters = real(&functions[I_##function]);             \
        int32_t injected = counted(&functions[I_##function]);                 \
        if (injected) {                                                       \
            if (code) *code = injected;                                       \
            return NULL;                                                      \
        }                                                                     \
        void *object = call arguments;                                        \
        if (object) live[kind]++;                                             \
        return object;                                                        \
    }
#define RELEASE(kind, function, parameters, arguments)                        \
    EXPORT int32_t function parameters {                                      \
        int32_t(*call) parameters = real(&functions[I_##function]);           \
        int32_t injected = counted(&functions[I_##function]);                 \
        if (injected && kind == MEMORY) return injected;                      \
        int32_t result = call arguments;                                      \
        if (!result) live[kind]--;                                            \
        return injected ? injected : result;                                  \
    }
#include "functions.h"

EXPORT void *clSVMAlloc(void *context, uint64_t flags, size_t size, uint32_t alignment) {
    void *(*call)(void *, uint64_t, size_t, uint32_t) = real(&functions[I_clSVMAlloc]);
    void *memory = counted(&functions[I_clSVMAlloc]) ? NULL : call(context, flags, size, alignment);
    if (memory) live[MEMORY]++;
    return memory;
}

EXPORT void clSVMFree(void *context, void *memory) {
    void (*call)(void *, void *) = real(&functions[I_clSVMFree]);
    counted(&functions[I_clSVMFree]);
    if (memory) live[MEMORY]--;
    call(context, memory);
}

EXPORT void *clEnqueueMapBuffer(void *queue, void *buffer, uint32_t blocking, uint64_t flags, size_t offset, size_t size,
                                uint32_t n, void **waits, void **event, int32_t *code) {
    void *(*call)(void *, void *, uint32_t, uint64_t, size_t, size_t, uint32_t, void **, void **, int32_t *) =
        real(&functions[I_clEnqueueMapBuffer]);
    int32_t injected = counted(&functions[I_clEnqueueMapBuffer]);
    if (injected) {
        if (code) *code = injected;
        return NULL;
    }
    void *address = call(queue, buffer, blocking, flags, offset, size, n, waits, event, code);
    if (address && event) live[EVENT]++;
    return address;
}

/* What the real library gives under that name is what ours of that name forwards to. */
EXPORT void *clGetExtensionFunctionAddressForPlatform(void *platform, const char *name) {
    struct function *self = &functions[I_clGetExtensionFunctionAddressForPlatform];
    void *(*call)(void *, const char *) = real(self);
    if (counted(self)) return NULL;
    void *found = call(platform, name);
    struct function *function = function_of(name);
    if (!found || !function) return found;
    function->real = found;
    return function->own ? function->own : found;
}

/* Count the calls that a thread makes while the function gives 0; NULL: no more. */
EXPORT void interposer_watch(int (*function)(void)) { depth = function; }

EXPORT long interposer_past(const char *name) {
    struct function *function = function_of(name);
    return function ? (long)function->past : -1;
}

/* Names, calls and failures, a line each. */
EXPORT size_t interposer_calls(char *text, size_t room) {
    size_t used = 0;
    if (room) *text = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        char line[128];
        int length = snprintf(line, sizeof line, "%s %ld %d\n", functions[i].name, (long)functions[i].calls,
                              (int)functions[i].failed);
        if (used + (size_t)length < room) memcpy(text + used, line, (size_t)length + 1);
        used += (size_t)length;
    }
    return used + 1;
}

EXPORT long interposer_live(const char *kind) {
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(KIND_NAMES[i], kind)) return live[i];
    return -1;
}

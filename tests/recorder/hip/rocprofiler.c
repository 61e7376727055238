/* A stand-in of rocprofiler-sdk 1.0: registration, callbacks of functions, of code objects and of work, and external correlation
   numbers. Its clock is an hour ahead of the monotonic one. `STANDIN_ROCP_VERSION` is the version that it tells. */
#define _GNU_SOURCE
#include "rocprofiler.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
enum { CONTEXTS = 8, KINDS = 32, OPERATIONS = 64, TOOLS = 4, HIP = 5, CODE = 10, DISPATCH = 12, COPY = 13, ASKED_COPY = 10, ASKED_DISPATCH = 11 };

typedef struct {
    uint64_t context, thread, internal, external, ancestor;
    int kind, operation, phase;
    void *payload;
} record;
typedef void (*traced)(record, uint64_t *, void *);
typedef int (*asked)(uint64_t, uint64_t, int, int, uint64_t, uint64_t *, void *);
typedef struct {
    uint64_t size;
    const char *name;
    uint32_t handle;
} client;
typedef struct {
    size_t size;
    int (*initialize)(void (*)(client), void *);
    void (*finalize)(void *);
    void *data;
} tool;
typedef tool *(*configure)(uint32_t, const char *, uint32_t, client *);
typedef struct {
    int started, all[KINDS], asks[KINDS];
    char wants[KINDS][OPERATIONS];
    traced call[KINDS];
    void *data[KINDS];
    asked ask;
    void *ask_data;
} context;
typedef struct work work;
struct work {
    work *next;
    int kind, operation;
    uint64_t thread, internal, external[CONTEXTS];
    uint64_t payload[32]; /* its second and third word are the times */
};

static context contexts[CONTEXTS + 1]; /* by their handles, from 1 */
static int n_contexts, initializing, finalized;
static tool *tools[TOOLS];
static int n_tools;
static const char *const *names;
static int n_names;
static uint64_t n_internal;
static __thread uint64_t current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static work *first, **last = &first;
static int in_flight, worker_runs;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)(t.tv_sec + 3600) * 1000000000u + (uint64_t)t.tv_nsec;
}
static uint64_t thread_number(void) {
    static __thread uint64_t number;
    return number ? number : (number = (uint64_t)syscall(SYS_gettid));
}
static int wants(const context *c, int kind, int operation) { return c->started && c->call[kind] && (c->all[kind] || c->wants[kind][operation]); }

EXPORT int rocprofiler_create_context(uint64_t *handle) {
    if (!initializing) return 16;
    *handle = (uint64_t)++n_contexts;
    return n_contexts <= CONTEXTS ? 0 : 1;
}
EXPORT int rocprofiler_start_context(uint64_t handle) { return contexts[handle].started = 1, 0; }
#ifndef WITHOUT_TIMESTAMP
EXPORT int rocprofiler_get_timestamp(uint64_t *at) { return *at = now(), 0; }
#endif
EXPORT int rocprofiler_configure_callback_tracing_service(uint64_t handle, int kind, const int32_t *operations, size_t n, traced function, void *data) {
    context *c = &contexts[handle];
    if (!initializing) return 16;
    if (c->call[kind]) return 15;
    c->call[kind] = function, c->data[kind] = data, c->all[kind] = operations == 0;
    for (size_t i = 0; operations && i < n; i++) c->wants[kind][operations[i]] = 1;
    return 0;
}
EXPORT int rocprofiler_configure_external_correlation_id_request_service(uint64_t handle, const int *kinds, size_t n, asked function, void *data) {
    context *c = &contexts[handle];
    if (!initializing) return 16;
    c->ask = function, c->ask_data = data;
    for (size_t i = 0; i < n; i++) c->asks[kinds[i]] = 1;
    return 0;
}
EXPORT int rocprofiler_iterate_callback_tracing_kind_operations(int kind, int (*function)(int, int, void *), void *data) {
    for (int i = 1; kind == HIP && i <= n_names; i++)
        if (function(kind, i, data)) break;
    return 0;
}
EXPORT int rocprofiler_query_callback_tracing_kind_operation_name(int kind, int operation, const char **name, uint64_t *size) {
    *name = kind == HIP && operation > 0 && operation <= n_names ? names[operation - 1] : 0;
    if (size) *size = *name ? strlen(*name) : 0;
    return *name ? 0 : 5;
}

/* All work is complete before the tools are told the end. */
static void finalize(void) {
    standin_wait();
    for (int i = 0; i < n_tools; i++)
        if (tools[i]->finalize) tools[i]->finalize(tools[i]->data);
    finalized = 1;
}
static void end_one(client id) { (void)id; }
static void add_tool(const char *path) {
    const char *version = getenv("STANDIN_ROCP_VERSION");
    client id = {sizeof id, 0, (uint32_t)n_tools};
    void *library = dlopen(path, RTLD_LOCAL | RTLD_LAZY);
    configure function = library ? (configure)dlsym(library, "rocprofiler_configure") : 0;
    tool *own;
    if (function == 0) abort(); /* as the original does */
    own = function(version ? (uint32_t)atoi(version) : 10000, "stand-in", (uint32_t)n_tools, &id);
    if (own && own->size != sizeof *own) abort();
    if (own) tools[n_tools++] = own;
}
EXPORT void standin_register(const char *const *functions, int n) {
    char *list = getenv("ROCP_TOOL_LIBRARIES");
    if (names || list == 0) return;
    names = functions, n_names = n;
    list = strdup(list);
    if (strchr(list, ':') == 0) add_tool(list);
    else /* the original drops what stands behind the last colon */
        for (char *end; (end = strchr(list, ':')) != 0; list = end + 1)
            if (*end = 0, *list) add_tool(list);
    initializing = 1;
    for (int i = 0; i < n_tools; i++)
        if (tools[i]->initialize) tools[i]->initialize(end_one, tools[i]->data);
    initializing = 0;
    atexit(finalize);
}

EXPORT int standin_call(int operation, const void *arguments, size_t size, int (*function)(void *), void *data) {
    struct {
        uint64_t size;
        char arguments[ARGUMENTS_SIZE];
        uint64_t result[3];
    } payload = {sizeof payload, {0}, {0}};
    uint64_t kept[CONTEXTS + 1] = {0}, before = current, internal = __atomic_add_fetch(&n_internal, 1, __ATOMIC_RELAXED);
    int i, code;
    if (finalized) return function(data);
    memcpy(payload.arguments, arguments, size);
    for (i = 1; i <= n_contexts; i++)
        if (wants(&contexts[i], HIP, operation))
            contexts[i].call[HIP]((record){(uint64_t)i, thread_number(), internal, 0, before, HIP, operation, 1, &payload}, &kept[i], contexts[i].data[HIP]);
    current = internal;
    code = function(data);
    current = before;
    memcpy(payload.result, &code, sizeof code);
    for (i = n_contexts; i >= 1; i--)
        if (wants(&contexts[i], HIP, operation))
            contexts[i].call[HIP]((record){(uint64_t)i, thread_number(), internal, 0, before, HIP, operation, 2, &payload}, &kept[i], contexts[i].data[HIP]);
    return code;
}

EXPORT void standin_kernel(uint64_t number, const char *name, const void *host_function) {
    uint64_t kernel[16] = {sizeof kernel, number, 1, (uint64_t)(uintptr_t)name};
    uint64_t host[20] = {sizeof host, number, number, 1, (uint64_t)(uintptr_t)host_function, 0, (uint64_t)(uintptr_t)name};
    for (int i = 1; i <= n_contexts; i++) {
        if (wants(&contexts[i], CODE, 2)) contexts[i].call[CODE]((record){(uint64_t)i, 0, 0, 0, 0, CODE, 2, 1, kernel}, 0, contexts[i].data[CODE]);
        if (host_function && wants(&contexts[i], CODE, 3)) contexts[i].call[CODE]((record){(uint64_t)i, 0, 0, 0, 0, CODE, 3, 1, host}, 0, contexts[i].data[CODE]);
    }
}

static void *worker(void *unused) {
    work *w;
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == 0) pthread_cond_wait(&wanted, &lock);
        w = first;
        if ((first = w->next) == 0) last = &first;
        pthread_mutex_unlock(&lock);
        w->payload[2] = now();
        for (int i = 1; i <= n_contexts; i++)
            if (wants(&contexts[i], w->kind, w->operation))
                contexts[i].call[w->kind]((record){(uint64_t)i, w->thread, w->internal, w->external[i - 1], 0, w->kind, w->operation, w->kind == COPY ? 2 : 0, w->payload},
                                          0, contexts[i].data[w->kind]);
        free(w);
        pthread_mutex_lock(&lock);
        if (--in_flight == 0) pthread_cond_broadcast(&done);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
static void submit(work *w, int request) {
    pthread_t thread;
    w->thread = thread_number(), w->internal = current, w->payload[1] = now();
    for (int i = 1; i <= n_contexts; i++)
        if (contexts[i].ask && contexts[i].asks[request]) contexts[i].ask(w->thread, (uint64_t)i, request, w->operation, current, &w->external[i - 1], contexts[i].ask_data);
    if (w->kind == COPY)
        for (int i = 1; i <= n_contexts; i++)
            if (wants(&contexts[i], COPY, w->operation)) {
                uint64_t kept = 0, times[32];
                memcpy(times, w->payload, sizeof times), times[1] = times[2] = 0;
                contexts[i].call[COPY]((record){(uint64_t)i, w->thread, current, w->external[i - 1], 0, COPY, w->operation, 1, times}, &kept, contexts[i].data[COPY]);
            }
    pthread_mutex_lock(&lock);
    if (!worker_runs && pthread_create(&thread, 0, worker, 0) == 0) worker_runs = 1, pthread_detach(thread);
    *last = w, last = &w->next, in_flight++;
    pthread_cond_signal(&wanted);
    pthread_mutex_unlock(&lock);
}
EXPORT void standin_dispatch(uint64_t kernel, uint32_t shared, const uint32_t group[3], const uint32_t items[3]) {
    work *w = calloc(1, sizeof *w);
    uint32_t sizes[8] = {0, shared, group[0], group[1], group[2], items[0], items[1], items[2]};
    w->kind = DISPATCH, w->operation = 2;
    w->payload[0] = 152, w->payload[3] = 72, w->payload[4] = 7, w->payload[5] = 9, w->payload[6] = kernel, w->payload[7] = 1;
    memcpy(&w->payload[8], sizes, sizeof sizes);
    submit(w, ASKED_DISPATCH);
}
EXPORT void standin_copy(int direction, uint64_t bytes, uint64_t to, uint64_t source) {
    work *w = calloc(1, sizeof *w);
    w->kind = COPY, w->operation = direction;
    w->payload[0] = 64, w->payload[3] = 7, w->payload[4] = 8, w->payload[5] = bytes, w->payload[6] = to, w->payload[7] = source;
    submit(w, ASKED_COPY);
}
EXPORT void standin_wait(void) {
    pthread_mutex_lock(&lock);
    while (in_flight) pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
}

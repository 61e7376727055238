/* rocprofiler-sdk, as far as the recorder uses it: its structs, its numbers, and its functions, which are looked up.

   These are of version 1. Before it, records of callbacks were shorter. */
#ifndef LAUNCHPATH_RECORDER_HIP_ROCPROFILER_H
#define LAUNCHPATH_RECORDER_HIP_ROCPROFILER_H

#include <stddef.h>
#include <stdint.h>

enum {
    ROCP_VERSION_LEAST = 10000, /* 1.0.0 */
    ROCP_PHASE_NONE = 0,
    ROCP_PHASE_ENTER = 1, /* of code objects: loaded */
    ROCP_PHASE_EXIT = 2,  /* and unloaded */
    ROCP_TRACE_HIP = 5,   /* functions of HIP's runtime */
    ROCP_TRACE_CODE = 10,
    ROCP_TRACE_DISPATCH = 12,
    ROCP_TRACE_COPY = 13,
    ROCP_CODE_KERNEL = 2,
    ROCP_CODE_HOST_KERNEL = 3,
    ROCP_DISPATCH_COMPLETE = 2,
    ROCP_COPY_TO_HOST = 1, /* from the host */
    ROCP_COPY_HOST_TO_DEVICE = 2,
    ROCP_COPY_DEVICE_TO_HOST = 3,
    ROCP_COPY_DEVICE_TO_DEVICE = 4,
    ROCP_ASKED_COPY = 10, /* kinds of work that the tool is asked for an external correlation number of */
    ROCP_ASKED_DISPATCH = 11,
    ROCP_RESULT_SIZE = 24 /* of the union of results, which is the last in `rocp_call` */
};

typedef struct {
    uint64_t size;
    const char *name;
    const uint32_t handle;
} rocp_client;

typedef struct {
    size_t size;
    int (*begins)(void (*end)(rocp_client), void *data);
    void (*ends)(void *data);
    void *data;
} rocp_tool;

typedef struct { /* is handed over by value */
    uint64_t context, thread;
    uint64_t internal, external, ancestor; /* correlation numbers */
    int32_t kind, operation, phase;
    void *payload;
} rocp_record;

typedef struct { /* a function's arguments stand behind it, and its result in the last ROCP_RESULT_SIZE bytes of `size` */
    uint64_t size;
    char arguments[];
} rocp_call;

typedef struct {
    uint64_t size, kernel, object;
    const char *name;
} rocp_kernel;

typedef struct {
    uint64_t size, host_function, kernel, object;
    const void *address, *modules;
    const char *name;
} rocp_host_kernel;

typedef struct {
    uint64_t size, agent, queue, kernel, dispatch;
    uint32_t private_size, group_size;
    uint32_t group[3], items[3]; /* of a work-group; of all */
    char reserved[56];
} rocp_dispatch_info;

typedef struct {
    uint64_t size, started, ended;
    rocp_dispatch_info of;
} rocp_dispatch;

typedef struct {
    uint64_t size, started, ended, to_agent, source_agent, bytes, to, source;
} rocp_copy;

typedef void (*rocp_traced)(rocp_record record, uint64_t *kept, void *data);
typedef int (*rocp_asked)(uint64_t thread, uint64_t context, int kind, int operation, uint64_t internal, uint64_t *external, void *data);
typedef int (*rocp_operation)(int kind, int operation, void *data);

#define ROCP_FUNCTIONS                                                                                                 \
    ROCP(create_context, (uint64_t *))                                                                                 \
    ROCP(start_context, (uint64_t))                                                                                    \
    ROCP(get_timestamp, (uint64_t *))                                                                                  \
    ROCP(configure_callback_tracing_service, (uint64_t, int, const int32_t *, size_t, rocp_traced, void *))            \
    ROCP(configure_external_correlation_id_request_service, (uint64_t, const int *, size_t, rocp_asked, void *))       \
    ROCP(iterate_callback_tracing_kind_operations, (int, rocp_operation, void *))                                      \
    ROCP(query_callback_tracing_kind_operation_name, (int, int, const char **, uint64_t *))

static struct {
#define ROCP(name, parameters) int(*name) parameters;
    ROCP_FUNCTIONS
#undef ROCP
} rocp;

/* Find its functions in the library that has `caller`, else anywhere. Gives the name of the first that is missing; NULL: none. */
static const char *rocp_find(const void *caller) {
    static const char *const names[] = {
#define ROCP(name, parameters) "rocprofiler_" #name,
        ROCP_FUNCTIONS
#undef ROCP
    };
    void **functions = (void **)&rocp, *library = 0;
    const char *missing = 0;
    Dl_info info;
    size_t i;
    if (dladdr(caller, &info) && info.dli_fname) library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    for (i = 0; i < sizeof names / sizeof *names && missing == 0; i++) {
        functions[i] = library ? real_dlsym(library, names[i]) : 0;
        if (functions[i] == 0) functions[i] = real_dlsym(RTLD_DEFAULT, names[i]);
        if (functions[i] == 0) missing = names[i];
    }
    dlerror();
    return missing;
}

#endif

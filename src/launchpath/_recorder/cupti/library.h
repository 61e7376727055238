/* CUPTI's functions, and what they are called with. There are two ways to use it: that of all versions, and that of 13.4 and
   later, where several profilers have a process and records have the fields that are wanted. */
#ifndef LAUNCHPATH_RECORDER_CUPTI_LIBRARY_H
#define LAUNCHPATH_RECORDER_CUPTI_LIBRARY_H

#include "../cuda/graphs.h"
#include "driver/gpu/times/cupti.h"

enum {
    CUPTI_DOMAIN_RESOURCE = 2,
    CUPTI_NODE_CLONED = 20, /* of the domain of resources */
    CUPTI_CALLS_MOST = 2048, /* numbers of the driver's functions */
    CUPTI_KIND_COPY = 1,
    CUPTI_KIND_FILL = 2,
    CUPTI_KIND_PEER_COPY = 22,
    CUPTI_USES_FIELDS = 11, /* attributes */
    CUPTI_HARDWARE_TIMES = 13,
    CUPTI_CLOCK = 22,
    CUPTI_WITH_FIELDS = 130400, /* version from which the second way has all that it needs */
    /* CUPTI 13.0 crashed in programs whose threads copied and filled (an H200: 1 of 2 processes in 12 seconds; 12.9 and
       13.5: none of 16). */
    CUPTI_CRASHES_FROM = 130000,
    CUPTI_CRASHES_UNTIL = 130500
};

typedef struct { /* CUpti_SubscriberParams */
    size_t size;
    const char *name;
    char *other_name;
    size_t other_size;
    uint8_t several, unused[7];
} cupti_subscription;

typedef struct { /* CUpti_ActivityConfig */
    size_t size;
    struct {
        size_t size, n;
        int *fields;
    } selection;
    void *options;
} cupti_kind_options;

typedef struct { /* CUpti_ActivityFieldLayoutEntry */
    size_t size;
    int field;
    size_t offset, bytes, alignment;
} cupti_field;

typedef struct { /* CUpti_ActivityRecordLayout */
    size_t size;
    const cupti_field *fields;
    size_t n, bytes;
} cupti_layout;

typedef struct { /* CUpti_BufferCallbackCompleteInfo */
    size_t size;
    uint64_t thread;
    cupti_layout *const *layouts; /* by kinds of records */
    size_t n;
} cupti_completion;

typedef struct { /* CUpti_ResourceData */
    void *context, *resource, *descriptor;
} cupti_resource;

typedef struct { /* CUpti_GraphData */
    void *graph, *from_graph, *node, *from_node;
    int type;
    void *dependency, *executable;
} cupti_cloned;

typedef void (*cupti_request_2)(uint8_t **buffer, size_t *size, size_t *most, void *unused);
typedef void (*cupti_complete_2)(uint8_t *buffer, size_t size, size_t valid, const cupti_completion *completion);

/* Functions that an older CUPTI may lack: NULL then. */
#define CUPTI_MORE_FUNCTIONS \
    CUPTI_FUNCTION(call_name, "cuptiGetCallbackName", (int, uint32_t, const char **)) \
    CUPTI_FUNCTION(node_id, "cuptiGetGraphNodeId", (void *, uint64_t *)) \
    CUPTI_FUNCTION(hardware_times, "cuptiActivityEnableHWTrace", (uint8_t)) \
    CUPTI_FUNCTION(subscribe_2, "cuptiSubscribe_v2", (void **, cupti_callback, void *, cupti_subscription *)) \
    CUPTI_FUNCTION(set_2, "cuptiActivitySetAttribute_v2", (void *, int, size_t *, void *)) \
    CUPTI_FUNCTION(use_buffers_2, "cuptiActivityRegisterCallbacks_v2", (void *, cupti_request_2, cupti_complete_2)) \
    CUPTI_FUNCTION(enable_2, "cuptiActivityEnable_v2", (void *, int, cupti_kind_options *)) \
    CUPTI_FUNCTION(disable_2, "cuptiActivityDisable_v2", (void *, int, cupti_kind_options *)) \
    CUPTI_FUNCTION(next_2, "cuptiActivityGetNextRecord_v2", (void *, uint8_t *, size_t, void **))

typedef struct {
#define CUPTI_FUNCTION(field, name, parameters) int(*field) parameters;
    CUPTI_MORE_FUNCTIONS
#undef CUPTI_FUNCTION
} cupti_more_functions;

static const char *const cupti_more_names[] = {
#define CUPTI_FUNCTION(field, name, parameters) name,
    CUPTI_MORE_FUNCTIONS
#undef CUPTI_FUNCTION
};

/* Kinds of records: their numbers, and those of the fields that are wanted: kind, start, end, the call's number, the node;
   of kernels the name too. */
enum { CUPTI_KERNELS, CUPTI_COPIES, CUPTI_FILLS, CUPTI_PEER_COPIES, CUPTI_KINDS };
enum { FIELD_KIND, FIELD_START, FIELD_END, FIELD_NUMBER, FIELD_NODE, FIELD_NAME, CUPTI_FIELDS };

static const int cupti_kinds[CUPTI_KINDS] = {CUPTI_KIND_LAUNCH, CUPTI_KIND_COPY, CUPTI_KIND_FILL, CUPTI_KIND_PEER_COPY};
static int cupti_fields[CUPTI_KINDS][CUPTI_FIELDS] = {
    {0, 7, 8, 22, 31, 24}, {0, 6, 7, 11, 12, -1}, {0, 3, 4, 8, 11, -1}, {0, 6, 7, 15, 16, -1}};

/* Where the fields are in a record; -1: it has none. */
typedef struct {
    int at[CUPTI_FIELDS];
} cupti_shape;

static const cupti_shape cupti_whole_records[CUPTI_KINDS] = {
    {{0, 16, 24, 92, 144, 104}}, {{0, 16, 24, 44, 64, -1}}, {{0, 16, 24, 44, 64, -1}}, {{0, 16, 24, 60, 72, -1}}};

static struct {
    cupti_functions call;
    cupti_more_functions more;
    uint32_t version;
    void *subscriber;
    int second_way, with_fields;
    uint64_t attached; /* commands that are submitted from now on have times */
    uint64_t ended;    /* it was to be attached, and is not, or not any more */
} cupti;

static int cupti_fields_of(int kind) { return kind == CUPTI_KERNELS ? CUPTI_FIELDS : FIELD_NAME; }

static int cupti_copies_allowed(void) { return cupti.version < CUPTI_CRASHES_FROM || cupti.version >= CUPTI_CRASHES_UNTIL; }

/* Take a library's functions; NULL, or why it does not serve. */
static const char *cupti_library_take(void *handle) {
    void **functions = (void **)&cupti.call, **more = (void **)&cupti.more;
    size_t i;
    memset(&cupti, 0, sizeof cupti);
    for (i = 0; i < CUPTI_N_FUNCTIONS; i++)
        if ((functions[i] = real_dlsym(handle, cupti_names[i])) == 0) return "it lacks a function of CUPTI 11";
    for (i = 0; i < sizeof cupti_more_names / sizeof *cupti_more_names; i++) more[i] = real_dlsym(handle, cupti_more_names[i]);
    dlerror();
    if (cupti.call.version(&cupti.version) || cupti.version > CUPTI_NEWEST) return "its version is not known";
    if (cupti.more.call_name == 0 || cupti.more.node_id == 0) return "it is older than CUDA 11";
    return 0;
}

/* The library's major version by its file's name; 0: it tells none. */
static long cupti_major(const char *path) {
    const char *at = strstr(path, "libcupti.so.");
    return at ? strtol(at + 12, 0, 10) : 0;
}

#endif

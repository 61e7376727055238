/* The part of CUPTI's interface that the stand-in exports: numbers with a prefix of their own, the structs of version 13. */
#ifndef STANDIN_CUPTI_ABI_H
#define STANDIN_CUPTI_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
    SC_SUCCESS = 0,
    SC_ERROR_INVALID_PARAMETER = 1,
    SC_ERROR_MAX_LIMIT_REACHED = 12,
    SC_ERROR_NOT_COMPATIBLE = 14,
    SC_ERROR_NOT_INITIALIZED = 15,
    SC_ERROR_INVALID_KIND = 21,
    SC_ERROR_NOT_SUPPORTED = 27,
    SC_ERROR_MULTIPLE_SUBSCRIBERS = 39,
    SC_ERROR_UNKNOWN = 999,
    SC_VERSION = 130001,
    SC_VERSION_SECOND = 130400, /* from it on there is the second way to use it: second.c */
    SC_DOMAIN_DRIVER = 1,
    SC_DOMAIN_RESOURCE = 2,
    SC_NODE_CLONED = 20,
    SC_ENTER = 0,
    SC_EXIT = 1,
    SC_FORCED = 1,
    SC_KIND_COPY = 1,
    SC_KIND_FILL = 2,
    SC_KIND_KERNEL = 10,
    SC_KIND_PEER_COPY = 22,
    SC_KINDS = 64,
    SC_FIELDS_MOST = 16,
    SC_ATTRIBUTE_FIELDS = 11,
    SC_ATTRIBUTE_HARDWARE_TIMES = 13,
    SC_ATTRIBUTE_CLOCK = 22
};

typedef struct {
    int site;
    const char *name;
    const void *parameters;
    const void *result; /* at the end of the call */
    const char *symbol;
    void *context;
    uint32_t context_number;
    uint64_t *data; /* the client's, from the begin of a call to its end */
    uint32_t number;
} sc_call;

typedef struct {
    void *context, *resource;
    const void *descriptor;
} sc_resource;

typedef struct {
    void *graph, *from_graph;
    const void *node, *from_node;
    int type;
    void *dependency, *executable;
} sc_cloned;

typedef struct {
    size_t size;
    const char *name;
    char *other_name;
    size_t other_size;
    uint8_t several, unused[7];
} sc_subscription;

typedef struct {
    size_t size;
    struct {
        size_t size, n;
        const int *fields;
    } selection;
    void *options;
} sc_kind_options;

typedef struct {
    size_t size;
    int field;
    size_t offset, bytes, alignment;
} sc_field;

typedef struct {
    size_t size;
    sc_field *fields;
    size_t n, bytes;
} sc_layout;

typedef struct {
    size_t size;
    uint64_t thread;
    sc_layout **layouts;
    size_t n;
} sc_completion;

typedef void (*sc_callback)(void *data, int domain, uint32_t call, const void *at);
typedef void (*sc_request)(uint8_t **buffer, size_t *size, size_t *most);
typedef void (*sc_complete)(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
typedef void (*sc_request_2)(uint8_t **buffer, size_t *size, size_t *most, void *unused);
typedef void (*sc_complete_2)(uint8_t *buffer, size_t size, size_t valid, const sc_completion *completion);
typedef uint64_t (*sc_clock)(void);

#define SC_RECORD typedef struct __attribute__((packed, aligned(8)))

SC_RECORD {
    int32_t kind;
    uint8_t cache, shared_config;
    uint16_t registers;
    int32_t partitioned_requested, partitioned_executed;
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t static_shared, dynamic_shared;
    uint32_t local, local_total, number;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t type, carveout_requested, carveout, padding;
    uint32_t shared_executed;
    uint64_t node;
    int32_t limit;
    uint32_t graph;
    void *access;
    uint32_t channel;
    int32_t channel_type;
    uint32_t cluster[3], cluster_policy;
    uint64_t local_total_64;
    uint32_t cluster_most, clusters_most;
    uint8_t from_device, more_padding[7];
}
sc_kernel;

SC_RECORD {
    int32_t kind;
    uint8_t direction, from_kind, to_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, number, runtime_number, padding;
    void *reserved;
    uint64_t node;
    uint32_t graph, channel;
    int32_t channel_type;
    uint8_t from_device, more_padding[3];
    uint64_t count;
}
sc_copy;

SC_RECORD {
    int32_t kind;
    uint32_t value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, number;
    uint16_t flags, memory;
    uint32_t padding;
    void *reserved;
    uint64_t node;
    uint32_t graph, channel;
    int32_t channel_type;
    uint8_t from_device, more_padding[3];
}
sc_fill;

SC_RECORD {
    int32_t kind;
    uint8_t direction, from_kind, to_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, from_device, from_context, to_device, to_context, number;
    void *reserved;
    uint64_t node;
    uint32_t graph, channel;
    int32_t channel_type;
}
sc_peer_copy;

#endif

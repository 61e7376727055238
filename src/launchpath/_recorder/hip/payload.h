/* What commands do, as their records tell. */
#ifndef LAUNCHPATH_RECORDER_HIP_PAYLOAD_H
#define LAUNCHPATH_RECORDER_HIP_PAYLOAD_H

#include "kernels.h"

/* A call that was refused may have had no struct where one belongs. */
static inline const hip_launch_config *hip_launch_of(const hip_launch_config *config) {
    static const hip_launch_config none;
    return config ? config : &none;
}

static inline const hip_config *hip_config_of(const hip_config *config) {
    static const hip_config none;
    return config ? config : &none;
}

#define HIP_SIZES(of) ((hip_sizes){(of)[0], (of)[1], (of)[2]})

/* How many work-groups there are of so many items. */
static inline hip_sizes hip_groups(hip_sizes items, hip_sizes group) {
#define GROUPS(part) group.part ? (items.part + group.part - 1) / group.part : items.part
    return (hip_sizes){GROUPS(x), GROUPS(y), GROUPS(z)};
#undef GROUPS
}

static uint8_t hip_flags(const cuda_attribute *attributes, unsigned int n) {
    unsigned int i;
    for (i = 0; attributes && i < n; i++)
        if (attributes[i].id == HIP_COOPERATIVE && attributes[i].value.cooperative) return SLOT_COOPERATIVE;
    return 0;
}

static inline void hip_launch(const hip_call *call, payload *what, uint64_t function, int of_host, hip_sizes grid, hip_sizes block, uint32_t shared, uint8_t flags) {
    /* HIP itself is asked about a function that it has accepted only: another one may be no address. */
    hip_kernel *kernel = call->code == 0 ? hip_kernel_of(function, of_host) : (hip_kernel *)(uintptr_t)handle_find(&hip_kernels, function);
    if (kernel == 0) kernel = &hip_nameless;
    if (LP_UNLIKELY(kernel->excluded)) return;
    what->command = COMMAND_LAUNCH, what->flags = flags, what->name = hip_kernel_name(kernel), what->shared = shared;
    memcpy(what->of.launch.grid, &grid, sizeof grid), memcpy(what->of.launch.block, &block, sizeof block);
}

static inline uint8_t hip_direction(int kind) {
    return kind == HIP_COPY_TO_DEVICE ? COPY_TO_DEVICE
           : kind == HIP_COPY_TO_HOST ? COPY_TO_HOST
           : kind == HIP_COPY_ON_DEVICE || kind == HIP_COPY_ON_DEVICE_BY_COPIERS ? COPY_ON_DEVICE : COPY_UNKNOWN;
}

static inline void hip_copy(payload *what, uint8_t direction, size_t bytes, uint64_t to, uint64_t source) {
    what->command = COMMAND_COPY, what->flags = direction;
    what->of.copy.bytes = bytes, what->of.copy.to = to, what->of.copy.source = source;
}

static inline void hip_copy_peer(payload *what, size_t bytes, uint64_t to, uint64_t source) {
    hip_copy(what, COPY_ON_DEVICE, bytes, to, source);
    what->command = COMMAND_PEER;
}

static inline void hip_copy_rows(payload *what, uint8_t direction, size_t width, size_t height, uint64_t to, uint64_t source) {
    hip_copy(what, direction, width * height, to, source);
    what->command = COMMAND_ROWS, what->shared = (uint32_t)height;
}

static inline void hip_fill(payload *what, size_t bytes, uint64_t to) {
    what->command = COMMAND_FILL;
    what->of.copy.bytes = bytes, what->of.copy.to = to;
}

/* Whether a copy's function is one of those that wait: those whose names do not say otherwise. */
#define HIP_WAITS(name) (strstr(#name, "Async") == 0)

/* Arguments of launches are not known here: of what size they are only the code objects tell. */
static inline void hip_copy_prove(call_evidence *proof, uint8_t direction, int waits, size_t bytes, uint64_t to, uint64_t source) {
    if (direction == COPY_TO_DEVICE) evidence_sent(proof, host_bytes((const void *)(uintptr_t)source, bytes), waits);
    else if (direction == COPY_TO_HOST) evidence_received(proof, host_bytes((const void *)(uintptr_t)to, bytes), waits);
}

/* The direction of a copy between two kinds of memory. Memory that moves may be anywhere. */
static uint8_t hip_direction_between(int source, int to) {
    int from_host = source == HIP_MEMORY_HOST, to_host = to == HIP_MEMORY_HOST;
    if ((!from_host && source != HIP_MEMORY_DEVICE && source != HIP_MEMORY_ARRAY) || (!to_host && to != HIP_MEMORY_DEVICE && to != HIP_MEMORY_ARRAY)) return COPY_UNKNOWN;
    return from_host && to_host ? COPY_UNKNOWN : from_host ? COPY_TO_DEVICE : to_host ? COPY_TO_HOST : COPY_ON_DEVICE;
}

static uint64_t hip_end_of(int type, const void *host, uint64_t device, const void *array) {
    return type == HIP_MEMORY_HOST ? (uint64_t)(uintptr_t)host : type == HIP_MEMORY_ARRAY ? (uint64_t)(uintptr_t)array : device;
}

static void hip_copy_table(payload *what, const hip_rows *rows) {
    static const hip_rows none;
    if (rows == 0) rows = &none;
    hip_copy_rows(what, hip_direction_between(rows->source_type, rows->to_type), rows->width, rows->height,
                  hip_end_of(rows->to_type, rows->to_host, rows->to_device, rows->to_array),
                  hip_end_of(rows->source_type, rows->source_host, rows->source_device, rows->source_array));
}

static void hip_copy_box(payload *what, const hip_box *box) {
    static const hip_box none;
    if (box == 0) box = &none;
    hip_copy_rows(what, hip_direction_between(box->source_type, box->to_type), box->width, box->height * box->depth,
                  hip_end_of(box->to_type, box->to_host, box->to_device, box->to_array),
                  hip_end_of(box->source_type, box->source_host, box->source_device, box->source_array));
}

/* The width of a volume is in bytes where no array is one of its ends; the size of an array's elements is not known here. */
static void hip_copy_volume(payload *what, const hip_volume *volume) {
    static const hip_volume none;
    if (volume == 0) volume = &none;
    hip_copy_rows(what, hip_direction(volume->kind), volume->to_array || volume->source_array ? 0 : volume->extent.width,
                  volume->extent.height * volume->extent.depth, (uintptr_t)(volume->to_array ? volume->to_array : volume->to.at),
                  (uintptr_t)(volume->source_array ? volume->source_array : volume->source.at));
}

#endif

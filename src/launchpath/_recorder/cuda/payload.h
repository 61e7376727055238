/* What copies do that a struct describes, and what else a launch's configuration says. */
#ifndef LAUNCHPATH_RECORDER_CUDA_PAYLOAD_H
#define LAUNCHPATH_RECORDER_CUDA_PAYLOAD_H

#include "evidence.h"

/* The direction of a copy between two kinds of memory. Unified memory may be anywhere. */
static uint8_t cuda_direction(int source, int to) {
    if (source == CUDA_MEMORY_UNIFIED || to == CUDA_MEMORY_UNIFIED) return COPY_UNKNOWN;
    if (source == CUDA_MEMORY_HOST) return to == CUDA_MEMORY_HOST ? COPY_UNKNOWN : COPY_TO_DEVICE;
    return to == CUDA_MEMORY_HOST ? COPY_TO_HOST : COPY_ON_DEVICE;
}

static uint64_t cuda_end_of(int type, const void *host, cuda_address device, const void *array) {
    return type == CUDA_MEMORY_HOST ? (uint64_t)(uintptr_t)host : type == CUDA_MEMORY_ARRAY ? (uint64_t)(uintptr_t)array : device;
}

static void cuda_rows_payload(payload *what, const cuda_rows *rows) {
    what->flags |= cuda_direction(rows->source_type, rows->to_type);
    what->shared = (uint32_t)rows->height;
    what->of.copy.bytes = (uint64_t)rows->width * rows->height;
    what->of.copy.to = cuda_end_of(rows->to_type, rows->to_host, rows->to_device, rows->to_array);
    what->of.copy.source = cuda_end_of(rows->source_type, rows->source_host, rows->source_device, rows->source_array);
}

static void cuda_box_payload(payload *what, const cuda_box *box) {
    uint64_t rows = (uint64_t)box->height * box->depth;
    what->flags |= cuda_direction(box->source_type, box->to_type);
    what->shared = (uint32_t)rows;
    what->of.copy.bytes = (uint64_t)box->width * rows;
    what->of.copy.to = cuda_end_of(box->to_type, box->to_host, box->to_device, box->to_array);
    what->of.copy.source = cuda_end_of(box->source_type, box->source_host, box->source_device, box->source_array);
}

static uint8_t cuda_config_flags(const cuda_config *config) {
    unsigned int i;
    for (i = 0; i < config->n_attributes; i++)
        if (config->attributes[i].id == CUDA_ATTRIBUTE_COOPERATIVE && config->attributes[i].value.cooperative) return SLOT_COOPERATIVE;
    return 0;
}

#endif

/* What findings are to know of CUDA's calls: the arguments of launches, and the host's bytes of copies. */
#ifndef LAUNCHPATH_RECORDER_CUDA_EVIDENCE_H
#define LAUNCHPATH_RECORDER_CUDA_EVIDENCE_H

#include "kernels.h"

enum { CUDA_PARAMETERS_MOST = 4096, CUDA_POINTER_MEMORY = 2, CUDA_EXTRA_BUFFER = 1, CUDA_EXTRA_SIZE = 2, CUDA_EXTRA_MOST = 8 };

/* Whether a function is one of those that wait: of copies those whose names do not say otherwise. */
#define CUDA_WAITS(name) (strstr(#name, "Async") == 0 && strstr(#name, "Peer") == 0)

/* Ask the driver what a kernel takes. The driver may know that only since version 12.4. */
LP_NOINLINE static const cuda_parameters *cuda_parameters_ask(void *function, cuda_kernel *kernel) {
    static const cuda_parameters none;
    int (*ask)(void *, size_t, size_t *, size_t *) = kernel->library ? cuda.call.cuKernelGetParamInfo : cuda.call.cuFuncGetParamInfo;
    cuda_parameters *parameters = 0, *grown;
    size_t offset, size, n;
    for (n = 0; ask && n < CUDA_PARAMETERS_MOST && ask(function, n, &offset, &size) == 0; n++) {
        if ((n & (n - 1)) == 0) {
            grown = (cuda_parameters *)realloc(parameters, sizeof *parameters + (n ? 2 * n : 1) * sizeof parameters->each[0]);
            if (grown == 0) break;
            parameters = grown;
        }
        parameters->each[n].offset = (uint32_t)offset, parameters->each[n].size = (uint32_t)size, parameters->n = (uint32_t)n + 1;
    }
    lp_store(&kernel->parameters, (uint64_t)(uintptr_t)(parameters ? parameters : &none)); /* stays, as the kernel does */
    return parameters ? parameters : &none;
}

static void cuda_launch_prove(call_evidence *proof, void *function, const cuda_kernel *kernel, void *const *values, void *const *extra) {
    const cuda_parameters *parameters = (const cuda_parameters *)(uintptr_t)lp_load(&kernel->parameters);
    const char *buffer = 0;
    size_t size = 0;
    uint32_t i;
    proof->launch = 1;
    if (kernel == &cuda_nameless) return;
    if (parameters == 0) parameters = cuda_parameters_ask(function, (cuda_kernel *)kernel);
    for (i = 0; values == 0 && extra && i < CUDA_EXTRA_MOST && extra[i]; i += 2) {
        if ((uintptr_t)extra[i] == CUDA_EXTRA_BUFFER) buffer = (const char *)extra[i + 1];
        else if ((uintptr_t)extra[i] == CUDA_EXTRA_SIZE && extra[i + 1]) size = *(const size_t *)extra[i + 1];
        else return;
    }
    if (parameters->n == 0 && values) return; /* of what size they are is not known */
    for (i = 0; i < parameters->n; i++) {
        if (values && values[i]) evidence_argument(proof, i, values[i], parameters->each[i].size);
        else if (values == 0 && buffer && parameters->each[i].offset + (size_t)parameters->each[i].size <= size)
            evidence_argument(proof, i, buffer + parameters->each[i].offset, parameters->each[i].size);
        else return;
    }
    if (parameters->n == 0 && buffer) evidence_argument(proof, 0, buffer, size), proof->count = 0;
    else proof->flags |= EVIDENCE_ARGUMENTS;
    proof->flags |= EVIDENCE_CONTENT;
}

/* What host memory is: the driver knows what it has pinned, and nothing of other memory. 0: it is a device's. */
static uint8_t cuda_host_memory(const void *at) {
    unsigned int type = 0;
    if (cuda.call.cuPointerGetAttribute == 0) return 0;
    if (cuda.call.cuPointerGetAttribute(&type, CUDA_POINTER_MEMORY, (cuda_address)(uintptr_t)at)) return EVIDENCE_PAGEABLE;
    return type == CUDA_MEMORY_HOST ? EVIDENCE_PINNED : 0;
}

/* A copy to the device waits if its name says so; a copy to the host also if its memory is pageable. */
static void cuda_transfer_prove(call_evidence *proof, uint8_t direction, int waits, host_memory memory) {
    const uint8_t known = cuda_host_memory(memory.at);
    proof->flags |= known;
    if (known == 0 && cuda.call.cuPointerGetAttribute) memory.at = 0; /* a device's, which the host may not read */
    if (direction == COPY_TO_DEVICE) evidence_sent(proof, memory, waits);
    else if (direction == COPY_TO_HOST) evidence_received(proof, memory, waits || proof->flags & EVIDENCE_PAGEABLE);
}

static void cuda_copy_prove(call_evidence *proof, uint8_t direction, int waits, size_t size, cuda_address to, cuda_address source) {
    const void *here;
    if (direction == COPY_ON_DEVICE) return;
    if (direction == COPY_UNKNOWN) { /* by unified addresses */
        int from_host = cuda_host_memory((const void *)(uintptr_t)source) != 0, to_host = cuda_host_memory((const void *)(uintptr_t)to) != 0;
        if (from_host == to_host) return;
        direction = from_host ? COPY_TO_DEVICE : COPY_TO_HOST;
    }
    here = (const void *)(uintptr_t)(direction == COPY_TO_DEVICE ? source : to);
    cuda_transfer_prove(proof, direction, waits, host_bytes(here, size));
}

static void cuda_rows_prove(call_evidence *proof, const cuda_rows *rows, int waits) {
    if (rows->source_type == CUDA_MEMORY_HOST && rows->to_type != CUDA_MEMORY_HOST && rows->to_type != CUDA_MEMORY_UNIFIED) {
        size_t pitch = rows->source_pitch ? rows->source_pitch : rows->width;
        const char *at = (const char *)rows->source_host + rows->source_y * pitch + rows->source_x;
        cuda_transfer_prove(proof, COPY_TO_DEVICE, waits, (host_memory){at, rows->width, rows->height, pitch, 1, 0});
    } else if (rows->to_type == CUDA_MEMORY_HOST && rows->source_type != CUDA_MEMORY_HOST && rows->source_type != CUDA_MEMORY_UNIFIED) {
        size_t pitch = rows->to_pitch ? rows->to_pitch : rows->width;
        const char *at = (const char *)rows->to_host + rows->to_y * pitch + rows->to_x;
        cuda_transfer_prove(proof, COPY_TO_HOST, waits, (host_memory){at, rows->width, rows->height, pitch, 1, 0});
    }
}

static void cuda_box_prove(call_evidence *proof, const cuda_box *box, int waits) {
    if (box->source_type == CUDA_MEMORY_HOST && box->to_type != CUDA_MEMORY_HOST && box->to_type != CUDA_MEMORY_UNIFIED) {
        size_t pitch = box->source_pitch ? box->source_pitch : box->width, layer = pitch * (box->source_height ? box->source_height : box->height);
        const char *at = (const char *)box->source_host + box->source_z * layer + box->source_y * pitch + box->source_x;
        cuda_transfer_prove(proof, COPY_TO_DEVICE, waits, (host_memory){at, box->width, box->height, pitch, box->depth, layer});
    } else if (box->to_type == CUDA_MEMORY_HOST && box->source_type != CUDA_MEMORY_HOST && box->source_type != CUDA_MEMORY_UNIFIED) {
        size_t pitch = box->to_pitch ? box->to_pitch : box->width, layer = pitch * (box->to_height ? box->to_height : box->height);
        const char *at = (const char *)box->to_host + box->to_z * layer + box->to_y * pitch + box->to_x;
        cuda_transfer_prove(proof, COPY_TO_HOST, waits, (host_memory){at, box->width, box->height, pitch, box->depth, layer});
    }
}

#endif

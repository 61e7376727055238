/* What findings are to know of OpenCL's calls: the arguments of launches, as they were set before, and the host's bytes of copies. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_EVIDENCE_H
#define LAUNCHPATH_RECORDER_OPENCL_EVIDENCE_H

#include "objects.h"

static inline void opencl_waits(call_evidence *proof, uint32_t n, void *const *waits, void **event) {
    proof->n_waits = waits ? n : 0, proof->waits = (const void *const *)waits, proof->made = event;
}

static inline void opencl_copied(call_evidence *proof, uint32_t blocking) {
    if (blocking) proof->flags |= EVIDENCE_BLOCKING;
}

/* A box of the host's memory; `element`: bytes of an element. */
static host_memory opencl_box(const void *at, const size_t *origin, const size_t *region, size_t element, size_t row, size_t slice) {
    host_memory memory = {at, 0, 0, 0, 0, 0};
    if (region == 0 || at == 0) return memory;
    memory.width = region[0] * element, memory.rows = region[1], memory.layers = region[2];
    memory.pitch = row ? row : memory.width, memory.layer_pitch = slice ? slice : memory.pitch * region[1];
    if (origin) memory.at = (const char *)at + origin[2] * memory.layer_pitch + origin[1] * memory.pitch + origin[0] * element;
    return memory;
}

/* A place in a buffer of rows or in an image, as a number. */
static inline uint64_t opencl_place_in(const size_t *origin, uint64_t pitches) {
    return origin ? content_hash(origin, 3 * sizeof *origin, pitches) : 0;
}

/* A write to a place in a buffer: records have the buffer alone, and equal bytes at two places of it are not the same. */
static void opencl_sent(call_evidence *proof, host_memory memory, uint64_t place, uint32_t blocking) {
    evidence_sent(proof, memory, (int)blocking);
    if (place) proof->content = hash_mix(proof->content ^ HASH_A, place ^ HASH_B);
}

/* Arguments of a kernel object. Only one thread sets them at a time: so OpenCL has it. */
static opencl_arguments *opencl_arguments_new(void *kernel) {
    opencl_arguments *arguments;
    uint32_t n = 0;
    if (!options.findings || opencl_ask(D_clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS_, &n, sizeof n)) return 0;
    arguments = (opencl_arguments *)calloc(1, sizeof *arguments + n * sizeof arguments->hashes[0]);
    if (arguments) arguments->n = n;
    return arguments;
}

static void opencl_argument_set(void *kernel, uint32_t index, const void *value, size_t size, uint32_t kind) {
    opencl_arguments *arguments = opencl_kernel_of(kernel)->arguments;
    uint64_t hash, *known;
    if (arguments == 0 || index >= arguments->n) return;
    hash = value ? argument_hash(index, value, size) : argument_hash(index, &size, sizeof size);
    hash = hash_mix(hash ^ kind, HASH_A) | 1; /* 0: it was never set */
    known = &arguments->hashes[index];
    arguments->known += *known == 0;
    arguments->content += hash - *known;
    /* Memory that a kernel shares with no other launch has a size and no value. */
    if (index < EVIDENCE_WORDS) ((uint8_t *)&arguments->bytes)[index] = argument_byte(value ? value : &size, value ? size : 1, hash);
    else {
        arguments->further += hash - *known;
        ((uint8_t *)&arguments->bytes)[EVIDENCE_WORDS] = (uint8_t)(arguments->further >> 56 ? arguments->further >> 56 : 1);
    }
    *known = hash;
}

static void opencl_arguments_prove(call_evidence *proof, void *kernel) {
    const opencl_arguments *arguments = opencl_kernel_of(kernel)->arguments;
    proof->launch = 1;
    if (arguments == 0 || arguments->known < arguments->n) return; /* the program set some before its trace began */
    proof->flags |= EVIDENCE_CONTENT | EVIDENCE_ARGUMENTS;
    proof->content = arguments->content, proof->arguments = arguments->bytes;
    proof->count = (uint16_t)(arguments->n < 65535 ? arguments->n : 65535);
}

static void opencl_kernel_cloned(void *kernel, void *of) {
    const opencl_kernel *clone = opencl_kernel_new(kernel);
    const opencl_arguments *arguments = opencl_kernel_of(of)->arguments;
    if (clone->arguments && arguments && clone->arguments->n == arguments->n)
        memcpy(clone->arguments, arguments, sizeof *arguments + arguments->n * sizeof arguments->hashes[0]);
}

enum { ARGUMENT_VALUE = 1, ARGUMENT_POINTER = 2 };

static int32_t layer_clSetKernelArg(void *kernel, uint32_t index, size_t size, const void *value) {
    int32_t code = ((int32_t(*)(void *, uint32_t, size_t, const void *))opencl.below[D_clSetKernelArg])(kernel, index, size, value);
    if (code == 0) opencl_argument_set(kernel, index, value, size, ARGUMENT_VALUE);
    return code;
}

static int32_t layer_clSetKernelArgSVMPointer(void *kernel, uint32_t index, const void *value) {
    int32_t code = ((int32_t(*)(void *, uint32_t, const void *))opencl.below[D_clSetKernelArgSVMPointer])(kernel, index, value);
    if (code == 0) opencl_argument_set(kernel, index, &value, sizeof value, ARGUMENT_POINTER);
    return code;
}

#endif

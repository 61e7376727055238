/* Kernels: what their handles are called. */
#ifndef LAUNCHPATH_RECORDER_CUDA_KERNELS_H
#define LAUNCHPATH_RECORDER_CUDA_KERNELS_H

#include "places.h"

typedef struct { /* what a kernel takes */
    uint32_t n;
    struct {
        uint32_t offset, size;
    } each[];
} cuda_parameters;

typedef struct {
    uint32_t name;
    int excluded;        /* by its name */
    const void *module;  /* or library, that it ends with; NULL: not known */
    const void *library; /* it is a kernel of this library, and no function */
    uint64_t parameters; /* the cuda_parameters, or 0: the driver was not asked yet */
} cuda_kernel;

static handle_table cuda_kernels; /* a function or a kernel: a cuda_kernel */
static const cuda_kernel cuda_nameless;

static void cuda_kernel_named(void *function, const void *module, const void *library, const char *name) {
    cuda_kernel *kernel;
    if (function == 0 || !options.on || process_ring() == 0) return;
    kernel = (cuda_kernel *)calloc(1, sizeof *kernel); /* stays: a launch may be reading it */
    if (kernel == 0) return;
    kernel->name = name_number_of(&kernel_names, name);
    kernel->excluded = !options_take(name), kernel->module = library ? library : module, kernel->library = library;
    handle_set(&cuda_kernels, (uint64_t)(uintptr_t)function, (uint64_t)(uintptr_t)kernel);
}

static void cuda_kernel_same(void *function, void *kernel) {
    uint64_t known = handle_find(&cuda_kernels, (uint64_t)(uintptr_t)kernel);
    if (function && known) handle_set(&cuda_kernels, (uint64_t)(uintptr_t)function, known);
}

static int kernel_of_module(uint64_t value, const void *module) {
    const cuda_kernel *kernel = (const cuda_kernel *)(uintptr_t)value;
    return kernel->module == module || kernel->module == 0;
}

/* Before the driver unloads it: a handle may come again, as that of another function. */
static void cuda_module_ends(void *module) { handles_forget(&cuda_kernels, kernel_of_module, module); }

LP_NOINLINE static const cuda_kernel *cuda_kernel_ask(void *function) {
    const char *name = 0;
    uint64_t known;
    if (cuda.call.cuFuncGetName == 0 || cuda.call.cuFuncGetName(&name, function) || name == 0) return &cuda_nameless;
    cuda_kernel_named(function, 0, 0, name);
    known = handle_find(&cuda_kernels, (uint64_t)(uintptr_t)function);
    return known ? (const cuda_kernel *)(uintptr_t)known : &cuda_nameless;
}

static inline const cuda_kernel *cuda_kernel_of(void *function) {
    uint64_t known = handle_find(&cuda_kernels, (uint64_t)(uintptr_t)function);
    return LP_LIKELY(known != 0) ? (const cuda_kernel *)(uintptr_t)known : cuda_kernel_ask(function);
}

#endif

/* Kernels: what functions and the numbers of code objects' kernels are called. */
#ifndef LAUNCHPATH_RECORDER_HIP_KERNELS_H
#define LAUNCHPATH_RECORDER_HIP_KERNELS_H

#include "places.h"

typedef struct {
    uint64_t generation; /* of the trace that `name` is a number in */
    uint32_t name;
    int excluded;       /* by its name */
    const void *module; /* that it ends with; NULL: none */
    char text[];
} hip_kernel;

static handle_table hip_kernels; /* a function, or the host's function that stands for it: a hip_kernel */
static handle_table hip_numbers; /* a kernel's number at rocprofiler, times 16: a hip_kernel */
static hip_kernel hip_nameless;

/* Names are known before the trace begins, which is with the first record: many programs load kernels and launch none. */
static hip_kernel *hip_kernel_new(const void *module, const char *name) {
    size_t size = strlen(name);
    hip_kernel *kernel;
    if (size > 3 && strcmp(name + size - 3, ".kd") == 0) size -= 3; /* its descriptor has the name with this ending */
    kernel = (hip_kernel *)calloc(1, sizeof *kernel + size + 1); /* stays: a launch may be reading it */
    if (kernel == 0) return 0;
    memcpy(kernel->text, name, size);
    kernel->module = module, kernel->excluded = !options_take(kernel->text);
    return kernel;
}

static void hip_kernel_named(uint64_t function, const void *module, const char *name) {
    hip_kernel *kernel = (hip_kernel *)(uintptr_t)handle_find(&hip_kernels, function);
    if (function == 0 || name == 0 || (kernel && kernel->module == module && strcmp(kernel->text, name) == 0)) return;
    if ((kernel = hip_kernel_new(module, name)) != 0) handle_set(&hip_kernels, function, (uint64_t)(uintptr_t)kernel);
}

static void hip_kernel_numbered(uint64_t number, const char *name) {
    hip_kernel *kernel = name ? hip_kernel_new(0, name) : 0;
    if (kernel) handle_set(&hip_numbers, (number + 1) << 4, (uint64_t)(uintptr_t)kernel);
}

static void hip_kernel_same(uint64_t function, uint64_t symbol) {
    uint64_t known = handle_find(&hip_kernels, symbol);
    if (function && known) handle_set(&hip_kernels, function, known);
}

static int hip_kernel_of_module(uint64_t value, const void *module) { return ((const hip_kernel *)(uintptr_t)value)->module == module; }

/* Before HIP unloads it: a handle may come again, as that of another function. */
static void hip_module_ends(void *module) {
    if (module) handles_forget(&hip_kernels, hip_kernel_of_module, module);
}

/* A function that no call has shown: HIP knows it as a module's, or by the host's function. */
LP_NOINLINE static hip_kernel *hip_kernel_ask(uint64_t function, int of_host) {
    const char *name = 0;
    uint64_t known;
    if (of_host && hip_own()->hipKernelNameRefByPtr) name = hip_own()->hipKernelNameRefByPtr((const void *)(uintptr_t)function, 0);
    if (!of_host && hip_own()->hipKernelNameRef) name = hip_own()->hipKernelNameRef((void *)(uintptr_t)function);
    if (name && *name) hip_kernel_named(function, 0, name);
    known = handle_find(&hip_kernels, function);
    return known ? (hip_kernel *)(uintptr_t)known : &hip_nameless;
}

static inline hip_kernel *hip_kernel_of(uint64_t function, int of_host) {
    uint64_t known = handle_find(&hip_kernels, function);
    return LP_LIKELY(known != 0) ? (hip_kernel *)(uintptr_t)known : hip_kernel_ask(function, of_host);
}

static inline hip_kernel *hip_kernel_by_number(uint64_t number) {
    uint64_t known = handle_find(&hip_numbers, (number + 1) << 4);
    return known ? (hip_kernel *)(uintptr_t)known : &hip_nameless;
}

/* The number of its name in the present trace. */
static inline uint32_t hip_kernel_name(hip_kernel *kernel) {
    uint64_t generation = lp_trace.generation;
    if (LP_UNLIKELY(lp_load(&kernel->generation) != generation && kernel != &hip_nameless)) {
        kernel->name = name_number_of(&kernel_names, kernel->text);
        lp_store(&kernel->generation, generation);
    }
    return kernel->name;
}

#endif

/* Kernels: C functions by name, registered or taken from the library that STANDIN_KERNELS names; their attributes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

struct registered {
    struct registered *next;
    standin_kernel function;
    struct parameter *parameters;
    unsigned int count;
    char name[];
};

static struct registered *registry;

static struct registered *find(const char *name) {
    for (struct registered *at = registry; at; at = at->next)
        if (!strcmp(at->name, name)) return at;
    return NULL;
}

static void *companion(const char *name) {
    static void *library;
    const char *path = getenv("STANDIN_KERNELS");
    if (!library && path && *path && !(library = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
        report("STANDIN_KERNELS: %s", dlerror());
    void *symbol = library ? dlsym(library, name) : NULL;
    if (library && !symbol && !strncmp(name, "_Z", 2)) { /* a function of no namespace: its length, its name, its types */
        char plain[256], *end;
        unsigned long length = strtoul(name + 2, &end, 10);
        if (length && length < sizeof plain && length <= strlen(end)) {
            snprintf(plain, sizeof plain, "%.*s", (int)length, end);
            symbol = dlsym(library, plain);
        }
    }
    return symbol;
}

standin_kernel kernel_find(const char *name) {
    struct registered *registered = find(name);
    if (registered) return registered->function;
    void *symbol = companion(name);
    standin_kernel function;
    memcpy(&function, &symbol, sizeof function); /* ISO C has no cast for it */
    return function;
}

void kernel_describe(CUfunction function) {
    struct registered *registered = find(function->symbol ? function->symbol : function->name);
    if (!registered || function->count) return;
    for (unsigned int i = 0; i < registered->count; i++)
        function_parameter(function, registered->parameters[i].offset, registered->parameters[i].size);
}

EXPORT void standin_register(const char *name, standin_kernel function, unsigned int count, const size_t *offsets,
                             const size_t *sizes) {
    pthread_mutex_lock(&standin_lock);
    struct registered *registered = find(name);
    if (!registered) {
        registered = calloc(1, sizeof *registered + strlen(name) + 1);
        strcpy(registered->name, name);
        registered->next = registry;
        registry = registered;
    }
    registered->function = function;
    free(registered->parameters);
    registered->parameters = calloc(count + 1, sizeof *registered->parameters);
    registered->count = count;
    for (unsigned int i = 0; i < count; i++) registered->parameters[i] = (struct parameter){offsets[i], sizes[i]};
    pthread_mutex_unlock(&standin_lock);
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!value) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(function, MAGIC_FUNCTION)) LEAVE(SI_ERROR_INVALID_HANDLE);
    switch ((int)attribute) {
    case SI_FUNCTION_MAX_THREADS: *value = function->max_threads; break;
    case SI_FUNCTION_SHARED_BYTES: *value = function->shared; break;
    case SI_FUNCTION_CONST_BYTES: *value = function->constant; break;
    case SI_FUNCTION_LOCAL_BYTES: *value = function->local; break;
    case SI_FUNCTION_REGISTERS: *value = function->registers; break;
    case SI_FUNCTION_PTX_VERSION: *value = function->ptx; break;
    case SI_FUNCTION_BINARY_VERSION: *value = function->binary; break;
    case SI_FUNCTION_CACHE_MODE: *value = 0; break;
    case SI_FUNCTION_MAX_DYNAMIC_SHARED:
        *value = function->max_dynamic - (function->max_dynamic == DEVICE_SHARED_DEFAULT ? function->shared : 0);
        break;
    case SI_FUNCTION_CARVEOUT: *value = function->carveout; break;
    default: LEAVE(SI_ERROR_INVALID_VALUE);
    }
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
    ENTER(NEEDS_CONTEXT, NULL);
    (void)config;
    LEAVE(handle_is(function, MAGIC_FUNCTION) ? SI_SUCCESS : SI_ERROR_INVALID_HANDLE);
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!handle_is(function, MAGIC_FUNCTION)) LEAVE(SI_ERROR_INVALID_HANDLE);
    if ((int)attribute == SI_FUNCTION_MAX_DYNAMIC_SHARED && value >= 0 &&
        value + function->shared <= DEVICE_SHARED_OPTIN)
        function->max_dynamic = value;
    else if ((int)attribute == SI_FUNCTION_CARVEOUT && value >= -1 && value <= 100)
        function->carveout = value;
    else
        LEAVE(SI_ERROR_INVALID_VALUE);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
    ENTER(NEEDS_INIT, NULL);
    if (!handle_is(function, MAGIC_FUNCTION) || !offset || index >= function->count) LEAVE(SI_ERROR_INVALID_VALUE);
    *offset = function->parameters[index].offset;
    if (size) *size = function->parameters[index].size;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!module) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(function, MAGIC_FUNCTION)) LEAVE(SI_ERROR_INVALID_HANDLE);
    *module = function->module;
    LEAVE(SI_SUCCESS);
}

/* There are no libraries here, so that a kernel is its function. */
EXPORT CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!function) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(kernel, MAGIC_FUNCTION)) LEAVE(SI_ERROR_INVALID_HANDLE);
    *function = (CUfunction)kernel;
    LEAVE(SI_SUCCESS);
}

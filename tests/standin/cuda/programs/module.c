/* Modules: their kernels and globals. Unloading does not wait: a kernel that has not run yet fails and is reported. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

long long modules_live;
static struct CUmod_st *loaded[4096];

CUfunction module_function(CUmodule module, const char *name, size_t length) {
    CUfunction function = handle_new(sizeof *function, MAGIC_FUNCTION);
    function->module = module;
    function->name = strndup(name, length);
    function->max_threads = 1024;
    function->registers = 32;
    function->local = strncmp(function->name, "deep", 4) ? 0 : strncmp(function->name, "deeper", 6) ? 4096 : 8192;
    function->max_dynamic = DEVICE_SHARED_DEFAULT;
    function->carveout = -1;
    function->ptx = function->binary = device_capability(module->context->device);
    function->next = module->functions;
    module->functions = function;
    return function;
}

void function_parameter(CUfunction function, size_t offset, size_t size) {
    function->parameters = realloc(function->parameters, (function->count + 1) * sizeof *function->parameters);
    function->parameters[function->count++] = (struct parameter){offset, size};
    if (offset + size > function->bytes) function->bytes = offset + size;
}

struct global *module_global(CUmodule module, const char *name, size_t length, size_t size) {
    struct memory *memory = memory_new(module->context, size ? size : 1, PLACE_GLOBAL, NULL);
    if (!memory) return NULL;
    struct global *global = calloc(1, sizeof *global);
    memset((void *)memory->address, 0, size);
    global->name = strndup(name, length);
    global->address = memory->address;
    global->size = size;
    global->next = module->globals;
    module->globals = global;
    return global;
}

static void unload(CUmodule module) {
    if (module->unloaded) return;
    for (size_t i = 0; i < sizeof loaded / sizeof *loaded; i++)
        if (loaded[i] == module) loaded[i] = NULL;
    modules_live--;
    module->unloaded = true;
    module->magic = MAGIC_DEAD;
    for (CUfunction function = module->functions; function; function = function->next) function->magic = MAGIC_DEAD;
    while (module->globals) {
        struct global *global = module->globals;
        module->globals = global->next;
        memory_free(memory_find((uintptr_t)global->address));
        free(global->name);
        free(global);
    }
    module_drop(module);
}

void module_drop(CUmodule module) {
    if (--module->references) return;
    while (module->functions) {
        CUfunction function = module->functions;
        module->functions = function->next;
        free(function->name);
        free(function->symbol);
        free(function->parameters);
        handle_end(function);
    }
    handle_end(module);
}

void modules_end(CUcontext context) {
    for (size_t i = 0; i < sizeof loaded / sizeof *loaded; i++)
        if (loaded[i] && loaded[i]->context == context) unload(loaded[i]);
}

/* Gives the log to those options that ask for it, and in the size options how much that is. */
void log_give(const char *log, bool failed, unsigned int count, const CUjit_option *options, void **values) {
    int buffer = failed ? SI_JIT_ERROR_LOG_BUFFER : SI_JIT_INFO_LOG_BUFFER;
    int size_of[2] = {SI_JIT_INFO_LOG_BUFFER_SIZE_BYTES, SI_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    for (unsigned int which = 0; which < 2; which++) {
        int size_option = size_of[which], buffer_option = size_option - 1;
        char *text = NULL;
        void **size = NULL;
        for (unsigned int i = 0; i < count; i++) {
            if ((int)options[i] == buffer_option) text = values[i];
            if ((int)options[i] == size_option) size = &values[i];
        }
        if (!text || !size || !(uintptr_t)*size) continue;
        size_t room = (uintptr_t)*size & 0xffffffffu; /* an unsigned int in place of a pointer */
        int written = snprintf(text, room, "%s", buffer_option == buffer ? log : "");
        *size = (void *)(uintptr_t)((size_t)written < room ? (size_t)written : room - 1);
    }
}

int image_of_any_kind(struct reading *reading) {
    if (linked_is(reading->image)) return linked_read(reading);
    if (image_is(reading->image)) return image_read(reading);
    if (cubin_is(reading->image)) return cubin_read(reading);
    if (ptx_is(reading->image)) return ptx_read(reading);
    snprintf(reading->log, sizeof reading->log, "error   : the image is none that is known");
    return SI_ERROR_INVALID_IMAGE;
}

static int load(CUmodule *module, const void *image, struct reading *reading) {
    if (!module || !image) return SI_ERROR_INVALID_VALUE;
    if (option_load_waits) idle_wait(current, IDLE_ALL);
    CUmodule made = handle_new(sizeof *made, MAGIC_MODULE);
    made->context = current;
    made->references = 1;
    modules_live++;
    size_t slot = 0;
    while (slot + 1 < sizeof loaded / sizeof *loaded && loaded[slot]) slot++;
    loaded[slot] = made;
    reading->module = made;
    reading->image = image;
    int code = image_of_any_kind(reading);
    if (code) {
        unload(made);
        return code;
    }
    for (CUfunction function = made->functions; function; function = function->next) kernel_describe(function);
    *module = made;
    return SI_SUCCESS;
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options,
                                   void **values) {
    ENTER(NEEDS_CONTEXT, NULL);
    struct reading reading = {0};
    int code = load(module, image, &reading);
    if (count && options && values) log_give(reading.log, code, count, options, values);
    LEAVE(code);
}

EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    ENTER(NEEDS_CONTEXT, NULL);
    struct reading reading = {0};
    LEAVE(load(module, image, &reading));
}

EXPORT CUresult cuModuleUnload(CUmodule module) {
    ENTER_TO_END(NULL);
    SAFE;
    if (!handle_is(module, MAGIC_MODULE)) LEAVE(SI_ERROR_INVALID_HANDLE);
    if (option_free_waits) idle_wait(module->context, IDLE_UNLOAD); /* as CUDA's does, whatever module it is */
    int error = module->context->error;
    unload(module);
    LEAVE(error);
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!function || !name) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(module, MAGIC_MODULE)) LEAVE(SI_ERROR_INVALID_HANDLE);
    snprintf(call.detail, sizeof call.detail, "%s", name);
    for (CUfunction at = module->functions; at; at = at->next)
        if (!strcmp(at->name, name)) {
            *function = at;
            LEAVE(SI_SUCCESS);
        }
    LEAVE(SI_ERROR_NOT_FOUND);
}

EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module, const char *name) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!name) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!handle_is(module, MAGIC_MODULE)) LEAVE(SI_ERROR_INVALID_HANDLE);
    snprintf(call.detail, sizeof call.detail, "%s", name);
    for (struct global *at = module->globals; at; at = at->next)
        if (!strcmp(at->name, name)) {
            if (address) *address = at->address;
            if (size) *size = at->size;
            LEAVE(SI_SUCCESS);
        }
    LEAVE(SI_ERROR_NOT_FOUND);
}

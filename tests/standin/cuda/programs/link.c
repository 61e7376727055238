/* The linker of modules: what it makes holds the binaries that it was given. It checks names as NVIDIA's does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

#define MAGIC "STANDINL"

struct CUlinkState_st {
    enum magic magic;
    unsigned int count; /* options */
    CUjit_option *options;
    void **values;
    char *linked; /* MAGIC, how many there are, then the size of each and its bytes with a NUL */
    size_t size;
    char log[256];
};

bool linked_is(const char *image) { return !strncmp(image, MAGIC, strlen(MAGIC)); }

static uint64_t number_at(const char **at) {
    uint64_t number;
    memcpy(&number, *at, sizeof number);
    *at += sizeof number;
    return number;
}

int linked_read(struct reading *reading) {
    const char *at = reading->image + strlen(MAGIC);
    for (uint64_t count = number_at(&at); count; count--) {
        uint64_t size = number_at(&at);
        struct reading part = *reading;
        part.image = at;
        int code = image_of_any_kind(&part);
        if (code) {
            memcpy(reading->log, part.log, sizeof reading->log);
            return code;
        }
        at += size;
    }
    return SI_SUCCESS;
}

static void append(CUlinkState state, const void *data, size_t size) {
    state->linked = realloc(state->linked, state->size + size);
    memcpy(state->linked + state->size, data, size);
    state->size += size;
}

EXPORT CUresult cuLinkCreate_v2(unsigned int count, CUjit_option *options, void **values, CUlinkState *made) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!made || (count && (!options || !values))) LEAVE(SI_ERROR_INVALID_VALUE);
    CUlinkState state = handle_new(sizeof *state, MAGIC_LINK);
    uint64_t none = 0;
    state->count = count;
    state->options = options; /* NVIDIA's writes into them until the end, too */
    state->values = values;
    append(state, MAGIC, strlen(MAGIC));
    append(state, &none, sizeof none);
    *made = state;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                 unsigned int count, CUjit_option *options, void **values) {
    ENTER(NEEDS_CONTEXT, NULL);
    (void)options, (void)values;
    if (!handle_is(state, MAGIC_LINK)) LEAVE(SI_ERROR_INVALID_HANDLE);
    if (!data || !size || count) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!((int)type == SI_JIT_INPUT_CUBIN && cubin_is(data)) && !((int)type == SI_JIT_INPUT_PTX && ptx_is(data))) {
        snprintf(state->log, sizeof state->log, "error   : '%s' is no such binary", name ? name : "");
        log_give(state->log, true, state->count, state->options, state->values);
        LEAVE(SI_ERROR_INVALID_IMAGE);
    }
    snprintf(call.detail, sizeof call.detail, "%s", name ? name : "");
    uint64_t parts, whole = (size + 8) / 8 * 8; /* ELF files lie at multiples of 8 bytes; the text has its NUL */
    append(state, &whole, sizeof whole);
    append(state, data, size);
    append(state, "\0\0\0\0\0\0\0", whole - size);
    memcpy(&parts, state->linked + strlen(MAGIC), sizeof parts);
    parts++;
    memcpy(state->linked + strlen(MAGIC), &parts, sizeof parts);
    LEAVE(SI_SUCCESS);
}

/* A symbol that is looked for in all cubins. */
struct search {
    CUlinkState state;
    const char *name;
    int definitions, strong;
};

static void each_cubin(CUlinkState state, void (*each)(void *, const char *, bool, bool), void *data) {
    const char *at = state->linked + strlen(MAGIC);
    for (uint64_t count = number_at(&at); count; count--) {
        uint64_t size = number_at(&at);
        if (cubin_is(at)) cubin_symbols(at, each, data);
        at += size;
    }
}

static void count_definition(void *data, const char *name, bool defined, bool weak) {
    struct search *search = data;
    if (!defined || strcmp(search->name, name)) return;
    search->definitions++;
    search->strong += !weak;
}

static void check(void *data, const char *name, bool defined, bool weak) {
    static const char *const BUILT_IN[] = {"vprintf", "malloc", "free", "__assertfail", ".nv.", NULL};
    struct search search = {.state = data, .name = name};
    for (int i = 0; BUILT_IN[i]; i++)
        if (!strncmp(name, BUILT_IN[i], strlen(BUILT_IN[i]))) return;
    each_cubin(search.state, count_definition, &search);
    if (!search.definitions && !weak)
        snprintf(search.state->log, sizeof search.state->log, "error   : Undefined reference to '%s'", name);
    if (defined && search.strong > 1)
        snprintf(search.state->log, sizeof search.state->log, "error   : Multiple definition of '%s'", name);
}

EXPORT CUresult cuLinkComplete(CUlinkState state, void **linked, size_t *size) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!handle_is(state, MAGIC_LINK)) LEAVE(SI_ERROR_INVALID_HANDLE);
    if (!linked || !size) LEAVE(SI_ERROR_INVALID_VALUE);
    each_cubin(state, check, state);
    log_give(state->log, *state->log, state->count, state->options, state->values);
    if (*state->log) LEAVE(SI_ERROR_INVALID_PTX);
    *linked = state->linked;
    *size = state->size;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuLinkDestroy(CUlinkState state) {
    ENTER_TO_END(NULL);
    if (!handle_is(state, MAGIC_LINK)) LEAVE(SI_ERROR_INVALID_HANDLE);
    free(state->linked);
    handle_end(state);
    LEAVE(SI_SUCCESS);
}

/* Handles: what a destroyed one pointed to is kept from reuse for a while, so that using it is noticed. */
#include <stdlib.h>

#include "../core.h"

#define KEPT 4096

static void *ended[KEPT];
static unsigned int next;

void *handle_new(size_t size, enum magic magic) {
    enum magic *handle = calloc(1, size);
    *handle = magic;
    return handle;
}

void handle_end(void *handle) {
    *(enum magic *)handle = MAGIC_DEAD;
    free(ended[next]);
    ended[next] = handle;
    next = (next + 1) % KEPT;
}

bool handle_is(const void *handle, enum magic magic) {
    return (uintptr_t)handle > 4096 && !((uintptr_t)handle % 16) && *(const enum magic *)handle == magic;
}

/* HIP's functions by their names, which scripts/host_calls.py lists. */
#ifndef LAUNCHPATH_BY_NAME_H
#define LAUNCHPATH_BY_NAME_H

#include <stddef.h>

typedef struct {
    const char *name;
    void *function;
} launchpath_named;

extern const launchpath_named launchpath_all[]; /* in the order of their names */
extern const size_t launchpath_all_count;

#endif

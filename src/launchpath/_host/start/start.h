/* launchpath's part of each compiled program: what its files share. */
#ifndef LAUNCHPATH_START_H
#define LAUNCHPATH_START_H

#include <stddef.h>
#include <stdint.h>
#include "../../include/launchpath_host.h"

/* The table of the launchpath in this process; the process ends with a message where there is none. */
const launchpath_host *launchpath_host_here(void);

/* The same, or NULL. */
const launchpath_host *launchpath_host_find(void);

/* A device may have work that algorithms on the host must wait for, see memory.c. */
void launchpath_works(void);

static inline uint64_t launchpath_call(const char *name, void *const *arguments) {
    const uint64_t result = launchpath_host_here()->call(name, arguments);
    launchpath_works();
    return result;
}

/* End a function with an error, as a call that launchpath refuses. */
static inline int launchpath_refuse(const char *name, int code, const char *reason) {
    void *const arguments[] = {&name, &code, &reason};
    return (int)launchpath_call("launchpath_refuse", arguments);
}

#endif

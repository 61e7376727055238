/* The one symbol of the core that compiled programs look up: see launchpath_host.h. */
#ifndef LAUNCHPATH_HOST_TABLE_H
#define LAUNCHPATH_HOST_TABLE_H

#include <string.h>
#include "launchpath_host.h"

/* Numbers of a configuration are read soon after they were written. A processor hands over what was written by one store,
   and waits where two stores, or a part of a wider one's neighbour, have what is read: so the compiler must not join these. */
#ifdef _MSC_VER
#define LP_APART() _ReadWriteBarrier()
#else
#define LP_APART() __asm__ volatile("" : : : "memory")
#endif

static inline void lp_extent_write(void *to, uint64_t xy, uint32_t z) {
    memcpy(to, &xy, sizeof xy);
    LP_APART();
    memcpy((char *)to + sizeof xy, &z, sizeof z);
    LP_APART();
}

static inline void lp_extent_copy(void *to, const void *from) {
    uint64_t xy;
    uint32_t z;
    memcpy(&xy, from, sizeof xy);
    memcpy(&z, (const char *)from + sizeof xy, sizeof z);
    lp_extent_write(to, xy, z);
}

static const launchpath_host *lp_host_table = 0;
static inline void lp_host_table_is(const launchpath_host *table) { lp_host_table = table; }

#ifdef _WIN32
static const launchpath_host *launchpath_host_table(void) { return lp_host_table; }
#else
__attribute__((used, visibility("default"))) const launchpath_host *launchpath_host_table(void) { return lp_host_table; }
#endif

#endif

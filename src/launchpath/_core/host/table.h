/* The one symbol of the core that compiled programs look up: see launchpath_host.h. */
#ifndef LAUNCHPATH_HOST_TABLE_H
#define LAUNCHPATH_HOST_TABLE_H

#include "launchpath_host.h"

static const launchpath_host *lp_host_table = 0;
static inline void lp_host_table_is(const launchpath_host *table) { lp_host_table = table; }

#ifdef _WIN32
static const launchpath_host *launchpath_host_table(void) { return lp_host_table; }
#else
__attribute__((used, visibility("default"))) const launchpath_host *launchpath_host_table(void) { return lp_host_table; }
#endif

#endif

/* HIP's own functions that the recorder calls, and what it knows of each thread. */
#ifndef LAUNCHPATH_RECORDER_HIP_REAL_H
#define LAUNCHPATH_RECORDER_HIP_REAL_H

#include <link.h>
#include "../cuda/places.h"
#include "rocprofiler.h"
#include "types.h"

enum { HIP_CALL, HIP_COMMAND, HIP_GRAPH };

enum hip_entry {
#define ENTRY(name, kind) H_##name,
#include "each.h"
    HIP_ENTRIES
};

static const char *const hip_names[HIP_ENTRIES] = {
#define ENTRY(name, kind) #name,
#include "each.h"
};

/* Functions that the recorder calls itself, each NULL where HIP lacks it. None of them is in entries.h. */
#define HIP_OWN_CALLS                                                                                                  \
    HIP_OWN(int, hipGetDevice, (int *))                                                                                \
    HIP_OWN(int, hipDeviceGetName, (char *, int, int))                                                                 \
    HIP_OWN(int, hipDeviceGetPCIBusId, (char *, int, int))                                                             \
    HIP_OWN(int, hipDeviceGetAttribute, (int *, int, int))                                                             \
    HIP_OWN(int, hipStreamGetDevice, (void *, int *))                                                                  \
    HIP_OWN(int, hipStreamGetFlags, (void *, unsigned int *))                                                          \
    HIP_OWN(int, hipStreamIsCapturing, (void *, int *))                                                                \
    HIP_OWN(const char *, hipKernelNameRef, (void *))                                                                  \
    HIP_OWN(const char *, hipKernelNameRefByPtr, (const void *, void *))

typedef struct {
#define HIP_OWN(type, name, parameters) type(*name) parameters;
    HIP_OWN_CALLS
#undef HIP_OWN
} hip_own_calls;

static struct {
    hip_own_calls call;
    lp_lock lock; /* before all others */
    int looked;   /* for HIP's library */
    int first;    /* number of entry 0 in records */
    uint64_t context;
    const char *left; /* why nothing of HIP is recorded; NULL: it is */
} hip;

typedef struct hip_timed hip_timed;

typedef struct { /* a call of the program's that goes on */
    lp_records *ring;  /* NULL: nothing of it is recorded */
    hip_timed *timed;  /* its times, or NULL */
    uint64_t begin, end;
    uint32_t graph, run, n_nodes; /* of the graph that it runs */
    uint16_t entry;
    uint8_t kind;
    int code;
    place at; /* of a graph */
    call_evidence proof; /* the last of these: it is cleared only where it is used */
} hip_call;

enum { HIP_DEPTH = 8 }; /* of calls in one another */

static LP_THREAD_LOCAL struct {
    hip_call calls[HIP_DEPTH];
    uint32_t depth;
    int core;   /* calls of launchpath's core that it is in */
    int device; /* its ordinal + 1; 0: not known */
} hip_here;

static int hip_library_is(struct dl_phdr_info *info, size_t size, void *path) {
    const char *name = strrchr(info->dlpi_name, '/');
    (void)size;
    name = name ? name + 1 : info->dlpi_name;
    if (strncmp(name, "libamdhip64", 11)) return 0;
    snprintf((char *)path, FILE_NAME_MOST, "%s", info->dlpi_name);
    return 1;
}

/* Find HIP's functions: the library may be visible to the one that loaded it only. */
LP_NOINLINE static void hip_look(void) {
    static const char *const names[] = {
#define HIP_OWN(type, name, parameters) #name,
        HIP_OWN_CALLS
#undef HIP_OWN
    };
    void **functions = (void **)&hip.call, *library;
    char path[FILE_NAME_MOST] = "";
    size_t i;
    lp_lock_acquire(&hip.lock);
    if (!hip.looked && dl_iterate_phdr(hip_library_is, path) && (library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD)) != 0)
        for (i = 0; i < sizeof names / sizeof *names; i++) functions[i] = real_dlsym(library, names[i]);
    dlerror();
    hip.looked = 1;
    lp_lock_release(&hip.lock);
}

static inline const hip_own_calls *hip_own(void) {
    if (LP_UNLIKELY(!hip.looked)) hip_look();
    return &hip.call;
}

static inline int hip_failed(int code) { return code != 0 && code != HIP_NOT_READY; }

#endif

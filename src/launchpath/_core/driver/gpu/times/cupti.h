/* CUPTI, NVIDIA's profiling library, as far as launchpath uses it: CUPTI_FUNCTION(field, name, parameters). Of its structs the
   beginning is here, which all versions from 11 to 13 have: they add fields at the end. */
#ifndef LAUNCHPATH_CUPTI_H
#define LAUNCHPATH_CUPTI_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    CUPTI_ERROR_MULTIPLE_SUBSCRIBERS = 39,
    CUPTI_DOMAIN_DRIVER = 1,
    CUPTI_ENTER = 0,
    CUPTI_EXIT = 1,
    CUPTI_FLUSH_FORCED = 1,
    CUPTI_KIND_LAUNCH = 10, /* concurrent kernels: those that run side by side without CUPTI do so with it */
    CUPTI_CALL_CONTEXT = 304,   /* cuCtxGetCurrent */
    CUPTI_CALL_DEPENDENT = 652, /* cuLaunchKernelEx, which CUPTI before 11.8 does not know */
    CUPTI_NEWEST = 139999     /* versions from 14 on may have other structs */
};

/* The driver's calls that launches are made with, by their numbers in cupti_driver_cbid.h: cuLaunchKernel,
   cuLaunchCooperativeKernel, cuLaunchKernelEx. */
static const uint32_t cupti_commands[] = {307, 477, CUPTI_CALL_DEPENDENT};
#define CUPTI_COMMANDS (sizeof cupti_commands / sizeof *cupti_commands)
/* Those that begin the capture of a stream: cuStreamBeginCapture, _v2 and ToGraph, for each kind of default stream. */
static const uint32_t cupti_captures[] = {495, 496, 539, 540, 720, 721};
#define CUPTI_CAPTURES (sizeof cupti_captures / sizeof *cupti_captures)

static inline int cupti_begins_capture(uint32_t call) {
    for (size_t i = 0; i < CUPTI_CAPTURES; i++)
        if (call == cupti_captures[i]) return 1;
    return 0;
}

typedef struct { /* CUpti_CallbackData */
    int site;
    const char *name;
    const void *parameters;
    const int *result;
    const char *symbol;
    void *context;
    uint32_t context_number;
    uint64_t *data;
    uint32_t number;
} cupti_call;

typedef void (*cupti_callback)(void *data, int domain, uint32_t call, const cupti_call *at);
typedef void (*cupti_request)(uint8_t **buffer, size_t *size, size_t *most);
typedef void (*cupti_complete)(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);

#define CUPTI_FUNCTIONS \
    CUPTI_FUNCTION(version, "cuptiGetVersion", (uint32_t *)) \
    CUPTI_FUNCTION(text, "cuptiGetResultString", (int, const char **)) \
    CUPTI_FUNCTION(subscribe, "cuptiSubscribe", (void **, cupti_callback, void *)) \
    CUPTI_FUNCTION(unsubscribe, "cuptiUnsubscribe", (void *)) \
    CUPTI_FUNCTION(watch, "cuptiEnableCallback", (uint32_t, void *, int, uint32_t)) \
    CUPTI_FUNCTION(use_buffers, "cuptiActivityRegisterCallbacks", (cupti_request, cupti_complete)) \
    CUPTI_FUNCTION(use_clock, "cuptiActivityRegisterTimestampCallback", (uint64_t (*)(void))) \
    CUPTI_FUNCTION(enable, "cuptiActivityEnable", (int)) \
    CUPTI_FUNCTION(disable, "cuptiActivityDisable", (int)) \
    CUPTI_FUNCTION(next, "cuptiActivityGetNextRecord", (uint8_t *, size_t, void **)) \
    CUPTI_FUNCTION(flush, "cuptiActivityFlushAll", (uint32_t)) \
    CUPTI_FUNCTION(finalize, "cuptiFinalize", (void))

typedef struct {
#define CUPTI_FUNCTION(field, name, parameters) int(*field) parameters;
    CUPTI_FUNCTIONS
#undef CUPTI_FUNCTION
} cupti_functions;

static const char *const cupti_names[] = {
#define CUPTI_FUNCTION(field, name, parameters) name,
    CUPTI_FUNCTIONS
#undef CUPTI_FUNCTION
};
#define CUPTI_N_FUNCTIONS (sizeof cupti_names / sizeof *cupti_names)

/* Reads a record: the number of the driver's call, and when what it submitted ran. 0: it is of no launch. */
static inline int cupti_record(const void *record, uint32_t *number, uint64_t *start, uint64_t *end) {
    const char *at = record;
    int kind;
    memcpy(&kind, at, sizeof kind);
    if (kind != CUPTI_KIND_LAUNCH) return 0;
    memcpy(start, at + 16, sizeof *start);
    memcpy(end, at + 24, sizeof *end);
    memcpy(number, at + 92, sizeof *number);
    return 1;
}

#endif

/* Operations: what a stream holds, one after the other, and the waits that they have. core.h has the rules of the lock. */
#ifndef STANDIN_OPERATION_H
#define STANDIN_OPERATION_H

#include <stdbool.h>

#include "abi.h"
#include "standin.h"

struct objects;        /* user_object.c */
struct standin_profiled; /* profiler.h */

/* timeline.c */
struct wait {
    CUstream stream;
    unsigned long long position;
};
struct waits {
    struct wait *items;
    unsigned int count, room;
};
enum kind { OP_KERNEL, OP_COPY, OP_FILL, OP_HOST, OP_VALUE, OP_RECORD, OP_WAIT, OP_ALLOCATE, OP_FREE, OP_LAUNCHED };
struct operation {
    struct operation *next, *following; /* in its stream; among the host functions that are due */
    CUstream stream;
    unsigned long long position, order;
    enum kind kind;
    bool running, granted, ran;
    bool dependent, begun; /* launched so that it may start before what is before it ends; its record says that it has */
    struct waits waits;
    struct standin_profiled *record; /* a profiler's; NULL: none */
    uint64_t node;                   /* of a graph: its id for a profiler; 0: of none */
    union {
        struct {
            standin_kernel function;
            standin_launch launch;
            unsigned char *arguments;
            CUmodule module;
            CUfunction handle;
            bool waits; /* at its entry, for what is before it */
            const void *unreachable; /* an argument that is an address of another device, without access to it */
        } kernel;
        struct {
            void *to;
            const void *from;
            size_t size;
            void *staged;
            size_t rows, to_pitch, from_pitch, width; /* rows 0: it has none, and `size` is all */
        } copy;
        struct {
            void *to;
            size_t count;
            unsigned int value, width;
            size_t rows, pitch; /* rows 0: it has none */
        } fill;
        struct {
            CUhostFn function;
            void *data;
        } host;
        struct {
            const uint32_t *word;
            uint32_t value;
            unsigned int flags;
        } value;
        struct {
            CUevent event;
            unsigned long long generation;
        } record;
        struct {
            CUevent event; /* of a graph's node, which each launch asks what it was recorded with; NULL: no event */
        } wait;
        uintptr_t memory;
        struct {
            CUgraph graph;
            struct objects *objects;
        } launched;
    } as;
};
void waits_add(struct waits *waits, CUstream stream, unsigned long long position);
void waits_of(CUstream stream, struct waits *waits, bool command); /* of a command on it now, or of a synchronize */
bool waits_met(const struct waits *waits);
void waits_finish(struct waits *waits); /* until they are met; lets go of the lock meanwhile; ends them */
void waits_end(struct waits *waits);
struct operation *operation_new(CUstream stream, enum kind kind); /* may let go of the lock for a while */
struct operation *operation_behind(CUstream stream, enum kind kind, struct waits waits); /* the same, never full */
unsigned long long operation_submit(struct operation *operation); /* its position; 0: it was captured */
void operation_complete(struct operation *operation);
struct operation *operation_ready(CUstream only, bool granted); /* the oldest that could start now */
extern unsigned long long operations_pending, operations_polling;

/* run.c: what operations do. `run` is called without the lock, `apply` even after a failure */
bool operation_is_long(const struct operation *operation);
int operation_check(struct operation *operation);
int operation_run(struct operation *operation);
void operation_apply(struct operation *operation);
void operation_release(struct operation *operation);
struct operation *operation_copy(const struct operation *operation, CUstream stream);
bool operation_value_met(struct operation *operation);

#endif

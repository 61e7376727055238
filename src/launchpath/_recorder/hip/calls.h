/* Calls of HIP's functions, as rocprofiler shows them: when they begin, and when they end. */
#ifndef LAUNCHPATH_RECORDER_HIP_CALLS_H
#define LAUNCHPATH_RECORDER_HIP_CALLS_H

#include "graphs.h"
#include "times.h"

enum { HIP_OPERATIONS_MOST = 2048, HIP_UNSEEN = 0x8000 };

/* rocprofiler's number of a function: its entry + 1, or HIP_UNSEEN and a place in `launchpath_unseen`; 0: it is not traced. */
static uint16_t hip_operations[HIP_OPERATIONS_MOST];

/* Write the record of a command, with the correlation number that its times have. */
static uint64_t hip_command_write(hip_call *call, payload *what, void *stream, int own) {
    hip_timed *timed = call->timed;
    uint64_t correlation;
    uint8_t flags;
    place at;
    call_ended(call->ring);
    if (what->command == 0) {
        lp_add(&lp_trace.header->counters.excluded, 1);
        if (timed) timed->dropped = 1;
        return 0;
    }
    at = hip_place(call->ring, stream, own);
    flags = hip_captured(stream, own) ? SLOT_KEPT_BACK : timed && timed->asked ? SLOT_TIMED : 0;
    if (!records_has_room(call->ring, 2)) {
        if (timed) timed->dropped = 1;
        return 0;
    }
    command_fill(call->ring, call->entry, call->begin, call->end, call->code, what, at, flags);
    if (timed) {
        records_slot(call->ring, 0)->command.correlation = timed->times.correlation;
        timed->times.stream = at.stream, timed->times.device = at.device, timed->times.enqueued = call->begin;
        timed->times.name = what->name, timed->times.command = what->command;
    }
    correlation = records_slot(call->ring, 0)->command.correlation;
    records_publish(call->ring, 2);
    command_anchors(call->ring, call->entry, what);
    return correlation;
}

/* The record of a call is written, with this correlation number. */
static inline void hip_proven(hip_call *call, uint64_t correlation) {
    if (LP_UNLIKELY(lp_trace.findings)) evidence_write(&call->proof, call->ring, hip_failed(call->code), call->begin, correlation);
}

#define BEFORE(name, fields, ...)                                                                                   \
    struct hip_arguments_##name {                                                                                      \
        fields                                                                                                         \
    };                                                                                                                 \
    static void hip_before_##name(hip_call *call, const void *arguments) {                                             \
        const struct hip_arguments_##name *a = (const struct hip_arguments_##name *)arguments;                         \
        (void)call, (void)a;                                                                                           \
        __VA_ARGS__;                                                                                                   \
    }
#define AFTER(name, ...)                                                                                              \
    static void hip_after_##name(hip_call *call, const void *arguments) {                                              \
        const struct hip_arguments_##name *a = (const struct hip_arguments_##name *)arguments;                         \
        (void)a;                                                                                                       \
        __VA_ARGS__;                                                                                                   \
    }
#define PROVE(name, ...)                                                                                              \
    static void hip_prove_##name(call_evidence *proof, const void *arguments) {                                        \
        const struct hip_arguments_##name *a = (const struct hip_arguments_##name *)arguments;                         \
        (void)proof, (void)a;                                                                                          \
        __VA_ARGS__;                                                                                                   \
    }
#define HOOK_PROVEN(name, fields, before, after, where, quantity, prove)                                               \
    BEFORE(name, fields, before)                                                                                       \
    PROVE(name, prove)                                                                                                 \
    AFTER(name, if (call->ring) hip_proven(call, call_write(call->ring, call->entry, call->begin, call->end, call->code, hip_failed(call->code), quantity, where)); after)
#define COMMAND_PROVEN(name, fields, stream, own, describe, prove)                                                     \
    BEFORE(name, fields, (void)0)                                                                                      \
    PROVE(name, prove)                                                                                                 \
    AFTER(name, if (call->ring) {                                                                                      \
        payload of = {0}, *what = &of;                                                                                 \
        describe;                                                                                                      \
        hip_proven(call, hip_command_write(call, what, (void *)(uintptr_t)(stream), own));                             \
    })
#define GRAPH(name, fields, stream, own)                                                                               \
    BEFORE(name, fields, if (call->ring) { hip_graph_runs(a->executable, call); call->at = hip_place(call->ring, stream, own); }) \
    PROVE(name, (void)0)                                                                                               \
    AFTER(name, if (call->ring) {                                                                                      \
        hip_proven(call, call_write(call->ring, call->entry, call->begin, call->end, call->code, hip_failed(call->code), call->n_nodes, call->at)); \
        if (call->code == 0 && !lp_trace.timed && !hip_captured(stream, own)) not_understood(); /* its nodes */        \
    })
#include "entries.h"
#undef HOOK_PROVEN
#undef COMMAND_PROVEN
#undef GRAPH
#undef PROVE
#undef BEFORE
#undef AFTER

static const struct {
    void (*before)(hip_call *call, const void *arguments);
    void (*after)(hip_call *call, const void *arguments);
    void (*prove)(call_evidence *proof, const void *arguments);
    uint8_t kind;
} hip_table[HIP_ENTRIES] = {
#define ENTRY(name, kind) {hip_before_##name, hip_after_##name, hip_prove_##name, kind},
#include "each.h"
};

static void hip_begins(int entry, const void *arguments, uint64_t *kept) {
    hip_call *call;
    *kept = hip_here.depth++;
    if (*kept >= HIP_DEPTH) return;
    call = &hip_here.calls[*kept];
    memset(call, 0, offsetof(hip_call, proof));
    call->ring = hip_here.core ? 0 : process_ring();
    call->entry = (uint16_t)(hip.first + entry), call->kind = hip_table[entry].kind;
    if (call->ring && call->kind == HIP_COMMAND && lp_trace.timed && (call->timed = hip_timed_new()) != 0)
        call->timed->times.correlation = records_correlation(call->ring); /* its work may end before the call */
    hip_table[entry].before(call, arguments);
    if (LP_UNLIKELY(call->ring != 0 && lp_trace.findings)) {
        evidence_begin(&call->proof, call->ring);
        hip_table[entry].prove(&call->proof, arguments);
    }
    if (call->ring) call->begin = call_begins(call->ring, call->entry);
}

static void hip_ends(int entry, const rocp_call *payload, uint64_t kept) {
    uint64_t end = lp_ticks();
    hip_call *call;
    hip_here.depth = (uint32_t)kept;
    if (kept >= HIP_DEPTH) {
        not_understood();
        return;
    }
    call = &hip_here.calls[kept];
    call->end = end;
    memcpy(&call->code, (const char *)payload + payload->size - ROCP_RESULT_SIZE, sizeof call->code);
    hip_table[entry].after(call, payload->arguments);
    if (call->timed) hip_timed_leave(call->timed, call->ring);
}

static void hip_traced(rocp_record record, uint64_t *kept, void *data) {
    const rocp_call *call = (const rocp_call *)record.payload;
    uint16_t number = record.operation >= 0 && record.operation < HIP_OPERATIONS_MOST ? hip_operations[record.operation] : 0;
    (void)data;
    if (number == 0 || call == 0) return;
    if (number & HIP_UNSEEN) {
        if (record.phase == ROCP_PHASE_ENTER && !hip_here.core && process_ring()) lp_add(&launchpath_unseen[number & ~HIP_UNSEEN].calls, 1);
    } else if (record.phase == ROCP_PHASE_ENTER) hip_begins(number - 1, call->arguments, kept);
    else if (record.phase == ROCP_PHASE_EXIT) hip_ends(number - 1, call, *kept);
}

static void hip_code_traced(rocp_record record, uint64_t *kept, void *data) {
    (void)kept, (void)data;
    if (record.payload == 0) return;
    if (record.operation == ROCP_CODE_KERNEL && record.phase == ROCP_PHASE_ENTER) {
        const rocp_kernel *kernel = (const rocp_kernel *)record.payload;
        hip_kernel_numbered(kernel->kernel, kernel->name);
    } else if (record.operation == ROCP_CODE_HOST_KERNEL) {
        const rocp_host_kernel *kernel = (const rocp_host_kernel *)record.payload;
        if (record.phase == ROCP_PHASE_ENTER) hip_kernel_named((uintptr_t)kernel->address, 0, kernel->name);
        else if (kernel->address) handle_set(&hip_kernels, (uintptr_t)kernel->address, 0);
    }
}

#endif

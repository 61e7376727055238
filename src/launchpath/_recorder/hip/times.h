/* Times of devices. rocprofiler asks for a number when work is submitted, and gives it back with the times when the work is
   complete: the number is the address of a hip_timed. A command has its times when all its work is complete; most have one piece,
   a copy or a fill may have several, or none that the device does. */
#ifndef LAUNCHPATH_RECORDER_HIP_TIMES_H
#define LAUNCHPATH_RECORDER_HIP_TIMES_H

#include "../opencl/times.h"
#include "payload.h"

enum {
    HIP_WORK_UNKNOWN = 0, /* numbers of work that is no command's; addresses are larger */
    HIP_WORK_IGNORED = 1,
    HIP_CLOCK_EVERY = 1000000000 /* nanoseconds */
};

struct hip_timed {
    hip_timed *next;
    uint64_t left;  /* the call, if it has not returned, and pieces of work that are not complete */
    uint64_t asked; /* pieces of work */
    int dropped;    /* there is no record of the command */
    times_slot times;
    /* Of a node of a graph's run, which has no record of its command yet: */
    uint64_t begin, end;
    uint32_t graph, run, node;
    uint16_t entry;
};

static struct {
    lp_lock lock; /* of all that is below, and of each hip_timed */
    hip_timed *free;
    uint64_t n;          /* with work in flight */
    uint64_t clocks[HIP_DEVICES_MOST]; /* when a device's clock was compared last, nanoseconds */
    int ended;
} hip_times;

LP_NOINLINE static hip_timed *hip_timed_new(void) {
    hip_timed *timed;
    lp_lock_acquire(&hip_times.lock);
    if ((timed = hip_times.free) != 0) hip_times.free = timed->next;
    lp_lock_release(&hip_times.lock);
    if (timed == 0) timed = (hip_timed *)malloc(sizeof *timed);
    if (timed == 0) {
        lp_add(&lp_trace.header->counters.untimed, 1);
        return 0;
    }
    memset(timed, 0, sizeof *timed);
    timed->left = 1;
    timed->times.kind = SLOT_TIMES;
    return timed;
}

static void hip_clock(lp_records *ring, uint16_t device) {
    uint64_t before, after, there = 0;
    before = lp_nanoseconds();
    if (device >= HIP_DEVICES_MOST || hip_times.ended || (hip_times.clocks[device] && before - hip_times.clocks[device] < HIP_CLOCK_EVERY)) return;
    if (rocp.get_timestamp(&there) || there == 0) return;
    after = lp_nanoseconds();
    hip_times.clocks[device] = after;
    device_clock_write(ring, device, there, before + (after - before) / 2, (after - before) / 2 + 1);
}

/* A part of a command has ended: its call, or a piece of its work. The last one writes the times. */
static void hip_timed_leave(hip_timed *timed, lp_records *ring) {
    uint64_t left;
    lp_lock_acquire(&hip_times.lock);
    left = --timed->left;
    if (left == 0 && timed->asked) hip_times.n -= 1;
    lp_lock_release(&hip_times.lock);
    if (left) return;
    if (timed->asked && !timed->dropped && ring) {
        hip_clock(ring, timed->times.device);
        if (records_has_room(ring, 1)) {
            records_slot(ring, 0)->times = timed->times;
            records_publish(ring, 1);
        }
    }
    lp_lock_acquire(&hip_times.lock);
    timed->next = hip_times.free, hip_times.free = timed;
    lp_lock_release(&hip_times.lock);
}

/* Work of a call is submitted: gives the number that its times come with. */
static uint64_t hip_timed_ask(hip_call *call) {
    hip_timed *timed = call->timed;
    if (call->ring == 0) return HIP_WORK_IGNORED;
    if (call->kind == HIP_CALL) return HIP_WORK_UNKNOWN;
    if (call->kind == HIP_GRAPH && (timed = hip_timed_new()) != 0) {
        timed->left = 0, timed->begin = call->begin, timed->end = lp_ticks(), timed->entry = call->entry;
        timed->graph = call->graph, timed->run = call->run, timed->node = call->n_nodes;
        timed->times.stream = call->at.stream, timed->times.device = call->at.device, timed->times.enqueued = call->begin;
    }
    call->n_nodes += 1;
    if (timed == 0) return HIP_WORK_IGNORED; /* counted as untimed */
    lp_lock_acquire(&hip_times.lock);
    timed->left += 1;
    if (timed->asked++ == 0) hip_times.n += 1;
    lp_lock_release(&hip_times.lock);
    return (uint64_t)(uintptr_t)timed;
}

static int hip_asked(uint64_t thread, uint64_t context, int kind, int operation, uint64_t internal, uint64_t *external, void *data) {
    uint32_t depth = hip_here.depth < HIP_DEPTH ? hip_here.depth : HIP_DEPTH;
    (void)thread, (void)context, (void)kind, (void)operation, (void)internal, (void)data;
    *external = depth ? hip_timed_ask(&hip_here.calls[depth - 1]) : HIP_WORK_UNKNOWN;
    return 0;
}

/* Work is complete. `what` is what the device was given, for the record of a graph's node. */
static void hip_work_ended(uint64_t number, uint64_t started, uint64_t ended, const payload *what, int excluded) {
    hip_timed *timed = (hip_timed *)(uintptr_t)number;
    lp_records *ring;
    if (number == HIP_WORK_IGNORED) return;
    ring = records_here();
    if (number == HIP_WORK_UNKNOWN) {
        not_understood();
        return;
    }
    if (ring && timed->graph) {
        timed->times.name = what->name, timed->times.command = what->command, timed->times.node = timed->node, timed->times.step = timed->graph;
        if (excluded) {
            timed->dropped = 1;
            lp_add(&lp_trace.header->counters.excluded, 1);
        } else if (!records_has_room(ring, 2)) timed->dropped = 1;
        else {
            detail_slot *detail = command_fill(ring, timed->entry, timed->begin, timed->end, 0, what, (place){timed->times.stream, timed->times.device}, SLOT_IN_GRAPH | SLOT_IN_STEP | SLOT_TIMED);
            detail->step = timed->graph, detail->node = timed->node, detail->run = timed->run;
            timed->times.correlation = records_slot(ring, 0)->command.correlation;
            records_publish(ring, 2);
        }
    }
    lp_lock_acquire(&hip_times.lock);
    if (timed->times.started == 0 || started < timed->times.started) timed->times.started = started;
    if (ended > timed->times.ended) timed->times.ended = ended;
    lp_lock_release(&hip_times.lock);
    hip_timed_leave(timed, ring);
}

static void hip_dispatch_traced(rocp_record record, uint64_t *kept, void *data) {
    const rocp_dispatch *dispatch = (const rocp_dispatch *)record.payload;
    payload what = {.command = COMMAND_LAUNCH};
    hip_kernel *kernel;
    hip_sizes grid;
    (void)kept, (void)data;
    if (record.operation != ROCP_DISPATCH_COMPLETE || record.phase != ROCP_PHASE_NONE || dispatch == 0) return;
    kernel = hip_kernel_by_number(dispatch->of.kernel);
    what.name = hip_kernel_name(kernel), what.shared = dispatch->of.group_size;
    grid = hip_groups(HIP_SIZES(dispatch->of.items), HIP_SIZES(dispatch->of.group));
    memcpy(what.of.launch.grid, &grid, sizeof grid), memcpy(what.of.launch.block, dispatch->of.group, sizeof dispatch->of.group);
    hip_work_ended(record.external, dispatch->started, dispatch->ended, &what, kernel->excluded);
}

static void hip_copy_traced(rocp_record record, uint64_t *kept, void *data) {
    static const uint8_t directions[] = {COPY_UNKNOWN, COPY_UNKNOWN, COPY_TO_DEVICE, COPY_TO_HOST, COPY_ON_DEVICE};
    const rocp_copy *copy = (const rocp_copy *)record.payload;
    payload what = {0};
    (void)kept, (void)data;
    if (record.phase != ROCP_PHASE_EXIT || copy == 0) return;
    hip_copy(&what, record.operation > 0 && record.operation <= ROCP_COPY_DEVICE_TO_DEVICE ? directions[record.operation] : COPY_UNKNOWN, copy->bytes,
             copy->size >= sizeof *copy ? copy->to : 0, copy->size >= sizeof *copy ? copy->source : 0);
    hip_work_ended(record.external, copy->started, copy->ended, &what, 0);
}

#endif

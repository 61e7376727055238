/* Times of devices: each command has an event, which a thread of the recorder reads when it is complete. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_TIMES_H
#define LAUNCHPATH_RECORDER_OPENCL_TIMES_H

#include "clock.h"

enum {
    TIMED_MOST = 1 << 18,            /* commands in flight with times */
    TIMES_EVERY = 1000,              /* microseconds between two looks, at least, */
    TIMES_SELDOM = 100000,           /* and at most while there are commands */
    TIMES_COMMANDS = 512,            /* complete commands that a look had better find: each look interrupts other threads */
    LOOK_AHEAD = 64,                 /* commands */
    LOOK_MOST = 4096,                /* commands of a queue in a look: the end of the process waits for it */
    TIMES_PATIENCE = 5000000         /* microseconds without news after which the end of the process waits no longer */
};

struct opencl_timed {
    opencl_timed *next;
    void *event;
    times_slot times;
    uint64_t end; /* ticks: the call returned */
};

static struct {
    lp_lock lock;  /* of queues' lists, and of `free` */
    lp_lock look;  /* held during a look */
    opencl_timed *free;
    uint64_t n;    /* in flight */
    int monitor, ended;
    const void *measured; /* the queue of the cost's fills, which come after the end */
    int ending; /* commands get no times any more */
    lp_condition wanted;
    opencl_bounds clocks[DEVICES_TIMED]; /* of devices (`look`) */
} opencl_times;

static int opencl_profiled(void *event, uint32_t what, uint64_t *nanoseconds) { return opencl_ask(D_clGetEventProfilingInfo, event, what, nanoseconds, sizeof *nanoseconds); }

/* Compare a device's clock with the host's: by its timer, once a second; else by when a command was queued, which was within its
   call; else by when it ran, which was after its call had begun, and before it was seen to be complete. */
static void opencl_clock(lp_records *ring, const opencl_queue *queue, const opencl_timed *timed) {
    int32_t (*timers)(void *, uint64_t *, uint64_t *) = (int32_t(*)(void *, uint64_t *, uint64_t *))opencl.below[D_clGetDeviceAndHostTimer];
    uint64_t before, after = lp_nanoseconds(), there = 0, here;
    uint16_t device = queue->at.device;
    opencl_bounds *bounds = &opencl_times.clocks[device < DEVICES_TIMED ? device : 0];
    int i;
    if (device >= DEVICES_TIMED) return;
    if (timers && queue->timer != OPENCL_NO_TIMER) {
        if (bounds->known && after - bounds->at < CLOCK_WRITTEN_EVERY) return;
        for (i = 0; i < CLOCK_TRIES && (i == 0 || bounds_error(bounds) > CLOCK_GOOD); i++) {
            before = lp_nanoseconds();
            if (timers(queue->device, &there, &here) || there == 0) break;
            bounds_take(bounds, there, before, lp_nanoseconds());
        }
        if (i == 0) ((opencl_queue *)queue)->timer = OPENCL_NO_TIMER;
    }
    if (timers == 0 || queue->timer == OPENCL_NO_TIMER) {
        if (bounds->known && bounds_error(bounds) + (after - bounds->at) / CLOCK_DRIFT < CLOCK_GOOD) return;
        before = process_nanoseconds(timed->times.enqueued);
        if (opencl_profiled(timed->event, CL_PROFILING_QUEUED_, &there) == 0 && there) bounds_take(bounds, there, before, process_nanoseconds(timed->end));
        else if (timed->times.started) bounds_take(bounds, timed->times.started, before, after - (timed->times.ended - timed->times.started));
    }
    bounds_write(ring, device, bounds, 0);
}

static int32_t opencl_status(const opencl_timed *timed) {
    int32_t status = 1;
    return opencl_ask(D_clGetEventInfo, timed->event, CL_EVENT_STATUS_, &status, sizeof status) ? -1 : status;
}

/* Write the times of a command that is complete; 0: it is not, for threads that share a queue may be in another order here. */
static int opencl_times_write(lp_records *ring, const opencl_queue *queue, opencl_timed *timed) {
    times_slot *slot;
    int32_t status;
    if (opencl_profiled(timed->event, CL_PROFILING_START_, &timed->times.started) || opencl_profiled(timed->event, CL_PROFILING_END_, &timed->times.ended)) {
        status = opencl_status(timed);
        if (status > 0) return 0;
        timed->times.flags |= SLOT_FAILED, timed->times.started = timed->times.ended = 0;
        if (status == 0) lp_add(&lp_trace.header->counters.failed_times, 1);
    } else opencl_clock(ring, queue, timed);
    if (!records_has_room(ring, 1)) return 1;
    slot = &records_slot(ring, 0)->times;
    *slot = timed->times;
    records_publish(ring, 1);
    return 1;
}

/* How many commands of a list are complete for certain: in a queue that is in order a later one tells of those before it. */
static uint64_t opencl_complete(const opencl_queue *queue, const opencl_timed *first) {
    uint64_t most, n;
    for (most = queue->in_order ? LOOK_AHEAD : 1; most; most /= 8) {
        const opencl_timed *timed = first;
        for (n = 1; n < most && timed->next; n++) timed = timed->next;
        if (opencl_status(timed) <= 0) return n;
    }
    return 0;
}

/* Read what is complete of a queue; how many commands were. */
static uint64_t opencl_times_look_at(lp_records *ring, opencl_queue *queue) {
    int32_t (*release)(void *) = (int32_t(*)(void *))opencl.below[D_clReleaseEvent];
    opencl_timed *row, *timed, *newest, *kept = 0, *kept_last = 0, *done = 0, **done_end = &done;
    uint64_t n = 0, complete = 0;
    lp_lock_acquire(&opencl_times.lock);
    row = queue->first, newest = queue->last, queue->first = queue->last = 0;
    lp_lock_release(&opencl_times.lock);
    while ((timed = row) != 0) {
        if (complete == 0 && n < LOOK_MOST) complete = opencl_complete(queue, timed);
        row = timed->next, timed->next = 0;
        if (complete == 0 || !opencl_times_write(ring, queue, timed)) {
            complete = 0;
            if (kept_last) kept_last->next = timed;
            else kept = timed;
            kept_last = timed;
            if (!queue->in_order) continue;
            timed->next = row, kept_last = newest; /* the rest comes after it */
            break;
        }
        complete -= 1;
        release(timed->event);
        *done_end = timed, done_end = &timed->next;
        n += 1;
    }
    lp_lock_acquire(&opencl_times.lock);
    if (kept) {
        kept_last->next = queue->first;
        queue->first = kept;
        if (queue->last == 0) queue->last = kept_last;
    }
    *done_end = opencl_times.free, opencl_times.free = done;
    lp_lock_release(&opencl_times.lock);
    lp_add(&opencl_times.n, -(int64_t)n);
    return n;
}

static uint64_t opencl_times_look(void) {
    lp_records *ring;
    opencl_queue *queue;
    uint64_t n = 0;
    lp_lock_acquire(&opencl_times.look);
    ring = opencl_times.ended ? 0 : records_here();
    for (queue = (opencl_queue *)(uintptr_t)lp_load(&opencl.all_queues); ring && queue; queue = queue->next)
        if (queue->first) n += opencl_times_look_at(ring, queue);
    lp_lock_release(&opencl_times.look);
    return n;
}

static void opencl_monitor(void *unused) {
    uint64_t pause = TIMES_EVERY, most, n;
    lp_lock lock;
    (void)unused;
    lp_lock_init(&lock);
    lp_add(&last.helpers, 1);
    while (!opencl_times.ending && !last.leaving) {
        n = opencl_times_look(), most = 2 * pause < TIMES_SELDOM ? 2 * pause : TIMES_SELDOM;
        pause = n ? pause * TIMES_COMMANDS / n : most;
        pause = pause < TIMES_EVERY ? TIMES_EVERY : pause < most ? pause : most;
        lp_lock_acquire(&lock);
        lp_condition_wait_for(&opencl_times.wanted, &lock, lp_load(&opencl_times.n) ? pause : 50 * TIMES_EVERY);
        lp_lock_release(&lock);
    }
    lp_add(&last.helpers, -1);
}

/* Keep a command until it is complete. `own`: the event is the recorder's alone; else the program has it too. */
static void opencl_times_add(opencl_queue *queue, void *event, int own, uint64_t correlation, uint64_t begin, uint64_t end, const payload *what) {
    int32_t (*retain)(void *) = (int32_t(*)(void *))opencl.below[D_clRetainEvent];
    opencl_timed *timed;
    lp_lock_acquire(&opencl_times.lock);
    if ((timed = opencl_times.free) != 0) opencl_times.free = timed->next;
    if (!opencl_times.monitor) opencl_times.monitor = lp_thread(opencl_monitor, 0);
    lp_lock_release(&opencl_times.lock);
    if (timed == 0) timed = (opencl_timed *)malloc(sizeof *timed);
    if (timed == 0) return;
    if (!own) retain(event);
    memset(timed, 0, sizeof *timed);
    timed->event = event, timed->end = end;
    timed->times.kind = SLOT_TIMES, timed->times.device = queue->at.device, timed->times.stream = queue->at.stream;
    timed->times.correlation = correlation, timed->times.enqueued = begin, timed->times.name = what->name;
    timed->times.command = what->command;
    lp_lock_acquire(&opencl_times.lock);
    if (queue->last && queue->first) queue->last->next = timed;
    else queue->first = timed;
    queue->last = timed;
    lp_lock_release(&opencl_times.lock);
    if (lp_add(&opencl_times.n, 1) == 1) lp_condition_signal(&opencl_times.wanted);
}

static inline int opencl_times_room(const opencl_queue *queue) {
    if (!queue->timed) return 0;
    if (LP_LIKELY(lp_load(&opencl_times.n) < TIMED_MOST && (!opencl_times.ending || queue == opencl_times.measured))) return 1;
    lp_add(&lp_trace.header->counters.untimed, 1);
    return 0;
}

/* How many commands in flight were submitted before a tick. */
static uint64_t opencl_times_before(uint64_t ticks) {
    const opencl_queue *queue;
    const opencl_timed *timed;
    uint64_t n = 0;
    lp_lock_acquire(&opencl_times.lock);
    for (queue = (opencl_queue *)(uintptr_t)lp_load(&opencl.all_queues); queue; queue = queue->next)
        for (timed = queue->first; timed; timed = timed->next) n += timed->end <= ticks;
    lp_lock_release(&opencl_times.lock);
    return n;
}

/* Before the libraries' own ends: wait for what is in flight now, as long as there is news of it. Threads that still run may
   submit more and more. After it no function is called. */
static void opencl_times_end(void) {
    uint64_t begun = lp_ticks(), since = lp_nanoseconds(), left = UINT64_MAX, now_left;
    lp_records *ring;
    uint16_t device;
    opencl_times.ending = 1;
    for (;;) {
        opencl_times_look();
        now_left = opencl_times_before(begun);
        if (now_left < left) left = now_left, since = lp_nanoseconds();
        if (left == 0 || lp_nanoseconds() - since >= 1000 * (uint64_t)TIMES_PATIENCE) break;
        lp_sleep(200);
    }
    lp_lock_acquire(&opencl_times.look);
    opencl_times.ended = 1;
    ring = records_here();
    for (device = 0; ring && device < DEVICES_TIMED; device++) bounds_write(ring, device, &opencl_times.clocks[device], 1);
    lp_add(&lp_trace.header->counters.unfinished, (int64_t)lp_load(&opencl_times.n));
    lp_lock_release(&opencl_times.look);
}

#endif

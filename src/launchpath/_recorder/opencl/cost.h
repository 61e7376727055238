/* What a record of OpenCL costs. Calls without a queue are measured, which the loader refuses: no device has to do with them.
   In mode device a command has an event as well. So fills of a few bytes are measured then, in a context of the recorder's own,
   if the device is a processor: there a context is made at once. They wait for an event of the host's until a batch is over, or
   the processor would be busy with them meanwhile. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_COST_H
#define LAUNCHPATH_RECORDER_OPENCL_COST_H

#include "../cost.h"
#include "wrappers.h"

enum {
    CL_DEVICE_TYPE_ = 0x1000,
    CL_DEVICE_TYPE_CPU_ = 2,
    CL_DEVICES_MOST_ = 64,
    COST_PATIENCE = 20000000, /* nanoseconds that commands of a batch may take; a device that is busy takes longer */
    COST_ALL = 50000000       /* and all batches */
};

static struct {
    void *queue, *past, *buffer, *context;
    void *gate; /* the event that fills wait for */
    opencl_queue known; /* what the recorder knows of `queue` */
} opencl_cost_of;

#define COST_FILL(function, queue) function(queue, opencl_cost_of.buffer, &zero, sizeof zero, 0, sizeof zero, opencl_cost_of.gate != 0, opencl_cost_of.gate ? &opencl_cost_of.gate : 0, 0)

static void opencl_cost_fills(void *unused, int n) {
    const uint32_t zero = 0;
    (void)unused;
    while (n--) COST_FILL(layer_clEnqueueFillBuffer, opencl_cost_of.queue);
}

static void opencl_cost_fills_past(void *unused, int n) {
    const uint32_t zero = 0;
    int32_t (*fill)(void *, void *, const void *, size_t, size_t, size_t, uint32_t, void *const *, void **) =
        (int32_t(*)(void *, void *, const void *, size_t, size_t, size_t, uint32_t, void *const *, void **))opencl.below[D_clEnqueueFillBuffer];
    (void)unused;
    while (n--) COST_FILL(fill, opencl_cost_of.past);
}

static void opencl_cost_flushes(void *unused, int n) {
    (void)unused;
    while (n--) layer_clFlush(0);
}

static void opencl_cost_flushes_past(void *unused, int n) {
    int32_t (*flush)(void *) = (int32_t(*)(void *))opencl.below[D_clFlush];
    (void)unused;
    while (n--) flush(0);
}

/* Wait until a queue has done its commands; 0: it takes too long. */
static int opencl_cost_done(void *queue) {
    int32_t (*mark)(void *, uint32_t, void *const *, void **) = (int32_t(*)(void *, uint32_t, void *const *, void **))opencl.below[D_clEnqueueMarkerWithWaitList];
    int32_t (*flush)(void *) = (int32_t(*)(void *))opencl.below[D_clFlush], (*release)(void *) = (int32_t(*)(void *))opencl.below[D_clReleaseEvent];
    uint64_t begin = lp_nanoseconds();
    int32_t status = 1;
    void *event = 0;
    if (mark(queue, 0, 0, &event) || event == 0) return 0;
    flush(queue);
    while (opencl_ask(D_clGetEventInfo, event, CL_EVENT_STATUS_, &status, sizeof status) == 0 && status > 0 && lp_nanoseconds() - begin < COST_PATIENCE) lp_sleep(20);
    release(event);
    return status == 0;
}

/* Let the fills go, and make another gate if there is more to come. */
static int opencl_cost_gate(int more) {
    void *(*create)(void *, int32_t *) = (void *(*)(void *, int32_t *))opencl.below[D_clCreateUserEvent];
    int32_t (*set)(void *, int32_t) = (int32_t(*)(void *, int32_t))opencl.below[D_clSetUserEventStatus], (*release)(void *) = (int32_t(*)(void *))opencl.below[D_clReleaseEvent];
    int32_t code = 0;
    if (opencl_cost_of.gate) set(opencl_cost_of.gate, 0), release(opencl_cost_of.gate);
    opencl_cost_of.gate = more ? create(opencl_cost_of.context, &code) : 0;
    return !more || opencl_cost_of.gate != 0;
}

/* Between two batches, after the gate: what the monitor does with the events of a queue of the program's. */
static int opencl_cost_drain(void) {
    int32_t (*release)(void *) = (int32_t(*)(void *))opencl.below[D_clReleaseEvent];
    opencl_timed *timed;
    if (!opencl_cost_done(opencl_cost_of.queue) || !opencl_cost_done(opencl_cost_of.past)) return 0;
    while ((timed = opencl_cost_of.known.first) != 0) {
        opencl_cost_of.known.first = timed->next;
        release(timed->event);
        lp_lock_acquire(&opencl_times.lock);
        timed->next = opencl_times.free, opencl_times.free = timed;
        lp_lock_release(&opencl_times.lock);
        lp_add(&opencl_times.n, -1);
    }
    opencl_cost_of.known.last = 0;
    return 1;
}

static int opencl_cost_between(void *unused) {
    (void)unused;
    return opencl_cost_gate(0) && opencl_cost_drain() && lp_nanoseconds() - cost.began < COST_ALL && opencl_cost_gate(1);
}

/* A device that the program used, a processor, and no part of another device: those may have ended. NULL: there is none. */
static opencl_queue *opencl_cost_like(void) {
    int32_t (*devices)(void *, uint64_t, uint32_t, void **, uint32_t *) = (int32_t(*)(void *, uint64_t, uint32_t, void **, uint32_t *))opencl.below[D_clGetDeviceIDs];
    opencl_queue *queue;
    void *there[CL_DEVICES_MOST_];
    uint32_t n, i;
    for (queue = (opencl_queue *)(uintptr_t)lp_load(&opencl.all_queues); queue; queue = queue->next) {
        n = 0;
        if (!queue->timed || queue->platform == 0 || devices(queue->platform, CL_DEVICE_TYPE_CPU_, CL_DEVICES_MOST_, there, &n)) continue;
        for (i = 0; i < n && i < CL_DEVICES_MOST_; i++)
            if (there[i] == queue->device) return queue;
    }
    return 0;
}

static int opencl_cost_open(const opencl_queue *like) {
    void *(*new_context)(const void *, uint32_t, void *const *, void *, void *, int32_t *) =
        (void *(*)(const void *, uint32_t, void *const *, void *, void *, int32_t *))opencl.below[D_clCreateContext];
    void *(*new_queue)(void *, void *, uint64_t, int32_t *) = (void *(*)(void *, void *, uint64_t, int32_t *))opencl.below[D_clCreateCommandQueue];
    void *(*new_buffer)(void *, uint64_t, size_t, void *, int32_t *) = (void *(*)(void *, uint64_t, size_t, void *, int32_t *))opencl.below[D_clCreateBuffer];
    void *device = like->device;
    int32_t code = 0;
    opencl_times.measured = &opencl_cost_of.known;
    if ((opencl_cost_of.context = new_context(0, 1, &device, 0, 0, &code)) == 0) return 0;
    opencl_cost_of.queue = new_queue(opencl_cost_of.context, device, CL_QUEUE_PROFILING_, &code);
    opencl_cost_of.past = new_queue(opencl_cost_of.context, device, 0, &code);
    opencl_cost_of.buffer = new_buffer(opencl_cost_of.context, 1, 64, 0, &code);
    opencl_cost_of.known.at = like->at, opencl_cost_of.known.device = device, opencl_cost_of.known.platform = like->platform;
    opencl_cost_of.known.timed = opencl_cost_of.known.in_order = 1;
    return opencl_cost_of.queue && opencl_cost_of.past && opencl_cost_of.buffer &&
           handle_set(&opencl.queues, (uint64_t)(uintptr_t)opencl_cost_of.queue, (uint64_t)(uintptr_t)&opencl_cost_of.known);
}

static void opencl_cost_close(void) {
    if (opencl_cost_of.queue) handle_set(&opencl.queues, (uint64_t)(uintptr_t)opencl_cost_of.queue, 0);
    if (opencl_cost_of.buffer) ((int32_t(*)(void *))opencl.below[D_clReleaseMemObject])(opencl_cost_of.buffer);
    if (opencl_cost_of.queue) ((int32_t(*)(void *))opencl.below[D_clReleaseCommandQueue])(opencl_cost_of.queue);
    if (opencl_cost_of.past) ((int32_t(*)(void *))opencl.below[D_clReleaseCommandQueue])(opencl_cost_of.past);
    if (opencl_cost_of.context) ((int32_t(*)(void *))opencl.below[D_clReleaseContext])(opencl_cost_of.context);
}

static void opencl_cost(void) {
    const opencl_queue *like;
    cost_figure command = {0, 0, 0, 0}, call;
    int timed, done = 1;
    if (opencl.n_devices == 0) return; /* no device was used */
    if (opencl.gone) {
        cost_left_out("opencl", "the loader had ended");
        return;
    }
    if (!cost_begin()) {
        cost_left_out("opencl", "the trace paused");
        return;
    }
    like = options.timed ? opencl_cost_like() : 0, timed = like && opencl_cost_open(like);
    if (timed) {
        command = cost_measure(opencl_cost_fills, opencl_cost_fills_past, opencl_cost_between, 0);
        done = opencl_cost_gate(0) && opencl_cost_drain();
    }
    if (like && done) opencl_cost_close(); /* else the device has their commands still: they stay, as the process ends */
    memset(&opencl_cost_of, 0, sizeof opencl_cost_of);
    timed = timed && command.calls;
    if (!timed) command = cost_measure(opencl_cost_fills, opencl_cost_fills_past, 0, 0);
    call = cost_measure(opencl_cost_flushes, opencl_cost_flushes_past, 0, 0);
    cost_end();
    cost_write("opencl", "clEnqueueFillBuffer", &command, &call, timed);
}

#endif

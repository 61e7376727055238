/* Where a call belongs: contexts, their devices, and streams. */
#ifndef LAUNCHPATH_RECORDER_CUDA_PLACES_H
#define LAUNCHPATH_RECORDER_CUDA_PLACES_H

#include "real.h"

enum { PLACE_KNOWN = 1, CUDA_DEVICES_MOST = 64 };

static void cupti_source_write(void); /* cupti/attach.h: what a new device's times come from */

static handle_table cuda_contexts; /* a context: its device's number in records + 1 */
static handle_table cuda_devices;  /* a device's ordinal + 1: the same */
static handle_table cuda_streams;  /* a stream, or a context for its legacy stream: a place, see `place_value` */

static uint16_t cuda_device_numbers[CUDA_DEVICES_MOST]; /* in records */
static uint32_t cuda_device_count;

static uint64_t cuda_captures; /* that go on in this process: a launch asks its stream only then */

/* The default stream of this thread, of the context that it used last. */
static LP_THREAD_LOCAL struct {
    void *context;
    uint64_t generation;
    place at;
} cuda_own_stream;

static inline uint64_t place_value(place at) { return (uint64_t)at.device << 33 | (uint64_t)at.stream << 1 | PLACE_KNOWN; }
static inline place value_place(uint64_t value) { return (place){(uint32_t)(value >> 1), (uint16_t)(value >> 33)}; }
static inline place cuda_nowhere(void) { return (place){0, 0}; }

enum { CUDA_MULTIPROCESSORS_ = 16 };

/* Number a device of the current context. */
LP_NOINLINE static uint16_t cuda_device_new(lp_records *ring, void *context) {
    char name[256] = "", bus[32] = "";
    uint64_t now;
    int ordinal = 0, units = 0;
    uint64_t number;
    if (cuda.call.cuCtxGetDevice == 0 || cuda.call.cuCtxGetDevice(&ordinal)) return 0;
    lp_lock_acquire(&cuda.lock);
    number = handle_find(&cuda_devices, (uint64_t)ordinal + 1);
    if (number == 0) {
        if (cuda.call.cuDeviceGetName) cuda.call.cuDeviceGetName(name, sizeof name, ordinal);
        if (cuda.call.cuDeviceGetAttribute && cuda.call.cuDeviceGetAttribute(&units, CUDA_MULTIPROCESSORS_, ordinal)) units = 0;
        if (cuda.call.cuDeviceGetPCIBusId && cuda.call.cuDeviceGetPCIBusId(bus, sizeof bus, ordinal)) bus[0] = 0;
        number = process_device(name, "cuda", "NVIDIA CUDA", ordinal, units, bus) + 1u;
        if (cuda_device_count < CUDA_DEVICES_MOST) cuda_device_numbers[cuda_device_count++] = (uint16_t)(number - 1);
        now = lp_nanoseconds(); /* CUPTI tells times of the host's clock */
        if (options.timed) device_clock_write(ring, (uint16_t)(number - 1), now, now, 1);
        handle_set(&cuda_devices, (uint64_t)ordinal + 1, number);
    }
    lp_lock_release(&cuda.lock);
    cupti_source_write();
    handle_set(&cuda_contexts, (uint64_t)(uintptr_t)context, number);
    return (uint16_t)(number - 1);
}

static inline uint16_t cuda_device_of(lp_records *ring, void *context) {
    uint64_t number = handle_find(&cuda_contexts, (uint64_t)(uintptr_t)context);
    return LP_LIKELY(number != 0) ? (uint16_t)(number - 1) : cuda_device_new(ring, context);
}

static inline void *cuda_context(void) {
    void *context = 0;
    if (cuda.call.cuCtxGetCurrent) cuda.call.cuCtxGetCurrent(&context);
    return context;
}

static inline place cuda_context_place(lp_records *ring) {
    void *context = cuda_context();
    return context ? (place){0, cuda_device_of(ring, context)} : cuda_nowhere();
}

/* A stream that no call has shown yet. */
LP_NOINLINE static place cuda_stream_new(lp_records *ring, void *stream, void *context) {
    unsigned int flags = 0;
    place at;
    if (cuda.call.cuStreamGetFlags) cuda.call.cuStreamGetFlags(stream, &flags);
    at.device = context ? cuda_device_of(ring, context) : 0;
    at.stream = process_stream(ring, at.device, flags & CUDA_STREAM_NON_BLOCKING ? 2 : 1, (uint64_t)(uintptr_t)stream);
    handle_set(&cuda_streams, (uint64_t)(uintptr_t)stream, place_value(at));
    return at;
}

/* The default stream of the current context: the legacy one, or the thread's own. */
LP_NOINLINE static place cuda_default_new(lp_records *ring, void *context, int own) {
    place at;
    at.device = cuda_device_of(ring, context);
    at.stream = process_stream(ring, at.device, own ? 1 : 0, own ? CUDA_STREAM_PER_THREAD : CUDA_STREAM_LEGACY);
    if (own) cuda_own_stream.context = context, cuda_own_stream.generation = lp_trace.generation, cuda_own_stream.at = at;
    else handle_set(&cuda_streams, (uint64_t)(uintptr_t)context, place_value(at));
    return at;
}

static inline place cuda_place(lp_records *ring, void *stream, int own) {
    uint64_t value;
    void *context;
    if ((uintptr_t)stream > CUDA_STREAM_PER_THREAD) {
        value = handle_find(&cuda_streams, (uint64_t)(uintptr_t)stream);
        return LP_LIKELY(value != 0) ? value_place(value) : cuda_stream_new(ring, stream, cuda_context());
    }
    context = cuda_context();
    if (context == 0) return cuda_nowhere();
    own = (uintptr_t)stream == CUDA_STREAM_PER_THREAD || (stream == 0 && own);
    if (own) {
        if (LP_LIKELY(cuda_own_stream.context == context && cuda_own_stream.generation == lp_trace.generation)) return cuda_own_stream.at;
    } else {
        value = handle_find(&cuda_streams, (uint64_t)(uintptr_t)context);
        if (LP_LIKELY(value != 0)) return value_place(value);
    }
    return cuda_default_new(ring, context, own);
}

static void cuda_stream_begins(void *stream) {
    lp_records *ring = process_ring();
    if (ring) cuda_stream_new(ring, stream, cuda_context());
    else handle_set(&cuda_streams, (uint64_t)(uintptr_t)stream, 0); /* another stream had this handle */
}

/* Before the driver ends it: another thread's new stream may get the handle at once. */
static void cuda_stream_ends(void *stream) {
    if ((uintptr_t)stream > CUDA_STREAM_PER_THREAD) handle_set(&cuda_streams, (uint64_t)(uintptr_t)stream, 0);
}

static int place_of_any(uint64_t value, const void *data) {
    (void)value, (void)data;
    return 1;
}

static void cuda_context_ends(void *context) {
    handle_set(&cuda_contexts, (uint64_t)(uintptr_t)context, 0);
    handle_set(&cuda_streams, (uint64_t)(uintptr_t)context, 0);
}

/* The contexts of a device may have ended, and their handles may come again. */
static void cuda_contexts_end(void) { handles_forget(&cuda_contexts, place_of_any, 0); }

static void cuda_capture_begins(void) { lp_add(&cuda_captures, 1); }

/* An error here may leave the stream in its capture, so that `cuda_captures` stays: then streams are asked, and tell. */
static void cuda_capture_ends(int code) {
    if (code == 0 && lp_load(&cuda_captures)) lp_add(&cuda_captures, -1);
}

/* Whether what is submitted to a stream goes into a graph that is captured. */
static inline int cuda_captured(void *stream, int own) {
    int status = 0;
    if (LP_LIKELY(lp_load(&cuda_captures) == 0) || cuda.call.cuStreamIsCapturing == 0) return 0;
    if ((uintptr_t)stream <= CUDA_STREAM_LEGACY && !(stream == 0 && own)) return 0; /* the legacy stream cannot be captured */
    if (stream == 0) stream = (void *)(uintptr_t)CUDA_STREAM_PER_THREAD;
    return cuda.call.cuStreamIsCapturing(stream, &status) == 0 && status != 0;
}

#endif

/* Where a call belongs: devices and streams. */
#ifndef LAUNCHPATH_RECORDER_HIP_PLACES_H
#define LAUNCHPATH_RECORDER_HIP_PLACES_H

#include "real.h"

enum { HIP_DEVICES_MOST = 64 };

static handle_table hip_streams; /* a stream: a place, see `place_value` */

static struct {
    uint64_t number;   /* in records + 1; 0: none yet */
    uint64_t standard; /* its default stream, a place; 0: none yet */
} hip_devices[HIP_DEVICES_MOST];

static uint64_t hip_captures; /* that go on in this process: a launch asks its stream only then */

static LP_THREAD_LOCAL struct { /* the thread's own default stream, of the device that it used last */
    uint64_t generation;
    place at;
} hip_own_stream;

/* The ordinal of the thread's device. */
static inline int hip_ordinal(void) {
    int ordinal = 0;
    if (LP_LIKELY(hip_here.device > 0)) ordinal = hip_here.device - 1;
    else if (hip_own()->hipGetDevice && hip_own()->hipGetDevice(&ordinal) == 0) hip_here.device = ordinal + 1;
    return ordinal >= 0 && ordinal < HIP_DEVICES_MOST ? ordinal : 0;
}

enum { HIP_MULTIPROCESSORS_ = 63 };

LP_NOINLINE static uint64_t hip_device_new(int ordinal) {
    char name[256] = "", bus[32] = "";
    int units = 0;
    uint64_t number;
    if (hip_own()->hipDeviceGetName) hip_own()->hipDeviceGetName(name, sizeof name, ordinal);
    if (hip_own()->hipDeviceGetAttribute && hip_own()->hipDeviceGetAttribute(&units, HIP_MULTIPROCESSORS_, ordinal)) units = 0;
    if (hip_own()->hipDeviceGetPCIBusId && hip_own()->hipDeviceGetPCIBusId(bus, sizeof bus, ordinal)) bus[0] = 0;
    lp_lock_acquire(&hip.lock);
    number = hip_devices[ordinal].number;
    if (number == 0) {
        number = process_device(name, "hip", "HIP", ordinal, units, bus) + 1u;
        lp_store(&hip_devices[ordinal].number, number);
    }
    lp_lock_release(&hip.lock);
    return number;
}

/* The number of a device in records. */
static inline uint16_t hip_device(int ordinal) {
    uint64_t number = lp_load(&hip_devices[ordinal].number);
    return (uint16_t)((LP_LIKELY(number != 0) ? number : hip_device_new(ordinal)) - 1);
}

static inline place hip_here_place(lp_records *ring) {
    (void)ring;
    return (place){0, hip_device(hip_ordinal())};
}

/* A stream that no call has shown yet. */
LP_NOINLINE static place hip_stream_new(lp_records *ring, void *stream) {
    unsigned int flags = 0;
    int ordinal = hip_ordinal(), of_stream = 0;
    place at;
    if (hip_own()->hipStreamGetDevice && hip_own()->hipStreamGetDevice(stream, &of_stream) == 0 && of_stream >= 0 && of_stream < HIP_DEVICES_MOST) ordinal = of_stream;
    if (hip_own()->hipStreamGetFlags) hip_own()->hipStreamGetFlags(stream, &flags);
    at.device = hip_device(ordinal);
    at.stream = process_stream(ring, at.device, flags & HIP_STREAM_NON_BLOCKING ? 2 : 1, (uint64_t)(uintptr_t)stream);
    handle_set(&hip_streams, (uint64_t)(uintptr_t)stream, place_value(at));
    return at;
}

/* The default stream of the thread's device: the legacy one, or the thread's own. */
LP_NOINLINE static place hip_default_new(lp_records *ring, int ordinal, int own) {
    place at;
    at.device = hip_device(ordinal);
    at.stream = process_stream(ring, at.device, own ? 1 : 0, own ? HIP_STREAM_PER_THREAD : HIP_STREAM_LEGACY);
    if (own) hip_own_stream.generation = lp_trace.generation, hip_own_stream.at = at;
    else lp_store(&hip_devices[ordinal].standard, place_value(at));
    return at;
}

static inline place hip_place(lp_records *ring, void *stream, int own) {
    uint64_t value;
    int ordinal;
    if ((uintptr_t)stream > HIP_STREAM_PER_THREAD) {
        value = handle_find(&hip_streams, (uint64_t)(uintptr_t)stream);
        return LP_LIKELY(value != 0) ? value_place(value) : hip_stream_new(ring, stream);
    }
    ordinal = hip_ordinal();
    if ((uintptr_t)stream == HIP_STREAM_PER_THREAD || (stream == 0 && own)) {
        if (LP_LIKELY(hip_own_stream.generation == lp_trace.generation && hip_own_stream.at.device == hip_device(ordinal))) return hip_own_stream.at;
        return hip_default_new(ring, ordinal, 1);
    }
    value = lp_load(&hip_devices[ordinal].standard);
    return LP_LIKELY(value != 0) ? value_place(value) : hip_default_new(ring, ordinal, 0);
}

static void hip_stream_begins(lp_records *ring, void *stream) {
    if (ring) hip_stream_new(ring, stream);
    else handle_set(&hip_streams, (uint64_t)(uintptr_t)stream, 0); /* another stream had this handle */
}

/* Before HIP ends it: another thread's new stream may get the handle at once. */
static void hip_stream_ends(void *stream) {
    if ((uintptr_t)stream > HIP_STREAM_PER_THREAD) handle_set(&hip_streams, (uint64_t)(uintptr_t)stream, 0);
}

static void hip_capture_begins(int code) {
    if (code == 0) lp_add(&hip_captures, 1);
}

/* An error here may leave the stream in its capture, so that `hip_captures` stays: then streams are asked, and tell. */
static void hip_capture_ends(int code) {
    if (code == 0 && lp_load(&hip_captures)) lp_add(&hip_captures, -1);
}

/* Whether what is submitted to a stream goes into a graph that is captured. */
static inline int hip_captured(void *stream, int own) {
    int status = 0;
    if (LP_LIKELY(lp_load(&hip_captures) == 0) || hip_own()->hipStreamIsCapturing == 0) return 0;
    if ((uintptr_t)stream <= HIP_STREAM_LEGACY && !(stream == 0 && own)) return 0; /* the legacy stream cannot be captured */
    if (stream == 0) stream = (void *)(uintptr_t)HIP_STREAM_PER_THREAD;
    return hip_own()->hipStreamIsCapturing(stream, &status) == 0 && status != 0;
}

#endif

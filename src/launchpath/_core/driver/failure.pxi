# Failure: from the core's and the drivers' codes to exceptions.

from launchpath import _advice, errors
from launchpath._shown import described, shown


# Intel's OpenCL calls what is larger than the device an invalid size.
cdef tuple OUT_OF_MEMORY = ("OUT_OF_MEMORY", "OUT_OF_HOST_MEMORY", "OBJECT_ALLOCATION_FAILURE", "INVALID_BUFFER_SIZE",
                             "hipErrorOutOfMemory", "hipErrorMemoryAllocation")


cdef object failure(const driver_table *table, int code, str detail="", bint allocating=False):
    """The exception for a table function's `code`. Call it on the thread that made the call, before the next one."""
    cdef const char *text
    cdef str call, name
    if code == ERROR_HOST_MEMORY:
        return MemoryError("launchpath could not allocate host memory for its bookkeeping")
    if code == ERROR_QUEUES:
        return errors.LaunchpathError(f"expected at most {MAX_QUEUES} streams at the same time, got more: drop streams")
    if code == ERROR_FORKED:
        return errors.LaunchpathError(
            "this process was forked after launchpath had opened a device, and drivers do not work after a fork: start "
            "workers with multiprocessing's 'spawn' or 'forkserver' method, or open the device only in the child")
    if code == ERROR_CAPTURED:
        return errors.LaunchpathError(
            "the stream is being captured into a graph, which cannot contain a launchpath host function or hold: "
            "those run only once")
    if code == ERROR_CAPTURE_ENDED:
        return errors.LaunchpathError(
            "the stream or the event was part of a capture whose commands do not run: end the capture with end_capture(), launch "
            "its graph, and use events that were recorded outside of captures")
    if code == ERROR_CAPTURE_WAITS:
        return errors.LaunchpathError(
            "expected an event that was recorded in the capture, got an event of outside, which a graph cannot know of: let the "
            "stream wait for it before the capture begins")
    if code == ERROR_CAPTURE_QUEUE:
        return errors.LaunchpathError(
            "expected a stream of launchpath's own to capture, got the legacy stream, or a stream that foreign code has or "
            "captures: capture another stream")
    if code == ERROR_CLOSED:
        return errors.LaunchpathError(
            "the device was closed: its streams, events, memory and kernels cannot be used any more")
    if code == ERROR_WAITS_FOR_ITSELF:
        return errors.LaunchpathError(
            "a host function cannot wait for work after it, because that work waits for its end (its own stream, streams "
            "that wait for it, its device): wait on another thread, or for an event that was recorded before it")
    call = lp_here.failed_call.decode() if lp_here.failed_call != NULL else "driver"
    if code == ERROR_HELD_BACK:
        return errors.LaunchpathError(
            f"{call} would wait for the device, and a stream waits for the host (a host function, or a hold): let the "
            "host finish first. A host function cannot do work that needs this call, so do it before")
    text = table.error_name(code)
    name = text.decode() if text != NULL else "unknown error"
    if any(word in name for word in OUT_OF_MEMORY) or allocating and "OUT_OF_RESOURCES" in name:
        return errors.OutOfMemoryError(call, name, code, detail)
    if table.advice != NULL:
        text = table.advice(code)
        if text != NULL:
            detail = f"{detail}; {text.decode()}" if detail else text.decode()
    return errors.DriverError(call, name, code, detail)


cdef object queue_failure(lp_queue *queue, int code):
    """The exception for what synchronizing a queue gave."""
    if code == ERROR_ASYNCHRONOUS:
        return asynchronous_failure(queue, queue.last_failure)
    return failure(queue.table, code)


cdef object asynchronous_failure(lp_queue *queue, int code):
    """A command that had been accepted failed while it ran."""
    cdef const char *text = queue.table.error_name(code)
    cdef const char *recent[RECENT_LAUNCHES]
    cdef uint32_t i
    cdef uint64_t number
    # Nothing of Python under the lock: an allocation may run the collector, and with it a stream's end.
    with nogil:
        lp_lock_acquire(queue.lock)
        number = queue.number
        memcpy(recent, queue.recent, sizeof(recent))
        lp_lock_release(queue.lock)
    cdef list names = [(number - i, (<const char *>recent[(number - i) % RECENT_LAUNCHES]).decode())
                       for i in range(RECENT_LAUNCHES)
                       if number > i and recent[(number - i) % RECENT_LAUNCHES] != NULL]
    cdef str launches = ", ".join([f"{name} (command {at})" for at, name in names])
    # CUDA's and HIP's libraries give the error to whoever asks first, on whatever stream the command was.
    cdef str detail = ("a command of this device failed while it ran, on this stream or another"
                       if queue.domain.native else "a command on this stream failed while it ran")
    cdef const char *advice = queue.table.advice(code) if queue.table.advice != NULL else NULL
    if launches:
        whose = "the stream's" if queue.domain.native else "its"
        detail += f"; {whose} last launches, latest first: {launches}"
    if advice != NULL:
        detail += f"; {advice.decode()}"
    elif not lp_runtime.launch_blocking:
        detail += ". Set LAUNCHPATH_LAUNCH_BLOCKING=1 to have the failing launch itself raise"
    return errors.AsynchronousError(
        lp_here.failed_call.decode() if lp_here.failed_call != NULL else "command",
        text.decode() if text != NULL else "unknown error", code, detail)

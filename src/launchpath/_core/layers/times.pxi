# Times: a layer that has commands timed, and keeps their times with the kernel's name and the command's number.

cdef struct timed_command:
    timed_command *next
    command_kind kind
    const char *label          # of a launch: the kernel's name
    uint64_t number
    uint32_t slot
    void *timing


cdef void times_keep(lp_layers *layers, timed_command *command) noexcept nogil:
    lp_lock_acquire(&layers.times_lock)
    command.next, layers.timed = layers.timed, command
    lp_lock_release(&layers.times_lock)


cdef int times_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_TIMES)
    cdef timed_command *times = NULL
    cdef driver_command timed
    cdef int code
    # In a graph that foreign code captures a command goes without.
    if command.kind != COMMAND_MARKER and command.timing == NULL and below.timing_read != NULL and not (
            below.queue_capturing != NULL and below.queue_capturing(queue)):
        times = <timed_command *>calloc(1, sizeof(timed_command))
    if times == NULL:
        return below.submit(queue, command)
    times.kind, times.slot, times.label, times.number = command.kind, layer_queue(queue).slot, command.label, command.number
    timed = command[0]
    timed.timing = &times.timing
    code = below.submit(queue, &timed)
    if code or times.timing == NULL:
        free(times)
    else:
        times_keep(&layer_queue(queue).domain.layers, times)
    return code


cdef void times_entries(driver_table *table) noexcept nogil:
    table.submit = times_submit
    table.graph_build = NULL           # so each command of a step has its times


cdef timed_command *times_detach(lp_layers *layers) noexcept nogil:
    """All that is kept, the oldest first."""
    cdef timed_command *newest
    cdef timed_command *oldest = NULL
    cdef timed_command *next
    lp_lock_acquire(&layers.times_lock)
    newest, layers.timed = layers.timed, NULL
    lp_lock_release(&layers.times_lock)
    while newest != NULL:
        next = newest.next
        newest.next, oldest, newest = oldest, newest, next
    return oldest


cdef void drop_times(lp_domain *domain) noexcept nogil:
    """Release what nobody has read: the device is closed, or gone."""
    cdef timed_command *command = times_detach(&domain.layers)
    cdef timed_command *next
    while command != NULL:
        next = command.next
        domain.driver.timing_release(domain, command.timing)
        free(command)
        command = next


def time_commands(DeviceBase device not None, bint on=True):
    """Have the launches, copies and fills of a device timed from now on, or not any more. For tests, and for traces."""
    cdef int code
    if on:
        clock_pair(device)             # a library without a clock counts from one
    with nogil:
        code = set_layer(device.domain, LAYER_TIMES, on)
    if code:
        raise failure(device.domain.driver, code)


def command_times(DeviceBase device not None):
    """Take the times of commands that are known to be complete, the oldest first.

    Returns
    -------
    list of tuple
        (call, kernel's name or "", number in its stream, queued, submitted, started, ended). Times are in nanoseconds
        of the device's clock, see `clock_pair`; None: the library does not tell, or failed when it was asked.
    """
    cdef lp_domain *domain = device.domain
    cdef timed_command *command
    cdef timed_command *next
    cdef lp_times times
    cdef list rows = []
    with nogil:
        command = times_detach(&domain.layers)
    while command != NULL:
        next = command.next
        if not is_complete(command.slot, command.number):
            times_keep(&domain.layers, command)
        else:
            with nogil:
                if domain.table.timing_read(domain, command.timing, True, &times):
                    times.queued = times.submitted = times.started = times.ended = NO_TIME
                domain.table.timing_release(domain, command.timing)
            label = command.label.decode() if command.label != NULL else ""
            rows.append((command_names[<int>command.kind].decode(), label, command.number, time_of(times.queued),
                         time_of(times.submitted), time_of(times.started), time_of(times.ended)))
            free(command)
        command = next
    return rows


cdef object time_of(uint64_t nanoseconds):
    return None if nanoseconds == NO_TIME else nanoseconds


def clock_pair(DeviceBase device not None):
    """Measure the device's clock and the host's (``time.monotonic_ns`` on Linux) at one moment.

    Returns
    -------
    tuple of int, or None
        (device's time, host's time, by how much the host's may be wrong), in nanoseconds. None: the device has no
        times.
    """
    cdef uint64_t there = 0, here = 0, error = 0
    cdef int code = ERROR_NOT_TOLD
    if device.domain.table.clock_pair != NULL:
        with nogil:
            code = device.domain.table.clock_pair(device.domain.device, &there, &here, &error)
    return (there, here, error) if driver_answered(device.domain.driver, code) else None

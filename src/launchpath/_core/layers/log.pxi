# LAUNCHPATH_LOG: a layer that prints every driver call on stderr, with its main arguments, its result and how long it
# took. What is asked of a driver while a device is being found comes before: there is no device to log yet.

from libc.stdio cimport fflush, fprintf, stderr


cdef inline uint64_t log_begin() noexcept nogil:
    """Begin a call of the driver's; the time."""
    lp_here.in_driver += 1
    return lp_nanoseconds()


cdef int log_call(const driver_table *below, const char *call, const void *on, const char *quantity, uint64_t size,
                  uint64_t began, int code) noexcept nogil:
    """Print a call; `quantity` names `size`."""
    lp_here.in_driver -= 1
    fprintf(stderr, b"launchpath: %s.%s(%p, %s %llu) %s %d, %.2f us\n", below.name, call, on, quantity,
            <unsigned long long>size, result_name(below, code), code, (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code


cdef int log_named(const driver_table *below, const char *call, const void *on, const char *name, const char *quantity,
                   uint64_t size, uint64_t began, int code) noexcept nogil:
    """Print a call with the name of the kernel or the symbol that it is about."""
    lp_here.in_driver -= 1
    fprintf(stderr, b"launchpath: %s.%s(%p, %s, %s %llu) %s %d, %.2f us\n", below.name, call, on, name, quantity,
            <unsigned long long>size, result_name(below, code), code, (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code


cdef const char *result_name(const driver_table *below, int code) noexcept nogil:
    cdef const char *name = b"ok"
    if code == ERROR_NOT_TOLD:
        name = b"not told"
    elif code == ERROR_NO_MORE:
        name = b"no more"
    elif code == ERROR_HELD_BACK:
        name = b"held back"
    elif code == ERROR_FORKED:
        name = b"forked"
    elif code:
        name = below.error_name(code)
        if name == NULL:
            name = b"unknown error"
    return name


cdef inline const char *name_of(const void *kernel) noexcept nogil:
    """The kernel's name: its first field, see driver/table.pxi."""
    return (<const char **>kernel)[0]


cdef uint64_t logged_quantity(const driver_command *command, const char **quantity) noexcept nogil:
    """What a command's line tells of its size."""
    cdef command_facts facts
    if command.kind == COMMAND_LAUNCH:
        quantity[0] = b"blocks"
        return <uint64_t>command.config.grid[0] * command.config.grid[1] * command.config.grid[2]
    if command.kind == COMMAND_MARKER:
        quantity[0] = b"timed"
        return command.timed
    command_facts_of(command.kind, command.bytes, &facts)
    quantity[0] = b"rows" if command.kind == COMMAND_ROWS else b"bytes"
    return facts.rows if command.kind == COMMAND_ROWS else facts.size


cdef inline bint has_timed_name(const driver_command *command) noexcept nogil:
    return command.timing != NULL and command.kind <= COMMAND_FILL


cdef int log_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_LOG)
    cdef const char *call = command_names[<int>command.kind]
    cdef const char *quantity
    cdef uint64_t size = logged_quantity(command, &quantity), began
    cdef int code
    if command.kind == COMMAND_PEER and (<const peer_command *>command.bytes).to_texture != NULL:
        call = b"copy_texture"
    began = log_begin()
    code = below.submit(queue, command)
    lp_here.in_driver -= 1
    fprintf(stderr, b"launchpath: %s.%s%s(%p, %s%s%s %llu, %u waits) %s %d, %.2f us\n", below.name, call,
            <const char *>b"_timed" if has_timed_name(command) else <const char *>b"", queue,
            command.label if command.label != NULL else <const char *>b"",
            <const char *>b", " if command.label != NULL else <const char *>b"", quantity, <unsigned long long>size,
            command.n_waits, result_name(below, code), code, (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code


cdef int log_kernel_find(void *device, void *program, const char *name, const kernel_use *use,
                         void **kernel) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.kernel_find(device, program, name, use, kernel)
    if strcmp(name, use.label) == 0:
        return log_named(below, b"kernel_find", program, name, b"bytes", use.parameter_bytes, began, code)
    lp_here.in_driver -= 1
    fprintf(stderr, b"launchpath: %s.kernel_find(%p, %s as %s, bytes %llu) %s %d, %.2f us\n", below.name, program,
            use.label, name, <unsigned long long>use.parameter_bytes, result_name(below, code), code,
            (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code


cdef void log_entries(driver_table *table) noexcept nogil:
    """Take the place of every entry; what the driver leaves out stays out."""
    log_each_entry(table)
    table.submit, table.kernel_find = log_submit, log_kernel_find
    table.graph_build = NULL           # so each command of a step has its line


def log_driver_calls(DeviceBase device not None, bint on=True):
    """Print every call into a device's driver on stderr from now on, or print none any more."""
    cdef int code
    with nogil:
        code = set_layer(device.domain, LAYER_LOG, on)
    if code:
        raise failure(device.domain.driver, code)


cdef int lp_driver_depth() noexcept nogil:
    return lp_here.in_driver


def driver_depth():
    """The address of a C function that says how many logged calls into a driver its thread is in. For tests."""
    return <uintptr_t>&lp_driver_depth

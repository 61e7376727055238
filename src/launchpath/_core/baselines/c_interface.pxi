# Launches through the table that C code gets, as a loop in C does it: what the benchmarks and tests call a launch by
# symbol.

cdef enum c_way:
    C_KEPT                     # the configuration is the same for all launches
    C_EACH                     # it is filled in for each
    C_PUSHED                   # and pushed and popped
    C_HANDLE                   # kept, and the kernel was found before

C_WAYS = {"kept": C_KEPT, "each": C_EACH, "pushed": C_PUSHED, "handle": C_HANDLE}


cdef inline launchpath_status c_launch_way(c_way way, launchpath_symbol *symbol, launchpath_kernel kernel,
                                           const launchpath_configuration *kept, void **addresses, size_t count) noexcept nogil:
    cdef launchpath_configuration at
    cdef launchpath_status status
    if way == C_KEPT:
        return c_table.launch_symbol(symbol, kept, addresses, count, NULL)
    if way == C_HANDLE:
        return c_table.launch(kernel, kept, addresses, count, NULL)
    at = kept[0]
    status = c_table.push(&at) if way == C_PUSHED else LAUNCHPATH_SUCCESS
    if status == LAUNCHPATH_SUCCESS and way == C_PUSHED:
        status = c_table.pop(&at)
    return status if status else c_table.launch_symbol(symbol, &at, addresses, count, NULL)


def c_launches(str symbol not None, QueueBase stream, tuple grid not None, tuple block not None, list arguments not None,
               uint32_t n, Py_ssize_t changing=-1, str way="kept"):
    """Launch a registered kernel `n` times without the GIL, and give the nanoseconds that took.

    Parameters
    ----------
    symbol : str
    stream : Stream or None
    grid, block : tuple of 3 int
    arguments : list of bytes
        The value of each.
    n : int
    changing : int
        The argument, an ``int``, that gets another value before every launch; -1: none.
    way : str
        A key of `C_WAYS`.
    """
    cdef bytes name = symbol.encode()
    cdef launchpath_symbol of
    cdef launchpath_configuration at
    cdef void *addresses[64]
    cdef list values = [bytearray(each) for each in arguments]
    cdef size_t count = len(values)
    cdef c_way how = <c_way><int>C_WAYS[way]
    cdef launchpath_kernel kernel = 0
    cdef launchpath_status status = LAUNCHPATH_SUCCESS
    cdef uint32_t i
    cdef int32_t *value = NULL
    if count > 64:
        raise ValueError("expected at most 64 arguments")
    memset(&of, 0, sizeof(of))
    memset(&at, 0, sizeof(at))
    of.name = name
    for i in range(3):
        at.grid[i], at.block[i] = grid[i], block[i]
    at.stream = 0 if stream is None else c_stream_handle(stream)
    for i in range(count):
        addresses[i] = <void *><char *><bytearray>values[i]
    if changing >= 0:
        value = <int32_t *>addresses[changing]
    if how == C_HANDLE:
        status = c_table.find(name, at.stream, &kernel)
    began = _baseline_clock()
    with nogil:
        for i in range(n if status == LAUNCHPATH_SUCCESS else 0):
            if value != NULL:
                value[0] = <int32_t>(i + 1)
            status = c_launch_way(how, &of, kernel, &at, addresses, count)
            if status != LAUNCHPATH_SUCCESS:
                break
    took = _baseline_clock() - began
    if status != LAUNCHPATH_SUCCESS:
        raise errors.LaunchpathError(f"status {<int>status}: {c_table.error_text().decode()}")
    return took

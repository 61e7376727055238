# Launches over a number of elements: the grid follows from it and from the block, rounded up.
#
# No elements need no launch. A grid of 0 blocks is an error to every driver, so such a launcher checks its arguments as
# another one does, and submits nothing: no command, no wait, nothing that a step or a graph would keep.

cdef Launcher launcher_over(KernelBase kernel, n, block, shared, stream):
    """A launcher of as many blocks as `n` elements need."""
    cdef Launcher launcher = bare_launcher(kernel)
    cdef int64_t elements[3]
    cdef int i, dimensions = 1
    elements[0] = elements[1] = elements[2] = 1
    if PyLong_CheckExact(n) and lp_int_is_small(n) and lp_small_int(n) >= 0:
        elements[0] = lp_small_int(n)
    else:
        dimensions = read_elements(kernel, n, elements)
    if not plain_dimensions(<PyObject *>block, launcher.config.block):
        read_dimensions(kernel, block, "block", launcher.config.block)
    for i in range(dimensions, 3):
        if launcher.config.block[i] != 1:
            raise errors.ConfigurationError(
                f"{kernel.name}.over: expected a block of {dimensions} dimension{'' if dimensions == 1 else 's'}, as n "
                f"has, got {shown(block)}: the threads in {'xyz'[i]} would compute each element again")
    for i in range(3):
        launcher.config.grid[i] = blocks_of(kernel, i, elements[i], launcher.config.block[i])
        if launcher.config.grid[i] == 0:
            launcher.vectorcall = <vectorcallfunc>launcher_call_none
    ready_launcher(kernel, launcher, stream, not is_plain_zero(shared), shared)
    if unlikely(kernel.wants_shared and launcher.config.shared == 0):
        raise kernel.lacks_shared(".over(n, shared=bytes)")
    return launcher


cdef inline bint is_plain_zero(value) noexcept:
    return PyLong_CheckExact(value) and lp_int_is_small(value) and lp_small_int(value) == 0


cdef inline uint32_t blocks_of(KernelBase kernel, int axis, int64_t elements, uint32_t threads) except? 0:
    """The blocks that elements of a dimension need."""
    cdef int64_t blocks = (elements + threads - 1) // threads
    if unlikely(blocks >= <int64_t>1 << 32):
        raise errors.ConfigurationError(
            f"{kernel.name}: expected a grid of at most {kernel.max_grid[axis]} blocks in {'xyz'[axis]} on "
            f"{kernel.device.info['name']}, got {blocks} for {elements} elements: let each thread compute several "
            "elements, or launch several times")
    return <uint32_t>blocks


cdef int read_elements(KernelBase kernel, n, int64_t *to) except -1:
    """Read numbers of elements, an int or a sequence of one to three; gives how many they are."""
    cdef Py_ssize_t i
    extents = tuple(n) if isinstance(n, (tuple, list)) else (n,)
    if not 1 <= len(extents) <= 3:
        raise elements_error(kernel, n)
    for i in range(len(extents)):
        extent = whole_number(extents[i])
        if extent is None or not 0 <= extent < 1 << 62:      # so that rounding up does not overflow
            raise elements_error(kernel, n)
        to[i] = extent
    return len(extents)


cdef object elements_error(KernelBase kernel, n):
    hint = ": pass the number of its elements, its size" if getattr(n, "shape", ()) else ""
    return errors.ConfigurationError(
        f"{kernel.name}.over: expected the number of elements, an int of 0 or more or a tuple of up to three (x, y, z), "
        f"got {shown(n)}{hint}")


cdef PyObject *launcher_call_none(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    """Launch over no elements: check the arguments."""
    cdef Launcher launcher = <Launcher><object>callable
    cdef KernelBase kernel = launcher.kernel
    cdef Py_ssize_t i, count = PyVectorcall_NARGS(nargsf)
    cdef tuple ordered = tuple([<object>args[i] for i in range(count)])
    if names != NULL and Py_SIZE(names):
        values = [<object>args[count + i] for i in range(Py_SIZE(names))]
        ordered = by_name(kernel, ordered, dict(zip(<tuple><object>names, values)))
    if len(ordered) != kernel.count:
        raise kernel.count_error(len(ordered))
    launcher.stream_now()
    check_arguments(launcher, ordered)
    return new_reference(<PyObject *>None)


cdef int check_arguments(Launcher launcher, tuple values) except -1:
    """Refuse arguments that do not fit, and let wrapped ones have their memory: what they hold is read after this."""
    cdef KernelBase kernel = launcher.kernel
    cdef char *packed = <char *>calloc(1, launcher.size + 8)      # a last int is written with 8 bytes
    cdef Py_ssize_t i
    if packed == NULL:
        raise MemoryError
    try:
        for i in range(kernel.count):
            if not array_is_right(kernel, i, values[i]):
                argument_pack(launcher, kernel, i, values[i], packed)
        if kernel.closing:
            kernel.close(packed)
    finally:
        free(packed)
    tell_staged(tuple_items(<PyObject *>values), kernel.count)
    return 0


cdef bint array_is_right(KernelBase kernel, Py_ssize_t index, object value) except -1:
    """Whether a value is an array that a launch would take. Packing it would order the stream after the array's
    memory."""
    cdef lp_parameter *parameter = &kernel.parameters[index]
    cdef ArrayBase array
    if parameter.kind != KIND_POINTER or not isinstance(value, ArrayBase):
        return False
    array = <ArrayBase>value
    if array.allocation.freed or parameter.dtype >= 0 and array.dtype_code != parameter.dtype:
        return False
    if array.device is not kernel.device:
        check_peer_argument(kernel, index, array)
    return True

# Numba's launches: `kernel[grid, block, stream, shared](...)`.

cdef extern from "Python.h":
    object call_method "PyObject_VectorcallMethod"(object name, PyObject **args, size_t nargsf, PyObject *names)

cdef enum:
    SMALL_GRID = 128               # blocks, below which Numba warns


cdef inline bint is_small_grid(const uint32_t *extents) noexcept:
    return <uint64_t>extents[0] * extents[1] < SMALL_GRID and <uint64_t>extents[0] * extents[1] * extents[2] < SMALL_GRID


cdef PyObject *numba_grid(FastSubscript subscript, FastKernel fast, PyObject **args) except NULL:
    """The launch of a configuration. Those of plain numbers are kept."""
    cdef uint32_t extents[3]
    cdef uint32_t block[3]
    cdef uint32_t shared = 0
    cdef PyObject *key = args[1]
    cdef PyObject *stream = NULL
    cdef PyObject *item
    cdef FastGrid grid
    cdef Py_ssize_t n
    cdef bint small = False
    cdef bint plain = PyTuple_CheckExact(<object>key) and 2 <= Py_SIZE(key) <= 4
    if likely(plain):
        n = Py_SIZE(key)
        plain = plain_dimensions(tuple_item(key, 0), extents) and plain_dimensions(tuple_item(key, 1), block)
        if n > 2:
            stream = tuple_item(key, 2)
        if n > 3:
            item = tuple_item(key, 3)
            plain = plain and Py_TYPE_OF(item) == <void *>&PyLong_Type and lp_pointer_is_small(item) and (
                0 <= lp_small_pointer(item) < <int64_t>1 << 31)
            if plain:
                shared = <uint32_t>lp_small_pointer(item)
    configured = None
    if likely(plain):
        small = is_small_grid(extents)
        if small:                      # Numba gives the same object again, or warns: whatever that means then
            configured = numba_configured(args[0], key)
        grid = fast.grids
        while grid is not None:
            if memcmp(grid.extents, extents, sizeof(extents)) == 0 and memcmp(grid.block, block, sizeof(block)) == 0 and (
                    grid.shared == shared) and numba_same_stream(grid, stream) and (
                    not small or <PyObject *>grid.original == <PyObject *>configured):
                return new_reference(<PyObject *>grid)
            grid = grid.next
    whole = subscript.whole(fast, <object>key, configured)
    if whole is None:
        return result_of(<PyObject *>subscript.original, args, 2, NULL) if configured is None else (
            new_reference(<PyObject *>configured))
    if plain:
        keep_grid(fast, <FastGrid?>whole)
    return new_reference(<PyObject *>whole)


cdef str CONFIGURE = intern("configure")


cdef object numba_configured(PyObject *dispatcher, PyObject *key):
    """What Numba itself gives for a subscript of two to four numbers: its `__getitem__` calls this, which has a cache."""
    cdef PyObject *args[5]
    cdef Py_ssize_t i
    args[0] = dispatcher
    for i in range(Py_SIZE(key)):
        args[1 + i] = tuple_item(key, i)
    return call_method(CONFIGURE, args, 1 + Py_SIZE(key), NULL)


cdef inline bint numba_same_stream(FastGrid grid, PyObject *stream) noexcept:
    if stream == NULL:
        return grid.written is None
    return <PyObject *>grid.written == stream


cdef PyObject *numba_grid_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef char packed[FAST_BYTES + 8]
    cdef FastGrid grid = <FastGrid>callable
    cdef FastKernel fast = grid.fast
    cdef FastSpelling spelling
    cdef FastSpecialization of
    cdef Py_ssize_t before = PyVectorcall_NARGS(nargsf)
    cdef int64_t context
    cdef uint64_t began = 0
    if unlikely(fast.launches & SAMPLED == 0 or fast.launches < SAMPLED_FIRST):
        began = lp_fast_clock()
    reason = None
    if unlikely(grid.shown):
        reason = "a configuration whose attributes were used"
    elif unlikely(not watch_allows(fast.common)):
        reason = fast.common.reason
    elif unlikely(not watch_allows(fast.own)):
        reason = fast.own.reason
    spelling = known_fast_spelling(fast, before, names) if reason is None else None
    if unlikely(spelling is None):
        return fast_otherwise(fast, grid, args, before, names, NotImplemented, reason, None, NULL)
    context = place_context(fast.place)
    of = known_specialization(spelling, context, args, packed)
    if unlikely(of is None or of.state != FAST_ON):
        return fast_otherwise(fast, grid, args, before, names, NotImplemented, None, of, packed)
    if unlikely(place_launch(fast.place, of, grid.extents, grid.block, grid.shared, grid.stream, packed)):
        return fast_otherwise(
            fast, grid, args, before, names, NotImplemented, "a launch that the driver refused", None, NULL)
    fast.launches += 1
    of.launches += 1
    if unlikely(began):
        specialization_sampled(of, began)
    return new_reference(<PyObject *>None)

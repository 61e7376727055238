# `kernel[grid]` of another library: what it gives, and the call of that.

cdef enum fast_grid_kind:
    GRID_FIXED = 0                 # numbers that cannot change
    GRID_ASKED = 1                 # looked at in each call


cdef class FastGrid:
    """A kernel with a grid, or with all of a launch's configuration: call it with the kernel's arguments.

    Parameters
    ----------
    fast : FastKernel
    grid : object
        As the program wrote it.
    config : tuple, optional
        Grid, block, shared memory, stream's handle, the stream as the program wrote it.
    original : object, optional
        What the library gives for it, whose attributes this has too.
    """
    cdef vectorcallfunc vectorcall
    cdef object __weakref__
    cdef readonly FastKernel fast
    cdef readonly object grid
    cdef readonly object original
    cdef fast_grid_kind kind
    cdef Py_ssize_t dimensions     # as written
    cdef uint32_t extents[3]
    cdef uint32_t block[3]
    cdef uint32_t shared
    cdef void *stream
    cdef object written            # the stream
    cdef bint shown                # its original was given out: what was done to that must count
    cdef FastGrid next

    def __init__(self, FastKernel fast not None, grid, config=None, original=None):
        self.fast, self.grid, self.original = fast, grid, original
        if config is None:
            self.vectorcall = <vectorcallfunc>triton_grid_call
            self.kind = GRID_FIXED if fast_extents(<PyObject *>grid, self.extents) and PyTuple_CheckExact(grid) else GRID_ASKED
            self.dimensions = Py_SIZE(<PyObject *>grid) if self.kind == GRID_FIXED else 0
            return
        self.vectorcall = <vectorcallfunc>numba_grid_call
        self.kind = GRID_FIXED
        extents, block, shared, stream, self.written = config
        self.extents, self.block = [extents[0], extents[1], extents[2]], [block[0], block[1], block[2]]
        self.shared, self.stream = shared, <void *><uintptr_t>stream

    def __call__(self, *args, **kwargs):
        """Launch."""
        return call_vector(self, args, kwargs)

    def __getattr__(self, name):
        if self.original is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.shown = True
        self.fast.forget_grids()       # the next one of this configuration is one of its own
        return getattr(self.original, name)


cdef inline bint fast_extents(PyObject *value, uint32_t *to) noexcept:
    """Read a grid as Triton does: a tuple or a list of one to three ints. False: leave it to Triton."""
    cdef Py_ssize_t i, n
    cdef PyObject *item
    cdef int64_t extent
    to[0] = to[1] = to[2] = 1
    if type(<object>value) is not tuple and type(<object>value) is not list:
        return False
    n = Py_SIZE(value)
    if not 1 <= n <= 3:
        return False
    for i in range(n):
        item = tuple_items(value)[i]
        if Py_TYPE_OF(item) != <void *>&PyLong_Type or not lp_pointer_is_small(item):
            return False
        extent = lp_small_pointer(item)
        if not 0 <= extent < <int64_t>1 << 31:
            return False
        to[i] = <uint32_t>extent
    # Triton multiplies them as C's ints: what is too large for those is its own matter.
    return <uint64_t>to[0] * to[1] < <uint64_t>1 << 31 and <uint64_t>to[0] * to[1] * to[2] < <uint64_t>1 << 31


cdef PyObject *triton_grid_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef FastGrid grid = <FastGrid>callable
    return triton_call(grid.fast, grid, args, PyVectorcall_NARGS(nargsf), names)


cdef PyObject *triton_call(FastKernel fast, FastGrid grid, PyObject **args, Py_ssize_t before, PyObject *names) except NULL:
    """A call of Triton's `run`, with `grid` and `warmup` among the names if `grid` is None."""
    cdef char packed[FAST_BYTES + 8]
    cdef uint32_t extents[3]
    cdef uint32_t *at = extents
    cdef FastSpelling spelling
    cdef FastSpecialization of
    cdef PyObject *written
    cdef int64_t device
    cdef void *stream
    cdef int code
    cdef uint64_t began = 0
    if unlikely(fast.launches & SAMPLED == 0 or fast.launches < SAMPLED_FIRST):
        began = lp_fast_clock()
    if unlikely(not watch_allows(fast.common)):
        return fast_otherwise(
            fast, grid, args, before, names, NotImplemented, fast.common.reason, None, NULL)
    if unlikely(not watch_allows(fast.own)):
        return fast_otherwise(
            fast, grid, args, before, names, NotImplemented, fast.own.reason, None, NULL)
    spelling = known_fast_spelling(fast, before, names)
    if unlikely(spelling is None or (spelling.grid_at >= 0) != (grid is None)):
        return fast_otherwise(fast, grid, args, before, names, NotImplemented, None, None, NULL)
    if unlikely(spelling.warmup_at >= 0 and args[spelling.warmup_at] != borrowed_false):
        return fast_otherwise(
            fast, grid, args, before, names, NotImplemented, "a warm-up", None, NULL)
    device = place_device(fast.place)
    of = known_specialization(spelling, device, args, packed)
    if unlikely(of is None):
        return fast_otherwise(fast, grid, args, before, names, NotImplemented, None, None, NULL)
    if unlikely(of.state != FAST_ON or not same_globals(fast)):
        return fast_otherwise(fast, grid, args, before, names, NotImplemented, None, of, packed)
    called = NotImplemented
    if likely(grid is not None and grid.kind == GRID_FIXED):
        at = grid.extents
    else:
        written = <PyObject *>grid.grid if grid is not None else args[spelling.grid_at]
        if PyCallable_Check(<object>written):
            called = call_one(<object>written, fast_bound(fast, spelling, args, of))
            # What it ran may have moved what a tensor's memory is.
            if unlikely(not specialization_packs(of, args, packed)):
                return fast_otherwise(
                    fast, grid, args, before, names, called, "arguments that the grid's function changes", None, NULL)
            written = <PyObject *>called
        if unlikely(not fast_extents(written, extents)):
            return fast_otherwise(
                fast, grid, args, before, names, called, "a grid of other than small ints", None, NULL)
    if likely(at[0] and at[1] and at[2]):
        stream = place_stream(fast.place, device)
        code = place_launch(fast.place, of, at, of.block, of.shared, stream, packed)
        if unlikely(code):
            # Nothing was launched. The original meets the same, or mends it: it makes a context current.
            return fast_otherwise(
                fast, grid, args, before, names, called, "a launch that the driver refused", None, NULL)
    fast.launches += 1
    of.launches += 1
    if unlikely(began):
        specialization_sampled(of, began)
    return new_reference(<PyObject *>of.kernel)


cdef class FastSubscript:
    """A class's `__getitem__`, for kernels of Triton and Numba.

    Parameters
    ----------
    original : callable
    find : callable
        Gives the `FastKernel` of a kernel, or None.
    whole : callable, optional
        Makes the `FastGrid` of a subscript that is a whole configuration: (FastKernel, subscript, what the original gave for
        it or None: it was not asked yet) -> FastGrid or None.
    """
    cdef vectorcallfunc vectorcall
    cdef readonly object original
    cdef object find
    cdef object whole
    cdef dict __dict__

    def __init__(self, original, find, whole=None):
        self.vectorcall = <vectorcallfunc>subscript_call
        self.original, self.find, self.whole = original, find, whole
        self.__wrapped__ = original
        self.__name__, self.__qualname__, self.__doc__ = "__getitem__", original.__qualname__, original.__doc__

    def __get__(self, instance, owner):
        return self if instance is None else new_method(self, instance)


cdef PyObject *subscript_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef FastSubscript subscript = <FastSubscript>callable
    cdef FastKernel fast = None
    cdef FastGrid grid
    if likely(PyVectorcall_NARGS(nargsf) == 2 and names == NULL):
        fast = fast_kernel(args[0], subscript.find)
    if unlikely(fast is None):
        return result_of(<PyObject *>subscript.original, args, nargsf, names)
    if subscript.whole is not None:
        return numba_grid(subscript, fast, args)
    grid = triton_grid(fast, args[1])
    return new_reference(<PyObject *>grid)


cdef FastGrid triton_grid(FastKernel fast, PyObject *written):
    cdef uint32_t extents[3]
    cdef FastGrid grid = fast.grids, before = None
    if not PyTuple_CheckExact(<object>written) or not fast_extents(written, extents):
        return FastGrid(fast, <object>written)
    while grid is not None:
        if grid.dimensions == Py_SIZE(written) and memcmp(grid.extents, extents, sizeof(extents)) == 0:
            if unlikely(before is not None):
                before.next = grid.next
                grid.next = fast.grids
                fast.grids = grid
            return grid
        before, grid = grid, grid.next
    return keep_grid(fast, FastGrid(fast, <object>written))


cdef FastGrid keep_grid(FastKernel fast, FastGrid grid):
    if fast.n_grids == FAST_GRIDS:
        fast.grids, fast.n_grids = None, 0
    grid.next = fast.grids
    fast.grids = grid
    fast.n_grids += 1
    return grid


cdef class FastRun:
    """A class's `run`, for kernels of Triton."""
    cdef vectorcallfunc vectorcall
    cdef readonly object original
    cdef object find
    cdef dict __dict__

    def __init__(self, original, find):
        self.vectorcall = <vectorcallfunc>run_call
        self.original, self.find = original, find
        self.__wrapped__ = original
        self.__name__, self.__qualname__, self.__doc__ = "run", original.__qualname__, original.__doc__

    def __get__(self, instance, owner):
        return self if instance is None else new_method(self, instance)


cdef PyObject *run_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef FastRun run = <FastRun>callable
    cdef FastKernel fast = None
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf)
    if likely(count and names != NULL):
        fast = fast_kernel(args[0], run.find)
    if unlikely(fast is None):
        return result_of(<PyObject *>run.original, args, nargsf, names)
    return triton_call(fast, None, args + 1, count - 1, names)


cdef FastSubscript _subscript_probe = FastSubscript(lambda: None, None)
install_vectorcall(FastSubscript, <char *>&_subscript_probe.vectorcall - <char *><PyObject *>_subscript_probe)
(<PyTypeObject *><PyObject *>FastSubscript).tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR
PyType_Modified(FastSubscript)
cdef FastRun _run_probe = FastRun(lambda: None, None)
install_vectorcall(FastRun, <char *>&_run_probe.vectorcall - <char *><PyObject *>_run_probe)
(<PyTypeObject *><PyObject *>FastRun).tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR
PyType_Modified(FastRun)
cdef FastGrid _grid_probe = FastGrid.__new__(FastGrid)
install_vectorcall(FastGrid, <char *>&_grid_probe.vectorcall - <char *><PyObject *>_grid_probe)

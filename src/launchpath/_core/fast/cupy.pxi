# CuPy's launches: `RawKernel(grid, block, args, shared_mem=0, stream=None)`, and its arrays.

cdef void *cupy_array_type = NULL
cdef object cupy_array_type_held = None
cdef Py_ssize_t cupy_data_at = 0           # of the object that knows the address, in an array
cdef Py_ssize_t cupy_address_at = 0        # of the address in that


def fast_cupy_arrays(type kind, Py_ssize_t data_at, Py_ssize_t address_at):
    """Read arrays of a class: at these bytes an array has the object that knows the address, and that has it. None instead
    of a class: no longer."""
    global cupy_array_type, cupy_array_type_held, cupy_data_at, cupy_address_at
    cupy_array_type_held, cupy_data_at, cupy_address_at = kind, data_at, address_at
    cupy_array_type = <void *><PyObject *>kind if kind is not None else NULL


cdef void *cupy_streams[2]                 # classes whose objects have their handle as the attribute `ptr`
cdef tuple cupy_streams_held = ()


def fast_cupy_streams(type stream, type external):
    """Take streams of these classes, given to a call. None: no longer."""
    global cupy_streams_held
    cupy_streams_held = (stream, external)
    cupy_streams[0] = <void *><PyObject *>stream if stream is not None else NULL
    cupy_streams[1] = <void *><PyObject *>external if external is not None else NULL


cdef inline bint cupy_takes(const fast_rule *rule, PyObject *value, char *packed) noexcept:
    if unlikely(Py_TYPE_OF(value) != cupy_array_type or cupy_array_type == NULL):
        return False
    memcpy(packed + rule.offset, (<char **>(<char *>value + cupy_data_at))[0] + cupy_address_at, 8)
    return True


cdef class FastCall:
    """A class's `__call__`, for kernels of CuPy.

    Parameters
    ----------
    original : callable
    find : callable
        Gives the `FastKernel` of a kernel, or None.
    """
    cdef vectorcallfunc vectorcall
    cdef readonly object original
    cdef object find
    cdef dict __dict__

    def __init__(self, original, find):
        self.vectorcall = <vectorcallfunc>cupy_call
        self.original, self.find = original, find
        self.__wrapped__ = original
        self.__name__, self.__qualname__, self.__doc__ = "__call__", original.__qualname__, original.__doc__

    def __get__(self, instance, owner):
        return self if instance is None else new_method(self, instance)


cdef str SHARED_MEM = intern("shared_mem")
cdef str STREAM = intern("stream")
cdef str POINTER = intern("ptr")
cdef str KERNEL = intern("kernel")

cdef struct cupy_options:
    uint32_t shared
    bint has_stream
    void *stream


cdef bint cupy_stream(PyObject *value, cupy_options *options) noexcept:
    """Read a stream that a call has. None stands for the current one."""
    cdef uint64_t handle
    if value == borrowed_none:
        return True
    if Py_TYPE_OF(value) != cupy_streams[0] and Py_TYPE_OF(value) != cupy_streams[1]:
        return False
    try:
        pointer = getattr(<object>value, POINTER)
    except Exception:
        return False
    if type(pointer) is not int:
        return False
    handle = read_unsigned(<PyObject *>pointer)
    if handle == <uint64_t>-1 and exception_here() != NULL:
        PyErr_Clear()
        return False
    options.has_stream, options.stream = True, <void *><uintptr_t>handle
    return True


cdef bint cupy_names(PyObject **args, PyObject *names, cupy_options *options) noexcept:
    """Read the arguments by name. False: there is one that is not known here."""
    cdef Py_ssize_t i
    cdef PyObject *name
    for i in range(Py_SIZE(names)):
        name = tuple_item(names, i)
        if name == <PyObject *>SHARED_MEM:
            if Py_TYPE_OF(args[i]) != <void *>&PyLong_Type or not lp_pointer_is_small(args[i]) or not (
                    0 <= lp_small_pointer(args[i]) < <int64_t>1 << 31):
                return False
            options.shared = <uint32_t>lp_small_pointer(args[i])
        elif name != <PyObject *>STREAM or not cupy_stream(args[i], options):
            return False
    return True


cdef PyObject *cupy_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef char packed[FAST_BYTES + 8]
    cdef uint32_t extents[3]
    cdef uint32_t block[3]
    cdef cupy_options options
    cdef FastCall call = <FastCall>callable
    cdef FastKernel fast = None
    cdef FastSpelling spelling
    cdef FastSpecialization of
    cdef uint64_t began = 0
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf)
    cdef bint plain
    options.shared, options.has_stream, options.stream = 0, False, NULL
    if likely(count):
        fast = fast_kernel(args[0], call.find)
    if unlikely(fast is None):
        return result_of(<PyObject *>call.original, args, nargsf, names)
    if unlikely(fast.launches & SAMPLED == 0 or fast.launches < SAMPLED_FIRST):
        began = lp_fast_clock()
    plain = count == 4 and PyTuple_CheckExact(<object>args[1]) and PyTuple_CheckExact(<object>args[2]) and (
        PyTuple_CheckExact(<object>args[3])) and plain_dimensions(args[1], extents) and plain_dimensions(args[2], block)
    if plain and names != NULL:
        plain = cupy_names(args + 4, names, &options)
    if unlikely(not plain):
        return fast_otherwise(fast, None, args + 1, count - 1, names, NotImplemented,
                              "a stream of another class, or a grid or block of other than small ints", None, NULL)
    if unlikely(not watch_allows(fast.common)):
        return fast_otherwise(fast, None, args + 1, 3, names, NotImplemented, fast.common.reason, None, NULL)
    function = getattr(<object>args[0], KERNEL)        # of the current device, compiled if it is not yet
    spelling = known_fast_spelling(fast, Py_SIZE(args[3]), NULL)
    of = None
    if likely(spelling is not None):
        of = known_specialization(spelling, <int64_t><uintptr_t><void *><PyObject *>function, tuple_items(args[3]), packed)
    if unlikely(of is None or of.state != FAST_ON):
        return fast_otherwise(fast, None, args + 1, 3, names, NotImplemented, None, of, packed)
    if not options.has_stream:
        options.stream = place_stream(fast.place, 0)
    if unlikely(place_launch(fast.place, of, extents, block, options.shared, options.stream, packed)):
        return fast_otherwise(fast, None, args + 1, 3, names, NotImplemented, "a launch that the driver refused", None, NULL)
    fast.launches += 1
    of.launches += 1
    if unlikely(began):
        specialization_sampled(of, began)
    return new_reference(<PyObject *>None)


cdef FastCall _call_probe = FastCall(lambda: None, None)
install_vectorcall(FastCall, <char *>&_call_probe.vectorcall - <char *><PyObject *>_call_probe)
(<PyTypeObject *><PyObject *>FastCall).tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR
PyType_Modified(FastCall)

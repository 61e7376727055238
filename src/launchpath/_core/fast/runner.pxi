# Launchers of compiled kernels: Triton's `CompiledKernel.run`, and torch's own of Triton's kernels. Grid, stream and more come
# before the kernel's arguments.

cdef enum:
    RUNNER_STREAM = 4              # among the arguments, behind the kernel and the grid

cdef extern from *:
    """
    static _Thread_local int lp_fast_inside = 0;        /* original launches that this thread is in */
    """
    int lp_fast_inside


def fast_enter():
    """From now on this thread's launchers launch the original way, until `fast_leave`."""
    global lp_fast_inside
    lp_fast_inside += 1


def fast_leave():
    """See `fast_enter`."""
    global lp_fast_inside
    lp_fast_inside -= 1


cdef class FastRunner:
    """A class's `run`, for compiled kernels.

    Parameters
    ----------
    original : callable
        Takes the kernel and all arguments.
    find : callable
        Gives the `FastKernel` of a kernel, or None.
    ahead : int
        Arguments before the kernel's own, the grid's three and the stream first.
    hooks : int
        Where among the arguments, the kernel counted, two hooks are, or 0.
    """
    cdef vectorcallfunc vectorcall
    cdef readonly object original
    cdef public tuple empty        # hooks that do nothing
    cdef object find
    cdef Py_ssize_t ahead, hooks
    cdef dict __dict__

    def __init__(self, original, find, Py_ssize_t ahead, Py_ssize_t hooks=0):
        self.vectorcall = <vectorcallfunc>runner_call
        self.original, self.find, self.ahead, self.hooks, self.empty = original, find, ahead, hooks, ()
        self.__wrapped__ = original
        self.__name__ = self.__qualname__ = "run"

    def __get__(self, instance, owner):
        return self if instance is None else new_method(self, instance)


cdef bint empty_hooks(FastRunner runner, PyObject **args) noexcept:
    """Whether the hooks among the arguments do nothing."""
    cdef Py_ssize_t i, j
    if runner.hooks:
        for i in range(runner.hooks, runner.hooks + 2):
            if args[i] == borrowed_none:
                continue
            for j in range(Py_SIZE(<PyObject *>runner.empty)):
                if tuple_item(<PyObject *>runner.empty, j) == args[i]:
                    break
            else:
                return False
    return True


cdef PyObject *runner_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef char packed[FAST_BYTES + 8]
    cdef uint32_t extents[3]
    cdef FastRunner runner = <FastRunner>callable
    cdef FastKernel fast = None
    cdef FastSpelling spelling
    cdef FastSpecialization of
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf), ahead = runner.ahead + 1
    cdef uint64_t stream, began = 0
    cdef Py_ssize_t i
    cdef bint plain
    if likely(count >= ahead and names == NULL and lp_fast_inside == 0):
        fast = fast_kernel(args[0], runner.find)
    if unlikely(fast is None):
        return result_of(<PyObject *>runner.original, args, nargsf, names)
    if unlikely(fast.launches & SAMPLED == 0 or fast.launches < SAMPLED_FIRST):
        began = lp_fast_clock()
    if unlikely(not watch_allows(fast.common)):
        return fast_otherwise(fast, None, args + 1, count - 1, NULL, NotImplemented, fast.common.reason, None, NULL)
    if unlikely(not watch_allows(fast.own)):
        return fast_otherwise(fast, None, args + 1, count - 1, NULL, NotImplemented, fast.own.reason, None, NULL)
    plain = Py_TYPE_OF(args[RUNNER_STREAM]) == <void *>&PyLong_Type and empty_hooks(runner, args)
    for i in range(3):
        extents[i] = plain_dimension(args[1 + i]) if plain else 0
        plain = plain and 1 <= extents[i] < <uint32_t>1 << 31
    plain = plain and <uint64_t>extents[0] * extents[1] < <uint64_t>1 << 31 and (
        <uint64_t>extents[0] * extents[1] * extents[2] < <uint64_t>1 << 31)
    if unlikely(not plain):
        return fast_otherwise(fast, None, args + 1, count - 1, NULL, NotImplemented,
                              "a hook, or a grid of other than small ints", None, NULL)
    stream = read_unsigned(args[RUNNER_STREAM])
    if unlikely(stream == <uint64_t>-1 and exception_here() != NULL):
        PyErr_Clear()
        return fast_otherwise(fast, None, args + 1, count - 1, NULL, NotImplemented, "a stream that is no handle", None, NULL)
    spelling = known_fast_spelling(fast, count - ahead, NULL)
    of = known_specialization(spelling, 0, args + ahead, packed) if spelling is not None else None
    if unlikely(of is None or of.state != FAST_ON):
        return fast_otherwise(fast, None, args + 1, count - 1, NULL, NotImplemented, None, of, packed)
    if unlikely(place_launch(fast.place, of, extents, of.block, of.shared, <void *><uintptr_t>stream, packed)):
        return fast_otherwise(fast, None, args + 1, count - 1, NULL, NotImplemented, "a launch that the driver refused", None,
                              NULL)
    fast.launches += 1
    of.launches += 1
    if unlikely(began):
        specialization_sampled(of, began)
    return new_reference(<PyObject *>None)


cdef class FastCounter:
    """Counts the calls of a launcher that is left as it is.

    Parameters
    ----------
    original : callable
    """
    cdef vectorcallfunc vectorcall
    cdef readonly object original
    cdef public uint64_t calls

    def __init__(self, original not None):
        self.vectorcall = <vectorcallfunc>counter_call
        self.original = original

    def __getattr__(self, name):
        return getattr(self.original, name)


cdef PyObject *counter_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    cdef FastCounter counter = <FastCounter>callable
    counter.calls += 1
    return result_of(<PyObject *>counter.original, args, nargsf, names)


cdef FastCounter _counter_probe = FastCounter(len)
install_vectorcall(FastCounter, <char *>&_counter_probe.vectorcall - <char *><PyObject *>_counter_probe)
PyType_Modified(FastCounter)
cdef FastRunner _runner_probe = FastRunner(lambda: None, None, 4)
install_vectorcall(FastRunner, <char *>&_runner_probe.vectorcall - <char *><PyObject *>_runner_probe)
(<PyTypeObject *><PyObject *>FastRunner).tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR
PyType_Modified(FastRunner)

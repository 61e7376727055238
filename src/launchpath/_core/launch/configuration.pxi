# Configurations: a launcher's grid, block, stream and dynamic shared memory, as a caller writes them.
#
# Programs write `kernel[grid, block](...)` anew at each launch. So plain ints and tuples of ints are read here without a
# Python call; all other values are read more slowly, or refused.

cdef extern from "Python.h":
    PyObject *tuple_item "PyTuple_GET_ITEM"(PyObject *value, Py_ssize_t i) noexcept


cdef inline uint32_t plain_dimension(PyObject *value) noexcept:
    """A dimension that is written as a plain int; 0: look closer."""
    cdef int64_t extent
    if Py_TYPE_OF(value) != <void *>&PyLong_Type or not lp_pointer_is_small(value):
        return 0
    extent = lp_small_pointer(value)
    return <uint32_t>extent if 1 <= extent < 1 << 32 else 0


cdef inline bint plain_dimensions(PyObject *value, uint32_t *to) noexcept:
    """Read a grid or a block that is an int or a tuple of one to three; False: look closer."""
    cdef Py_ssize_t i, n
    to[0] = to[1] = to[2] = 1
    if not PyTuple_CheckExact(<object>value):
        to[0] = plain_dimension(value)
        return to[0] != 0
    n = Py_SIZE(value)
    if not 1 <= n <= 3:
        return False
    for i in range(n):
        to[i] = plain_dimension(tuple_item(value, i))
        if to[i] == 0:
            return False
    return True


cdef int read_dimensions(KernelBase kernel, value, str name, uint32_t *to) except -1:
    """Read a grid or a block: an int, or a sequence of one to three."""
    cdef Py_ssize_t i
    to[0] = to[1] = to[2] = 1
    if PyLong_CheckExact(value):
        to[0] = read_dimension(kernel, value, name, value)
        return 0
    if not isinstance(value, (tuple, list)):
        if not PyBool_Check(value) and whole_number(value) is None:
            raise errors.ConfigurationError(
                f"{kernel.name}: expected the {name} as an int or a tuple of up to three ints, got {shown(value)}"
                + hint_of_dimension(name, value))
        value = (value,)
    extents = tuple(value)         # a list may change while its numbers are read
    if not 1 <= len(extents) <= 3:
        raise errors.ConfigurationError(
            f"{kernel.name}: expected the {name} with 1 to 3 dimensions, got {shown(value)}")
    for i in range(len(extents)):
        to[i] = read_dimension(kernel, extents[i], name, value)
    return 0


cdef uint32_t read_dimension(KernelBase kernel, value, str name, whole) except? 0:
    extent = value if PyLong_CheckExact(value) or PyBool_Check(value) else whole_number(value)
    if extent is None or not 1 <= extent < 1 << 32:
        raise errors.ConfigurationError(
            f"{kernel.name}: expected dimensions of the {name} from 1 to 2**32 - 1, ints, got {shown(whole)}"
            + hint_of_dimension(name, value))
    return extent


cdef str hint_of_dimension(str name, value):
    """What to do about a dimension of a grid that comes from a division, or that is 0 as there is nothing to do."""
    if name != "grid":
        return ""
    if isinstance(value, float):
        return ": round it up, as in -(-n // 256), or use kernel.over(n)"
    return ": kernel.over(n) takes an n of 0, and launches nothing then" if type(value) is int and value == 0 else ""


def launcher_as_hip(KernelBase kernel not None, grid, block, stream, shared):
    """A launcher that may bring 0 bytes of dynamic shared memory to a kernel that uses it, as in CUDA and HIP.

    There that is right as long as no thread reaches the memory."""
    return new_launcher(kernel, grid, block, stream, True, shared)


cdef Launcher new_launcher(KernelBase kernel, grid, block, stream, bint has_shared, shared):
    """A launcher of a kernel. `stream` is None for that which is current at a launch."""
    cdef Launcher launcher = bare_launcher(kernel)
    if not plain_dimensions(<PyObject *>grid, launcher.config.grid):
        read_dimensions(kernel, grid, "grid", launcher.config.grid)
    if not plain_dimensions(<PyObject *>block, launcher.config.block):
        read_dimensions(kernel, block, "block", launcher.config.block)
    return ready_launcher(kernel, launcher, stream, has_shared, shared)


cdef inline Launcher bare_launcher(KernelBase kernel):
    """A launcher without grid and block."""
    cdef Launcher launcher = Launcher.__new__(Launcher)
    launcher.vectorcall = <vectorcallfunc>launcher_call
    launcher.kernel = kernel
    launcher.size, launcher.count, launcher.parameters = kernel.size, kernel.count, kernel.parameters
    launcher.handle, launcher.label, launcher.device = kernel.handle, kernel.label, <void *>kernel.device
    launcher.queue = kernel.device.legacy_queue
    launcher.plain = kernel.plain and kernel.local_memory <= kernel.device.local_memory
    launcher.config.flags = kernel.flags
    launcher.longest = kernel.longest
    return launcher


cdef inline Launcher ready_launcher(KernelBase kernel, Launcher launcher, stream, bint has_shared, shared):
    """A launcher with grid and block, checked, with its stream and shared memory."""
    kernel.check_configuration(&launcher.config)
    if stream is not None:
        if isinstance(stream, QueueBase) and (<QueueBase>stream).device is kernel.device:
            launcher.stream = <QueueBase>stream
        else:
            launcher.stream = kernel.stream(stream)
        launcher.queue = launcher.stream.queue
    if has_shared:
        extent = kernel.check_shared(shared)
        # A kernel that declares none of it, or lost it to the optimizer, gets none, as in CUDA.
        launcher.config.shared = extent if kernel.dynamic else 0
    return launcher

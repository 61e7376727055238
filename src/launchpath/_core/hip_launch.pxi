# `hip.hipModuleLaunchKernel`: the launch of HIP's API, whose arguments are handles, numbers and ctypes objects.
#
# What is usual is launched here, without a call of Python; all else, and every error, is left to a function in Python.

cdef extern from "Python.h":
    PyObject *call_with "PyObject_Vectorcall"(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names)
    PyObject *dictionary_item "PyDict_GetItemWithError"(PyObject *dictionary, PyObject *key) noexcept
    PyObject *exception_here "PyErr_Occurred"() noexcept
    bint PyType_IsSubtype(void *type, void *of) noexcept
    object intern "PyUnicode_InternFromString"(const char *text)

cdef extern from "lock.h" nogil:
    int lp_hip_failed          # the last function of HIP's on this thread failed

cdef enum:
    HIP_ARGUMENTS = 11         # f, 3 of the grid, 3 of the block, sharedMemBytes, stream, kernelParams, extra
    HIP_SHARED = 7
    HIP_STREAM = 8
    HIP_PARAMETERS = 9
    HIP_EXTRA = 10

cdef struct ctypes_object:     # CDataObject: how ctypes' objects begin; `check_ctypes` looks whether that is so
    Py_ssize_t refs
    void *type
    char *at
    int needs_free
    void *base
    Py_ssize_t size

cdef object HIP_NAMES = (intern("sharedMemBytes"), intern("stream"), intern("kernelParams"), intern("extra"))


def hip_failed(bint failed):
    """Note whether this thread's last function of HIP's failed: a launch that succeeds resets what is known of that."""
    global lp_hip_failed
    lp_hip_failed = failed


cdef class HipFunction:
    """A kernel of a module, with the launcher of its last configuration."""
    cdef readonly KernelBase kernel
    cdef Launcher launcher
    cdef bint direct               # a launch is packing, and a call of the driver's

    def __init__(self, KernelBase kernel not None):
        self.kernel = kernel
        self.direct = not kernel.by_block and not kernel.closing and not kernel.flags and (
            kernel.size <= 8 * (STACK_WORDS - 1)) and kernel.count > 0


cdef class HipLaunch:
    """Launches as ``hipModuleLaunchKernel`` does.

    Parameters
    ----------
    success : tuple
        What a launch returns.
    value_type, pointer_type : type
        ctypes' simple values; the bindings' pointers.
    """
    cdef vectorcallfunc vectorcall
    cdef dict __dict__             # the function's name, text and signature
    cdef object otherwise
    cdef tuple success
    cdef void *value_type
    cdef object value_type_object
    cdef void *pointer_type
    cdef object pointer_type_object
    # By the handle's object: nothing else stands for the same while it is alive.
    cdef dict functions            # -> HipFunction
    cdef dict streams              # -> stream
    cdef QueueBase default         # of launches without a stream, if that is the same for all threads
    cdef readonly uint64_t version

    def __init__(self, tuple success not None, value_type not None, pointer_type not None):
        self.vectorcall = <vectorcallfunc>hip_launch_call
        self.success = success
        self.value_type_object, self.value_type = value_type, <void *><PyObject *>value_type
        self.pointer_type_object, self.pointer_type = pointer_type, <void *><PyObject *>pointer_type
        self.functions, self.streams = {}, {}

    def __call__(self, *args, **kwargs):
        return call_vector(self, args, kwargs)

    def over(self, otherwise):
        """Leave what is not usual to a function."""
        self.otherwise = otherwise

    def keep(self, uint64_t version, function_handle, HipFunction function not None, stream_handle, QueueBase stream not None):
        """Launch the kernel of a handle on the stream of another here, from now on, unless `forget` was called after
        `version` was read. The stream's handle is None where launches go to it that name no stream."""
        if version != self.version:
            return
        self.functions[function_handle] = function
        if stream_handle is None:
            self.default = stream
        else:
            self.streams[stream_handle] = stream

    def forget(self):
        """Handles may name something else, or nothing: leave all to `otherwise` until they are kept again."""
        self.version += 1
        self.functions, self.streams, self.default = {}, {}, None


cdef bint check_ctypes() except -1:
    """Whether objects of ctypes begin as `ctypes_object` does."""
    import ctypes
    cdef ctypes_object *c
    for kind, number in ((ctypes.c_int32, 0x01020304), (ctypes.c_double, 1.5), (ctypes.c_void_p, 0x1234567812345678)):
        value = kind(number)
        c = <ctypes_object *><PyObject *>value
        if c.size != ctypes.sizeof(kind) or <uintptr_t>c.at != <uintptr_t>ctypes.addressof(value):
            return False
    return True

cdef int ctypes_known = -1             # not looked at yet


cdef inline bint hip_number(PyObject *value, uint32_t least, uint32_t *to) noexcept:
    """Read a dimension, or bytes. False: look closer."""
    cdef int64_t number
    if Py_TYPE_OF(value) != <void *>&PyLong_Type or not lp_pointer_is_small(value):
        return False
    number = lp_small_pointer(value)
    to[0] = <uint32_t>number
    return least <= number < 1 << 31


cdef inline PyObject *hip_kept(dict kept, PyObject *handle) noexcept:
    """What is kept for a handle (borrowed), or NULL."""
    cdef PyObject *value = dictionary_item(<PyObject *>kept, handle)
    if unlikely(value == NULL and exception_here() != NULL):
        PyErr_Clear()                  # it is no handle: `otherwise` says so
    return value


cdef bint hip_pack(HipLaunch launch, KernelBase kernel, PyObject *extra, char *packed) except -1:
    """Pack a tuple of ctypes' values, and of pointers. False: look closer."""
    cdef PyObject *value
    cdef ctypes_object *c
    cdef Py_ssize_t i
    cdef uint64_t address
    if not PyTuple_CheckExact(<object>extra) or Py_SIZE(extra) != kernel.count:
        return False
    if kernel.padded:
        memset(packed, 0, kernel.size)
    for i in range(kernel.count):
        value = tuple_item(extra, i)
        if PyType_IsSubtype(Py_TYPE_OF(value), launch.value_type):
            c = <ctypes_object *>value
            if c.size != kernel.sizes[i]:
                return False
            memcpy(packed + kernel.parameters[i].offset, c.at, c.size)
        elif kernel.sizes[i] == 8 and PyType_IsSubtype(Py_TYPE_OF(value), launch.pointer_type):
            address = int(<object>value)
            memcpy(packed + kernel.parameters[i].offset, &address, 8)
        else:
            return False
    return True


cdef inline bint hip_read(PyObject **args, Py_ssize_t count, PyObject *names, PyObject **slots) noexcept:
    """Put the arguments of a call to their places. False: it is not usual."""
    cdef Py_ssize_t i, j
    if count > HIP_ARGUMENTS or count < HIP_SHARED:
        return False
    for i in range(HIP_ARGUMENTS):
        slots[i] = args[i] if i < count else NULL
    for i in range(Py_SIZE(names) if names != NULL else 0):
        for j in range(HIP_SHARED, HIP_ARGUMENTS):
            if tuple_item(names, i) == <PyObject *>(<tuple>HIP_NAMES)[j - HIP_SHARED]:
                break
        else:
            return False
        if slots[j] != NULL:
            return False
        slots[j] = args[count + i]
    return slots[HIP_EXTRA] != NULL and (slots[HIP_PARAMETERS] == NULL or slots[HIP_PARAMETERS] == <PyObject *>None)


cdef inline bint hip_configuration(PyObject **slots, launch_config *config) noexcept:
    """Read the grid, the block and the shared memory. False: look closer."""
    cdef int i
    config.shared, config.flags = 0, 0
    for i in range(3):
        if not hip_number(slots[1 + i], 1, &config.grid[i]) or not hip_number(slots[4 + i], 1, &config.block[i]):
            return False
    return slots[HIP_SHARED] == NULL or hip_number(slots[HIP_SHARED], 0, &config.shared)


cdef inline PyObject *hip_stream(HipLaunch launch, PyObject *handle) noexcept:
    """The stream of a handle (borrowed), or NULL."""
    if handle != NULL and handle != <PyObject *>None:
        return hip_kept(launch.streams, handle)
    return NULL if launch.default is None else <PyObject *>launch.default


cdef bint hip_launch_plainly(HipLaunch launch, PyObject **args, Py_ssize_t count, PyObject *names, int *code) except -1:
    """Launch what is usual. False: nothing was done, but `code` may be the driver's."""
    cdef uint64_t stack[STACK_WORDS]
    cdef PyObject *slots[HIP_ARGUMENTS]
    cdef launch_config config
    cdef PyObject *kept
    cdef HipFunction function
    cdef QueueBase stream
    cdef Launcher launcher
    if lp_runtime.watched or lp_step != NULL or lp_hip_failed or not hip_read(args, count, names, slots):
        return False
    kept = hip_kept(launch.functions, slots[0])
    if kept == NULL or not hip_configuration(slots, &config):
        return False
    function = <HipFunction><object>kept
    kept = hip_stream(launch, slots[HIP_STREAM])
    if kept == NULL:
        return False
    stream = <QueueBase><object>kept
    if not function.direct or stream.device is not function.kernel.device or function.kernel.local_memory > (
            function.kernel.device.local_memory):
        return False
    launcher = function.launcher
    if launcher is None or launcher.stream is not stream or memcmp(&launcher.config, &config, sizeof(config)):
        if config.shared and not function.kernel.dynamic:
            return False               # it gets none, so that its launcher has another configuration
        launcher = new_launcher(function.kernel, (config.grid[0], config.grid[1], config.grid[2]),
                                (config.block[0], config.block[1], config.block[2]), stream, True, config.shared)
        function.launcher = launcher
    if not hip_pack(launch, function.kernel, slots[HIP_EXTRA], <char *>stack):
        return False
    return takes_plainly(launcher.queue) and submit_plainly(<PyObject *>launcher, NULL, stack, code) and code[0] == 0


cdef PyObject *hip_launch_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    global ctypes_known
    cdef HipLaunch launch = <HipLaunch><object>callable
    cdef int code = 0
    if unlikely(ctypes_known < 0):
        ctypes_known = check_ctypes()
    try:
        if likely(ctypes_known and hip_launch_plainly(launch, args, PyVectorcall_NARGS(nargsf), names, &code)):
            return new_reference(<PyObject *>launch.success)
    except errors.LaunchpathError:
        pass                           # nothing was launched: `otherwise` says what is wrong
    return call_with(<PyObject *>launch.otherwise, args, nargsf, names)


cdef HipLaunch _hip_probe = HipLaunch.__new__(HipLaunch)
install_vectorcall(HipLaunch, <char *>&_hip_probe.vectorcall - <char *><PyObject *>_hip_probe)

# `hip.hipModuleLaunchKernel`: the launch of HIP's API, whose arguments are handles, numbers and ctypes objects.
#
# What is usual is launched here, without a call of Python; all else, and every error, is left to a function in Python.

cdef extern from "Python.h":
    PyObject *call_with "PyObject_Vectorcall"(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names)
    PyObject *dictionary_item "PyDict_GetItemWithError"(PyObject *dictionary, PyObject *key) noexcept
    PyObject *exception_here "PyErr_Occurred"() noexcept
    bint PyType_IsSubtype(void *type, void *of) noexcept
    object intern "PyUnicode_InternFromString"(const char *text)

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


def hip_code_is(int code):
    """Note what this thread's last function of HIP's returned. Functions that C code answers note it too."""
    lp_here.hip_code = code


def hip_code():
    """What this thread's last function of HIP's returned."""
    return lp_here.hip_code


cdef struct hip_place:             # of an argument among the packed ones
    void *type                 # of the object that came last for it, or NULL; `HipFunction.types` has a reference
    uint32_t offset, size      # bytes
    bint pointer               # such objects are pointers, else values of ctypes


cdef class HipFunction:
    """A kernel of a module, with the launcher of its last configuration."""
    cdef readonly KernelBase kernel
    cdef Launcher launcher
    cdef bint direct               # a launch is packing, and a call of the driver's
    cdef bint padded
    cdef Py_ssize_t count
    cdef hip_place *places
    cdef list types

    def __cinit__(self, KernelBase kernel not None):
        cdef Py_ssize_t i
        self.kernel = kernel
        self.direct = not kernel.by_block and not kernel.closing and not kernel.flags and (
            kernel.size <= 8 * (STACK_WORDS - 1)) and kernel.count > 0
        self.count, self.padded, self.types = kernel.count, kernel.padded, [None] * kernel.count
        self.places = <hip_place *>calloc(max(kernel.count, 1), sizeof(hip_place))
        if self.places == NULL:
            raise MemoryError
        for i in range(kernel.count):
            self.places[i].offset, self.places[i].size = <uint32_t>kernel.parameters[i].offset, kernel.sizes[i]

    def __dealloc__(self):
        free(self.places)


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
    cdef Py_ssize_t address_at     # where a pointer's address is in its object, or 0: it is not known
    # Of the last launch: a handle, its function; a handle, its stream; the names of its arguments, and their places.
    cdef object last_handle
    cdef HipFunction last_function
    cdef object last_stream_handle
    cdef QueueBase last_stream
    cdef object last_names
    cdef int last_places[HIP_ARGUMENTS - HIP_SHARED]

    def __init__(self, tuple success not None, value_type not None, pointer_type not None):
        self.vectorcall = <vectorcallfunc>hip_launch_call
        self.success = success
        self.value_type_object, self.value_type = value_type, <void *><PyObject *>value_type
        self.pointer_type_object, self.pointer_type = pointer_type, <void *><PyObject *>pointer_type
        self.functions, self.streams = {}, {}
        self.address_at = address_place(pointer_type)

    def __call__(self, *args, **kwargs):
        return call_vector(self, args, kwargs)

    def over(self, otherwise):
        """Leave what is not usual to a function."""
        self.otherwise = otherwise

    def keep(self, uint64_t version, function_handle, HipFunction function not None, stream_handle, QueueBase stream not None):
        """Launch the kernel of a handle on the stream of another here, from now on, unless `order_forget` was called after
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
        self.last_handle = self.last_function = self.last_stream_handle = self.last_stream = None


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


cdef Py_ssize_t address_place(pointer_type) except -1:
    """Where objects of the bindings' class of pointers have their address: it is a C member. 0: it was not found."""
    cdef uint64_t address
    cdef Py_ssize_t offset, least = sizeof(void *) * 2, most = pointer_type.__basicsize__ - sizeof(address)
    places = set(range(least, most + 1, sizeof(address)))
    for number in (0x1234567812345678, 0x0fedcba987654320):
        value = pointer_type.fromObj(number)
        for offset in list(places):
            memcpy(&address, <char *><PyObject *>value + offset, sizeof(address))
            if address != <uint64_t>number:
                places.remove(offset)
    return places.pop() if len(places) == 1 else 0


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


cdef bint hip_learn(HipLaunch launch, HipFunction function, Py_ssize_t i, PyObject *value) except -1:
    """Note the type of an argument. False: look closer at it each time."""
    cdef hip_place *place = &function.places[i]
    cdef uint64_t address
    place.type = NULL
    place.pointer = not PyType_IsSubtype(Py_TYPE_OF(value), launch.value_type)
    if place.pointer:
        if place.size != sizeof(address) or not launch.address_at or not (
                PyType_IsSubtype(Py_TYPE_OF(value), launch.pointer_type)):
            return False
        memcpy(&address, <char *>value + launch.address_at, sizeof(address))
        if address != <uint64_t>int(<object>value):    # a class may say something else
            return False
    function.types[i] = type(<object>value)
    place.type = Py_TYPE_OF(value)
    return True


cdef inline bint hip_pack(HipLaunch launch, HipFunction function, PyObject *extra, char *packed) except -1:
    """Pack a tuple of ctypes' values, and of pointers. False: look closer."""
    cdef hip_place *place = function.places
    cdef PyObject *value
    cdef ctypes_object *c
    cdef Py_ssize_t i
    if not PyTuple_CheckExact(<object>extra) or Py_SIZE(extra) != function.count:
        return False
    if function.padded:
        memset(packed, 0, function.kernel.size)
    for i in range(function.count):
        value = tuple_item(extra, i)
        if unlikely(place[i].type != Py_TYPE_OF(value)) and not hip_learn(launch, function, i, value):
            return False
        if place[i].pointer:
            memcpy(packed + place[i].offset, <char *>value + launch.address_at, 8)
            continue
        c = <ctypes_object *>value
        if unlikely(c.size != place[i].size):
            return False
        if c.size == 4:
            memcpy(packed + place[i].offset, c.at, 4)
        else:
            memcpy(packed + place[i].offset, c.at, c.size)
    return True


cdef bint hip_learn_names(HipLaunch launch, PyObject *names) noexcept:
    """Note where arguments by name belong. False: a name is none of them, or comes twice."""
    cdef Py_ssize_t i, j, k
    for i in range(Py_SIZE(names)):
        for j in range(HIP_SHARED, HIP_ARGUMENTS):
            if tuple_item(names, i) == <PyObject *>(<tuple>HIP_NAMES)[j - HIP_SHARED]:
                break
        else:
            return False
        for k in range(i):
            if launch.last_places[k] == j:
                return False
        launch.last_places[i] = <int>j
    launch.last_names = <object>names
    return True


cdef inline bint hip_read(HipLaunch launch, PyObject **args, Py_ssize_t count, PyObject *names, PyObject **slots) noexcept:
    """Put the arguments of a call to their places. False: it is not usual."""
    cdef Py_ssize_t i
    cdef int place
    if count > HIP_ARGUMENTS or count < HIP_SHARED:
        return False
    for i in range(HIP_ARGUMENTS):
        slots[i] = args[i] if i < count else NULL
    if names != NULL:
        if unlikely(names != <PyObject *>launch.last_names):
            if Py_SIZE(names) > HIP_ARGUMENTS - HIP_SHARED:
                return False
            launch.last_names = None
            if not hip_learn_names(launch, names):
                return False
        for i in range(Py_SIZE(names)):
            place = launch.last_places[i]
            if slots[place] != NULL:
                return False
            slots[place] = args[count + i]
    return slots[HIP_EXTRA] != NULL and (slots[HIP_PARAMETERS] == NULL or slots[HIP_PARAMETERS] == <PyObject *>None)


cdef inline bint hip_configuration(PyObject **slots, launch_config *config) noexcept:
    """Read the grid, the block and the shared memory. False: look closer."""
    cdef int i
    config.shared, config.flags = 0, 0
    for i in range(3):
        if not hip_number(slots[1 + i], 1, &config.grid[i]) or not hip_number(slots[4 + i], 1, &config.block[i]):
            return False
    return slots[HIP_SHARED] == NULL or hip_number(slots[HIP_SHARED], 0, &config.shared)


cdef inline bint hip_function(HipLaunch launch, PyObject *handle) noexcept:
    """Let `last_function` be the function of a handle. False: it is not known."""
    cdef PyObject *kept
    if likely(handle == <PyObject *>launch.last_handle):
        return True
    kept = hip_kept(launch.functions, handle)
    if kept == NULL:
        return False
    launch.last_handle, launch.last_function = <object>handle, <HipFunction><object>kept
    return True


cdef inline bint hip_stream(HipLaunch launch, PyObject *handle) noexcept:
    """Let `last_stream` be the stream of a handle. False: it is not known."""
    cdef PyObject *kept
    if handle == NULL:
        handle = <PyObject *>None
    if likely(handle == <PyObject *>launch.last_stream_handle and launch.last_stream is not None):
        return True
    kept = <PyObject *>launch.default if handle == <PyObject *>None else hip_kept(launch.streams, handle)
    if kept == NULL or kept == <PyObject *>None:
        return False
    launch.last_stream_handle, launch.last_stream = <object>handle, <QueueBase><object>kept
    return True


cdef bint hip_launcher(HipFunction function, QueueBase stream, const launch_config *config) except -1:
    """Let a function have the launcher of a configuration. False: look closer."""
    cdef KernelBase kernel = function.kernel
    if not function.direct or stream.device is not kernel.device or kernel.local_memory > kernel.device.local_memory:
        return False
    if config.shared and not kernel.dynamic:
        return False                   # it gets none, so that its launcher has another configuration
    function.launcher = new_launcher(kernel, (config.grid[0], config.grid[1], config.grid[2]),
                                     (config.block[0], config.block[1], config.block[2]), stream, True, config.shared)
    return True


cdef bint hip_launch_plainly(HipLaunch launch, PyObject **args, Py_ssize_t count, PyObject *names, int *code) except -1:
    """Launch what is usual. False: nothing was done, but `code` may be the driver's."""
    cdef uint64_t stack[STACK_WORDS]
    cdef PyObject *slots[HIP_ARGUMENTS]
    cdef launch_config config
    cdef HipFunction function
    cdef Launcher launcher
    if lp_runtime.watched or lp_here.step != NULL or lp_here.hip_code or not hip_read(
            launch, args, count, names, slots):
        return False
    if not hip_function(launch, slots[0]) or not hip_configuration(slots, &config) or (
            not hip_stream(launch, slots[HIP_STREAM])):
        return False
    if unlikely(launch.last_function is None or launch.last_stream is None):
        return False                   # a handle's own hash ran Python, and another thread called `order_forget` meanwhile
    function, launcher = launch.last_function, launch.last_function.launcher
    if unlikely(launcher is None or launcher.stream is not launch.last_stream or (
            memcmp(&launcher.config, &config, sizeof(config)))):
        if not hip_launcher(function, launch.last_stream, &config):
            return False
        launcher = function.launcher
    if not hip_pack(launch, function, slots[HIP_EXTRA], <char *>stack):
        return False
    if likely(takes_plainly(launcher.queue) and submit_plainly(<PyObject *>launcher, NULL, stack, code)):
        return code[0] == 0
    launcher.submit(<const char *>stack)       # it may wait without the GIL
    return True


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

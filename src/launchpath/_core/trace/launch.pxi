# Launches that are watched: recorded by a trace, waited for one by one, or where a debugger is to stop, or a step begins.

cdef extern from "base/break.h":
    void launchpath_break(const char *launch) noexcept

cdef frozenset break_names = frozenset()       # of kernels

# LAUNCHPATH_MEND=step: called before launches of some kernels, or of all (None), with the kernel's name.
cdef object launch_anchor = None
cdef frozenset anchor_names = None


def set_breaks(names not None):
    """Stop a debugger at launches of kernels of these names, from now on."""
    global break_names
    break_names = frozenset([(<str>name).encode() for name in names])
    lp_runtime.breaks = bool(break_names)
    watch_launches()


def set_launch_anchor(function, names=None):
    """Name the function that is called before each launch of kernels of these names; of all, without names."""
    global launch_anchor, anchor_names
    launch_anchor, anchor_names = function, None if names is None else frozenset([(<str>name).encode() for name in names])
    lp_runtime.mended = lp_runtime.watches_writes or function is not None
    watch_launches()


cdef int anchor_at(Launcher launcher) except -1:
    if launch_anchor is not None and (anchor_names is None or <bytes>launcher.label in anchor_names):
        launch_anchor((<bytes>launcher.label).decode())
    return 0


cdef int break_at(Launcher launcher, bytes packed) except -1:
    """Stop a debugger if a launch's kernel is one of those; `packed` are its arguments, or None: the frames have them."""
    cdef bytes text
    if <bytes>launcher.label in break_names:
        text = launch_text(launcher, packed).encode()
        launchpath_break(text)
    return 0


cdef str launch_text(Launcher launcher, bytes packed):
    """A launch as a source has it, with the values of its arguments."""
    cdef launch_config *at = &launcher.config
    cdef str text = (<bytes>launcher.label).decode()
    if packed is None:
        return text
    values = [f"{each.name}={argument_text(each, packed[each.offset:each.offset + each.size])}"
              for each in launcher.kernel.signature.parameters]
    grid, block = (at.grid[0], at.grid[1], at.grid[2]), (at.block[0], at.block[1], at.block[2])
    return f"{text}<<<{grid}, {block}>>>({', '.join(values)})"


cdef str argument_text(parameter, bytes value):
    import struct
    format_ = {"float32": "f", "float64": "d", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B",
               "uint16": "H", "uint32": "I", "uint64": "Q", "bool": "?"}.get(parameter.kind)
    if parameter.kind == "pointer":
        return hex(int.from_bytes(value, "little"))
    if format_ is None or struct.calcsize(format_) != len(value):
        return f"{len(value)} bytes {value.hex()}"
    return f"{struct.unpack(format_, value)[0]:g}" if format_ in "fd" else str(struct.unpack(format_, value)[0])


cdef PyObject *launcher_watched(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    """Launch, with a record of it; or with LAUNCHPATH_LAUNCH_BLOCKING, by the way with all checks."""
    cdef Launcher launcher = <Launcher><object>callable
    cdef bint plainly = not (lp_trace.serialized or lp_runtime.launch_blocking or lp_runtime.bounds)
    cdef lp_call call
    cdef lp_queue *queue
    cdef PyObject *result = NULL
    launching_begin(launcher, &call, &queue, None)
    try:
        result = launcher_launch(callable, args, nargsf, names, plainly)
    finally:
        launching_end(launcher, &call, queue, result == NULL)
    return result


cdef inline int launching_begin(Launcher launcher, lp_call *call, lp_queue **queue, bytes packed) except -1:
    """Begin the record of a launch; it waits for what a trace wants it to wait for. `launching_end` comes next."""
    call.ring, call.turn = NULL, False
    if lp_runtime.breaks:
        break_at(launcher, packed)
    if unlikely(lp_runtime.mended):
        anchor_at(launcher)
    queue[0] = launcher.queue
    if launcher.stream is None and current_of_thread() != NULL:
        queue[0] = launcher.stream_now().queue
    if not queue[0].domain.traced or is_excluded(launcher.label):
        return 0
    call_begin(call, API_LAUNCH)
    if unlikely(lp_trace.findings) and call.ring != NULL and not launcher.kernel.by_block:     # a block is device memory
        call.ring.parameters, call.ring.sizes = launcher.kernel.parameters, launcher.kernel.sizes
        call.ring.n_parameters = <uint32_t>launcher.kernel.count
    if unlikely(lp_trace.serialized or lp_trace.timed and timed_short(1)):
        launching_wait(launcher, call, queue[0])
    return 0


cdef int launching_wait(Launcher launcher, lp_call *call, lp_queue *queue) except -1:
    """Wait for a timing object, and for the turn of this thread."""
    cdef uint64_t began = waiting_begin()
    try:
        if lp_trace.timed and timed_short(1):
            with nogil:
                timed_room(1)
        if lp_trace.serialized:
            call.turn = serial_begin()
    except BaseException:
        if call.ring != NULL:
            launch_end(call, True, queue, launcher.label, &launcher.config)
        raise
    waiting_end(began)
    return 0


cdef inline void launching_end(Launcher launcher, lp_call *call, lp_queue *queue, bint failed) noexcept:
    if call.ring != NULL:
        call.ring.parameters = NULL
        launch_end(call, failed, queue, launcher.label, &launcher.config)
    if call.turn:
        serial_end()


cdef int submit_watched(Launcher launcher, bytes arguments) except -1:
    """Launch from packed bytes, with a record of it."""
    cdef lp_call call
    cdef lp_queue *queue
    cdef bint failed = True
    launching_begin(launcher, &call, &queue, arguments)
    try:
        launcher.submit(<const char *>arguments)
        failed = False
        launcher.finish()
    finally:
        launching_end(launcher, &call, queue, failed)
    return 0

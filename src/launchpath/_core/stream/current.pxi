# Current streams: the streams and devices that `with` has entered on this thread.
#
# The stack of a thread is an object in the thread's own dictionary, so it owns what was entered and ends with the
# thread. What launches read of it (`current_of_thread`, `queue_of_thread`) is only ever derived in the same C function
# that changes the stack: no bytecode runs there, so no signal handler, trace function or interrupt comes between.

cdef extern from "Python.h":
    PyObject *PyThreadState_GetDict() noexcept


@cython.no_gc_clear                # `stream` is borrowed from `stack`, which must not be emptied before `__dealloc__`
cdef class Entered:
    """What is entered on a thread: (device or None, stream, follower or None), innermost last."""
    cdef list stack
    cdef object first              # the follower that is current wherever no `with` says something else, or None
    cdef unsigned long thread
    cdef PyObject *stream          # that is current, or a follower; NULL: none
    cdef lp_queue *queue           # that work goes to which names no stream; NULL: Python must be asked

    def __cinit__(self):
        self.stack, self.thread = [], PyThread_get_thread_ident()

    def __dealloc__(self):
        # The thread ends: finalizers that run from now on find no current stream. A forked child drops those of its
        # parent's other threads on its own.
        if self.thread == PyThread_get_thread_ident():
            lp_here.entered = NULL

    cdef void derive(self) noexcept:
        """Set the default stream for work: that of the innermost entry, or a follower without a stream inside it."""
        cdef Py_ssize_t i
        cdef PyObject *stream
        cdef PyObject *device
        self.stream, self.queue = NULL, NULL
        lp_here.entered = <void *><PyObject *>self if self.stack else NULL
        if self.stack:
            device, stream = <PyObject *>(<tuple>self.stack[-1])[0], <PyObject *>(<tuple>self.stack[-1])[1]
            if isinstance(<object>stream, QueueBase):
                self.queue = (<QueueBase>stream).queue
            elif stream == <PyObject *>None and isinstance(<object>device, DeviceBase):
                self.queue = (<DeviceBase>device).legacy_queue       # NULL: it has not been opened yet
        for i in range(len(self.stack) - 1, -1, -1):
            stream = <PyObject *>(<tuple>self.stack[i])[1]
            if stream != <PyObject *>None:
                if i == len(self.stack) - 1 or not isinstance(<object>stream, QueueBase):
                    self.stream = stream
                return


cdef inline PyObject *current_of_thread() noexcept:
    """The stream or the follower that is current on this thread, borrowed; NULL: none is."""
    return (<Entered><PyObject *>lp_here.entered).stream if unlikely(lp_here.entered != NULL) else NULL


cdef inline lp_queue *queue_of_thread() noexcept nogil:
    """The queue that this thread's work goes to which names no stream; NULL: nothing is entered, or Python must be
    asked."""
    return (<Entered><PyObject *>lp_here.entered).queue if lp_here.entered != NULL else NULL


cdef Entered entered_here(bint make):
    """The calling thread's stack; None if it has none and `make` is not set."""
    cdef PyObject *here = PyThreadState_GetDict()
    if here == NULL:
        if make:
            raise MemoryError
        return None
    stack = (<dict><object>here).get(Entered)
    if stack is None and make:
        stack = (<dict><object>here).setdefault(Entered, Entered())
    return <Entered>stack


cdef enter(device, stream):
    """Make a device, a stream of it, or a follower, which knows of both, current on this thread."""
    cdef Entered here = entered_here(True)
    entry = (device, stream)
    here.stack.append(entry)
    here.derive()


cdef leave(device, stream):
    """Undo the latest `enter` of these on this thread; what was entered since, as tasks do that interleave, stays."""
    cdef Entered here = entered_here(False)
    cdef Py_ssize_t i
    if here is not None:
        for i in range(len(here.stack) - 1, -1, -1):
            entry = <tuple>here.stack[i]
            if (<tuple>entry)[0] is device and (<tuple>entry)[1] is stream:
                del here.stack[i]
                here.derive()
                return             # `entry` held the stream until now
    raise errors.LaunchpathError(
        f"{device if stream is None else stream} is left on a thread that did not enter it: leave it on the thread "
        "that entered it")


def enter_first(FollowerBase follower not None):
    """Make a follower current on this thread wherever no `with` says something else; there is one at most."""
    cdef Entered here = entered_here(True)
    before = here.first            # dropped only when all is in place
    entry = (None, follower)
    if before is None:
        here.stack.insert(0, entry)
    else:
        here.stack[0] = entry
    here.first = follower
    here.derive()


def leave_first(FollowerBase follower not None):
    """Undo `enter_first` of this follower on this thread; nothing happens if there was none."""
    cdef Entered here = entered_here(False)
    if here is None or here.first is not follower:
        return
    _entry = here.stack[0]         # held until all is in place
    del here.stack[0]
    here.first = None
    here.derive()


def entered():
    """What is entered on this thread, as a list of (device or None, stream, follower or None), innermost last."""
    cdef Entered here = entered_here(False)
    return [] if here is None else list(here.stack)


def current_stream():
    """The stream or the follower that is current on this thread, or None."""
    cdef PyObject *current = current_of_thread()
    return <object>current if current != NULL else None


cdef QueueBase stream_for(DeviceBase device):
    """Default stream for work on this device: the current stream, even if that is of another device.

    A follower is asked for its stream of this device. Without a current stream: the device's legacy default stream.
    """
    cdef PyObject *current = current_of_thread()
    if current == NULL:
        if device.legacy is None:      # not opened yet, or not any more
            device.check_open()
            return device.legacy_stream
        return device.legacy
    if isinstance(<object>current, FollowerBase):
        return (<FollowerBase>current).look(device)
    return <QueueBase>current


def current_stream_for(DeviceBase device not None):
    """The stream that work of a device goes to now if it names none; it may be of another device."""
    return stream_for(device)

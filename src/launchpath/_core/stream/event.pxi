# Event as a Python object. The public class Event derives from EventBase and documents it.

cdef int marks_elapsed(lp_mark *first, lp_mark *last, int64_t *nanoseconds) noexcept nogil:
    """The time between two marks of a device, which are complete and have times."""
    cdef uint64_t began = 0, ended = 0
    cdef int code
    if first.domain.table.event_elapsed != NULL:
        return first.domain.table.event_elapsed(first.domain, first.event, last.event, nanoseconds)
    code = first.domain.table.event_time(first.domain, first.event, &began)
    if code == 0:
        code = last.domain.table.event_time(last.domain, last.event, &ended)
    nanoseconds[0] = <int64_t>(ended - began)
    return code


cdef finish_mark(lp_mark *mark, int code, bint done):
    """Raise what `code` says of a mark, or give `done`; the reference to the mark goes."""
    try:
        if code == ERROR_ASYNCHRONOUS:
            raise asynchronous_failure(mark.queue, mark.failure)
        if code:
            raise failure(mark.domain.table, code)
        return done
    finally:
        mark_unref(mark)


cdef struct lp_event:          # what Python's events are, and those of C code
    lp_lock lock
    lp_mark *mark              # of the last record, a reference, or NULL. A wait for the earlier mark holds that one
    bint timing
    lp_domain *domain          # compared alone: of the device whose streams record it; NULL: any's
    bint by_c                  # C code created it, and destroys it
    bint by_python             # only Python knows what it stands for now: a capture of HIP's functions


cdef void event_set(lp_event *event, lp_mark *mark) noexcept nogil:
    """Replace the mark; the reference to it becomes the event's."""
    cdef lp_mark *before
    lp_lock_acquire(&event.lock)
    before, event.mark = event.mark, mark
    lp_lock_release(&event.lock)
    if not lp_runtime.exiting:
        mark_unref(before)


cdef lp_mark *event_mark(lp_event *event) noexcept nogil:
    """The mark of the last record, with a reference of its own, or NULL."""
    cdef lp_mark *mark
    lp_lock_acquire(&event.lock)
    mark = event.mark
    if mark != NULL:
        mark_ref(mark)
    lp_lock_release(&event.lock)
    return mark


cdef int check_one_device(EventBase start, EventBase end) except -1:
    cdef lp_mark *first = start.get()
    cdef lp_mark *last = end.get()
    cdef bint differ = first != NULL and last != NULL and first.domain != last.domain
    mark_unref(first)
    mark_unref(last)
    if differ:
        raise errors.ArgumentValueError(
            "elapsed_time: expected events of the same device, got events of two devices, whose clocks differ")
    return 0


cdef class EventBase:
    """A point of a stream."""
    cdef lp_event event
    cdef QueueBase recorded_on     # the stream of the last record by Python, which keeps it
    cdef uint64_t c_handle         # by which C code names it, or 0

    def __cinit__(self, bint timing=False, *args, **kwargs):
        lp_lock_init(&self.event.lock)
        self.event.timing = timing

    def __dealloc__(self):
        if self.c_handle:
            handle_drop(self.c_handle, HANDLE_EVENT)
            handle_give_back(self.c_handle)
        event_set(&self.event, NULL)
        lp_lock_destroy(&self.event.lock)

    @property
    def timing(self):
        return bool(self.event.timing)

    @property
    def recorded(self):
        """Whether it was ever recorded."""
        return self.event.mark != NULL

    @property
    def stream(self):
        """The stream of the last record; None before, and when that stream is gone."""
        cdef lp_mark *mark = self.get()
        cdef uint64_t identity = 0 if mark == NULL or mark.queue == NULL else mark.queue.identity
        mark_unref(mark)
        if self.recorded_on is not None and self.recorded_on.queue.identity == identity:
            return self.recorded_on
        return living_object(streams_by_identity, identity) if identity else None

    @property
    def by_python(self):
        """Whether C code leaves it to Python."""
        return bool(self.event.by_python)

    @by_python.setter
    def by_python(self, bint value):
        self.event.by_python = value

    cdef void set(self, lp_mark *mark, QueueBase stream):
        self.recorded_on = stream
        event_set(&self.event, mark)

    cdef lp_mark *checked(self) except? NULL:
        """`get`; raises in a forked child, where a complete mark says nothing of the device."""
        cdef lp_mark *mark = self.get()
        cdef const driver_table *table
        if mark != NULL and mark.domain.refused == ERROR_FORKED:
            table = mark.domain.table
            mark_unref(mark)
            raise failure(table, ERROR_FORKED)
        return mark

    cdef lp_mark *get(self):
        return event_mark(&self.event)

    def query(self):
        cdef lp_mark *mark = self.checked()
        cdef bint done = True
        cdef int code
        if mark == NULL:
            return True
        observe_mark(mark)
        with nogil:
            code = mark_query(mark, &done)
        return finish_mark(mark, code, done)

    def awaited(self):
        """The point that it stands for now, for `watch`; None if that is complete.

        While Python ends nothing is watched: then this waits."""
        cdef lp_mark *mark = self.checked()
        cdef bint done = True
        cdef AwaitedMark awaited
        cdef int code
        if mark == NULL:
            return None
        if lp_load(&lp_runtime.watch_ends):
            mark_unref(mark)
            self.synchronize()
            return None
        with nogil:
            code = mark_query(mark, &done)
        if code or done:
            finish_mark(mark, code, done)
            return None
        awaited = AwaitedMark.__new__(AwaitedMark)
        awaited.mark = mark
        return awaited

    def synchronize(self):
        cdef lp_mark *mark = self.checked()
        cdef int code
        if mark == NULL:
            return
        try:
            await_mark(mark, &code)
        except BaseException:
            mark_unref(mark)
            raise
        finish_mark(mark, code, True)

    cdef lp_mark *timed_mark(self) except NULL:
        """The mark of the last record, which has a time by now, with a reference of its own."""
        cdef lp_mark *mark = self.checked()
        cdef int code
        if mark == NULL or not self.event.timing:
            mark_unref(mark)
            got = "one that was not recorded: record it, stream.record(event)" if self.event.timing else (
                f"{self!r}, which takes no time: create it by launchpath.Event(timing=True)")
            raise errors.ArgumentValueError(f"elapsed_time: expected recorded events with timing, got {got}")
        try:
            await_mark(mark, &code)
        except BaseException:
            mark_unref(mark)
            raise
        if code == 0:
            with nogil:
                # What stands before it may be known to be complete while the marker itself is still on its way.
                code = mark.domain.table.event_wait(mark.domain, mark.event)
        if code:
            error = asynchronous_failure(mark.queue, mark.failure) if mark.failure else failure(mark.domain.table, code)
            mark_unref(mark)
            raise error
        return mark

    def elapsed_nanoseconds(self, EventBase end not None):
        cdef int64_t nanoseconds = 0
        cdef lp_mark *first
        cdef lp_mark *last = NULL
        cdef int code
        check_one_device(self, end)
        first = self.timed_mark()
        try:
            last = end.timed_mark()
            with nogil:
                code = marks_elapsed(first, last, &nanoseconds)
            if code:
                raise failure(first.domain.table, code)
        finally:
            mark_unref(first)
            mark_unref(last)
        return nanoseconds

# Ranges and marks as Python makes them; NVTX's come by `records/range.h`.


cdef class RangeBase:
    """A range of a thread that has begun, as Python holds it."""
    cdef range_slot slot
    cdef uint64_t generation       # of its trace; 0: nothing was recorded

    def begin(self, str name not None, uint32_t color, uint64_t payload):
        cdef bytes text = name.encode("utf-8", "backslashreplace").replace(b"\0", b"\\0")
        self.generation = lp_trace.generation if range_open(&self.slot, text, NULL, color, payload, 0, 0) else 0

    def end(self):
        if self.generation and self.generation == lp_trace.generation:
            range_close(&self.slot)
        self.generation = 0


def trace_mark(str name not None, uint32_t color, uint64_t payload):
    """Write a mark of this thread, if there is a trace."""
    cdef bytes text
    if lp_trace.recording:
        text = name.encode("utf-8", "backslashreplace").replace(b"\0", b"\\0")
        range_mark(text, NULL, color, payload, 0, 0)

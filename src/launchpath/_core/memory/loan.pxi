# Loans of pinned memory to results. They end in C: a finalizer in Python runs bytecode, and an interrupt that comes
# there is lost, since nothing can be raised out of it.


@cython.no_gc_clear                # __dealloc__ needs what the cycle collector would have cleared
cdef class PinnedLoan:
    """A piece of pinned memory that a copy on a stream writes to; it goes back when this is dropped.

    Parameters
    ----------
    piece : object
        Of a type without tp_clear, as tuples are: else the cycle collector may empty it before `__dealloc__`.
    stream : Stream
    unused : collections.deque
        Takes the piece once nothing writes to it any more.
    dropped : collections.deque
        Takes (number of a command behind the copy, piece) if the copy is not known to be complete.
    keep : int
        Either of them keeps at most so many. A piece beyond that is only dropped: its own deallocation returns the
        memory to the pool, which waits for the copy.
    """
    cdef readonly object piece     # None: it has gone back
    cdef QueueBase stream
    cdef object unused, dropped
    cdef Py_ssize_t keep

    def __init__(self, piece, QueueBase stream not None, unused not None, dropped not None, Py_ssize_t keep):
        self.unused, self.dropped, self.keep, self.stream = unused, dropped, keep, stream
        self.piece = piece

    def end(self):
        """Give the piece back, whose copy is complete."""
        piece = self.piece
        self.piece = None
        if piece is not None and len(self.unused) < self.keep:
            self.unused.append(piece)

    def __dealloc__(self):
        cdef lp_queue *queue
        cdef uint64_t last
        if self.piece is None:
            return
        queue = self.stream.queue          # nothing closes it before the stream is dropped, which this holds
        last = lp_load(&queue.number)
        if is_complete(queue.slot, last):
            if len(self.unused) < self.keep:
                self.unused.append(self.piece)
        elif len(self.dropped) < self.keep:
            self.dropped.append((last, self.piece))

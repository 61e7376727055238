# Builds: calls into a driver's compiler, which works in this process and cannot be stopped.

cdef extern from "driver/dynamic.h" nogil:
    void lp_count_builds(int more)
    void lp_watch_builds()

cimport cython


def build_began():
    """Count a call into a driver's compiler that is about to be made on a thread that exit does not wait for."""
    lp_count_builds(1)


def build_ended():
    """Undo `build_began`."""
    lp_count_builds(-1)


def watch_builds():
    """Leave out the destructors of all libraries loaded so far if the process exits while a build is counted."""
    lp_watch_builds()


def in_host_function():
    """Whether this thread runs a host function, which a stream waits for."""
    return lp_here.job != NULL


@cython.no_gc_clear
cdef class Permit:
    """Permission to run a compiler: taken from a queue at its creation, and returned when it is dropped.

    In C, so that no interrupt parts the steps. A finalizer in Python would also lose the interrupt that comes while it
    runs.

    Parameters
    ----------
    permits : queue.SimpleQueue
        The available permits. Creating this object waits for a permit.
    """
    cdef object permits
    cdef bint taken

    def __init__(self, permits not None):
        self.permits = permits
        permits.get()
        self.taken = True

    def __dealloc__(self):
        if self.taken:
            self.permits.put(None)

# Tracebacks. A frame of the core has no source that a reader of a traceback could be shown, and it is not theirs: so the
# core adds no entries for its functions, unless it is asked to. Cython adds them in one place, which the macro below takes.
# Nothing is looked at, called or released there: a lock may be held.

cdef extern from *:
    """
    static int lp_full_tracebacks = 0;

    static int lp_traceback_here(PyFrameObject *frame) {
        return lp_full_tracebacks ? PyTraceBack_Here(frame) : 0;
    }
    #define PyTraceBack_Here lp_traceback_here
    """
    int lp_full_tracebacks


def keep_entries(bint keep):
    """Switch entries of the core's own functions in tracebacks on or off."""
    global lp_full_tracebacks
    lp_full_tracebacks = keep


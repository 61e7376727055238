# Calls of compiled programs that Python answers: every function of HIP's and CUDA's without an entry of its own.

cdef enum:
    HOST_DEINITIALIZED = 4     # hipErrorDeinitialized
    HOST_UNKNOWN = 999         # hipErrorUnknown

cdef object answer_host_call = None    # (name, address of the arguments' addresses) -> code or pointer


def register_host_caller(function not None):
    """Name the function that answers calls of compiled programs."""
    global answer_host_call
    answer_host_call = function


cdef uint64_t host_call(const char *name, void *const *arguments) noexcept nogil:
    if lp_runtime.exiting:
        return HOST_DEINITIALIZED
    while unlikely(lp_host.asks & HOST_ENDS) and lp_host.ending != this_thread():
        lp_sleep(100000)               # until the process is gone
    lp_c_keep_python()
    return host_call_by_python(name, arguments)


cdef uint64_t host_call_by_python(const char *name, void *const *arguments) noexcept with gil:
    try:
        return <uint64_t>answer_host_call(name, <uintptr_t>arguments)
    except BaseException as error:     # of a signal's handler: the program's own, when Python runs again
        if isinstance(error, KeyboardInterrupt):
            PyErr_SetInterrupt()
        return HOST_UNKNOWN


cdef int host_has_failed() noexcept nogil:
    return lp_c_here != NULL and lp_c_here.failure_pending


def hip_failure_pending(bint pending):
    """Note whether a function of HIP's has failed on this thread since it asked for its last error."""
    cdef lp_c_thread *here = lp_c_thread_here() if pending else lp_c_here
    if here != NULL:
        here.failure_pending = pending
    elif pending:
        raise MemoryError

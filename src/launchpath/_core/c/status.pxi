# Statuses: what C code gets instead of exceptions, with the text of each thread's last error.

class CHandleError(errors.ArgumentValueError):
    """A handle of C code's names nothing."""


cdef void c_write_text(const char *text) noexcept nogil:
    cdef lp_c_thread *here = lp_c_thread_here()
    if here != NULL:
        strncpy(here.text, text, sizeof(here.text) - 1)


cdef launchpath_status c_refuse(launchpath_status status, const char *text) noexcept nogil:
    c_write_text(text)
    return status


cdef launchpath_status c_status(error) noexcept:
    """The status of an exception; its text is the thread's last error."""
    cdef bytes text
    try:
        text = str(error).encode()[:1023]
    except BaseException:
        text = b"an exception without a text"
    c_write_text(text)
    if isinstance(error, errors.ConfigurationError):
        return LAUNCHPATH_INVALID_CONFIGURATION
    if isinstance(error, (errors.OutOfMemoryError, MemoryError)):
        return LAUNCHPATH_OUT_OF_MEMORY
    if isinstance(error, errors.AsynchronousError):
        return LAUNCHPATH_LAUNCH_FAILURE
    if isinstance(error, CHandleError):
        return LAUNCHPATH_INVALID_HANDLE
    if isinstance(error, errors.SymbolError):
        return LAUNCHPATH_NOT_FOUND
    if isinstance(error, errors.CompileError):
        return LAUNCHPATH_COMPILE_FAILED
    if isinstance(error, (errors.SignatureError, errors.ArgumentValueError, TypeError, ValueError)):
        return LAUNCHPATH_INVALID_VALUE
    if isinstance(error, errors.DriverError):
        return LAUNCHPATH_DRIVER_ERROR
    if isinstance(error, KeyboardInterrupt):
        PyErr_SetInterrupt()           # for the program, when Python runs again
    return LAUNCHPATH_UNKNOWN


cdef launchpath_status c_failure(const driver_table *table, int code) noexcept with gil:
    """The status of a code of the driver's or of the core's."""
    return c_status(failure(table, code))


cdef launchpath_status c_queue_failure(lp_queue *queue, int code) noexcept with gil:
    return c_status(queue_failure(queue, code))


cdef const char *c_error_text() noexcept nogil:
    if lp_c_here == NULL:
        return b""
    return lp_c_here.text

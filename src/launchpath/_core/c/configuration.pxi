# Configurations that C code has pushed: a stack for each thread.


cdef launchpath_status c_push(const launchpath_configuration *configuration) noexcept nogil:
    cdef lp_c_thread *here = lp_c_thread_here()
    if configuration == NULL:
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"push: expected a configuration, got NULL")
    if here == NULL:
        return LAUNCHPATH_OUT_OF_MEMORY
    if here.n == LAUNCHPATH_STACK:
        return c_refuse(LAUNCHPATH_FULL_STACK, b"push: this thread has pushed LAUNCHPATH_STACK configurations: pop them")
    here.at[here.n] = configuration[0]
    here.n += 1
    return LAUNCHPATH_SUCCESS


cdef launchpath_status c_pop(launchpath_configuration *configuration) noexcept nogil:
    cdef lp_c_thread *here = lp_c_here
    if configuration == NULL:
        return c_refuse(LAUNCHPATH_INVALID_VALUE, b"pop: expected room for a configuration, got NULL")
    if here == NULL or here.n == 0:
        return c_refuse(LAUNCHPATH_EMPTY_STACK, b"pop: this thread has pushed no configuration: push one for each launch")
    here.n -= 1
    configuration[0] = here.at[here.n]
    return LAUNCHPATH_SUCCESS

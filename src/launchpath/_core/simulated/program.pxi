# Programs: a source without `#error` builds, and has every kernel that is implemented when it is looked up.


cdef int sim_program_build(void *handle, const char *source, size_t size, const char *options, lp_text *log,
                           void **program) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_PROGRAM_BUILD)
    if code == 0:
        code = sim_look_for_error(source, log)
    if code == 0:
        program[0] = device            # there is nothing to keep
    return sim_end(m, SIM_PROGRAM_BUILD, code)


cdef int sim_look_for_error(const char *source, lp_text *log) noexcept nogil:
    """Fail for a line that begins with ``#error``, which then is the log, with its number."""
    cdef const char *line = source
    cdef const char *at
    cdef size_t length
    cdef int number = 1
    while line[0]:
        at = line
        while at[0] == 32 or at[0] == 9:
            at += 1
        length = strcspn(at, b"\n")
        if strncmp(at, b"#error", 6) == 0:
            if text_room(log, length + 24):
                return ERROR_HOST_MEMORY
            snprintf(log.bytes, log.size, b"%d: %.*s", number, <int>length, at)
            return SIM_BUILD_FAILED
        line = at + length
        if line[0]:
            line += 1
        number += 1
    return 0


cdef int sim_program_release(void *handle, void *program) noexcept nogil:
    return 0


cdef int sim_kernel_find(void *handle, void *program, const char *name, const kernel_use *use,
                         void **kernel) noexcept nogil:
    """The kernel of that name which was implemented last. It lives as long as the machine."""
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    cdef sim_kernel *k
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_KERNEL_FIND)
    if code == 0:
        k = m.kernels
        while k != NULL and (k.device != device or strcmp(k.name, name)):
            k = k.next
        kernel[0] = k
        if k == NULL:
            code = SIM_NO_SUCH_KERNEL
    return sim_end(m, SIM_KERNEL_FIND, code)


cdef void sim_kernel_release(void *handle, void *kernel) noexcept nogil:
    pass


cdef int sim_kernel_get(void *handle, void *kernel, kernel_fact fact, int64_t *value) noexcept nogil:
    if fact != KERNEL_MAX_THREADS:
        return ERROR_NOT_TOLD
    value[0] = (<sim_device *>handle).max_threads
    return 0

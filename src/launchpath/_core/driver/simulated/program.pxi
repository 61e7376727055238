# Programs: a source without `#error` builds, and has every kernel that is implemented when it is looked up. What is released
# is kept until the machine goes, to notice that something uses it.


cdef int sim_program_build(void *handle, const char *source, size_t size, const char *options, lp_text *log,
                           void **program) noexcept nogil:
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_PROGRAM_BUILD)
    if code == 0:
        code = sim_look_for_error(source, log)
    if code == 0:
        program[0] = sim_program_new(device)
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


cdef sim_program *sim_program_new(sim_device *device) noexcept nogil:
    cdef sim_machine *m = device.machine
    cdef sim_program *program = <sim_program *>calloc(1, sizeof(sim_program))
    m.identities += 1
    m.n_programs += 1
    program.life, program.device, program.identity = SIM_LIVE, device, m.identities
    program.next, m.programs = m.programs, program
    return program


cdef int sim_program_release(void *handle, void *released) noexcept nogil:
    """Commands may keep it, as OpenCL's do; not where releasing it unloads it."""
    cdef sim_machine *m = (<sim_device *>handle).machine
    cdef sim_program *program = <sim_program *>released
    cdef sim_wait_place *last
    cdef uint32_t i
    lp_lock_acquire(&m.lock)
    if program.life != SIM_LIVE:
        sim_report_program(m, b"program released twice", program, NULL, 0)
    else:
        if program.kernels:
            sim_report_program(m, b"program released before its kernels", program, NULL, 0)
        for i in range(program.n_launched if program.device.unloads and not m.closed else 0):
            last = &program.launched[i]
            if sim_clock_at(m.known, last.queue) < last.number:
                sim_report_program(m, b"program unloaded with unfinished launches", program, last.queue, last.number)
        program.life = SIM_DEAD
        m.n_programs -= 1
    lp_lock_release(&m.lock)
    return 0


cdef void sim_note_launch(sim_node *node) noexcept nogil:
    cdef sim_program *program = node.kernel.program
    program.launched = sim_note_user(program.launched, &program.n_launched, node.queue, node.number)


cdef bint sim_is_unloaded(sim_node *node) noexcept nogil:
    """Whether the code of a launch that is about to run is gone."""
    if node.kernel.program.life == SIM_LIVE or not node.queue.device.unloads:
        return False
    sim_report_kernel(node.queue.machine, b"an unloaded kernel runs", node.kernel, node.queue, node.number)
    return True


cdef int sim_kernel_find(void *handle, void *program, const char *name, const kernel_use *use,
                         void **kernel) noexcept nogil:
    """A kernel of its own, which does what was implemented last under that name."""
    cdef sim_device *device = <sim_device *>handle
    cdef sim_machine *m = device.machine
    cdef sim_program *p = <sim_program *>program
    cdef sim_kernel *k
    lp_lock_acquire(&m.lock)
    cdef int code = sim_begin(m, SIM_KERNEL_FIND)
    if code == 0 and p.life != SIM_LIVE:
        sim_report_program(m, b"use of a released program", p, NULL, 0)
        code = SIM_INVALID_PROGRAM
    if code == 0:
        k = m.kernels
        while k != NULL and (k.device != device or strcmp(k.name, name)):
            k = k.next
        if k == NULL:
            code = SIM_NO_SUCH_KERNEL
        else:
            kernel[0] = sim_kernel_copy(k, p)
            (<sim_kernel *>kernel[0]).waits = use.waits and m.dependent != SIM_NONE
    return sim_end(m, SIM_KERNEL_FIND, code)


cdef sim_kernel *sim_kernel_copy(const sim_kernel *implementation, sim_program *program) noexcept nogil:
    cdef sim_machine *m = program.device.machine
    cdef sim_kernel *kernel = <sim_kernel *>malloc(sizeof(sim_kernel))
    kernel[0] = implementation[0]
    kernel.life, kernel.program = SIM_LIVE, program
    kernel.next, m.looked_up = m.looked_up, kernel
    program.kernels += 1
    return kernel


cdef void sim_kernel_release(void *handle, void *released) noexcept nogil:
    cdef sim_machine *m = (<sim_device *>handle).machine
    cdef sim_kernel *kernel = <sim_kernel *>released
    lp_lock_acquire(&m.lock)
    if kernel.life != SIM_LIVE:
        sim_report_kernel(m, b"kernel released twice", kernel, NULL, 0)
    else:
        kernel.life = SIM_DEAD
        kernel.program.kernels -= 1
    lp_lock_release(&m.lock)


cdef int sim_kernel_get(void *handle, void *kernel, kernel_fact fact, int64_t *value) noexcept nogil:
    if fact != KERNEL_MAX_THREADS:
        return ERROR_NOT_TOLD
    value[0] = (<sim_device *>handle).max_threads
    return 0

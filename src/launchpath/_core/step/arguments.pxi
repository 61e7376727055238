# Arguments in a step: foreign code that has an address would not know that commands which use it are kept back. So
# from the first use of such memory on, the rest of the step goes to the driver at once.

cdef inline void step_records_nothing() noexcept:
    lp_store(&(<lp_recording *>lp_here.step).mode, RECORDS_NOTHING)


cdef inline void step_uses(ArrayBase array) noexcept:
    """A command of the step uses an array."""
    cdef lp_extent *extent = array.allocation.extent
    if extent != NULL and extent.exposed:
        step_records_nothing()


cdef void step_takes(const lp_parameter *parameters, PyObject **args, Py_ssize_t count) noexcept:
    """A launch in a step gets these arguments."""
    cdef Py_ssize_t i
    cdef void *type_
    for i in range(count):
        type_ = Py_TYPE_OF(args[i])
        if type_ == array_type:
            step_uses(<ArrayBase>args[i])
        elif parameters[i].kind == KIND_POINTER and args[i] != <PyObject *>None:
            if isinstance(<object>args[i], ArrayBase):
                step_uses(<ArrayBase>args[i])
            elif not isinstance(<object>args[i], StagedBase):
                step_records_nothing()        # memory of other libraries


cdef int step_ends_here() except -1:
    """Submit what steps have recorded, of whatever threads: foreign code gets an address. What follows in this thread's
    step goes to the driver at once. What is captured does not run, and cannot be seen."""
    cdef lp_recording *recording
    if lp_here.step != NULL and (<lp_recording *>lp_here.step).origin == NULL:
        step_records_nothing()
    with nogil:
        recording = <lp_recording *>lp_load(<uint64_t *>&lp_runtime.recordings)
        while recording != NULL:
            if recording.origin == NULL and recording.n_queues:
                recording_submit(recording, STEP_HANDED_OUT, NULL, NULL)
            recording = recording.next
    return 0

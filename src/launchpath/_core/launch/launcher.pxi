# Launchers: calling one launches.

cdef enum:
    # 8 bytes each: packed arguments that fit the stack; OpenCL devices take less, NVIDIA's 32 KiB
    STACK_WORDS = 512
    BLOCK_WORDS = 1280         # the same of those that go by a block
    # bytes of an argument from which on it is worth knowing that it is the same object as before
    LONG = 256


cdef inline bint takes_plainly(const lp_queue *queue) noexcept:
    """Whether a command can be submitted in a straight line: nothing failed, and the driver's call will not block."""
    return queue.epoch == lp_load(&lp_runtime.failures) and queue.number < queue.gil_check and queue.keeps_gil


cdef inline bint submit_plainly(PyObject *callable, lp_recording *recording, const void *bytes, int *code) noexcept:
    """Submit packed arguments to the launcher's queue, which takes them plainly. False: another thread has its lock."""
    cdef driver_command command
    cdef lp_queue *queue = (<Launcher>callable).queue
    if unlikely(recording != NULL):
        lp_store_before_lock(&recording.appending, 1)       # see step/recording.pxi
    if unlikely(not lp_lock_try(queue.lock)):
        if recording != NULL:
            lp_store(&recording.appending, 0)
        return False
    command_set_launch(&command, (<Launcher>callable).handle, (<Launcher>callable).label, &(<Launcher>callable).config, bytes,
                       (<Launcher>callable).size)
    code[0] = submit_command(queue, &command)
    if unlikely(recording != NULL):
        lp_store(&recording.appending, 0)
    lp_lock_release(queue.lock)
    if unlikely(code[0] == ERROR_WOULD_BLOCK):
        with nogil:
            code[0] = submit_locked(queue, submit_command, &command)
    return True


cdef bint launch_plainly(PyObject *callable, PyObject **args, Py_ssize_t count, int *code) noexcept:
    """Launch in a straight line, as for nearly all launches; False, without an effect, in any unusual case.

    Rare branches are marked `unlikely` so that they move out of line: after the driver call the caches are cold.
    """
    cdef uint64_t stack[STACK_WORDS]
    cdef lp_queue *queue = (<Launcher>callable).queue
    cdef lp_recording *recording = <lp_recording *>lp_here.step
    if unlikely(count != (<Launcher>callable).count or not (<Launcher>callable).plain):
        return False
    if unlikely(pack_plain(<PyObject *>(<Launcher>callable).kernel, (<Launcher>callable).device, queue.order_identity,
                           (<Launcher>callable).parameters, args, 0, count, <char *>stack) != count):
        return False
    if unlikely(lp_here.entered != NULL) and <PyObject *>(<Launcher>callable).stream == <PyObject *>None and (
            current_of_thread() != NULL):
        return False
    if unlikely(not takes_plainly(queue)):
        return False
    if unlikely(recording != NULL and (queue.domain.exposed or exchange_type != NULL)):
        step_takes((<Launcher>callable).parameters, args, count)
    return submit_plainly(callable, recording, stack, code)


cdef PyObject *launcher_call(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names) except NULL:
    """Launch: pack the arguments on the stack and submit. Neither a tuple nor a dict is made on the way."""
    if unlikely(lp_runtime.watched):
        return launcher_watched(callable, args, nargsf, names)
    return launcher_launch(callable, args, nargsf, names, True)


cdef inline PyObject *launcher_launch(PyObject *callable, PyObject **args, size_t nargsf, PyObject *names,
                                      bint plainly) except NULL:
    cdef int code = 0
    if unlikely(names != NULL):
        return launch_by_name(callable, args, PyVectorcall_NARGS(nargsf), names, plainly)
    if unlikely(not plainly or not launch_plainly(callable, args, PyVectorcall_NARGS(nargsf), &code) or code):
        return launch_otherwise(callable, args, PyVectorcall_NARGS(nargsf), code)
    return new_reference(<PyObject *>None)


cdef bint launch_by_block(Launcher launcher, PyObject **args, Py_ssize_t count) except -1:
    """Launch with plain arguments that go by the block of a stream that was named; False if nothing was done."""
    cdef uint64_t stack[BLOCK_WORDS]
    cdef char *packed
    if likely(launcher.size <= 8 * (BLOCK_WORDS - 1)):      # a last int is written with 8 bytes
        return pack_and_launch(launcher, args, count, <char *>stack)
    packed = <char *>malloc(launcher.size + 8)
    if packed == NULL:
        raise MemoryError
    try:
        return pack_and_launch(launcher, args, count, packed)
    finally:
        free(packed)


cdef inline bint pack_and_launch(Launcher launcher, PyObject **args, Py_ssize_t count, char *packed) except -1:
    """What `launch_by_block` does.

    Bytes never change. So the longest argument is neither packed nor compared if it is the same bytes object as before.
    """
    cdef block_command command
    cdef size_t end
    cdef Py_ssize_t i = launcher.longest
    command.long_bytes, command.long_at, command.long_size, command.slot = NULL, 0, 0, NULL
    if i >= 0 and Py_TYPE_OF(args[i]) == <void *>&PyBytes_Type and <size_t>Py_SIZE(args[i]) == launcher.kernel.sizes[i]:
        command.long_bytes, command.long_size = PyBytes_AS_STRING(args[i]), launcher.kernel.sizes[i]
        command.long_at = launcher.parameters[i].offset
        if args[i] == <PyObject *>launcher.known:
            command.slot, command.version = launcher.known_slot, launcher.known_version
    else:
        i = -1
    if launcher.kernel.padded:
        end = command.long_at + command.long_size
        memset(packed, 0, command.long_at)
        memset(packed + end, 0, launcher.size - end)
    if i >= 0 and pack_plain(<PyObject *>launcher.kernel, launcher.device, launcher.queue.order_identity, launcher.parameters,
                             args, 0, i, packed) != i:
        return False
    if pack_plain(<PyObject *>launcher.kernel, launcher.device, launcher.queue.order_identity, launcher.parameters, args,
                  i + 1, count, packed) != count:
        return False
    launcher.submit_block(launcher.stream, packed, &command)
    if i >= 0:
        if args[i] != <PyObject *>launcher.known:
            launcher.known = <object>args[i]
        launcher.known_slot, launcher.known_version = command.slot, command.version
    return True


cdef PyObject *launch_otherwise(PyObject *callable, PyObject **args, Py_ssize_t count, int code) except NULL:
    """What `launch_plainly` left, or the error of its launch."""
    cdef uint64_t stack[STACK_WORDS]
    cdef Launcher launcher = <Launcher><object>callable
    cdef KernelBase kernel = launcher.kernel
    cdef bint staged
    if code:
        raise failure(kernel.driver.table, code)
    if count != kernel.count:
        raise kernel.count_error(count, <object>args[0] if count == 1 else None)
    if unlikely(lp_here.step != NULL):
        step_takes(launcher.parameters, args, count)
    if launcher.block is not None and launch_by_block(launcher, args, count):
        finish_if_blocking(launcher.queue)
        return new_reference(<PyObject *>None)
    if launcher.size > 8 * (STACK_WORDS - 1):      # a last int is written with 8 bytes
        launcher.call_large(args, count)
        return new_reference(<PyObject *>None)
    if kernel.padded:
        memset(stack, 0, launcher.size)        # or bytes that mean nothing make equal arguments differ
    staged = launcher.pack_all(args, count, <char *>stack)
    if kernel.closing:
        kernel.close(<char *>stack)
    launcher.submit(stack)
    if staged:
        tell_staged(args, count)
    launcher.finish()
    return new_reference(<PyObject *>None)


cdef void tell_staged(PyObject **args, Py_ssize_t count) noexcept:
    """Tell staged arguments that their launch was accepted; they cannot see a refusal. No Python code, which may be
    interrupted."""
    cdef Py_ssize_t i
    for i in range(count):
        if isinstance(<object>args[i], StagedBase):
            (<StagedBase>args[i])._launched = True
            (<StagedBase>args[i]).recording = <lp_recording *>lp_here.step
            if lp_here.step != NULL:
                (<StagedBase>args[i]).run = (<lp_recording *>lp_here.step).run


@cython.freelist(16)
cdef class Launcher:
    """A kernel with grid, block, stream and shared memory: call it with the kernel's arguments. Keep and reuse it
    freely."""
    cdef vectorcallfunc vectorcall
    cdef object __weakref__
    cdef KernelBase kernel
    cdef QueueBase stream          # None: the current stream at the time of the call
    cdef launch_config config
    # The kernel's own, here beside the rest, and the stream's or that of the device's legacy stream.
    cdef lp_queue *queue           # which the device keeps, closed or not
    cdef void *device
    cdef size_t size
    cdef Py_ssize_t count
    cdef lp_parameter *parameters
    cdef void *handle
    cdef const char *label
    cdef Block block               # of a stream that was named, if arguments go by one
    cdef bint plain                # nothing but packing is to be done with the arguments
    cdef Py_ssize_t longest        # of the arguments that go by a block, if it is long; else -1
    # What was given for it last, and where that is.
    cdef object known
    cdef lp_slot *known_slot
    cdef uint64_t known_version

    def __init__(self):
        raise TypeError("use kernel[grid, block] to create a launcher")

    def __getattr__(self, str name):
        hint = "" if name.startswith("_") else f": call it with the kernel's arguments, {self.kernel.name}[grid, block](...)"
        raise AttributeError(f"a Launcher has no attribute {name!r}{hint}", name=name, obj=None)

    def __call__(self, *args, **kwargs):
        """Launch with the kernel's arguments, by position or by name."""
        return call_vector(self, args, kwargs)

    cdef call_large(self, PyObject **args, Py_ssize_t count):
        cdef char *packed = <char *>malloc(self.size + 8)      # a last int is written with 8 bytes
        cdef bint staged
        if packed == NULL:
            raise MemoryError
        try:
            if self.kernel.padded:
                memset(packed, 0, self.size)
            staged = self.pack_all(args, count, packed)
            if self.kernel.closing:
                self.kernel.close(packed)
            self.submit(packed)
            if staged:
                tell_staged(args, count)
            self.finish()
        finally:
            free(packed)

    cdef int pack_all(self, PyObject **args, Py_ssize_t count, char *packed) except -1:
        """Pack all arguments, the unusual ones included; says whether some of them were staged."""
        cdef bint staged = False
        cdef KernelBase kernel = self.kernel
        cdef uint64_t freed = lp_runtime.frees
        # The launch may go to the current stream instead of the queue that is noted here: then only memory that awaits
        # nothing is plain.
        cdef uint64_t queue = self.queue.order_identity if self.stream is not None else 0
        cdef Py_ssize_t i = pack_plain(<PyObject *>kernel, <void *>kernel.device, queue, kernel.parameters, args, 0, count,
                                       packed)
        while i < count:
            argument_pack(self, kernel, i, <object>args[i], packed)
            staged = staged or isinstance(<object>args[i], StagedBase)
            i = pack_plain(<PyObject *>kernel, <void *>kernel.device, queue, kernel.parameters, args, i + 1, count,
                           packed)
        if freed != lp_runtime.frees:          # packing may run Python code, which may free what was packed already
            for i in range(count):
                if isinstance(<object>args[i], ArrayBase) and (<ArrayBase>args[i]).allocation.freed:
                    pack_pointer(self, kernel, i, <object>args[i], <void **>(packed + kernel.parameters[i].offset))
                elif isinstance(<object>args[i], (tuple, list, dict)):
                    argument_pack(self, kernel, i, <object>args[i], packed)
        return staged

    cdef QueueBase stream_now(self):
        """The stream that a launch goes to now."""
        cdef QueueBase current
        if self.stream is not None:
            return self.stream
        current = stream_for(self.kernel.device)
        if current.device is not self.kernel.device:
            raise self.kernel.wrong_stream(current, True)
        return current

    def packed(self, bytes arguments not None):
        """Launch from arguments packed already, in CUDA's layout.

        Parameters
        ----------
        arguments : bytes
            Exactly ``signature.size`` bytes: every parameter at its ``offset``. Nothing is checked but the length, and
            what pointers among them point to must stay until the launch is complete.
        """
        if len(arguments) != self.size:
            raise errors.SignatureError(f"{self.kernel.signature} packs into {self.size} bytes, got {len(arguments)}")
        if self.vectorcall == <vectorcallfunc>launcher_call_none:
            return                            # over no elements
        if lp_here.step != NULL:
            step_records_nothing()            # what the bytes point to is not known
        if unlikely(lp_runtime.watched):
            submit_watched(self, arguments)
        else:
            self.submit(<const char *>arguments)

    cdef int finish(self) except -1:
        """With LAUNCHPATH_LAUNCH_BLOCKING, wait for the launch."""
        return finish_if_blocking(self.stream_now().queue) if lp_runtime.watched else 0

    cdef int submit_block(self, QueueBase stream, const void *bytes, block_command *command) except -1:
        cdef Block block = self.block
        if block is None:
            block = self.kernel.block_of(stream)
            if stream is self.stream:
                self.block = block
        command_set_launch(&command.launch, self.kernel.handle, self.kernel.label, &self.config, NULL, 0)
        command.bytes = <const char *>bytes
        if unlikely(self.kernel.local_memory > self.kernel.device.local_memory):
            self.grow_local_memory(stream)
            try:
                block.launch(stream.queue, command)
            finally:
                self.local_memory_grown(stream)
            self.take_local_memory(stream)
        else:
            block.launch(stream.queue, command)
        return 0

    cdef inline int submit(self, const void *bytes) except -1:
        cdef driver_command command
        cdef QueueBase stream = self.stream_now()
        cdef lp_queue *queue
        cdef block_command block
        if self.kernel.by_block:
            block.long_bytes, block.long_at, block.long_size, block.slot = NULL, 0, 0, NULL
            return self.submit_block(stream, bytes, &block)
        queue = stream.queue
        command_set_launch(&command, self.kernel.handle, self.kernel.label, &self.config, bytes, self.size)
        if unlikely(self.kernel.local_memory > self.kernel.device.local_memory):
            self.grow_local_memory(stream)
            try:
                submit_run(queue, submit_command, &command)
            finally:
                self.local_memory_grown(stream)
            self.take_local_memory(stream)
        else:
            submit_run(queue, submit_command, &command)
            self.plain = self.kernel.plain
        return 0

    cdef int grow_local_memory(self, QueueBase stream) except -1:
        """Begin an unheld period for a launch that needs more local memory than any before: CUDA makes room for all
        threads."""
        if runs_host_function_of(stream.queue.domain.driver):
            raise errors.ConfigurationError(
                f"a host function launches {self.kernel.name}, the first kernel with {self.kernel.local_memory} bytes of local "
                f"memory for a thread: CUDA allocates that when {self.kernel.device.info['name']} is idle, and it is not idle "
                "while a stream waits for the host function: launch the kernel once before")
        unheld_begin(stream.queue.domain, UNHELD_EVER)
        try:
            local_memory_grow(self.kernel.device)
        except BaseException:
            unheld_end(stream.queue.domain)
            raise
        return 0

    cdef int local_memory_grown(self, QueueBase stream) except -1:
        try:
            local_memory_grown(self.kernel.device)
        finally:
            unheld_end(stream.queue.domain)
        return 0

    cdef int take_local_memory(self, QueueBase stream) except -1:
        """Note what the library keeps for each thread since the launch."""
        if not is_captured(stream.queue) and self.kernel.local_memory > self.kernel.device.local_memory:
            self.kernel.device.local_memory = self.kernel.local_memory
        self.plain = self.kernel.plain and self.kernel.local_memory <= self.kernel.device.local_memory
        return 0

    def __dir__(self):
        from launchpath._listed import is_listed
        return [name for name in object.__dir__(self) if is_listed(name)]

    def __repr__(self):
        cdef list grid = [self.config.grid[0], self.config.grid[1], self.config.grid[2]]
        cdef list block = [self.config.block[0], self.config.block[1], self.config.block[2]]
        return f"<{self.kernel.name}[{tuple(grid)}, {tuple(block)}, {self.stream!r}, {self.config.shared}]>"


def launch_stream(Launcher launcher not None):
    """The stream that a launch goes to now."""
    return launcher.stream_now()


def arguments_in_order(KernelBase kernel not None, tuple args not None, dict kwargs not None):
    """Arguments by position and by name as a tuple, in the parameters' order. Names that the kernel lacks are
    refused."""
    return by_name(kernel, args, kwargs)


cdef Launcher _probe = Launcher.__new__(Launcher)
install_vectorcall(Launcher, <char *>&_probe.vectorcall - <char *><PyObject *>_probe)

# What compiled programs register before `main`, and when a library of theirs is loaded: the device code in their objects,
# and the functions and variables in it, by the host's addresses.
#
# A program may register on any thread, and launch what is registered on another: the tables are read without a lock, and
# what is in them is never freed. What is unregistered keeps its place without a name.

cdef enum:
    HOST_LISTS = 1024          # a power of two

cdef struct host_binary:       # the device code of an object
    const void *wrapper        # as Clang gives it; NULL: it is unregistered
    uint32_t number
    host_binary *older

cdef struct host_function:     # a kernel, by the address that stands for it on the host
    const void *stub           # NULL: it is unregistered
    host_binary *binary
    const char *name           # mangled
    launchpath_symbol symbol   # which kernel it is on each device, without a name: Python finds it at its first launch
    host_function *next

cdef struct host_variable:
    void *address              # of the host's variable of the same name; of a managed one, of its pointer
    host_binary *binary
    const char *name
    size_t size
    uint32_t kind              # LAUNCHPATH_VARIABLE_...
    host_variable *next

cdef struct host_state:
    lp_lock lock               # a leaf: of those that write
    host_binary *newest
    host_function *functions[HOST_LISTS]
    host_variable *variables[HOST_LISTS]
    uint32_t binaries          # ever
    lp_queue *queue            # of the null stream on the first device; NULL: not known yet. The reference is never given up
    uint32_t asks              # Python is to be asked for everything: see `host_reason`
    uint64_t ending            # the number of the thread that ends the process; 0: none does

cdef enum host_reason:         # bits
    HOST_CAPTURES = 1          # a stream is captured: Python knows what stands for it
    HOST_ENDS = 2              # the process ends

cdef host_state lp_host
memset(&lp_host, 0, sizeof(lp_host))
lp_lock_init(&lp_host.lock)


cdef inline uint32_t host_list_of(const void *address) noexcept nogil:
    cdef uint64_t number = <uintptr_t>address
    return <uint32_t>((number * 0x9e3779b97f4a7c15ULL >> 40) % HOST_LISTS)


cdef inline host_function *host_function_of(const void *stub) noexcept nogil:
    """The kernel that an address of the host stands for; NULL: none."""
    cdef host_function *each = <host_function *>lp_load(<uint64_t *>&lp_host.functions[host_list_of(stub)])
    while each != NULL and each.stub != stub:
        each = each.next
    return each


cdef host_variable *host_variable_of(const void *address) noexcept nogil:
    cdef host_variable *each = <host_variable *>lp_load(<uint64_t *>&lp_host.variables[host_list_of(address)])
    while each != NULL and (each.address != address or each.binary.wrapper == NULL):
        each = each.next
    return each


cdef void **host_register_binary(const void *wrapper) noexcept nogil:
    cdef host_binary *binary = <host_binary *>calloc(1, sizeof(host_binary))
    if binary == NULL:
        return NULL
    binary.wrapper = wrapper
    lp_lock_acquire(&lp_host.lock)
    binary.number, binary.older = lp_host.binaries, lp_host.newest
    lp_host.binaries += 1
    lp_store(<uint64_t *>&lp_host.newest, <uint64_t>binary)
    lp_lock_release(&lp_host.lock)
    return <void **>binary


cdef void host_register_function(void **handle, const void *stub, const char *name) noexcept nogil:
    cdef host_function *function = <host_function *>calloc(1, sizeof(host_function))
    cdef host_function **list = &lp_host.functions[host_list_of(stub)]
    if function == NULL or handle == NULL:
        free(function)
        return
    function.stub, function.binary, function.name = stub, <host_binary *>handle, name
    lp_lock_acquire(&lp_host.lock)
    function.next = list[0]
    lp_store(<uint64_t *>list, <uint64_t>function)
    lp_lock_release(&lp_host.lock)


cdef void host_register_variable(void **handle, void *address, const char *name, size_t size, uint32_t kind) noexcept nogil:
    cdef host_variable *variable = <host_variable *>calloc(1, sizeof(host_variable))
    cdef host_variable **list = &lp_host.variables[host_list_of(address)]
    if variable == NULL or handle == NULL:
        free(variable)
        return
    variable.address, variable.binary, variable.name = address, <host_binary *>handle, name
    variable.size, variable.kind = size, kind
    lp_lock_acquire(&lp_host.lock)
    variable.next = list[0]
    lp_store(<uint64_t *>list, <uint64_t>variable)
    lp_lock_release(&lp_host.lock)


cdef void host_unregister_binary(void **handle) noexcept nogil:
    """Called when a library is unloaded, and when the program ends: other threads may launch meanwhile."""
    cdef host_binary *binary = <host_binary *>handle
    cdef host_function *each
    cdef int i
    if binary == NULL:
        return
    lp_lock_acquire(&lp_host.lock)
    binary.wrapper = NULL
    for i in range(HOST_LISTS):
        each = lp_host.functions[i]
        while each != NULL:
            if each.binary == binary:
                each.stub = NULL
            each = each.next
    lp_lock_release(&lp_host.lock)


# --- what Python asks


def host_function_at(uintptr_t stub):
    """The kernel that an address of the host stands for: the number of its binary, where that is, and its mangled name.
    None if there is none."""
    cdef host_function *function = host_function_of(<void *>stub) if stub else NULL
    if function == NULL:
        return None
    return function.binary.number, <uintptr_t>function.binary.wrapper, function.name.decode()


def host_binaries():
    """The device code that is registered now: the number of each binary, and where it is."""
    cdef host_binary *binary = <host_binary *>lp_load(<uint64_t *>&lp_host.newest)
    binaries = []
    while binary != NULL:
        if binary.wrapper != NULL:
            binaries.append((binary.number, <uintptr_t>binary.wrapper))
        binary = binary.older
    return binaries


def host_variable_at(uintptr_t address):
    """The variable that an address of the host stands for: its binary's number and place, its name, size and kind."""
    cdef host_variable *variable = host_variable_of(<void *>address) if address else NULL
    if variable == NULL:
        return None
    return (variable.binary.number, <uintptr_t>variable.binary.wrapper, variable.name.decode(), variable.size,
            variable.kind)


def host_kernel_is(uintptr_t stub, DeviceBase device not None, uint64_t handle):
    """Launch the kernel of a handle (`c_publish`) where a program launches that of an address on a device."""
    cdef host_function *function = host_function_of(<void *>stub)
    if function != NULL:
        lp_store(&function.symbol.kernels[(<uintptr_t>device.domain >> 8) % LAUNCHPATH_SYMBOL_DEVICES], handle)


def host_null_stream_is(QueueBase stream, int number=-1):
    """Name the stream that this thread's null stream is from now on, by the number of its device; without it the stream of
    every thread that has not chosen a device. None: this thread has chosen none."""
    cdef lp_c_thread *here
    if stream is None:
        if lp_c_here != NULL:
            lp_c_here.null_queue = NULL
        return
    queue_ref(stream.queue)            # never given up: a launch of another thread may be about to lock it
    if number < 0:
        lp_host.queue = stream.queue
        return
    here = lp_c_thread_here()
    if here == NULL:
        raise MemoryError
    here.null_queue, here.device = stream.queue, number


def host_captures(bint captured):
    """Whether streams are captured: then Python submits what programs launch."""
    lp_host.asks = lp_host.asks & ~<uint32_t>HOST_CAPTURES | (<uint32_t>HOST_CAPTURES if captured else 0)


def host_ends():
    """Let other threads of a program make no more calls: this one ends the process. Whether there are others that have
    made calls."""
    lp_host.ending = this_thread()
    lp_host.asks |= HOST_ENDS
    return lp_load(&lp_c_threads) > 1

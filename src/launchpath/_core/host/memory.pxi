# hipMalloc, hipFree, copies and fills of compiled programs, without Python.
#
# Each function here answers what is usual, and says HOST_ASK for all else before it has done anything: then the program's
# stub asks Python, whose function of the same name finds out what is wrong, or does it. See `_core/host/call.pxi`.

cdef enum:
    HOST_ASK = -1              # Python's function is to be called
    HOST_NOT_READY = 600       # hipErrorNotReady
    ADDRESS_ALIGNMENT = 512    # bytes: what a texture begins at by CUDA's textureAlignment; AMD's is 256

HIP_ALIGNMENT = ADDRESS_ALIGNMENT


cdef inline bint host_may_answer() noexcept nogil:
    """Whether functions of this thread may be answered without Python."""
    # A caller that has the GIL must not wait for a lock whose owner wants the GIL.
    return not (lp_runtime.checked or lp_runtime.exiting or lp_host.asks or lp_here.step != NULL
                or lp_here.job != NULL or PyGILState_Check())


cdef inline int host_success() noexcept nogil:
    lp_here.hip_code = 0
    return 0


cdef int host_allocate(uint64_t place, uint64_t size) noexcept nogil:
    cdef lp_queue *queue = host_queue_of(NULL)
    cdef lp_heap *heap
    cdef lp_extent *extent
    cdef address_range added
    cdef lp_call call
    call.ring = NULL
    if place == 0 or size == 0 or queue == NULL or queue.domain.refused or lp_runtime.graphs_gone != NULL or (
            not host_may_answer()):
        return HOST_ASK
    heap = queue.domain.heap
    if heap == NULL or heap.forked:
        return HOST_ASK
    if unlikely(lp_runtime.watched):
        call_begin(&call, API_ALLOCATE)
    lp_lock_acquire(&heap.lock)
    extent = heap_take(heap, arena_of(MEMORY_DEVICE, pool_size(size)), pool_size(size), NULL, True)
    lp_lock_release(&heap.lock)
    if extent == NULL:
        return call_left(&call, HOST_ASK)        # the pool must grow, or wait
    extent.asked = size
    added.begin, added.size, added.kind, added.domain = <uintptr_t>extent.address, size, ADDRESS_DEVICE, queue.domain
    added.extent, added.thing = extent, NULL
    # Texture units want a greater alignment. Memory that overlaps was registered and freed since: Python forgets it.
    if added.begin % ADDRESS_ALIGNMENT and queue.table.texture_create != NULL or address_put(&added):
        heap_give_back(heap, extent, queue.domain)
        return call_left(&call, HOST_ASK)
    (<uint64_t *><uintptr_t>place)[0] = added.begin
    call_end(&call, 0, size, NULL, queue.domain)
    return host_success()


cdef int host_free(uint64_t address) noexcept nogil:
    cdef address_range known
    cdef lp_call call
    cdef uint32_t n
    call.ring = NULL
    if address == 0 or not host_may_answer():
        return HOST_ASK
    if not address_copy(address, &known) or known.begin != address or known.thing != NULL or known.domain.refused:
        return HOST_ASK
    if not host_finishes(known.domain, &n):    # before the memory is taken: this may fail
        return HOST_ASK
    if not address_take(address, NULL, &known):
        return HOST_ASK                # another thread was first
    if unlikely(lp_runtime.watched):
        call_begin(&call, API_FREE)
    heap_give_back(known.domain.heap, known.extent, known.domain)
    call_end(&call, 0, known.size, NULL, known.domain)
    domain_unref(known.domain)
    return host_success()


cdef inline bint host_reaches(uint64_t address, uint64_t size, address_range *known) noexcept nogil:
    """Whether so many bytes from an address on are in memory that HIP's functions have given out."""
    return address_copy(address, known) and known.kind != ADDRESS_REGISTERED and (
        size <= known.size - (address - known.begin))


cdef inline bint host_is_hosts(const address_range *known) noexcept nogil:
    return known.kind == ADDRESS_HOST or known.kind == ADDRESS_SIGNAL


cdef int host_submit(lp_queue *queue, driver_command *command) noexcept nogil:
    """Submit a command; HOST_ASK: it was not accepted."""
    if queue.domain.refused or queue.epoch != lp_load(&lp_runtime.failures) or is_full(queue):
        return HOST_ASK
    if submit_locked(queue, submit_command, command):
        return HOST_ASK
    if queue_depth(queue) > DEPTH_SOFT:
        queue_throttle(queue)
    return host_success()


cdef int host_copy(uint64_t to, uint64_t source, uint64_t size, uint32_t kind, uint64_t stream) noexcept nogil:
    cdef uint64_t copied
    return host_copied(to, source, size, kind, stream, &copied if unlikely(lp_runtime.watched) else NULL)


cdef inline int host_copied(uint64_t to, uint64_t source, uint64_t size, uint32_t kind, uint64_t stream,
                            uint64_t *copied) noexcept nogil:
    """Copy; `copied` is for the record of a copy to the host, or NULL."""
    cdef driver_command command
    cdef copy_command copy
    cdef address_range target, origin
    cdef lp_queue *queue
    cdef lp_records *records
    cdef int answer
    if kind > 4 or size == 0 or to == source or not host_may_answer():
        return HOST_ASK
    if not (host_reaches(to, size, &target) and host_reaches(source, size, &origin)):
        return HOST_ASK
    if host_is_hosts(&target) and host_is_hosts(&origin):
        return HOST_ASK                # such a copy has ended when the function returns
    queue = host_queue_of(<void *><uintptr_t>stream)
    if queue == NULL or queue.domain != target.domain or queue.domain != origin.domain:
        return HOST_ASK
    command_set_copy(&command, &copy, <void *><uintptr_t>to, <const void *><uintptr_t>source, size,
                     COPY_UP if host_is_hosts(&origin) else COPY_DOWN if host_is_hosts(&target) else COPY_WITHIN)
    if likely(copied == NULL):
        return host_submit(queue, &command)
    records = copies_begin(NULL, EVIDENCE_PINNED if host_is_hosts(&origin) or host_is_hosts(&target) else 0)
    answer = host_submit(queue, &command)
    copied[0] = copies_end(records)
    return answer


cdef int host_copy_and_wait(uint64_t to, uint64_t source, uint64_t size, uint32_t kind) noexcept nogil:
    cdef uint64_t copied = 0
    cdef int code
    if host_copied(to, source, size, kind, 0, &copied if unlikely(lp_runtime.watched) else NULL) == HOST_ASK:
        return HOST_ASK
    code = host_wait_for_accepted()
    if unlikely(copied and code == 0):
        copy_arrived(copied, <const void *><uintptr_t>to, size)
    return code


cdef int host_wait_for_accepted() noexcept nogil:
    """Wait for a command of the null stream, which must not be submitted again."""
    cdef void *stream = NULL
    cdef void *arguments[1]
    if host_stream_synchronize(0) != HOST_ASK:
        return 0
    arguments[0] = &stream
    return <int>host_call("hipStreamSynchronize", arguments)


cdef int host_fill(uint64_t to, uint32_t value, uint64_t size, uint64_t stream) noexcept nogil:
    cdef driver_command command
    cdef fill_command fill
    cdef address_range target
    cdef uint8_t pattern = <uint8_t>value
    cdef lp_queue *queue
    if size == 0 or not host_may_answer() or not host_reaches(to, size, &target):
        return HOST_ASK
    queue = host_queue_of(<void *><uintptr_t>stream)
    if queue == NULL or queue.domain != target.domain:
        return HOST_ASK
    command_set_fill(&command, &fill, <void *><uintptr_t>to, &pattern, 1, size)
    return host_submit(queue, &command)


cdef int host_fill_default(uint64_t to, uint32_t value, uint64_t size) noexcept nogil:
    """hipMemset: of memory that the host reaches it returns when the memory is filled, as CUDA documents it."""
    cdef address_range target
    if host_fill(to, value, size, 0) == HOST_ASK:
        return HOST_ASK
    if host_reaches(to, size, &target) and target.kind == ADDRESS_DEVICE:
        return 0
    return host_wait_for_accepted()

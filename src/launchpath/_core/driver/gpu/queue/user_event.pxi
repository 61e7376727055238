# User events: words of pinned memory. A stream waits for one with the library's own wait for a value.

cdef extern from "base/lock.h" nogil:
    uint32_t gpu_word_load "lp_load32"(const uint32_t *at)
    void gpu_word_store "lp_store32"(uint32_t *at, uint32_t value)


cdef int gpu_user_event(void *handle, bint may_wait, void **event) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_event *taken = NULL
    cdef int code = gpu_open(device)
    if code:
        return code
    if not device.wait_values:
        return gpu_fail(device.library.names.hip_wait_value if device.library.hip else device.library.names.wait_value,
                        GPU_LACKING)
    while taken == NULL and code == 0:
        lp_lock_acquire(&device.lock)
        taken = device.free_words
        if taken != NULL:
            device.free_words = taken.next
        lp_lock_release(&device.lock)
        if taken == NULL:
            code = gpu_words(device)
    if code:
        return code
    # A word only counts up: a poll for one of its earlier values still succeeds.
    taken.value = gpu_word_load(taken.word) + 1
    taken.failed = 0
    gpu_hold_begin(device, may_wait)
    lp_store(&taken.held, 1)
    event[0] = taken
    return 0


cdef int gpu_words(gpu_device *device) noexcept nogil:
    """Make a page of words, which stays for the process. No lock is held: the library may make the caller wait."""
    cdef uint32_t *words = NULL
    cdef gpu_event *events
    cdef gpu_context context
    cdef uint32_t i
    cdef int code = gpu_begin_apart(device, &context)
    if code:
        return code
    code = device.library.call.host_allocate(<void **>&words, GPU_WORDS * sizeof(uint32_t),
                                             GPU_HOST_PORTABLE | GPU_HOST_MAPPED)
    gpu_end(&context)
    if code:
        return gpu_fail(device.library.names.host_allocate, code)
    memset(words, 0, GPU_WORDS * sizeof(uint32_t))
    events = <gpu_event *>calloc(GPU_WORDS, sizeof(gpu_event))
    if events == NULL:
        return gpu_fail(b"malloc", GPU_ERROR_OUT_OF_MEMORY)
    lp_lock_acquire(&device.lock)
    for i in range(GPU_WORDS):
        events[i].device, events[i].word = device, &words[i]
        events[i].next = device.free_words
        device.free_words = &events[i]
    lp_lock_release(&device.lock)
    return 0


cdef int gpu_user_event_set(void *domain, void *handle, event_status status) noexcept nogil:
    cdef gpu_event *event = <gpu_event *>handle
    if status == EVENT_FAILED:
        lp_store(&event.failed, 1)     # streams go on all the same: the core remembers the failure
    gpu_word_store(event.word, event.value)
    gpu_let_go(event)
    return 0

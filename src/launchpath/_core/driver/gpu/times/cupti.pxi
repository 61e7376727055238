# CUPTI, the profiler of CUDA: it tells when each launch ran, for less than two events of each would cost.
#
# Copies and fills are never recorded, other code's neither: their records crashed CUPTI 13, in a thread of its own or in a
# call of the driver's, when several threads submitted them (an H200: 14 of 16 processes within 14 seconds). That did not
# depend on when it is attached and detached: it crashed as well while it stayed attached.
#
# A process has one subscriber of CUPTI's. If launchpath is refused, another profiler has CUPTI, and it is left alone. While it
# is attached each call of a command gets a number, which the callback hears on the calling thread; the records have the same
# numbers.
#
# Attached, it makes all launches of the process slower. Detached, it still does, by some 0.6 microseconds, until it is unloaded
# (`cuptiFinalize`, after which it can be attached again). NVIDIA asks for the device's work to be complete by then. So it is
# detached as soon as nobody wants times any more, and unloaded when the process is idle.

cdef extern from "driver/gpu/times/cupti.h" nogil:
    ctypedef struct cupti_call:
        int site
        const int *result
        uint32_t number
    ctypedef struct cupti_functions:
        int (*version)(uint32_t *) noexcept nogil
        int (*text)(int, const char **) noexcept nogil
        int (*subscribe)(void **, void (*)(void *, int, uint32_t, const cupti_call *) noexcept nogil, void *) noexcept nogil
        int (*unsubscribe)(void *) noexcept nogil
        int (*watch)(uint32_t, void *, int, uint32_t) noexcept nogil
        int (*use_buffers)(void (*)(uint8_t **, size_t *, size_t *) noexcept nogil,
                           void (*)(void *, uint32_t, uint8_t *, size_t, size_t) noexcept nogil) noexcept nogil
        int (*use_clock)(uint64_t (*)() noexcept nogil) noexcept nogil
        int (*enable)(int) noexcept nogil
        int (*disable)(int) noexcept nogil
        int (*next)(uint8_t *, size_t, void **) noexcept nogil
        int (*flush)(uint32_t) noexcept nogil
        int (*finalize)() noexcept nogil
    enum:
        CUPTI_ERROR_MULTIPLE_SUBSCRIBERS, CUPTI_DOMAIN_DRIVER, CUPTI_ENTER, CUPTI_EXIT, CUPTI_FLUSH_FORCED
        CUPTI_CALL_CONTEXT, CUPTI_CALL_DEPENDENT, CUPTI_NEWEST, CUPTI_KIND_LAUNCH
    const uint32_t cupti_commands[1]
    const uint32_t cupti_captures[1]
    const char *const cupti_names[1]
    size_t CUPTI_COMMANDS, CUPTI_CAPTURES, CUPTI_N_FUNCTIONS
    bint cupti_begins_capture(uint32_t call)
    int cupti_record(const void *record, uint32_t *number, uint64_t *start, uint64_t *end)

cdef enum:
    CUPTI_BUFFER = 131072          # bytes: some 600 records of launches

cdef struct cupti_buffer:          # the records follow
    cupti_buffer *next
    size_t valid               # bytes of records
    uint64_t loads             # of CUPTI, when it asked for this
    bint whole                 # it came by a flush of everything: records without times are of what is not complete
    uint64_t rest[4]

cdef struct gpu_cupti_state:
    cupti_functions call
    bint loaded
    lp_lock lock               # guards what follows
    void *subscriber           # NULL: it is not attached
    const profile_observer *observer
    uint32_t records           # of a buffer, at most
    bint whole                 # everything is flushed now
    uint64_t unloading         # 1: the next call of `cuCtxGetCurrent` that ends unloads; 2: it is doing so
    int code                   # of that
    lp_lock buffers_lock       # a leaf; guards what follows
    uint64_t loads             # how often CUPTI has been unloaded: its numbers begin anew then
    cupti_buffer *buffers      # that are used again
    cupti_buffer *full         # that nobody has read, the newest first

cdef gpu_cupti_state gpu_cupti
lp_lock_init(&gpu_cupti.lock)
lp_lock_init(&gpu_cupti.buffers_lock)


def cupti_load(str path not None):
    """Load CUPTI at `path`, once in a process. Raises `LibraryError`."""
    cdef void **functions = <void **>&gpu_cupti.call
    cdef void *handle
    cdef uint32_t version = 0
    cdef size_t i
    if gpu_cupti.loaded:
        return
    handle = open_library(path)
    for i in range(CUPTI_N_FUNCTIONS):
        functions[i] = lp_library_find(handle, cupti_names[i])
        if functions[i] == NULL:
            raise LibraryError(f"{path} lacks {(<bytes>cupti_names[i]).decode()}")
    if gpu_cupti.call.version(&version) or version > CUPTI_NEWEST:
        raise LibraryError(f"{path}: expected a version of CUPTI up to {CUPTI_NEWEST}, got {version}")
    gpu_cupti.loaded = True


def cupti_is_loaded():
    """Whether this process has loaded it."""
    return bool(gpu_cupti.loaded)


def cupti_text(int code):
    """What CUPTI says of an error."""
    cdef const char *text = NULL
    if code == ERROR_HELD_BACK:
        return "a stream waits for the host, or the device is busy for long"
    if not gpu_cupti.loaded:
        return "not loaded"
    if code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS:
        return "another profiler is attached to this process"
    if gpu_cupti.call.text(code, &text) or text == NULL:
        return f"error {code}"
    return text.decode()


cdef void cupti_called(void *data, int domain, uint32_t call, const cupti_call *at) noexcept nogil:
    """A call of the driver's begins or ends on this thread."""
    cdef const profile_observer *observer = gpu_cupti.observer
    if domain != CUPTI_DOMAIN_DRIVER:
        return
    if call == CUPTI_CALL_CONTEXT:
        if at.site == CUPTI_EXIT and lp_swap_if(&gpu_cupti.unloading, 1, 2):
            # CUPTI wants to be unloaded at the end of a call of the driver's.
            gpu_cupti.code = gpu_cupti.call.finalize()
            lp_store(&gpu_cupti.unloading, 0)
        return
    if observer == NULL:
        return
    if at.site == CUPTI_ENTER:
        if cupti_begins_capture(call):
            observer.captures()
        else:
            observer.called(at.number)
        return
    if at.result != NULL and at.result[0]:
        observer.refused(at.number)


cdef void cupti_asks(uint8_t **buffer, size_t *size, size_t *most) noexcept nogil:
    cdef cupti_buffer *empty
    lp_lock_acquire(&gpu_cupti.buffers_lock)
    empty = gpu_cupti.buffers
    if empty != NULL:
        gpu_cupti.buffers = empty.next
    lp_lock_release(&gpu_cupti.buffers_lock)
    if empty == NULL:
        empty = <cupti_buffer *>malloc(sizeof(cupti_buffer) + CUPTI_BUFFER)
    if empty != NULL:
        empty.loads = lp_load(&gpu_cupti.loads)
    buffer[0] = <uint8_t *>(empty + 1) if empty != NULL else NULL
    size[0], most[0] = CUPTI_BUFFER if empty != NULL else 0, gpu_cupti.records


cdef void cupti_tells(void *context, uint32_t stream, uint8_t *records, size_t size, size_t valid) noexcept nogil:
    """A buffer of records, on a thread of CUPTI's or on one that asked for them."""
    cdef cupti_buffer *buffer = <cupti_buffer *>records - 1
    if records == NULL:
        return
    lp_lock_acquire(&gpu_cupti.buffers_lock)
    if buffer.loads == gpu_cupti.loads:
        buffer.valid, buffer.whole, buffer.next, gpu_cupti.full = valid, gpu_cupti.whole, gpu_cupti.full, buffer
    else:
        buffer.next, gpu_cupti.buffers = gpu_cupti.buffers, buffer
    lp_lock_release(&gpu_cupti.buffers_lock)


cdef void cupti_numbers_begin() noexcept nogil:
    """CUPTI has been unloaded: the numbers in records that came with it, or come yet, are those of other calls from now on."""
    lp_add(&gpu_cupti.loads, 1)
    cupti_read(cupti_full(), NULL)


cdef cupti_buffer *cupti_full() noexcept nogil:
    """The buffers that have come since the last time, the oldest first."""
    cdef cupti_buffer *full
    cdef cupti_buffer *next_
    cdef cupti_buffer *ordered = NULL
    lp_lock_acquire(&gpu_cupti.buffers_lock)
    full, gpu_cupti.full = gpu_cupti.full, NULL
    lp_lock_release(&gpu_cupti.buffers_lock)
    while full != NULL:
        next_ = full.next
        full.next, ordered = ordered, full
        full = next_
    return ordered


cdef void cupti_read(cupti_buffer *buffer, const profile_observer *observer) noexcept nogil:
    """Read buffers, and keep them for the next records; without an observer they are not read."""
    cdef cupti_buffer *next_
    cdef void *record
    cdef uint64_t start = 0, end = 0
    cdef uint32_t number = 0
    while buffer != NULL:
        next_, record = buffer.next, NULL
        while observer != NULL and buffer.valid and (
                gpu_cupti.call.next(<uint8_t *>(buffer + 1), buffer.valid, &record) == 0):
            if cupti_record(record, &number, &start, &end) and (start and end or not buffer.whole):
                observer.ran(number, start, end)
        lp_lock_acquire(&gpu_cupti.buffers_lock)
        buffer.next, gpu_cupti.buffers = gpu_cupti.buffers, buffer
        lp_lock_release(&gpu_cupti.buffers_lock)
        buffer = next_


cdef uint64_t cupti_clock() noexcept nogil:
    return lp_nanoseconds()


cdef int cupti_attach(const profile_observer *observer) noexcept nogil:
    cdef cupti_functions *call = &gpu_cupti.call
    cdef size_t i
    cdef int code = call.subscribe(&gpu_cupti.subscriber, cupti_called, NULL)
    if code:
        gpu_cupti.subscriber = NULL
        return code
    gpu_cupti.observer = observer
    # The clock comes before everything that is recorded by it.
    code = call.use_clock(cupti_clock)
    if code == 0:
        code = call.use_buffers(cupti_asks, cupti_tells)
    if code == 0:
        code = call.enable(CUPTI_KIND_LAUNCH)
    for i in range(CUPTI_COMMANDS):
        if code == 0:
            code = call.watch(1, gpu_cupti.subscriber, CUPTI_DOMAIN_DRIVER, cupti_commands[i])
            if cupti_commands[i] == CUPTI_CALL_DEPENDENT:
                code = 0           # a CUPTI without it knows no device that has dependent launches
    for i in range(CUPTI_CAPTURES):
        call.watch(1, gpu_cupti.subscriber, CUPTI_DOMAIN_DRIVER, cupti_captures[i])        # an older CUPTI has fewer
    if code:
        cupti_detach()
    return code


cdef void cupti_detach() noexcept nogil:
    """After the last records: nothing is recorded any more, and no call is heard of."""
    cdef cupti_functions *call = &gpu_cupti.call
    call.disable(CUPTI_KIND_LAUNCH)
    call.flush(CUPTI_FLUSH_FORCED)
    call.unsubscribe(gpu_cupti.subscriber)
    gpu_cupti.subscriber, gpu_cupti.observer = NULL, NULL
    cupti_read(cupti_full(), NULL)     # nobody waits for them


cdef int cupti_unload() noexcept nogil:
    """Let launches of the process be as fast as before CUPTI; only while no other thread is in a call of the library's.
    Another profiler has it: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS, and it stays."""
    cdef cupti_functions *call = &gpu_cupti.call
    cdef void *context = NULL
    cdef int code = call.subscribe(&gpu_cupti.subscriber, cupti_called, NULL)
    if code:
        gpu_cupti.subscriber = NULL
        return code
    lp_store(&gpu_cupti.unloading, 1)
    if call.watch(1, gpu_cupti.subscriber, CUPTI_DOMAIN_DRIVER, CUPTI_CALL_CONTEXT) == 0:
        cuda_library.call.context(&context)
    if lp_swap_if(&gpu_cupti.unloading, 1, 2):         # that call was not seen
        gpu_cupti.code = call.finalize()
        lp_store(&gpu_cupti.unloading, 0)
    while lp_load(&gpu_cupti.unloading):
        lp_sleep(20)                                   # another thread's call was the first
    if gpu_cupti.code:
        call.unsubscribe(gpu_cupti.subscriber)
    else:
        cupti_numbers_begin()
    gpu_cupti.subscriber = NULL
    return gpu_cupti.code


cdef int gpu_profile_begin(const profile_observer *observer, uint32_t records) noexcept nogil:
    cdef int code = 0
    if not gpu_cupti.loaded or cuda_forked:
        return ERROR_NOT_TOLD
    lp_lock_acquire(&gpu_cupti.lock)
    if gpu_cupti.subscriber == NULL:
        gpu_cupti.records = records
        code = cupti_attach(observer)
    lp_lock_release(&gpu_cupti.lock)
    return code


cdef void gpu_profile_flush(bint whole) noexcept nogil:
    lp_lock_acquire(&gpu_cupti.lock)
    if gpu_cupti.subscriber != NULL:
        gpu_cupti.whole = whole
        gpu_cupti.call.flush(CUPTI_FLUSH_FORCED if whole else 0)
        gpu_cupti.whole = False
    lp_lock_release(&gpu_cupti.lock)


cdef void gpu_profile_read() noexcept nogil:
    cdef const profile_observer *observer = gpu_cupti.observer
    if observer != NULL:
        cupti_read(cupti_full(), observer)


cdef void gpu_profile_end() noexcept nogil:
    lp_lock_acquire(&gpu_cupti.lock)
    if gpu_cupti.subscriber != NULL:
        cupti_detach()
    lp_lock_release(&gpu_cupti.lock)


cdef int gpu_profile_unload() noexcept nogil:
    cdef int code = 0
    lp_lock_acquire(&gpu_cupti.lock)
    if gpu_cupti.loaded and gpu_cupti.subscriber == NULL:
        code = cupti_unload()
    lp_lock_release(&gpu_cupti.lock)
    return code

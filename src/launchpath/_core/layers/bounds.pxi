# LAUNCHPATH_DEBUG=bounds: a layer that gives each launch a record, which says what memory there is, and in which a
# kernel that checks its accesses leaves the first that failed. Kernels read it at the same address: it is for devices whose
# addresses are the host's. `_compiler/spirv/checks/launch_record.py` has the same words.
#
# What no segment of the pool has is not known: other libraries' memory, a thread's own, shared memory. There an address
# is right everywhere, but for the lowest, where null pointers lead to.

from libc.stdlib cimport qsort

cdef enum:
    RECORD_FAILED = 0
    RECORD_CHECK = 1
    RECORD_ADDRESS = 2
    RECORD_BEGIN = 3
    RECORD_END = 4
    RECORD_BLOCK = 5
    RECORD_THREAD = 8
    RECORD_DYNAMIC_SHARED = 11
    RECORD_COUNT = 12
    RECORD_TABLE = 13
    RECORD_ARGUMENTS = 14
    NULL_PAGES = 65536             # bytes at the lowest addresses, where no memory is

cdef struct memory_row:            # all addresses from one on, up to the next row's
    uint64_t start
    uint64_t begin                 # the memory that they are checked against; both zeros: there is none
    uint64_t end

cdef struct checked_launch:
    checked_launch *next
    uint64_t *words
    memory_row *rows
    void *kernel
    const char *label
    uint32_t slot
    uint32_t arguments             # words of the packed arguments
    uint64_t number

cdef struct lp_bounds:
    lp_heap *heap                  # the device's pool's, which lives as long as the device
    lp_lock lock                   # a leaf, around what follows
    checked_launch *launches       # that nobody has looked at since they were submitted, the newest first


cdef int compare_rows(const void *left, const void *right) noexcept nogil:
    cdef uint64_t a = (<const memory_row *>left).start, b = (<const memory_row *>right).start
    return (a > b) - (a < b)


cdef inline void put_row(memory_row *rows, uint64_t *n, uint64_t room, uint64_t start, uint64_t begin,
                         uint64_t end) noexcept nogil:
    if n[0] < room:
        rows[n[0]].start, rows[n[0]].begin, rows[n[0]].end = start, begin, end
    n[0] += 1


cdef uint64_t list_memory(lp_heap *heap, memory_row *rows, uint64_t room) noexcept nogil:
    """Write a row for each array, for what is between them, and for what is no memory of the pool's; gives how many rows
    there are. The end of an array counts as its own: a pointer there is one of its."""
    cdef lp_segment *segment
    cdef lp_extent *extent
    cdef uint64_t n = 0, start
    put_row(rows, &n, room, 0, 0, 0)
    put_row(rows, &n, room, NULL_PAGES, 0, <uint64_t>-1)
    lp_lock_acquire(&heap.lock)
    segment = heap.segments
    while segment != NULL:
        extent = segment.first
        while extent != NULL:
            start = <uint64_t>extent.address
            if extent.state == EXTENT_USED and not extent.ended:
                put_row(rows, &n, room, start, start, start + extent.asked)
                put_row(rows, &n, room, start + extent.asked + 1, 0, 0)
            else:
                put_row(rows, &n, room, start, 0, 0)
            extent = extent.after
        put_row(rows, &n, room, <uint64_t>segment.address + segment.size, 0, <uint64_t>-1)
        segment = segment.next
    lp_lock_release(&heap.lock)
    return n


cdef const memory_row *row_of(const memory_row *rows, uint64_t n, uint64_t address) noexcept nogil:
    cdef uint64_t low = 0, high = n, middle
    while high - low > 1:
        middle = low + (high - low) // 2
        if rows[middle].start <= address:
            low = middle
        else:
            high = middle
    return &rows[low]


cdef void free_checked(checked_launch *launch) noexcept nogil:
    free(launch.words)
    free(launch.rows)
    free(launch)


cdef checked_launch *begin_checked(lp_bounds *bounds, const launch_config *config, const void *bytes,
                                   size_t size) noexcept nogil:
    """Make a launch's record; NULL: there is no host memory."""
    cdef checked_launch *launch = <checked_launch *>calloc(1, sizeof(checked_launch))
    cdef uint64_t n = 0, room = 0, value
    cdef const memory_row *row
    cdef uint64_t i
    if launch == NULL:
        return NULL
    while True:                        # another thread may allocate meanwhile
        n = list_memory(bounds.heap, launch.rows, room)
        if n <= room:
            break
        room = n + n // 4 + 16
        free(launch.rows)
        launch.rows = <memory_row *>calloc(room, sizeof(memory_row))
        if launch.rows == NULL:
            free(launch)
            return NULL
    qsort(launch.rows, n, sizeof(memory_row), compare_rows)
    launch.arguments = <uint32_t>((size + 7) // 8)
    launch.words = <uint64_t *>calloc(RECORD_ARGUMENTS + 2 * launch.arguments, sizeof(uint64_t))
    if launch.words == NULL:
        free(launch.rows)
        free(launch)
        return NULL
    launch.words[RECORD_DYNAMIC_SHARED], launch.words[RECORD_COUNT] = config.shared, n
    launch.words[RECORD_TABLE] = <uint64_t>launch.rows
    for i in range(launch.arguments):
        value = 0
        memcpy(&value, <const char *>bytes + 8 * i, min(<size_t>8, size - 8 * i))
        row = row_of(launch.rows, n, value)
        launch.words[RECORD_ARGUMENTS + 2 * i] = row.begin
        launch.words[RECORD_ARGUMENTS + 2 * i + 1] = row.end
    return launch


cdef int bounds_submit(void *queue, const driver_command *command) noexcept nogil:
    cdef const driver_table *below = below_queue(queue, LAYER_BOUNDS)
    cdef lp_queue *q = layer_queue(queue)
    cdef lp_bounds *bounds = q.domain.bounds
    cdef checked_launch *launch
    cdef driver_command checked
    cdef int64_t takes_record = 0
    cdef int code = 0
    if command.kind == COMMAND_LAUNCH:
        code = below.kernel_get(q.domain.device, command.kernel, KERNEL_TAKES_RECORD, &takes_record)
    if code or not takes_record:
        return below.submit(queue, command)
    launch = begin_checked(bounds, command.config, command.bytes, command.size)
    if launch == NULL:
        return ERROR_HOST_MEMORY
    launch.kernel, launch.label, launch.slot, launch.number = command.kernel, command.label, q.slot, command.number
    checked = command[0]
    checked.launch_record = <uint64_t>launch.words
    code = below.submit(queue, &checked)
    if code:
        free_checked(launch)
    else:
        lp_lock_acquire(&bounds.lock)
        launch.next, bounds.launches = bounds.launches, launch
        lp_lock_release(&bounds.lock)
    return code


cdef void bounds_entries(driver_table *table) noexcept nogil:
    table.submit = bounds_submit


cdef void drop_bounds(lp_bounds *bounds) noexcept nogil:
    """Release what nobody has looked at: the device is gone."""
    cdef checked_launch *next
    if bounds == NULL:
        return
    while bounds.launches != NULL:
        next = bounds.launches.next
        free_checked(bounds.launches)
        bounds.launches = next
    lp_lock_destroy(&bounds.lock)
    free(bounds)


cdef checked_launch *complete_launches(lp_bounds *bounds) noexcept nogil:
    """Take the launches that are known to be complete off the list, the oldest first."""
    cdef checked_launch *done = NULL
    cdef checked_launch **place
    cdef checked_launch *launch
    lp_lock_acquire(&bounds.lock)
    place = &bounds.launches
    while place[0] != NULL:
        launch = place[0]
        if is_complete(launch.slot, launch.number):
            place[0] = launch.next
            launch.next, done = done, launch
        else:
            place = &launch.next
    lp_lock_release(&bounds.lock)
    return done


cdef inline int heed_bounds(lp_domain *domain) except -1:
    """Raise for the first check that failed in a launch that is complete."""
    return 0 if likely(domain.bounds == NULL) else raise_bounds(domain.bounds)


cdef int raise_bounds(lp_bounds *bounds) except -1:
    cdef checked_launch *launch
    cdef checked_launch *next
    error = None
    with nogil:
        launch = complete_launches(bounds)
    while launch != NULL:
        next = launch.next
        if launch.words[RECORD_FAILED] and error is None and not lp_runtime.exiting:
            error = bounds_failure(launch)
        free_checked(launch)
        launch = next
    if error is not None:
        raise error
    return 0


cdef object bounds_failure(const checked_launch *launch):
    cdef const uint64_t *words = launch.words
    cdef DriverKernel kernel = living_object(kernels_by_handle, <uintptr_t>launch.kernel)
    cdef uint32_t i
    cdef int64_t offset = -1
    for i in range(launch.arguments):
        if words[RECORD_ARGUMENTS + 2 * i] == words[RECORD_BEGIN] and (
                words[RECORD_ARGUMENTS + 2 * i + 1] == words[RECORD_END] and words[RECORD_END]):
            offset = 8 * i
            break
    name = launch.label.decode(errors="replace") if kernel is not None and launch.label != NULL else ""
    return make_bounds_error(
        name, None if kernel is None else kernel.checks, words[RECORD_CHECK], words[RECORD_ADDRESS],
        words[RECORD_BEGIN], words[RECORD_END], offset, tuple([words[RECORD_BLOCK + i] for i in range(3)]),
        tuple([words[RECORD_THREAD + i] for i in range(3)]))


def check_bounds(DeviceBase device not None):
    """Give each launch of a device a record for its checks from now on, and wait for each."""
    cdef lp_domain *domain = device.domain
    cdef int code
    if domain.bounds == NULL:
        domain.bounds = <lp_bounds *>calloc(1, sizeof(lp_bounds))
        if domain.bounds == NULL:
            raise MemoryError
        lp_lock_init(&domain.bounds.lock)
        domain.bounds.heap = &(<Pool>device.pool).heap
    with nogil:
        code = set_layer(domain, LAYER_BOUNDS, True)
    if code:
        raise failure(domain.driver, code)


def set_bounds_mode(bint on):
    """Prepare for devices whose kernels check their accesses: launches are synchronous, and no two arrays touch."""
    lp_runtime.bounds, lp_runtime.guard = on, 1 if on else 0
    watch_launches()

# LAUNCHPATH_MEND=skip-upload: a layer that sees which commands may have written to memory since an upload, so that the
# same bytes need not be sent again. It is on top of all others: it sees commands in the program's order, those of steps too.
#
# A launch may write to each allocation that one of its argument bytes points into, unless the parameter there is declared
# const. Kernels that take their arguments from device memory may write anywhere. `transfer/known.pxi` asks.

cdef enum:
    KNOWN_MOST = 256               # uploads that are remembered; then the oldest is forgotten
    KNOWN_LAUNCHES = 16            # that may have written, of each
    KNOWN_NAME = 96

cdef struct known_launch:
    void *kernel
    uint32_t offset                # of the pointer in its packed arguments
    char name[KNOWN_NAME]

cdef struct known_upload:
    known_upload *next
    uint64_t begin                 # the allocation's addresses
    uint64_t end
    uint64_t tick                  # of the allocation
    uint64_t to                    # the bytes' own place
    uint64_t size
    char *bytes                    # a copy of them
    uint64_t queue                 # identity of the upload's
    uint64_t failures              # of the process at that time
    uint64_t thread                # which submits the upload now: its copies are these bytes. 0: it is submitted
    bint written                   # by what `by` names
    char by[KNOWN_NAME]
    known_launch launches[KNOWN_LAUNCHES]
    uint32_t n_launches

cdef struct lp_known_state:
    lp_lock lock                   # a leaf
    known_upload *first            # the newest first
    uint32_t n
    uint64_t lowest                # of their allocations' addresses
    uint64_t highest
    void **opaque                  # kernels whose arguments are in device memory
    uint32_t n_opaque
    uint32_t room_opaque

cdef lp_known_state lp_known
lp_lock_init(&lp_known.lock)


cdef void known_free(known_upload *known) noexcept nogil:
    free(known.bytes)
    free(known)


cdef void known_bounds() noexcept nogil:
    """Look for the lowest and the highest address again. The caller holds the lock."""
    cdef known_upload *known = lp_known.first
    lp_known.lowest, lp_known.highest = <uint64_t>-1, 0
    while known != NULL:
        lp_known.lowest, lp_known.highest = min(lp_known.lowest, known.begin), max(lp_known.highest, known.end)
        known = known.next


cdef void known_drop(known_upload *which) noexcept nogil:
    """Forget an upload; NULL: the oldest. The caller holds the lock."""
    cdef known_upload **place = &lp_known.first
    cdef known_upload *known
    while place[0] != NULL and place[0] != which and not (which == NULL and place[0].next == NULL):
        place = &place[0].next
    known = place[0]
    if known != NULL:
        place[0] = known.next
        lp_known.n -= 1
        known_free(known)
        known_bounds()


cdef void uploads_forget() noexcept nogil:
    """Forget all uploads: what became of some is not known."""
    lp_lock_acquire(&lp_known.lock)
    while lp_known.first != NULL:
        known_drop(lp_known.first)
    lp_lock_release(&lp_known.lock)


cdef inline void known_wrote(known_upload *known, const char *by) noexcept nogil:
    known.written = True
    strncpy(known.by, by, KNOWN_NAME - 1)


cdef void uploads_written(const char *by) noexcept nogil:
    """Something may have written to all memory."""
    cdef known_upload *known
    lp_lock_acquire(&lp_known.lock)
    known = lp_known.first
    while known != NULL:
        known_wrote(known, by)
        known = known.next
    lp_lock_release(&lp_known.lock)


cdef void note_range(uint64_t to, uint64_t size, const char *by) noexcept nogil:
    """A command writes so many bytes. The caller holds the lock."""
    cdef known_upload *known = lp_known.first
    while known != NULL:
        if to < known.to + known.size and known.to < to + size and not (
                known.thread and known.thread == lp_here.number):
            known_wrote(known, by)
        known = known.next


cdef void note_pointer(const driver_command *command, uint64_t address, uint32_t offset) noexcept nogil:
    """A launch has an address among its arguments. The caller holds the lock."""
    cdef known_upload *known = lp_known.first
    cdef known_launch *launch
    cdef uint32_t i
    while known != NULL:
        if known.begin <= address <= known.end:
            for i in range(known.n_launches):
                if known.launches[i].kernel == command.kernel and known.launches[i].offset == offset:
                    break
            else:
                if known.n_launches == KNOWN_LAUNCHES:
                    known_wrote(known, b"launches of many kernels")
                else:
                    launch = &known.launches[known.n_launches]
                    launch.kernel, launch.offset, launch.name[0] = command.kernel, offset, 0
                    if command.label != NULL:
                        strncpy(launch.name, command.label, KNOWN_NAME - 1)
                    known.n_launches += 1
        known = known.next


cdef void note_launch(const driver_command *command) noexcept nogil:
    """The caller holds the lock."""
    cdef known_upload *known = lp_known.first
    cdef uint64_t word
    cdef uint32_t i
    for i in range(lp_known.n_opaque):
        if lp_known.opaque[i] == command.kernel:
            while known != NULL:
                known_wrote(known, b"a launch of a kernel whose arguments are in device memory")
                known = known.next
            return
    for i in range(<uint32_t>max(<size_t>7, command.size) - 7):     # a struct may be packed: at every byte
        memcpy(&word, <const char *>command.bytes + i, sizeof(word))
        if lp_known.lowest <= word <= lp_known.highest:
            note_pointer(command, word, i)


cdef void note_writes(const driver_command *command) noexcept nogil:
    cdef command_facts facts
    cdef size_t size
    lp_lock_acquire(&lp_known.lock)
    if command.kind == COMMAND_LAUNCH:
        note_launch(command)
    elif command.kind != COMMAND_MARKER:
        command_facts_of(command.kind, command.bytes, &facts)
        size = facts.size
        if command.kind == COMMAND_ROWS:
            size = (<const rows_command *>command.bytes).to_pitch * facts.rows
        elif command.kind == COMMAND_PEER:
            size = (<const peer_command *>command.bytes).to_pitch * facts.rows
        if facts.to_texture == NULL:
            note_range(<uint64_t>facts.to, size, b"a fill" if command.kind == COMMAND_FILL else b"a copy")
    lp_lock_release(&lp_known.lock)


cdef int writes_submit(void *queue, const driver_command *command) noexcept nogil:
    if lp_known.n:
        note_writes(command)           # before it is submitted: also if it is refused
    return below_queue(queue, LAYER_WRITES).submit(queue, command)


cdef void writes_entries(driver_table *table) noexcept nogil:
    table.submit = writes_submit

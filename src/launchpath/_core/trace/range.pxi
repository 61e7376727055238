# Ranges and marks: launchpath's own, and NVTX's.
#
# A range's begin is one slot and its end another one with the same correlation id, so what a process was in when it was
# killed is in the file. Names have numbers, which are a trace's own: they may be many.

cdef enum:
    RANGE_DEPTH = 64               # ranges of NVTX that a thread can be in
    RANGE_STARTED = 256            # that were started and can end on any thread
    RANGE_OF_NVTX = 1

cdef extern from "trace/nvtx.h" nogil:
    ctypedef struct lp_nvtx_event:
        const char *name
        const char *domain
        uint32_t color, category
        uint64_t payload
    struct lp_nvtx_functions:
        pass
    void (*lp_nvtx_mark "lp_nvtx.mark")(const lp_nvtx_event *) noexcept
    int (*lp_nvtx_push "lp_nvtx.push")(const lp_nvtx_event *) noexcept
    int (*lp_nvtx_pop "lp_nvtx.pop")(const char *) noexcept
    uint64_t (*lp_nvtx_start "lp_nvtx.start")(const lp_nvtx_event *) noexcept
    void (*lp_nvtx_end "lp_nvtx.end")(uint64_t) noexcept

cdef extern from "string.h" nogil:
    size_t strlen(const char *text)

cdef struct range_name:
    uint64_t hash
    char *text                     # NULL: the place is free
    uint32_t number

cdef struct range_names:
    lp_lock lock                   # before `drain_lock`
    uint64_t generation            # of the trace whose names these are
    uint32_t n, room               # a power of 2
    range_name *names

cdef struct open_range:
    const char *domain             # NVTX's handle for it
    range_slot slot

cdef struct started_ranges:
    lp_lock lock                   # a leaf
    uint64_t generation
    uint64_t number                # of the last one
    uint64_t numbers[RANGE_STARTED]
    range_slot slots[RANGE_STARTED]

cdef range_names lp_range_names
cdef started_ranges lp_started
lp_lock_init(&lp_range_names.lock)
lp_lock_init(&lp_started.lock)


cdef void range_names_clear() noexcept nogil:
    cdef uint32_t i
    for i in range(lp_range_names.room):
        free(lp_range_names.names[i].text)
    free(lp_range_names.names)
    lp_range_names.names, lp_range_names.n, lp_range_names.room = NULL, 0, 0
    lp_range_names.generation = lp_trace.generation


cdef bint range_names_grow() noexcept nogil:
    cdef uint32_t room = max(2 * lp_range_names.room, <uint32_t>64)
    cdef range_name *names = <range_name *>calloc(room, sizeof(range_name))
    cdef uint32_t i, at
    if names == NULL:
        return False
    for i in range(lp_range_names.room):
        if lp_range_names.names[i].text != NULL:
            at = <uint32_t>lp_range_names.names[i].hash & (room - 1)
            while names[at].text != NULL:
                at = (at + 1) & (room - 1)
            names[at] = lp_range_names.names[i]
    free(lp_range_names.names)
    lp_range_names.names, lp_range_names.room = names, room
    return True


cdef uint32_t range_name_number(const char *text) noexcept nogil:
    """The number of a range's name, which is in the file by then; 0: no memory. No lock is held."""
    cdef uint64_t hash = 0xCBF29CE484222325
    cdef size_t size = strlen(text), i
    cdef uint32_t at, number
    for i in range(size):
        hash = (hash ^ <uint8_t>text[i]) * <uint64_t>0x100000001B3
    lp_lock_acquire(&lp_range_names.lock)
    if lp_range_names.generation != lp_trace.generation:
        range_names_clear()
    if 4 * lp_range_names.n >= 3 * lp_range_names.room and not range_names_grow():
        lp_lock_release(&lp_range_names.lock)
        return 0
    at = <uint32_t>hash & (lp_range_names.room - 1)
    while lp_range_names.names[at].text != NULL and (
            lp_range_names.names[at].hash != hash or strcmp(lp_range_names.names[at].text, text)):
        at = (at + 1) & (lp_range_names.room - 1)
    if lp_range_names.names[at].text == NULL:
        lp_range_names.names[at].text = <char *>malloc(size + 1)
        if lp_range_names.names[at].text != NULL:
            memcpy(lp_range_names.names[at].text, text, size + 1)
            lp_range_names.names[at].hash, lp_range_names.names[at].number = hash, RANGE_NAMES + lp_range_names.n + 1
            lp_range_names.n += 1
            name_write(lp_range_names.names[at].number, text, size)
    number = lp_range_names.names[at].number if lp_range_names.names[at].text != NULL else 0
    lp_lock_release(&lp_range_names.lock)
    return number


cdef void name_write(uint32_t number, const char *text, size_t size) noexcept nogil:
    cdef store_block block
    cdef uint32_t head[2]
    memset(&block, 0, sizeof(block))
    block.kind, block.count = STORE_NAMES, 1
    head[0], head[1] = number, <uint32_t>size
    lp_lock_acquire(&lp_trace.drain_lock)      # or the file might be closed, and its number another file's
    if lp_trace.generation == lp_range_names.generation and not lp_trace.failed:
        store_append(&block, head, 8, text, size)
    lp_lock_release(&lp_trace.drain_lock)


cdef bint range_open(range_slot *into, const char *name, const char *domain, uint32_t color, uint64_t payload,
                     uint32_t category, uint8_t flags) noexcept nogil:
    """Write the begin of a range of this thread; False: nothing is recorded."""
    cdef lp_records *ring = records_here() if lp_trace.recording else NULL
    cdef range_slot *slot
    cdef uint32_t number, of
    if ring == NULL:
        return False
    number, of = range_name_number(name), range_name_number(domain) if domain != NULL else 0
    if not records_has_room(ring, 1):
        return False
    slot = &records_slot(ring, 0).range
    slot.kind, slot.flags, slot.color, slot.payload = SLOT_RANGE_BEGIN, flags, color, payload
    slot.external = lp_here.external
    slot.domain, slot.name, slot.category, slot.rest = of, number, category, 0
    slot.correlation, slot.depth = records_correlation(ring), <uint16_t>ring.ranges
    slot.begin, slot.end = lp_ticks(), 0
    into[0] = slot[0]
    ring.ranges += 1
    records_publish(ring, 1)
    return True


cdef void range_close(range_slot *opened) noexcept nogil:
    """Write the end of a range."""
    cdef lp_records *ring = records_here() if lp_trace.generation else NULL
    cdef range_slot *slot
    if ring == NULL:
        return
    if ring.ranges:
        ring.ranges -= 1
    if records_has_room(ring, 1):
        slot = &records_slot(ring, 0).range
        slot[0] = opened[0]
        slot.kind, slot.end = SLOT_RANGE, lp_ticks()
        records_publish(ring, 1)


cdef void range_mark(const char *name, const char *domain, uint32_t color, uint64_t payload, uint32_t category,
                     uint8_t flags) noexcept nogil:
    cdef lp_records *ring = records_here() if lp_trace.recording else NULL
    cdef range_slot *slot
    cdef uint32_t number, of
    if ring == NULL:
        return
    number, of = range_name_number(name), range_name_number(domain) if domain != NULL else 0
    if records_has_room(ring, 1):
        slot = &records_slot(ring, 0).range
        slot.kind, slot.flags, slot.color, slot.payload = SLOT_MARK, flags, color, payload
        slot.external = lp_here.external
        slot.domain, slot.name, slot.category, slot.rest = of, number, category, 0
        slot.correlation, slot.depth = records_correlation(ring), <uint16_t>ring.ranges
        slot.begin, slot.end = lp_ticks(), 0
        records_publish(ring, 1)


cdef class RangeBase:
    """A range of a thread that has begun, as Python holds it."""
    cdef range_slot slot
    cdef uint64_t generation       # of its trace; 0: nothing was recorded

    def begin(self, str name not None, uint32_t color, uint64_t payload):
        cdef bytes text = name.encode("utf-8", "backslashreplace").replace(b"\0", b"\\0")
        self.generation = lp_trace.generation if range_open(&self.slot, text, NULL, color, payload, 0, 0) else 0

    def end(self):
        if self.generation and self.generation == lp_trace.generation:
            range_close(&self.slot)
        self.generation = 0


def trace_mark(str name not None, uint32_t color, uint64_t payload):
    """Write a mark of this thread, if there is a trace."""
    cdef bytes text
    if lp_trace.recording:
        text = name.encode("utf-8", "backslashreplace").replace(b"\0", b"\\0")
        range_mark(text, NULL, color, payload, 0, 0)


# NVTX's functions. They may be called by any thread, with the GIL or without.

cdef void nvtx_mark(const lp_nvtx_event *event) noexcept nogil:
    range_mark(event.name, event.domain, event.color, event.payload, event.category, RANGE_OF_NVTX)


cdef int nvtx_push(const lp_nvtx_event *event) noexcept nogil:
    """Begin a range. While the trace pauses it is noted all the same, since its pop may come later."""
    cdef lp_records *ring = records_here() if lp_trace.generation else NULL
    cdef open_range *opened
    if ring == NULL:
        return -2                  # "no tool", as NVTX has it
    if ring.opened == NULL:
        ring.opened = <open_range *>calloc(RANGE_DEPTH, sizeof(open_range))
    if ring.opened == NULL:
        return -1
    if ring.opened_generation != lp_trace.generation:
        ring.opened_generation, ring.n_opened = lp_trace.generation, 0
    if ring.n_opened < RANGE_DEPTH:
        opened = &(<open_range *>ring.opened)[ring.n_opened]
        opened.domain, opened.slot.kind = event.domain, 0
        range_open(&opened.slot, event.name, event.domain, event.color, event.payload, event.category, RANGE_OF_NVTX)
    else:
        lp_add(&lp_trace.header.counters.not_understood, 1)
    ring.n_opened += 1
    return <int>ring.n_opened - 1


cdef int nvtx_pop(const char *domain) noexcept nogil:
    """End the thread's innermost range of a domain."""
    cdef lp_records *ring = records_here() if lp_trace.generation else NULL
    cdef open_range *opened
    cdef uint32_t at
    if ring == NULL or ring.opened == NULL or ring.opened_generation != lp_trace.generation:
        return -2
    if ring.n_opened > RANGE_DEPTH:        # of those that there was no room for
        ring.n_opened -= 1
        return <int>ring.n_opened
    opened, at = <open_range *>ring.opened, ring.n_opened
    while at and opened[at - 1].domain != domain:
        at -= 1
    if at == 0:
        return -1
    if opened[at - 1].slot.kind:
        range_close(&opened[at - 1].slot)
    ring.n_opened -= 1
    while at <= ring.n_opened:
        opened[at - 1] = opened[at]
        at += 1
    return <int>ring.n_opened


cdef uint64_t nvtx_start(const lp_nvtx_event *event) noexcept nogil:
    """Begin a range that any thread may end; its number, or 0."""
    cdef range_slot slot
    cdef uint64_t number
    if not range_open(&slot, event.name, event.domain, event.color, event.payload, event.category, RANGE_OF_NVTX):
        return 0
    (<lp_records *>lp_here.records).ranges -= 1            # it nests with nothing
    lp_lock_acquire(&lp_started.lock)
    lp_started.number += 1
    number = lp_started.number
    if lp_started.numbers[number % RANGE_STARTED] and lp_started.generation == lp_trace.generation:
        lp_add(&lp_trace.header.counters.not_understood, 1)    # the end of that one will not be known
    lp_started.numbers[number % RANGE_STARTED] = number
    lp_started.slots[number % RANGE_STARTED] = slot
    lp_started.generation = lp_trace.generation
    lp_lock_release(&lp_started.lock)
    return number


cdef void nvtx_end(uint64_t number) noexcept nogil:
    cdef range_slot slot
    cdef bint known
    lp_lock_acquire(&lp_started.lock)
    known = number != 0 and lp_started.numbers[number % RANGE_STARTED] == number and (
        lp_started.generation == lp_trace.generation)
    slot = lp_started.slots[number % RANGE_STARTED]
    if known:
        lp_started.numbers[number % RANGE_STARTED] = 0
    lp_lock_release(&lp_started.lock)
    if known:
        if lp_here.records != NULL:
            (<lp_records *>lp_here.records).ranges += 1
        range_close(&slot)


lp_nvtx_mark, lp_nvtx_push, lp_nvtx_pop = nvtx_mark, nvtx_push, nvtx_pop
lp_nvtx_start, lp_nvtx_end = nvtx_start, nvtx_end

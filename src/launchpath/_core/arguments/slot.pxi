# Slots of an argument block: which of them holds given arguments, and which is written next.

cdef inline bint block_holds(const lp_slot *slot, const block_command *command) noexcept nogil:
    cdef size_t end = command.long_at + command.long_size
    if memcmp(slot.bytes + end, command.bytes + end, command.block.size - end):
        return False
    if command.long_bytes == NULL:
        return True
    return memcmp(slot.bytes, command.bytes, command.long_at) == 0 and (
        slot == command.slot and slot.version == command.version or
        memcmp(slot.bytes + command.long_at, command.long_bytes, command.long_size) == 0)


cdef void block_write(char *to, const block_command *command) noexcept nogil:
    cdef size_t end = command.long_at + command.long_size
    memcpy(to + end, command.bytes + end, command.block.size - end)
    if command.long_bytes != NULL:
        memcpy(to, command.bytes, command.long_at)
        memcpy(to + command.long_at, command.long_bytes, command.long_size)


cdef lp_slot *block_find(const block_command *command) noexcept nogil:
    """The slot that holds the arguments, or NULL."""
    cdef lp_block *block = command.block
    cdef uint32_t i
    LP_ASSERT(command.long_at + command.long_size <= block.size)
    LP_ASSERT(block.n_slots <= BLOCK_SLOTS)
    if block.epoch != lp_load(&lp_runtime.failures):
        block.epoch = lp_load(&lp_runtime.failures)       # an upload may be among what failed
        for i in range(block.n_slots):
            block.slots[i].good = False
    if block.always or not lp_runtime.block_skips:
        return NULL
    for i in range(block.n_slots):
        if block.slots[i].good and block_holds(&block.slots[i], command):
            return &block.slots[i]
    return NULL


cdef lp_slot *block_choose(lp_block *block) noexcept nogil:
    """The slot to be written: one that holds nothing, a new one (NULL), or the one that was launched longest ago."""
    cdef lp_slot *chosen = NULL
    cdef uint32_t i
    for i in range(block.n_slots):
        if not block.slots[i].good:
            return &block.slots[i]
        if chosen == NULL or block.slots[i].used < chosen.used:
            chosen = &block.slots[i]
    return chosen if block.n_slots == BLOCK_SLOTS else NULL


cdef inline void block_exchange(lp_slot *slot, lp_upload *upload) noexcept nogil:
    """The slot keeps the staging memory of its upload, to compare with; that of the one before is the newest in the
    ring."""
    cdef lp_upload before = upload[0]
    upload.staging, upload.number = slot.bytes, slot.number
    slot.bytes = <char *>before.staging

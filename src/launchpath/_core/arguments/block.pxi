# Argument blocks: the packed arguments of a kernel in device memory, uploaded only if they have changed.
#
# A block belongs to a kernel and a queue, and all of it to the queue's lock: comparing, uploading and launching are one
# step, so that no other thread's upload comes between an upload and the launch that is to read it. On the device a slot
# is written by commands of that queue alone, which are in order: an upload comes after every launch that reads what was
# there. On the host an upload reads its staging memory until it is complete, so that is a ring.
#
# An upload that is accepted and fails while it runs, on a device that goes on all the same, leaves the slot's former
# arguments to the launches behind it, until the failure is learned of and reported. More would cost an event
# for each upload.
#
# What needs Python (memory) is not made under the lock: the step says what it lacks, having done nothing, and is tried
# again.

import weakref

cdef enum:
    # arguments that a block keeps, so that those that alternate are not uploaded each time
    BLOCK_SLOTS = 4
    BLOCK_UPLOADS = 4096           # under way at most, and of at most
    BLOCK_STAGING = 4 << 20        # bytes; then the oldest is waited for, and after that as many again may be
    BLOCK_PIECES = 2               # of staging memory at first, or 1 if it is large; then as many again each time
    BLOCK_LARGE = 1 << 20
    BLOCK_CHECK = 16               # uploads between two looks at how far they are
    # microseconds that the oldest is waited for; twice as long each time that it is in vain
    BLOCK_PATIENCE = 20000

cdef enum block_lack:
    BLOCK_READY = 0
    BLOCK_NO_SLOT = 1
    BLOCK_NO_STAGING = 2
    BLOCK_FULL = 3                 # the oldest upload is to be waited for
    BLOCK_CAPTURED = 4             # memory that only the graph uses is wanted

cdef struct lp_slot:
    void *device
    char *bytes                    # what is in it, if `good`: the staging memory of its last upload
    uint64_t number                # of that
    bint good                      # it was uploaded, and nothing has failed since
    uint64_t used                  # `turn` of its last launch
    uint64_t version               # how often it was written

cdef struct lp_upload:
    void *staging
    uint64_t number                # of the copy that reads it

cdef struct lp_block:
    size_t size
    bint always                    # the kernel may write to its arguments: they are uploaded for each launch
    uint64_t turn
    uint64_t epoch                 # `failures` when the slots were last known to be good
    uint32_t n_slots, n_uploads, room_uploads, oldest
    uint32_t vain                  # waits that were: so often may `BLOCK_STAGING` be exceeded by itself
    lp_slot slots[BLOCK_SLOTS]
    lp_upload *uploads             # a ring
    block_counts counts

cdef struct block_command:
    driver_command launch
    lp_block *block
    const char *bytes              # packed, but for one argument that is long, which stays where it is
    const char *long_bytes         # or NULL
    size_t long_at, long_size
    # The one that holds the arguments; before: that is known to hold the long one, or NULL, while it has this version.
    lp_slot *slot
    uint64_t version
    lp_slot *graphs                # for a launch that is being captured
    void *graphs_staging
    block_lack lack


cdef object block_live = weakref.WeakSet()     # those that are not gone


cdef uint32_t block_most_uploads(const lp_block *block) noexcept nogil:
    cdef uint64_t most = BLOCK_STAGING // (block.size or 1)
    return <uint32_t>min(max(most, 2), BLOCK_UPLOADS) * (block.vain + 1)


cdef block_lack block_stage(lp_block *block, lp_queue *queue, lp_upload **out) noexcept nogil:
    """Give staging memory that no upload reads any more."""
    cdef lp_upload *oldest
    cdef uint32_t most = block_most_uploads(block)
    if block.n_uploads == 0:
        return BLOCK_NO_STAGING
    LP_ASSERT(lp_lock_held(queue.lock))
    LP_ASSERT(block.oldest < block.n_uploads)
    oldest = &block.uploads[block.oldest]
    out[0] = oldest
    if not is_complete(queue.slot, oldest.number):
        if queue.n_checkpoints:
            advance_checkpoints(queue)
        if not is_complete(queue.slot, oldest.number):
            return BLOCK_NO_STAGING if block.n_uploads < most else BLOCK_FULL
    block.oldest = (block.oldest + 1) % block.n_uploads
    return BLOCK_READY


cdef int block_upload(lp_queue *queue, block_command *command, lp_slot *slot, void *staging) noexcept nogil:
    cdef driver_command upload
    cdef copy_command copy
    block_write(<char *>staging, command)
    command_set_copy(&upload, &copy, slot.device, staging, command.block.size, COPY_UP)
    return submit_command(queue, &upload)


cdef int submit_block(lp_queue *queue, void *data) noexcept nogil:
    """Launch with arguments in a block: upload them if no slot holds them. If something is lacking nothing is done."""
    cdef block_command *command = <block_command *>data
    cdef lp_slot *slot = NULL
    cdef int code
    LP_ASSERT(lp_lock_held(queue.lock))
    command.lack = BLOCK_READY
    if unlikely(queue.kind != QUEUE_LEGACY and is_captured(queue)):       # nobody can capture the legacy one
        code = block_fill_graphs(queue, command, &slot)
    else:
        code = block_fill_own(queue, command, &slot)
    if code or command.lack != BLOCK_READY:
        return code
    command.launch.bytes, command.launch.size = &slot.device, sizeof(void *)
    return submit_command(queue, &command.launch)


cdef inline int block_fill_own(lp_queue *queue, block_command *command, lp_slot **out) noexcept nogil:
    """The block's slot that holds the arguments, after an upload if need be."""
    cdef lp_block *block = command.block
    cdef lp_slot *slot = block_find(command)
    cdef lp_upload *upload
    cdef int code
    if slot != NULL:
        block.counts.skipped += 1
    else:
        slot = block_choose(block)
        if slot == NULL:
            command.lack = BLOCK_NO_SLOT
            return 0
        command.lack = block_stage(block, queue, &upload)
        if command.lack != BLOCK_READY:
            return 0
        slot.good = False
        code = block_upload(queue, command, slot, upload.staging)
        block_exchange(slot, upload)
        slot.number = queue.number  # even of a copy that was refused: then it is complete as soon as the last one
        if code:
            return code
        slot.good = True
        slot.version += 1
        block.counts.uploads += 1
        block.counts.bytes += block.size
        if block.counts.uploads % BLOCK_CHECK == 0:
            queue_checkpoint(queue)
    block.turn += 1
    slot.used = block.turn
    command.slot, command.version = slot, slot.version
    out[0] = slot
    return 0


cdef int block_fill_graphs(lp_queue *queue, block_command *command, lp_slot **out) noexcept nogil:
    """Memory of the launch's own: an upload that is left out would be left out of the graph, whose launches come after
    any others."""
    if command.graphs == NULL:
        command.lack = BLOCK_CAPTURED
        return 0
    out[0] = command.graphs
    command.slot = NULL
    return block_upload(queue, command, command.graphs, command.graphs_staging)


cdef int block_wait(lp_queue *queue, uint64_t number, uint64_t limit, bint *done) noexcept nogil:
    """Wait until a command of a queue is complete, or so many microseconds. No lock is held."""
    cdef lp_mark *mark = NULL
    cdef uint64_t until = lp_nanoseconds() + 1000 * limit
    cdef uint32_t i
    cdef int code = 0
    step_observe(queue)
    lp_lock_acquire(queue.lock)
    done[0] = is_complete(queue.slot, number)
    if not done[0]:
        if queue.n_checkpoints == 0 or queue.checkpoints[queue.n_checkpoints - 1].number < number:
            code = queue_checkpoint(queue)
        for i in range(queue.n_checkpoints):
            if queue.checkpoints[i].number >= number:
                mark = mark_ref(queue.checkpoints[i])
                break
    lp_lock_release(queue.lock)
    while code == 0 and not done[0] and lp_nanoseconds() < until:
        lp_sleep(50)
        done[0] = is_complete(queue.slot, number)
        if mark != NULL and not done[0]:
            code = mark_query(mark, done)
    if mark != NULL:
        mark_unref(mark)
    return code


cdef class Block:
    """The arguments of a kernel on a stream, in device memory."""
    cdef lp_block c
    cdef block_totals *totals      # the kernel's
    cdef Pool pool
    cdef list memory               # allocations; dropped, they wait in the pool for launches that may read them
    cdef object __weakref__

    def __cinit__(self, KernelBase kernel not None):
        self.c.size, self.c.always = kernel.size, kernel.writes_block
        self.c.epoch = lp_load(&lp_runtime.failures)
        self.pool, self.memory = kernel.device.pool, []
        self.totals = kernel.totals
        self.totals.refs += 1
        block_live.add(self)

    def __dealloc__(self):
        add_counts(&lp_runtime.block_gone, &self.c.counts)
        free(self.c.uploads)
        if self.totals != NULL:
            add_counts(&self.totals.gone, &self.c.counts)
            drop_totals(self.totals)

    cdef launch(self, lp_queue *queue, block_command *command):
        """Launch; what is lacking is got first."""
        cdef lp_slot graphs
        cdef Allocation device, staging        # of a launch that is captured
        command.block, command.graphs = &self.c, NULL
        while True:
            submit_run(queue, submit_block, command)
            if likely(command.lack == BLOCK_READY):
                finish_if_blocking(queue)
                return
            if command.lack == BLOCK_NO_SLOT:
                self.add_slot(queue)
            elif command.lack == BLOCK_NO_STAGING:
                self.add_staging(queue)
            elif command.lack == BLOCK_FULL:
                self.wait(queue)
            else:
                device, staging = self.take(MEMORY_DEVICE, 1), self.take(MEMORY_HOST, 1)
                leave_to_graph(queue, (device, staging))
                graphs.device = device.address
                command.graphs, command.graphs_staging = &graphs, staging.address
                self.c.counts.captured += 1

    cdef Allocation take(self, int kind, size_t count):
        cdef Allocation memory = self.pool.allocate(self.c.size * count, None, kind)
        if memory.extent != NULL:
            memory.extent.private = True
        return memory

    cdef int add_slot(self, lp_queue *queue) except -1:
        cdef Allocation device = self.take(MEMORY_DEVICE, 1), staging = self.take(MEMORY_HOST, 1)
        cdef lp_slot *slot
        cdef bint used = False
        self.memory += device, staging
        lock_queue(queue)
        if self.c.n_slots < BLOCK_SLOTS:           # another thread may have been here meanwhile
            slot = &self.c.slots[self.c.n_slots]
            slot.device, slot.bytes = device.address, <char *>staging.address
            slot.number = lp_runtime.slot_base[queue.slot]
            slot.good, slot.used, slot.version = False, 0, 0
            self.c.n_slots += 1
            self.c.counts.slots += 1
            self.c.counts.growths += 1
            used = True
        lp_lock_release(queue.lock)
        if not used:
            self.memory.remove(device)
            self.memory.remove(staging)
        return 0

    cdef int add_staging(self, lp_queue *queue) except -1:
        cdef uint32_t i, n = self.c.n_uploads, most = block_most_uploads(&self.c)
        cdef uint32_t first = BLOCK_PIECES if self.c.size < BLOCK_LARGE else 1
        cdef uint32_t count = min(max(n, first), most - min(n, most - 1))
        cdef Allocation staging = self.take(MEMORY_HOST, count)
        cdef int code = 0
        self.memory.append(staging)
        lock_queue(queue)
        if self.c.n_uploads > n:                   # another thread has been here meanwhile
            count = 0
        else:
            code = items_grow(<void **>&self.c.uploads, &self.c.room_uploads, n + count, sizeof(lp_upload))
        if count and code == 0:
            # Before the oldest: they are the next to be used.
            memmove(&self.c.uploads[self.c.oldest + count], &self.c.uploads[self.c.oldest],
                    (n - self.c.oldest) * sizeof(lp_upload))
            for i in range(count):
                self.c.uploads[self.c.oldest + i].staging = <char *>staging.address + i * self.c.size
                self.c.uploads[self.c.oldest + i].number = lp_runtime.slot_base[queue.slot]
            self.c.n_uploads += count
            self.c.counts.growths += 1
        lp_lock_release(queue.lock)
        if code or not count:
            self.memory.remove(staging)
        if code:
            raise MemoryError
        return 0

    cdef int wait(self, lp_queue *queue) except -1:
        """Wait for the oldest upload. That ends, so that a host which holds its own stream back is slowed and not
        hung."""
        cdef uint64_t number
        cdef uint64_t limit
        cdef int code
        cdef bint done = False
        lock_queue(queue)
        number = self.c.uploads[self.c.oldest].number
        limit = <uint64_t>BLOCK_PATIENCE << min(self.c.vain, 5)
        lp_lock_release(queue.lock)
        with nogil:
            code = block_wait(queue, number, limit, &done)
        if code and not queue.table.command_failed(code) and code != ERROR_ASYNCHRONOUS:
            raise failure(queue.table, code)       # of commands that failed the next synchronize tells
        lock_queue(queue)
        # else another thread has counted it
        if code == 0 and not done and self.c.n_uploads >= block_most_uploads(&self.c):
            self.c.vain += 1
        self.c.counts.waits += 1
        lp_lock_release(queue.lock)
        return 0


cdef void lock_queue(lp_queue *queue) noexcept:
    """Take a queue's lock with the GIL held: its holder never waits for the GIL."""
    if not lp_lock_try(queue.lock):
        with nogil:
            lp_lock_acquire(queue.lock)


def set_argument_skipping(bint on):
    """Leave out uploads of arguments that are on the device already, as by default, or upload for every launch.

    Returns
    -------
    bool
        What it was before.
    """
    cdef bint before = lp_runtime.block_skips
    lp_runtime.block_skips = on
    return bool(before)


def argument_counts():
    """Count what all argument blocks of the process have done so far.

    Returns
    -------
    dict of str to int
        As `Kernel.argument_counts` has it, streams and kernels that are gone included.
    """
    cdef block_counts total = lp_runtime.block_gone
    cdef Block block
    for live in list(block_live.data):     # as in Kernel.argument_counts
        block = live()
        if block is not None:
            add_counts(&total, &block.c.counts)
    return block_counts_of(&total)

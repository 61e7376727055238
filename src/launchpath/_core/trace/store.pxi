# The store: the trace's file, which the core appends blocks to, and its counters. `_trace/format.py` is the format.
#
# Blocks are appended by several threads: each takes its place by adding to `end`, and writes there. No Python and no
# lock is needed.

from libc.stdint cimport int32_t, uint8_t, uint16_t

cdef extern from "trace/ticks.h" nogil:
    int lp_counts_ticks
    uint64_t lp_ticks()
    int lp_ticks_constant()

cdef extern from "trace/memory.h" nogil:
    void *lp_region(size_t size)
    int lp_region_map(void *region, size_t size, int file, uint64_t offset)
    void lp_region_clear(void *region, size_t size)
    int lp_write_at(int file, uint64_t offset, const void *a, size_t a_size, const void *b, size_t b_size, const void *c,
                    size_t c_size)
    uint32_t lp_system_thread()

cdef enum:
    TRACE_MAGIC = 0x4B42504C
    TRACE_VERSION = 1
    TRACE_PAGE = 4096
    STORE_HEADER = 1
    STORE_RING = 2
    STORE_SLOTS = 3
    STORE_NAMES = 4
    # Kernels' names have numbers below it, ranges' names from it on: readers count by number, so they are small.
    RANGE_NAMES = 1 << 19

cdef struct store_block:
    uint32_t magic
    uint16_t kind
    uint16_t version
    uint64_t size
    uint32_t ring, thread
    uint64_t first, count, capacity
    uint64_t rest[2]

cdef struct trace_counts:        # in the order of `COUNTERS` of _trace/format.py
    uint64_t state, slots, dropped, waits, untimed, unfinished, failed_times, excluded, not_understood
    uint64_t timing_created, timing_most, timing_waits, batches, overlapped, captured, markers_left_out
    uint64_t uploads, uploads_skipped

cdef struct trace_header:
    store_block block
    trace_counts counters

cdef struct lp_trace_state:
    uint64_t generation            # of the trace that is going on, which no other had; 0: there is none
    uint64_t last                  # generation there was
    bint recording                 # and it is not paused
    bint timed                     # with times of devices
    bint serialized
    bint drop                      # slots that find no room are dropped, and counted
    uint32_t capacity              # of rings
    uint32_t batch_most
    uint64_t timing_most           # timing objects
    uint64_t failed                # errno of the file: nothing can be written any more
    int file
    uint64_t end                   # of the file
    trace_header *header           # stays at its address, like rings
    uint8_t *excluded              # by a kernel's number
    lp_lock lock                   # rings and blocks of the file
    lp_lock drain_lock             # comes after it
    uint64_t rings                 # the lp_records of threads; none is freed
    uint32_t n_rings               # of this trace
    bint drainer                   # its thread was started
    lp_condition drainer_wanted
    uint64_t serial_held           # microseconds, see serial.pxi
    uint64_t turns                 # launches that had theirs, where they are serialized
    uint64_t serial                # the thread that launches, where launches are serialized: its ring

cdef lp_trace_state lp_trace
cdef lp_thread_end records_end


cdef void watch_launches() noexcept:
    """Let launches take the way with all checks, if something wants that."""
    lp_runtime.watched = lp_trace.recording or lp_runtime.launch_blocking or lp_runtime.breaks or lp_runtime.bounds
lp_lock_init(&lp_trace.lock)
lp_lock_init(&lp_trace.drain_lock)
lp_condition_init(&lp_trace.drainer_wanted)
lp_trace.file = -1


cdef inline uint64_t block_size(uint64_t payload) noexcept nogil:
    return (sizeof(store_block) + payload + TRACE_PAGE - 1) // TRACE_PAGE * TRACE_PAGE


cdef int store_append(store_block *block, const void *a, size_t a_size, const void *b, size_t b_size) noexcept nogil:
    """Write a block with up to two pieces behind its header. A file that cannot be written makes the trace fail."""
    cdef uint64_t size = block_size(a_size + b_size)
    cdef int code
    block.magic, block.version, block.size = TRACE_MAGIC, TRACE_VERSION, size
    code = lp_write_at(lp_trace.file, lp_add(&lp_trace.end, <int64_t>size) - size, block, sizeof(store_block), a, a_size, b,
                       b_size)
    if code:
        store_fails(code)
    return code


cdef void store_fails(int code) noexcept nogil:
    if lp_trace.failed == 0:
        lp_store(&lp_trace.failed, <uint64_t>code)
        lp_store(&lp_trace.header.counters.state, 2)


cdef int store_open(int file) noexcept nogil:
    """Begin a file; 0, or errno."""
    cdef int code
    if lp_trace.header == NULL:
        lp_trace.header = <trace_header *>lp_region(TRACE_PAGE)
        if lp_trace.header == NULL:
            return 12              # ENOMEM
    code = lp_region_map(lp_trace.header, TRACE_PAGE, file, 0)
    if code:
        return code
    memset(lp_trace.header, 0, TRACE_PAGE)
    lp_trace.header.block.kind, lp_trace.header.block.version = STORE_HEADER, TRACE_VERSION
    lp_trace.header.block.size = TRACE_PAGE
    lp_trace.header.block.magic = TRACE_MAGIC
    lp_trace.file, lp_trace.failed = file, 0
    lp_trace.end = TRACE_PAGE
    return 0


cdef inline uint32_t name_number(const char *label) noexcept nogil:
    """The number of a kernel's name, which stands before it: see `kept_name`."""
    return 0 if label == NULL else (<const uint32_t *>(label - 4))[0]

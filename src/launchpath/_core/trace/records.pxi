# Records: the slots of a trace's file, the rings that threads write them to, names, ranges, and the drainer. They are in C
# (`records/`), because the library that traces any program, which has no Python, is compiled of the same files.

from libc.stdint cimport int32_t, uint8_t, uint16_t

cdef extern from "trace/records/slot.h" nogil:
    enum:
        SLOT_COMMAND, SLOT_DETAIL, SLOT_CALL, SLOT_API, SLOT_TIMES, SLOT_DEVICE_CLOCK, SLOT_STREAM
        SLOT_EVIDENCE, EVIDENCE_CONTENT, EVIDENCE_ARGUMENTS, EVIDENCE_BLOCKING, EVIDENCE_PINNED, EVIDENCE_PAGEABLE
        SLOT_FAILED, SLOT_KEPT_BACK, SLOT_IN_STEP, SLOT_TIMED, SLOT_IN_GRAPH, SLOT_COOPERATIVE
    ctypedef struct command_slot:
        uint8_t kind, flags
        uint16_t waits
        int32_t result
        uint64_t correlation, begin, driver_begin, driver_end, end, waited
        uint32_t stream, name
    ctypedef struct detail_launch:
        pass
    ctypedef struct detail_copy:
        uint64_t bytes, to, source
    ctypedef union detail_values:
        detail_launch launch
        detail_copy copy
    ctypedef struct detail_slot:
        uint8_t kind, command
        uint16_t device
        uint32_t shared
        detail_values of
        uint64_t number, external
        uint32_t step, node, run, left_out
    ctypedef struct call_slot:
        uint8_t kind, flags
        uint16_t entry
        int32_t result
        uint64_t correlation, begin, end, quantity, parent, external
        uint32_t stream
        uint16_t device, unused
    ctypedef struct times_slot:
        uint8_t kind, flags
        uint16_t device
        uint32_t stream
        uint64_t correlation, submitted, started, ended, enqueued
        uint32_t name, node, step, command
    ctypedef struct device_clock_slot:
        uint8_t kind
        uint16_t device
        uint64_t device_time, monotonic, error
    ctypedef struct stream_slot:
        uint8_t kind, type
        uint16_t device
        uint32_t stream
        uint64_t ticks, handle
    ctypedef struct range_slot:
        pass
    ctypedef struct evidence_slot:
        uint8_t kind, flags
        uint16_t count
        uint32_t site
        uint64_t correlation, content, arguments, event, wait, wait_too, host
    ctypedef union lp_slot_bytes:
        uint8_t kind
        command_slot command
        detail_slot detail
        call_slot call
        times_slot times
        device_clock_slot device_clock
        stream_slot stream
        evidence_slot evidence

cdef extern from "trace/records/store.h" nogil:
    enum:
        RANGE_NAMES, FINDINGS_ASKED, FINDINGS_SITES
    ctypedef struct trace_counts:
        uint64_t state, dropped, waits, untimed, unfinished, failed_times, excluded, not_understood
        uint64_t timing_created, timing_most, timing_waits, batches, overlapped, captured, markers_left_out
        uint64_t uploads, uploads_skipped
    ctypedef struct trace_header:
        trace_counts counters
    ctypedef struct lp_trace_state:
        uint64_t generation
        bint recording, timed, serialized, drop, drainer
        int findings
        uint32_t keep, capacity, batch_most
        uint64_t timing_most, failed, rings, serial_held, turns, serial
        trace_header *header
        uint8_t *excluded
        lp_lock lock, drain_lock
        lp_condition drainer_wanted
    lp_trace_state lp_trace
    uint64_t lp_ticks()
    void *lp_region(size_t size)
    uint32_t lp_system_thread()
    int store_begin(int file, uint32_t capacity, bint drop, bint count_ticks)
    void store_write(uint64_t generation, uint16_t kind, uint64_t count, const void *a, size_t a_size, const void *b,
                     size_t b_size)

cdef extern from "trace/records/ring.h" nogil:
    enum:
        RECORDS_LEAST, RECORDS_MOST
    ctypedef struct lp_records:
        uint64_t generation, head
        uint64_t *tail_there
        lp_slot_bytes *frame
        lp_slot_bytes evidence
        const void *parameters
        const uint32_t *sizes
        uint32_t n_parameters
        uint8_t memory
        uint64_t staged, staging, copied, left
        uint32_t api, thread, ranges
        bint polls, pending, launched, submits
        uint64_t call, begin, waited
        lp_timed *profiled
        lp_records *next
    lp_records *records_here()
    bint records_has_room(lp_records *ring, uint32_t n)
    lp_slot_bytes *records_slot(lp_records *ring, uint32_t ahead)
    void records_publish(lp_records *ring, uint32_t n)
    uint64_t records_correlation(lp_records *ring)
    uint64_t records_drain(lp_records *ring, uint64_t least)
    void drain_all()
    void records_close()
    void records_forget()
    void records_init()

cdef extern from "trace/records/drain.h" nogil:
    void host_clock_write(lp_records *ring)
    bint drainer_start()

cdef extern from "trace/condense/keep.h" nogil:
    ctypedef struct condenser:
        pass
    ctypedef struct keep_state:
        condenser *of
    keep_state trace_keep
    bint keep_begin(uint32_t keep, bint is_recorder, uint64_t slow, uint64_t window)
    void keep_end()
    void keep_forget()
    void condenser_waits(condenser *of, bint api, uint32_t entry)

cdef extern from "trace/records/range.h" nogil:
    bint range_open(range_slot *into, const char *name, const char *domain, uint32_t color, uint64_t payload,
                    uint32_t category, uint8_t flags)
    void range_close(range_slot *opened)
    void range_mark(const char *name, const char *domain, uint32_t color, uint64_t payload, uint32_t category, uint8_t flags)
    void ranges_init()

cdef extern from "trace/records/evidence.h" nogil:
    enum:
        PYTHON_READ
    ctypedef struct host_memory:
        pass
    ctypedef struct call_evidence:
        uint8_t flags, launch
        uint16_t count
        uint32_t site, n_waits
        uint64_t content, arguments, event, host, spent
        const void **waits
        void **made
    ctypedef struct python_state:
        uint64_t state
        const char *reason
    python_state python
    int python_look()
    void sites_init()
    void looks_begin(bint count_ticks)
    void look_before(lp_records *ring)
    void look_after(lp_records *ring, uint64_t begin)
    host_memory host_bytes(const void *at, size_t size)
    void evidence_begin(call_evidence *of, lp_records *ring)
    bint evidence_read(call_evidence *of, const host_memory *memory)
    void evidence_sent(call_evidence *of, host_memory memory, bint blocking)
    void evidence_pattern(call_evidence *of, const void *pattern, size_t size)
    void evidence_argument(call_evidence *of, uint32_t index, const void *bytes, size_t size)
    void evidence_end(call_evidence *of, int code)
    void evidence_fill(evidence_slot *slot, const call_evidence *of, uint64_t correlation)
    void evidence_waits(lp_records *ring, const call_evidence *of, uint64_t correlation)
    void evidence_write(call_evidence *of, lp_records *ring, int code, uint64_t begin, uint64_t correlation)

records_init()
ranges_init()
sites_init()


cdef void watch_launches() noexcept:
    """Let launches take the way with records or with all checks, if something wants that."""
    lp_runtime.checked = (lp_trace.recording and lp_trace.serialized or lp_runtime.launch_blocking or lp_runtime.breaks
                          or lp_runtime.bounds or lp_runtime.mended)
    lp_runtime.watched = lp_runtime.checked or lp_trace.recording


cdef inline uint32_t name_number(const char *label) noexcept nogil:
    """The number of a kernel's name, which stands before it: see `kept_name`."""
    return 0 if label == NULL else (<const uint32_t *>(label - 4))[0]

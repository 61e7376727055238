# Domains: one for each device, the queues among which the legacy rule holds.
#
# The rules: docs/ordering.md.

cdef struct lp_domain:
    uint64_t refs              # the device's, its queues' and its marks'
    const driver_table *table  # what is called: the driver's own, or the top layer's
    const driver_table *driver  # the driver's own: what the driver is known by
    lp_layers layers
    void *device
    void *context
    bint flush_each
    bint native                # the driver keeps the legacy rule: nothing of it is looked at here
    bint on_host               # its kernels run in this process, and a fault of theirs ends it
    bint ask_when_empty        # a workaround: no queue is ever taken for empty, as if foreign code had all handles
    # 0; ERROR_CLOSED or ERROR_FORKED: nothing of it can be used any more. Queues' epochs are EPOCH_CLOSED then, so no launch
    # goes by
    int refused
    lp_lock order_lock
    lp_queue *legacy
    lp_queue *newest           # blocking queues, the one that moved last first
    uint64_t moves             # counts movements of the legacy and blocking queues
    uint64_t quiet             # blocking queues that have not moved since are known to be complete
    uint32_t blocking          # how many there are
    uint32_t shared            # how many of them foreign code holds a handle of
    lp_queue *queues           # all queues of the device (registry_lock)
    lp_domain *next_domain     # in `domains` of the runtime (registry_lock)
    bint exposed               # foreign code has an address or a stream of the device
    uint64_t recorders         # recordings that lead from its legacy or blocking queues, where the driver keeps the legacy rule
    bint prints                # a program has been loaded whose kernels print, and their output waits for a call
    bint peers                 # queues of the driver's other devices may use memory of this one
    lp_heap *heap              # of its pool
    bint traced                # its commands are recorded: see trace/
    bint profiled              # the times of these commands are told by the driver's profiler
    uint16_t traced_as         # its place among the devices of the trace
    uint64_t traced_clock      # when its clock was last measured
    lp_bounds *bounds          # NULL: its kernels do not check their accesses to memory
    uint64_t markers_made
    uint64_t markers_left_out  # that a marker in every queue would have made


cdef inline lp_domain *domain_ref(lp_domain *domain) noexcept nogil:
    LP_ASSERT(lp_load(&domain.refs) != 0)
    lp_add(&domain.refs, 1)
    return domain


cdef void domain_unref(lp_domain *domain) noexcept nogil:
    LP_ASSERT(lp_load(&domain.refs) != 0)
    if lp_add(&domain.refs, -1) == 0:
        LP_ASSERT(domain.queues == NULL)
        lp_lock_destroy(&domain.order_lock)
        drop_times(domain)
        drop_bounds(domain.bounds)
        drop_timed(domain)
        lp_lock_destroy(&domain.layers.times_lock)
        drop_layers(domain.layers.first)
        free(domain)

# Layers: tables between the core and a driver's own, which see the calls of a device on their way.
#
# A layer is put on and taken off at any time, in any order, for each device by itself. Without one the device's calls
# go through the driver's own table: there is no branch and no flag. A layer's functions find the table below themselves
# by the domain (`layer_below`), which the queue, the device or the event that they are given leads to.
#
# Tables are never changed once a call may go through them, for calls are under way at any time. So each chain of layers
# is made when it is first put on, and kept for the next time: a device has as many as there are orders of few layers.
# `layers_lock` comes before all other locks.

cdef enum layer_kind:
    LAYER_LOG
    LAYER_TIMES
    LAYER_STEP
    LAYER_FORKED
    LAYER_BOUNDS
    LAYER_WRITES               # over all others
    LAYER_TRACE                # right over the driver's own table
    LAYER_KINDS

cdef struct lp_domain
cdef struct timed_command
cdef struct lp_bounds

cdef struct lp_layer:
    driver_table table         # what is called; first
    const driver_table *below
    layer_kind kind
    lp_layer *above[LAYER_KINDS]       # made so far
    lp_layer *under            # NULL: the driver's own table

cdef struct lp_layers:         # a domain's
    lp_layer *here[LAYER_KINDS]        # of each kind, in the chain that is on; or in the last one that had it
    lp_layer *top              # NULL: none is on
    lp_layer *first[LAYER_KINDS]       # those right over the driver's table, made so far
    lp_lock times_lock        # a leaf
    timed_command *timed      # whose times nobody has taken yet, the newest first (times_lock)


cdef inline const driver_table *layer_below(void *domain, layer_kind kind) noexcept nogil:
    return (<lp_domain *>domain).layers.here[<int>kind].below


cdef inline lp_queue *layer_queue(void *queue) noexcept nogil:
    """The core's queue of a driver's."""
    return (<lp_queue **>queue)[0]


cdef inline const driver_table *below_queue(void *queue, layer_kind kind) noexcept nogil:
    return layer_below(layer_queue(queue).domain, kind)


cdef inline const driver_table *below_device(void *device, layer_kind kind) noexcept nogil:
    return layer_below((<lp_domain **>device)[0], kind)


cdef lp_layer *layer_over(lp_domain *domain, lp_layer *under, layer_kind kind) noexcept nogil:
    """The layer of a kind over another one, or over the driver's table; NULL: no memory. The caller holds
    `layers_lock`."""
    cdef lp_layer **place = &under.above[<int>kind] if under != NULL else &domain.layers.first[<int>kind]
    cdef lp_layer *layer = place[0]
    if layer == NULL:
        layer = <lp_layer *>calloc(1, sizeof(lp_layer))
        if layer == NULL:
            return NULL
        layer.kind, layer.under = kind, under
        layer.below = domain.driver
        if under != NULL:
            layer.below = &under.table
        layer.table = layer.below[0]
        if kind == LAYER_LOG:
            log_entries(&layer.table)
        elif kind == LAYER_TIMES:
            times_entries(&layer.table)
        elif kind == LAYER_STEP:
            step_entries(&layer.table)
        elif kind == LAYER_FORKED:
            forked_each_entry(&layer.table)
        elif kind == LAYER_BOUNDS:
            bounds_entries(&layer.table)
        elif kind == LAYER_WRITES:
            writes_entries(&layer.table)
        elif kind == LAYER_TRACE:
            trace_entries(&layer.table)
        place[0] = layer
    return layer


cdef lp_layer *layers_without(lp_domain *domain, lp_layer *top, layer_kind kind, bint *short_of_memory) noexcept nogil:
    """The same chain without a kind."""
    cdef lp_layer *under
    if top == NULL:
        return NULL
    under = layers_without(domain, top.under, kind, short_of_memory)
    if top.kind == kind or short_of_memory[0]:
        return under
    under = layer_over(domain, under, top.kind)
    if under == NULL:
        short_of_memory[0] = True
    return under


cdef lp_layer *layers_over(lp_domain *domain, lp_layer *bottom, lp_layer *top, bint *short_of_memory) noexcept nogil:
    """The same chain over another layer."""
    cdef lp_layer *under
    if top == NULL or short_of_memory[0]:
        return bottom
    under = layer_over(domain, layers_over(domain, bottom, top.under, short_of_memory), top.kind)
    if under == NULL:
        short_of_memory[0] = True
    return under


cdef bint has_layer(lp_domain *domain, layer_kind kind) noexcept nogil:
    cdef lp_layer *layer = domain.layers.top
    while layer != NULL and layer.kind != kind:
        layer = layer.under
    return layer != NULL


cdef int set_layer(lp_domain *domain, layer_kind kind, bint on) noexcept nogil:
    """Put a layer on, on top of those that are there, or take it off; that of traces goes below all others, and that of
    writes stays over all others. No lock is held."""
    cdef lp_layer *top
    cdef bint short_of_memory = False
    cdef int code = 0
    lp_lock_acquire(&lp_runtime.layers_lock)
    if has_layer(domain, kind) != on:
        if on and kind == LAYER_TRACE:
            top = layer_over(domain, NULL, kind)
            short_of_memory = top == NULL
            top = layers_over(domain, top, domain.layers.top, &short_of_memory)
        elif on and domain.layers.top != NULL and domain.layers.top.kind == LAYER_WRITES:
            top = layer_over(domain, domain.layers.top.under, kind)
            top = NULL if top == NULL else layer_over(domain, top, LAYER_WRITES)
            short_of_memory = top == NULL
        elif on:
            top = layer_over(domain, domain.layers.top, kind)
            short_of_memory = top == NULL
        else:
            top = layers_without(domain, domain.layers.top, kind, &short_of_memory)
        if short_of_memory:
            code = ERROR_HOST_MEMORY
        else:
            code = use_layers(domain, top)
    lp_lock_release(&lp_runtime.layers_lock)
    return code


cdef void layers_take_places(lp_domain *domain, lp_layer *layer) noexcept nogil:
    """Let calls find the layers of a chain: the lowest first, since a call in an upper one goes on to those below."""
    if layer != NULL:
        layers_take_places(domain, layer.under)
        lp_store(<uint64_t *>&domain.layers.here[<int>layer.kind], <uint64_t>layer)


cdef int use_layers(lp_domain *domain, lp_layer *top) noexcept nogil:
    """Let all calls of a domain go through a chain from now on. The caller holds `layers_lock`."""
    cdef lp_queue **queues = NULL
    cdef uint32_t i, n = 0
    cdef int code
    lp_lock_acquire(&lp_runtime.registry_lock)
    code = list_every(domain, &queues, &n)
    if code == 0:                  # else nothing has changed
        layers_take_places(domain, top)
        domain.layers.top = top
        domain.table = domain.driver     # which queues made from now on take
        if top != NULL:
            domain.table = &top.table
    lp_lock_release(&lp_runtime.registry_lock)
    for i in range(n):
        if code == 0:
            lp_lock_acquire(queues[i].lock)
            queue_take_table(queues[i])
            lp_lock_release(queues[i].lock)
    queues_unlist(queues, n)
    return code


cdef inline void queue_take_table(lp_queue *queue) noexcept nogil:
    queue.table, queue.submit = queue.domain.table, queue.domain.table.submit


cdef void drop_layers(lp_layer **layers) noexcept nogil:
    """Free all layers. Nothing is called any more."""
    cdef int kind
    for kind in range(LAYER_KINDS):
        if layers[kind] != NULL:
            drop_layers(layers[kind].above)
            free(layers[kind])
            layers[kind] = NULL


def calls_driver_directly(QueueBase stream not None):
    """Whether a launch on a stream calls the driver's own function, with nothing between. For tests."""
    cdef lp_queue *queue = stream.queue
    return queue.submit == queue.domain.driver.submit and queue.table == queue.domain.driver

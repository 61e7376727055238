# Memory that the launches of another library's graph use. It is the graph's, and that of all that is made from it: what
# a launch was given, and on which stream it was captured, may be gone long before.

cdef struct lp_graph_memory:
    lp_graph_memory *next
    PyObject *allocations


cdef void graph_gone(void *data) noexcept nogil:
    """A thread of the driver's calls this, so nothing of Python's may be touched: `take_from_graphs` drops the
    references."""
    cdef lp_graph_memory *memory = <lp_graph_memory *>data
    lp_lock_acquire(&lp_runtime.graphs_lock)
    memory.next, lp_runtime.graphs_gone = lp_runtime.graphs_gone, memory
    lp_lock_release(&lp_runtime.graphs_lock)


cdef leave_to_graph(lp_queue *queue, tuple allocations):
    """Keep memory as long as the graph that the queue is being captured into, and what is made from that.

    Where the library cannot say when that ends, it is kept as long as the process."""
    cdef lp_graph_memory *memory = <lp_graph_memory *>calloc(1, sizeof(lp_graph_memory))
    cdef int code
    if memory == NULL:
        raise MemoryError
    memory.allocations = <PyObject *>allocations
    Py_INCREF(allocations)
    if queue.table.graph_keep == NULL:
        return
    with nogil:
        code = queue.table.graph_keep(queue.handle, graph_gone, memory)
    if code:
        raise failure(queue.table, code)


cdef take_from_graphs():
    """Let go of memory whose graphs are gone; the pool knows of what else may be using it."""
    cdef lp_graph_memory *gone
    cdef lp_graph_memory *next
    if lp_runtime.graphs_gone == NULL:
        return
    lp_lock_acquire(&lp_runtime.graphs_lock)
    gone, lp_runtime.graphs_gone = lp_runtime.graphs_gone, NULL
    lp_lock_release(&lp_runtime.graphs_lock)
    while gone != NULL:
        next = gone.next
        Py_DECREF(<object>gone.allocations)
        free(gone)
        gone = next

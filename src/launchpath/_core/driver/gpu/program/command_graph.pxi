# Graphs of commands: launches, copies and fills in a row, which the library takes in one call. The libraries differ in
# the structs of their nodes.
#
# To build a graph and to end one the library may wait until the device is idle: it is done in an unheld period, or later.

cdef struct gpu_graph:
    gpu_graph *next                # of those that have no use any more
    void *handle
    void *executable
    uint32_t n
    uint32_t edges                 # that are dependent
    uint32_t early                 # nodes with a kernel's early variant
    bint *triggers                 # of each node: whether the edge behind it is dependent
    void *nodes[1]                 # as many as there are; in the executable graph they stand for their places

cdef struct gpu_node:              # what the library's calls want to know of a command
    size_t size
    void *extra[5]
    gpu_kernel_node launch
    gpu_hip_kernel_node hip_launch
    gpu_peer_row_copy copy
    gpu_fill_node fill
    gpu_hip_fill_node hip_fill


cdef void *gpu_node_function(gpu_device *device, const graph_command *command, bint triggers) noexcept nogil:
    """The kernel's own function, or its early variant's. `triggers`: the edge behind the node is dependent."""
    cdef gpu_kernel *k = <gpu_kernel *>command.kernel
    cdef void *early = <void *><uintptr_t>lp_load(&k.early)
    if early == NULL or not (triggers and command.early and gpu_has_threads(command.config, device.early_threads)):
        return k.function
    if not (gpu_attribute_is_same(device, k.function, early, GPU_FUNCTION_MAX_DYNAMIC_SHARED) and
            gpu_attribute_is_same(device, k.function, early, GPU_FUNCTION_CARVEOUT)):
        return k.function
    return early


cdef bint gpu_attribute_is_same(gpu_device *device, void *function, void *early, int attribute) noexcept nogil:
    """Let a kernel's early variant have what the program, or other code, has set of the kernel; False: it cannot."""
    cdef gpu_functions *call = &device.library.call
    cdef int value = 0, other = 0
    if call.function_attribute(&value, attribute, function) or call.function_attribute(&other, attribute, early):
        return False
    return value == other or call.function_set != NULL and call.function_set(early, attribute, value) == 0


cdef inline void gpu_node_launch(gpu_device *device, const graph_command *command, void *function, gpu_node *to) noexcept nogil:
    cdef gpu_kernel *k = <gpu_kernel *>command.kernel
    cdef const launch_config *config = command.config
    cdef void **extra = NULL
    if k.size:
        to.size = k.size
        to.extra[0], to.extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, <void *>command.bytes
        to.extra[2], to.extra[3] = <void *>GPU_LAUNCH_BUFFER_SIZE, &to.size
        to.extra[4] = <void *>device.library.launch_end
        extra = to.extra
    if device.library.hip:
        memset(&to.hip_launch, 0, sizeof(gpu_hip_kernel_node))
        to.hip_launch.function, to.hip_launch.shared, to.hip_launch.extra = function, config.shared, extra
        memcpy(to.hip_launch.grid, config.grid, sizeof(config.grid))
        memcpy(to.hip_launch.block, config.block, sizeof(config.block))
        return
    memset(&to.launch, 0, sizeof(gpu_kernel_node))
    to.launch.function, to.launch.shared, to.launch.extra = function, config.shared, extra
    memcpy(to.launch.grid, config.grid, sizeof(config.grid))
    memcpy(to.launch.block, config.block, sizeof(config.block))


cdef void gpu_node_copy(const copy_command *copy, gpu_node *to) noexcept nogil:
    memset(&to.copy, 0, sizeof(gpu_peer_row_copy))
    to.copy.to_type = to.copy.source_type = CUDA_MEMORY_UNIFIED      # either address may be of pinned memory
    to.copy.to, to.copy.source, to.copy.width, to.copy.rows, to.copy.depth = copy.to, copy.source, copy.size, 1, 1
    to.copy.to_pitch = to.copy.source_pitch = copy.size


cdef void gpu_node_fill(const fill_command *fill, gpu_node *to) noexcept nogil:
    cdef uint32_t value = 0
    memcpy(&value, fill.pattern, fill.pattern_size)
    memset(&to.fill, 0, sizeof(gpu_fill_node))
    memset(&to.hip_fill, 0, sizeof(gpu_hip_fill_node))
    to.fill.to = to.hip_fill.to = fill.to
    to.fill.value = to.hip_fill.value = value
    to.fill.element = to.hip_fill.element = <unsigned int>fill.pattern_size
    to.fill.width = to.hip_fill.width = fill.size // fill.pattern_size
    to.fill.height = to.hip_fill.height = 1


cdef inline bint gpu_node_waits(const graph_command *command) noexcept nogil:
    """Whether it is a launch of a kernel that waits at its entry."""
    return command.kind == COMMAND_LAUNCH and (<const gpu_kernel *>command.kernel).waits


cdef inline bint gpu_node_may_follow(const gpu_device *device, const graph_command *before,
                                     const graph_command *command) noexcept nogil:
    """Whether the edge between two commands in a row may be dependent."""
    return gpu_node_waits(before) and gpu_node_waits(command) and gpu_lets_start(device, before.config)


cdef int gpu_node_follow(gpu_device *device, gpu_graph *graph, uint32_t place) noexcept nogil:
    """Let a kernel that waits at its entry come after the one before, which it may do before that has ended."""
    cdef gpu_edge edge
    cdef int code
    memset(&edge, 0, sizeof(edge))
    edge.from_port, edge.type = CUDA_PORT_PROGRAMMATIC, CUDA_EDGE_PROGRAMMATIC
    graph.edges += 1
    code = device.library.call.graph_add_edge(graph.handle, &graph.nodes[place - 1], &graph.nodes[place], &edge, 1)
    return 0 if code == 0 else gpu_fail(device.library.names.graph_add_edge, code)


cdef int gpu_node_add(gpu_device *device, gpu_graph *graph, const graph_command *command, bint dependent) noexcept nogil:
    """Let a command come after the one before. `dependent`: both are launches of kernels that wait at their entry."""
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef const copy_command *copy = <const copy_command *>command.bytes
    cdef void **node = &graph.nodes[command.place]
    cdef void **before = &graph.nodes[command.place - 1] if command.place else NULL
    cdef size_t n = 1 if command.place and not dependent else 0
    cdef gpu_node parameters
    cdef const void *launch
    cdef void *function
    cdef int code
    if command.kind == COMMAND_LAUNCH:
        function = gpu_node_function(device, command, graph.triggers[command.place])
        graph.early += function != (<gpu_kernel *>command.kernel).function
        gpu_node_launch(device, command, function, &parameters)
        launch = <const void *>&parameters.hip_launch if device.library.hip else <const void *>&parameters.launch
        code = call.graph_add_kernel(node, graph.handle, before, n, launch)
        if code:
            return gpu_fail(names.graph_add_kernel, code)
        return gpu_node_follow(device, graph, command.place) if dependent else 0
    if command.kind == COMMAND_COPY:
        if device.library.hip:
            code = call.hip_graph_add_copy(node, graph.handle, before, n, copy.to, copy.source, copy.size,
                                           HIP_MEMCPY_DEFAULT)
            return 0 if code == 0 else gpu_fail(names.hip_graph_add_copy, code)
        gpu_node_copy(copy, &parameters)
        code = call.graph_add_copy(node, graph.handle, before, n, &parameters.copy, device.context)
        return 0 if code == 0 else gpu_fail(names.graph_add_copy, code)
    gpu_node_fill(<const fill_command *>command.bytes, &parameters)
    if device.library.hip:
        code = call.hip_graph_add_fill(node, graph.handle, before, n, &parameters.hip_fill)
        return 0 if code == 0 else gpu_fail(names.hip_graph_add_fill, code)
    code = call.graph_add_fill(node, graph.handle, before, n, &parameters.fill, device.context)
    return 0 if code == 0 else gpu_fail(names.graph_add_fill, code)


cdef inline int gpu_node_set(gpu_device *device, gpu_graph *graph, const graph_command *command) noexcept nogil:
    """Change what later launches of the graph do at a command's place."""
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef const copy_command *copy = <const copy_command *>command.bytes
    cdef void *node = graph.nodes[command.place]
    cdef gpu_node parameters
    cdef const void *launch
    cdef int code
    if command.kind == COMMAND_LAUNCH:
        # Chosen anew: its grid may have grown
        gpu_node_launch(device, command, gpu_node_function(device, command, graph.triggers[command.place]), &parameters)
        launch = <const void *>&parameters.hip_launch if device.library.hip else <const void *>&parameters.launch
        code = call.graph_set_kernel(graph.executable, node, launch)
        return 0 if code == 0 else gpu_fail(names.graph_set_kernel, code)
    if command.kind == COMMAND_COPY:
        if device.library.hip:
            code = call.hip_graph_set_copy(graph.executable, node, copy.to, copy.source, copy.size, HIP_MEMCPY_DEFAULT)
            return 0 if code == 0 else gpu_fail(names.hip_graph_set_copy, code)
        gpu_node_copy(copy, &parameters)
        code = call.graph_set_copy(graph.executable, node, &parameters.copy, device.context)
        return 0 if code == 0 else gpu_fail(names.graph_set_copy, code)
    gpu_node_fill(<const fill_command *>command.bytes, &parameters)
    if device.library.hip:
        code = call.hip_graph_set_fill(graph.executable, node, &parameters.hip_fill)
        return 0 if code == 0 else gpu_fail(names.hip_graph_set_fill, code)
    code = call.graph_set_fill(graph.executable, node, &parameters.fill, device.context)
    return 0 if code == 0 else gpu_fail(names.graph_set_fill, code)


cdef bint gpu_has_graphs(const gpu_library *library) noexcept nogil:
    """Whether the library has every call that graphs are built and changed with."""
    cdef const gpu_functions *call = &library.call
    if call.graph_create == NULL or call.graph_instantiate == NULL or call.graph_launch == NULL or (
            call.graph_end_executable == NULL or call.graph_end == NULL or call.graph_add_kernel == NULL
            or call.graph_set_kernel == NULL):
        return False
    if library.hip:
        return call.hip_graph_add_copy != NULL and call.hip_graph_set_copy != NULL and (
            call.hip_graph_add_fill != NULL and call.hip_graph_set_fill != NULL)
    return call.graph_add_copy != NULL and call.graph_set_copy != NULL and call.graph_add_fill != NULL and (
        call.graph_set_fill != NULL)


cdef int gpu_graph_build(void *queue, uint32_t n, const graph_command *commands, void **out) noexcept nogil:
    """A graph in which each command comes after the one before."""
    cdef gpu_device *device = (<gpu_queue *>queue).device
    cdef const gpu_names *names = device.library.names
    cdef gpu_graph *graph
    cdef gpu_context context
    cdef int code
    if not gpu_has_graphs(device.library):
        return gpu_fail(names.graph_create, GPU_LACKING)
    graph = <gpu_graph *>calloc(1, sizeof(gpu_graph) + n * (sizeof(void *) + sizeof(bint)))
    if graph == NULL:
        return ERROR_HOST_MEMORY
    graph.n, graph.triggers = n, <bint *>&graph.nodes[n]
    code = gpu_unheld_begin(device, 0)
    if code:
        free(graph)
        return gpu_fail(names.graph_instantiate, code)
    gpu_graphs_end(device)
    code = gpu_begin_apart(device, &context)
    if code:
        gpu_unheld_end(device)
        free(graph)
        return code
    code = gpu_graph_make(device, graph, n, commands, not lp_load(&device.limited), True)
    if code and graph.early:
        gpu_graph_clear(device, graph)
        code = gpu_graph_make(device, graph, n, commands, True, False)
    if code and graph.edges:
        # What it takes without dependent edges it is given so from now on.
        gpu_graph_clear(device, graph)
        code = gpu_graph_make(device, graph, n, commands, False, False)
        if code == 0:
            lp_swap_if(&device.limited, DEPENDENT_ALL, DEPENDENT_NO_EDGES)
    lp_add(&device.n_edges, graph.edges)
    lp_add(&device.n_early, graph.early)
    gpu_end(&context)
    if code:
        gpu_graph_release(device, graph)
    else:
        out[0] = graph
    gpu_unheld_end(device)
    return code


cdef void gpu_graph_clear(gpu_device *device, gpu_graph *graph) noexcept nogil:
    """After the library refused it."""
    if graph.handle != NULL:
        device.library.call.graph_end(graph.handle)
    graph.handle, graph.edges, graph.early = NULL, 0, 0


cdef int gpu_graph_make(gpu_device *device, gpu_graph *graph, uint32_t n, const graph_command *commands, bint dependent,
                        bint early) noexcept nogil:
    """Build and instantiate it; the device is current. With `dependent`, edges between kernels that wait are so; with
    `early`, kernels before them may be early variants."""
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef uint32_t i
    cdef int code = call.graph_create(&graph.handle, 0)
    if code:
        return gpu_fail(names.graph_create, code)
    for i in range(n):
        graph.triggers[i] = early and dependent and i + 1 < n and gpu_node_may_follow(device, &commands[i], &commands[i + 1])
    for i in range(n):
        if code == 0:
            code = gpu_node_add(device, graph, &commands[i], dependent and i and (
                gpu_node_may_follow(device, &commands[i - 1], &commands[i])))
    if code == 0:
        code = call.graph_instantiate(&graph.executable, graph.handle, 0)
        if code:
            code = gpu_fail(names.graph_instantiate, code)
    return code


cdef int gpu_graph_run(void *queue, void *handle, const graph_source *source, uint32_t n_changes,
                       const graph_command *changes, uint32_t *accepted) noexcept nogil:
    cdef gpu_queue *q = <gpu_queue *>queue
    cdef gpu_device *device = q.device
    cdef gpu_graph *graph = <gpu_graph *>handle
    cdef gpu_context context
    cdef uint32_t i
    cdef int code = gpu_begin(device, &context)
    accepted[0] = 0
    q.dependence.behind = False
    gpu_note_legacy(q)
    if code:
        return code
    for i in range(n_changes):
        if code == 0:
            code = gpu_node_set(device, graph, &changes[i])
    if code == 0:
        code = device.library.call.graph_launch(graph.executable, q.stream)
        if code:
            code = gpu_fail(device.library.names.graph_launch, code)
    gpu_end(&context)
    return code


cdef void gpu_graph_release(void *handle, void *graph_) noexcept nogil:
    """Its launches in flight go on."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_graph *graph = <gpu_graph *>graph_
    lp_lock_acquire(&device.lock)
    graph.next, device.unused_graphs = <gpu_graph *>device.unused_graphs, graph
    lp_lock_release(&device.lock)
    if gpu_unheld_begin(device, 0) == 0:
        gpu_graphs_end(device)
        gpu_unheld_end(device)


cdef void gpu_graphs_end(gpu_device *device) noexcept nogil:
    """End the graphs that have no use any more, in an unheld period."""
    cdef gpu_graph *graph
    cdef gpu_graph *next_
    cdef gpu_context context
    lp_lock_acquire(&device.lock)
    graph, device.unused_graphs = <gpu_graph *>device.unused_graphs, NULL
    lp_lock_release(&device.lock)
    if graph == NULL or gpu_begin_apart(device, &context):
        return
    while graph != NULL:
        next_ = graph.next
        if graph.executable != NULL:
            device.library.call.graph_end_executable(graph.executable)
        if graph.handle != NULL:
            device.library.call.graph_end(graph.handle)
        free(graph)
        graph = next_
    gpu_end(&context)

"""Wrong input of the functions of graphs."""

from .rows import BAD, FAR, each, rows

STREAMS = (BAD, "gone_stream")
GRAPHS = (None, BAD, "gone_graph")
NODES = (None, BAD, "gone_node")
ARRAYS = (None, (BAD,), "gone_node", "other_node")  # of nodes: a bare number is an address
EXECUTABLES = (None, BAD, "gone_executable")
EVENTS = (None, BAD, "gone_event")
OBJECTS = (None, BAD, "gone_user")
SIZES = (
    "the documentation lists hipErrorInvalidValue only; AMD's runtime returns it for a block of no or too many threads"
)
FUNCTION = "the documentation lists hipErrorInvalidValue only; AMD's runtime returns it for what is no kernel"
OTHER = "AMD's runtime returns it for a handle that is none; the documentation lists other failures"
ATTRIBUTE = "AMD's runtime checks it, and lists the code of devices only"
IN = (None, 0)  # a node without dependencies


def _add(*wrong):
    """Return arguments that add nodes with wrong parameters."""
    return each(3, ("graph", *IN, None), *wrong)


def _graphs(*right):
    """Return arguments that add nodes to no graph, and behind no nodes of it."""
    return [
        *each(0, (None, *IN, *right), *GRAPHS),
        ("graph", None, 1, *right),
        ("graph", "gone_node", 1, *right),
        ("graph", "other_node", 1, *right),
    ]


def _change(*wrong):
    """Return arguments that change a node of an executable."""
    return [("executable", "kernel_node", value) for value in wrong]


ROWS = [
    *rows("hipGraphCreate", "InvalidValue", (1,), (77,)),
    *rows(
        "hipGraphDestroy hipGraphClone hipGraphGetNodes hipGraphGetRootNodes hipGraphGetEdges",
        "InvalidValue",
        *each(0, (None,), *GRAPHS),
    ),
    *rows(
        "hipGraphDestroyNode hipGraphNodeGetType hipGraphNodeGetDependencies hipGraphNodeGetDependentNodes "
        "hipGraphKernelNodeGetParams hipGraphMemcpyNodeGetParams hipGraphMemsetNodeGetParams hipGraphHostNodeGetParams "
        "hipGraphEventRecordNodeGetEvent hipGraphEventWaitNodeGetEvent hipGraphChildGraphNodeGetGraph "
        "hipGraphMemAllocNodeGetParams hipDrvGraphMemcpyNodeGetParams",
        "InvalidValue",
        *each(0, (None,), *NODES),
    ),
    *rows(
        "hipGraphKernelNodeGetParams hipGraphMemcpyNodeGetParams hipGraphMemsetNodeGetParams hipGraphHostNodeGetParams "
        "hipGraphEventRecordNodeGetEvent hipGraphEventWaitNodeGetEvent hipGraphChildGraphNodeGetGraph "
        "hipGraphMemAllocNodeGetParams hipDrvGraphMemcpyNodeGetParams",
        "InvalidValue",
        ("node",),
    ),
    *rows(
        "hipGraphNodeFindInClone", "InvalidValue", *each(0, (None, "graph"), *NODES), *each(1, ("node", None), *GRAPHS)
    ),
    *rows(
        "hipGraphAddDependencies hipGraphRemoveDependencies",
        "InvalidValue",
        *each(0, (None, "node", "next", 1), *GRAPHS),
        *each(1, ("graph", None, "next", 1), *ARRAYS),
        *each(2, ("graph", "node", None, 1), *ARRAYS),
    ),
    *rows("hipGraphAddDependencies", "InvalidValue", ("graph", "node", "next", 1), ("graph", "node", "node", 1)),
    *rows("hipGraphRemoveDependencies", "InvalidValue", ("graph", "next", "node", 1)),
    *rows(
        "hipGraphDebugDotPrint", "InvalidValue", *each(0, (None, b"/nowhere/graph.dot", 0), *GRAPHS), ("graph", None, 0)
    ),
    *rows("hipGraphDebugDotPrint", "OperatingSystem", ("graph", b"/nowhere/graph.dot", 0)),
    # Nodes that are added.
    *rows("hipGraphAddEmptyNode", "InvalidValue", *_graphs()),
    *rows("hipGraphAddKernelNode", "InvalidValue", *_graphs("launch"), *_add(None, 0, "bare_launch", "no_grid")),
    *rows("hipGraphAddKernelNode", "InvalidDeviceFunction", *_add("no_launch")),
    *rows("hipGraphAddKernelNode", "InvalidConfiguration", *_add("no_block", "big_block"), why=SIZES),
    *rows("hipGraphAddMemcpyNode", "InvalidValue", *_graphs("right_copy"), *_add(None, 0, "no_copy", "small_copy")),
    *rows("hipGraphAddMemcpyNode1D", "InvalidValue", *_graphs("memory", "other", 64, 3)),
    *rows(
        "hipGraphAddMemcpyNode1D",
        "InvalidValue",
        ("graph", *IN, None, "other", 64, 3),
        ("graph", *IN, "memory", None, 64, 3),
    ),
    *rows("hipGraphAddMemcpyNode1D", "InvalidValue", ("graph", *IN, "memory", "other", 0, 3)),
    *rows("hipGraphAddMemcpyNode1D", "InvalidValue", ("graph", *IN, "memory", "other", 999, 3)),
    *rows("hipGraphAddMemcpyNodeToSymbol", "InvalidValue", *_graphs(b"counters", "host", 4, 0, 1)),
    *rows("hipGraphAddMemcpyNodeFromSymbol", "InvalidValue", *_graphs("host", b"counters", 4, 0, 2)),
    *rows("hipGraphAddMemsetNode", "InvalidValue", *_graphs("right_fill"), *_add(None, 0, "no_fill", "far_fill")),
    *rows("hipGraphAddHostNode", "InvalidValue", *_graphs("right_call"), *_add(None, 0, "no_call")),
    *rows("hipGraphAddChildGraphNode", "InvalidValue", *_graphs("other_graph"), *_add(*GRAPHS, "graph")),
    *rows("hipGraphAddEventRecordNode hipGraphAddEventWaitNode", "InvalidValue", *_graphs("event"), *_add(*EVENTS)),
    *rows("hipGraphAddNode", "InvalidValue", *_graphs("right_node"), *_add(None, 0)),
    *rows("hipGraphAddMemAllocNode", "InvalidValue", *_graphs("right_allocation"), *_add(None, 0, "no_allocation")),
    *rows(
        "hipGraphAddMemFreeNode hipDrvGraphAddMemFreeNode", "InvalidValue", *_graphs("memory"), *_add(None, "memory")
    ),
    *rows("hipDrvGraphAddMemcpyNode", "InvalidValue", *[(*each_of, None) for each_of in _graphs("right_driver_copy")]),
    *rows(
        "hipDrvGraphAddMemcpyNode", "InvalidValue", ("graph", *IN, None, None), ("graph", *IN, "no_driver_copy", None)
    ),
    *rows("hipDrvGraphAddMemsetNode", "InvalidValue", *[(*each_of, None) for each_of in _graphs("right_fill")]),
    *rows("hipDrvGraphAddMemsetNode", "InvalidValue", ("graph", *IN, None, None), ("graph", *IN, "no_fill", None)),
    # Nodes that are changed.
    *rows("hipGraphKernelNodeSetParams", "InvalidValue", *each(0, (None, "launch"), *NODES, "node", "copy_node")),
    *rows(
        "hipGraphKernelNodeSetParams", "InvalidValue", *each(1, ("kernel_node", None), None, "bare_launch", "no_grid")
    ),
    *rows("hipGraphKernelNodeSetParams", "InvalidDeviceFunction", ("kernel_node", "no_launch"), why=FUNCTION),
    *rows("hipGraphKernelNodeSetParams", "InvalidConfiguration", ("kernel_node", "no_block"), why=SIZES),
    *rows("hipGraphMemcpyNodeSetParams", "InvalidValue", *each(0, (None, "right_copy"), *NODES, "kernel_node")),
    *rows("hipGraphMemcpyNodeSetParams", "InvalidValue", *each(1, ("copy_node", None), None, "no_copy", "small_copy")),
    *rows("hipGraphMemcpyNodeSetParams1D", "InvalidValue", *each(0, (None, "memory", "other", 64, 3), *NODES, "node")),
    *rows("hipGraphMemcpyNodeSetParams1D", "InvalidValue", *each(1, ("copy_node", None, "other", 64, 3), None)),
    *rows("hipGraphMemcpyNodeSetParams1D", "InvalidValue", *each(3, ("copy_node", "memory", "other", 0, 3), 0, 999)),
    *rows(
        "hipGraphMemcpyNodeSetParamsToSymbol",
        "InvalidValue",
        *each(0, (None, b"counters", "host", 4, 0, 1), *NODES, "node"),
        ("copy_node", b"counters", None, 4, 0, 1),
        ("copy_node", b"counters", "host", 0, 0, 1),
        ("copy_node", b"counters", "host", 4, 999, 1),
    ),
    *rows(
        "hipGraphMemcpyNodeSetParamsFromSymbol",
        "InvalidValue",
        *each(0, (None, "host", b"counters", 4, 0, 2), *NODES, "node"),
        ("copy_node", None, b"counters", 4, 0, 2),
    ),
    *rows("hipGraphMemsetNodeSetParams", "InvalidValue", *each(0, (None, "right_fill"), *NODES, "kernel_node")),
    *rows("hipGraphMemsetNodeSetParams", "InvalidValue", ("kernel_node", None)),
    *rows("hipGraphHostNodeSetParams", "InvalidValue", *each(0, (None, "right_call"), *NODES, "kernel_node")),
    *rows(
        "hipGraphEventRecordNodeSetEvent hipGraphEventWaitNodeSetEvent",
        "InvalidValue",
        *each(0, (0, "event"), *NODES, "node"),
    ),
    *rows(
        "hipGraphNodeSetParams",
        "InvalidValue",
        ("kernel_node", None),
        ("kernel_node", "right_node"),
        (None, "right_node"),
    ),
    *rows(
        "hipGraphKernelNodeGetAttribute hipGraphKernelNodeSetAttribute",
        "InvalidValue",
        *each(0, (None, 2, "attribute_value"), *NODES, "copy_node"),
        *[("kernel_node", 999, "attribute_value"), ("kernel_node", 2, None)],
    ),
    *rows("hipGraphMemFreeNodeGetParams", "InvalidValue", *each(0, (None, "place"), *NODES, "node")),
    *rows("hipGraphRetainUserObject", "InvalidValue", *each(0, (None, "user", 1, 0), *GRAPHS)),
    *rows("hipGraphRetainUserObject", "InvalidValue", *each(1, ("graph", None, 1, 0), *OBJECTS)),
    *rows("hipGraphRetainUserObject", "InvalidValue", ("graph", "user", 0, 0), ("graph", "user", 1, 77)),
    *rows("hipGraphReleaseUserObject", "InvalidValue", *each(0, (None, "user", 1), *GRAPHS)),
    *rows("hipGraphReleaseUserObject", "InvalidValue", *each(1, ("graph", None, 1), *OBJECTS), ("graph", "user", 1)),
    *rows(
        "hipDeviceGetGraphMemAttribute hipDeviceSetGraphMemAttribute",
        "InvalidDevice",
        (FAR, 1, "place"),
        (-1, 1, "place"),
    ),
    *rows(
        "hipDeviceGetGraphMemAttribute hipDeviceSetGraphMemAttribute",
        "InvalidValue",
        *[("number", 99, "place"), ("number", 1, None)],
        why=ATTRIBUTE,
    ),
    *rows("hipDeviceGraphMemTrim", "InvalidDevice", (FAR,), (-1,)),
    # Executables.
    *rows("hipGraphInstantiateWithFlags", "InvalidValue", *each(0, (None, 0), *GRAPHS, "cyclic"), ("graph", 1 << 20)),
    *rows("hipGraphInstantiate", "InvalidValue", *each(0, (None, 0), *GRAPHS), why=OTHER),
    *rows("hipGraphInstantiateWithParams", "InvalidValue", *each(0, (None, "right_instance"), *GRAPHS)),
    *rows("hipGraphInstantiateWithParams", "InvalidValue", ("graph", None), ("graph", "no_instance")),
    *rows("hipGraphExecDestroy", "InvalidValue", *each(0, (None,), *EXECUTABLES), why=OTHER),
    *rows("hipGraphExecGetFlags", "InvalidValue", *each(0, (None,), *EXECUTABLES)),
    *rows("hipGraphLaunch hipGraphLaunch_spt hipGraphUpload", "InvalidValue", *each(0, (None, None), *EXECUTABLES)),
    *rows("hipGraphLaunch hipGraphLaunch_spt hipGraphUpload", "InvalidValue", *each(1, ("executable", None), *STREAMS)),
    *rows("hipGraphExecUpdate", "InvalidValue", *each(0, (None, "graph", None), *EXECUTABLES), why=OTHER),
    *rows("hipGraphExecUpdate", "InvalidValue", *each(1, ("executable", None, None), *GRAPHS), why=OTHER),
    *rows("hipGraphNodeGetEnabled", "InvalidValue", *each(0, (None, "kernel_node"), *EXECUTABLES)),
    *rows("hipGraphNodeGetEnabled", "InvalidValue", *each(1, ("executable", None), *NODES, "node", "other_node")),
    *rows("hipGraphNodeSetEnabled", "InvalidValue", *each(0, (None, "kernel_node", 1), *EXECUTABLES)),
    *rows("hipGraphNodeSetEnabled", "InvalidValue", *each(1, ("executable", None, 1), *NODES, "node", "other_node")),
    *rows("hipGraphExecKernelNodeSetParams", "InvalidValue", *each(0, (None, "kernel_node", "launch"), *EXECUTABLES)),
    *rows(
        "hipGraphExecKernelNodeSetParams", "InvalidValue", *each(1, ("executable", None, "launch"), *NODES, "copy_node")
    ),
    *rows("hipGraphExecKernelNodeSetParams", "InvalidValue", *_change(None, "bare_launch", "no_grid")),
    *rows("hipGraphExecKernelNodeSetParams", "InvalidDeviceFunction", *_change("no_launch"), why=FUNCTION),
    *rows("hipGraphExecKernelNodeSetParams", "InvalidConfiguration", *_change("no_block"), why=SIZES),
    *rows("hipGraphExecMemcpyNodeSetParams", "InvalidValue", *each(0, (0, "copy_node", "right_copy"), *EXECUTABLES)),
    *rows("hipGraphExecMemcpyNodeSetParams", "InvalidValue", *_change(None, "right_copy")),
    *rows(
        "hipGraphExecMemcpyNodeSetParams1D",
        "InvalidValue",
        *each(0, (0, "copy_node", "memory", "other", 64, 3), *EXECUTABLES),
    ),
    *rows(
        "hipGraphExecMemcpyNodeSetParamsToSymbol",
        "InvalidValue",
        ("executable", "kernel_node", b"counters", "host", 4, 0, 1),
        ("executable", "copy_node", b"counters", "host", 0, 0, 1),
    ),
    *rows(
        "hipGraphExecMemcpyNodeSetParamsFromSymbol",
        "InvalidValue",
        ("executable", "kernel_node", "host", b"counters", 4, 0, 2),
        ("executable", "copy_node", None, b"counters", 4, 0, 2),
    ),
    *rows("hipGraphExecMemcpyNodeSetParams1D", "InvalidValue", ("executable", "kernel_node", "memory", "other", 64, 3)),
    *rows("hipGraphExecMemcpyNodeSetParams1D", "InvalidValue", ("executable", "copy_node", None, "other", 64, 3)),
    *rows("hipGraphExecMemsetNodeSetParams", "InvalidValue", *each(0, (0, "node", "right_fill"), *EXECUTABLES)),
    *rows("hipGraphExecMemsetNodeSetParams", "InvalidValue", *_change(None, "right_fill")),
    *rows("hipGraphExecHostNodeSetParams", "InvalidValue", *each(0, (0, "node", "right_call"), *EXECUTABLES)),
    *rows("hipGraphExecHostNodeSetParams", "InvalidValue", *_change(None, "right_call")),
    *rows(
        "hipGraphExecEventRecordNodeSetEvent hipGraphExecEventWaitNodeSetEvent",
        "InvalidValue",
        *each(0, (None, "node", "event"), *EXECUTABLES),
        *_change(*EVENTS, "event"),
    ),
    *rows("hipGraphExecChildGraphNodeSetParams", "InvalidValue", *each(0, (0, "node", "other_graph"), *EXECUTABLES)),
    *rows("hipGraphExecChildGraphNodeSetParams", "InvalidValue", *_change(*GRAPHS, "other_graph")),
    *rows("hipGraphExecNodeSetParams", "InvalidValue", *each(0, (None, "node", "right_node"), *EXECUTABLES)),
    *rows("hipGraphExecNodeSetParams", "InvalidValue", *_change(None)),
    *rows(
        "hipDrvGraphExecMemcpyNodeSetParams",
        "InvalidValue",
        *each(0, (0, "copy_node", "right_driver_copy", 0), *EXECUTABLES),
    ),
    *rows("hipDrvGraphExecMemcpyNodeSetParams", "InvalidValue", ("executable", "copy_node", None, None)),
    *rows("hipDrvGraphExecMemsetNodeSetParams", "InvalidValue", *each(0, (0, "node", "right_fill", 0), *EXECUTABLES)),
    *rows("hipDrvGraphExecMemsetNodeSetParams", "InvalidValue", ("executable", "kernel_node", "right_fill", None)),
]

"""Adding nodes to graphs, and reading and changing what they do."""

from __future__ import annotations

import ctypes
from typing import Any

from launchpath.hip._devices.limits import check
from launchpath.hip._graphs.copies import Copies, Fills, box_copy, box_params, fill_of, fill_params, plain_copy
from launchpath.hip._graphs.graphs import graphs, node_of, nodes_of
from launchpath.hip._graphs.params import (
    call_of,
    call_params,
    child_of,
    event_handle,
    launch_of,
    launch_params,
    record_of,
    typed,
    wait_of,
    work_of,
)
from launchpath.hip._graphs.works import Call, Child, Empty, Launch, Record, Wait, Work
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import bytes_of, put_struct, struct_of


def add_node(graph: Any, array: Any, count: int, work: Work) -> Any:
    """Add a node, and return its handle."""
    return graphs.find(graph).add(work, nodes_of(array, count)).handle


@function(1)
def hipGraphAddKernelNode(graph: Any, pDependencies: Any, numDependencies: int, pNodeParams: Any) -> Any:
    """Add a launch. Its arguments are read now."""
    return add_node(graph, pDependencies, numDependencies, launch_of(pNodeParams))


@function(1)
def hipGraphAddMemcpyNode(graph: Any, pDependencies: Any, numDependencies: int, pCopyParams: Any) -> Any:
    """Add a copy of a box of bytes."""
    return add_node(graph, pDependencies, numDependencies, box_copy(pCopyParams))


@function(1)
def hipGraphAddMemcpyNode1D(
    graph: Any, pDependencies: Any, numDependencies: int, dst: Any, src: Any, count: int, kind: Any
) -> Any:
    """Add a copy of bytes. An array of NumPy's stands for its memory, and is kept."""
    return add_node(graph, pDependencies, numDependencies, plain_copy(dst, src, count, kind))


@function(1)
def hipGraphAddMemsetNode(graph: Any, pDependencies: Any, numDependencies: int, pMemsetParams: Any) -> Any:
    """Add a fill of rows."""
    return add_node(graph, pDependencies, numDependencies, fill_of(pMemsetParams))


@function(1)
def hipGraphAddHostNode(graph: Any, pDependencies: Any, numDependencies: int, pNodeParams: Any) -> Any:
    """Add a call of a function of the host."""
    return add_node(graph, pDependencies, numDependencies, call_of(pNodeParams))


@function(1)
def hipGraphAddEmptyNode(graph: Any, pDependencies: Any, numDependencies: int) -> Any:
    """Add a node that does nothing."""
    return add_node(graph, pDependencies, numDependencies, Empty())


@function(1)
def hipGraphAddChildGraphNode(graph: Any, pDependencies: Any, numDependencies: int, childGraph: Any) -> Any:
    """Add a copy of another graph as a node."""
    return add_node(graph, pDependencies, numDependencies, child_of(childGraph, graphs.find(graph)))


@function(1)
def hipGraphAddEventRecordNode(graph: Any, pDependencies: Any, numDependencies: int, event: Any) -> Any:
    """Add a record of an event."""
    return add_node(graph, pDependencies, numDependencies, record_of(event))


@function(1)
def hipGraphAddEventWaitNode(graph: Any, pDependencies: Any, numDependencies: int, event: Any) -> Any:
    """Add a wait for an event."""
    return add_node(graph, pDependencies, numDependencies, wait_of(event))


@function(1)
def hipGraphAddNode(graph: Any, pDependencies: Any, numDependencies: int, nodeParams: Any) -> Any:
    """Add a node of the type that its parameters have."""
    return add_node(graph, pDependencies, numDependencies, work_of(nodeParams, graphs.find(graph)))


@function()
def hipGraphNodeSetParams(node: Any, nodeParams: Any) -> None:
    """Change what a node does; its type stays."""
    work = work_of(nodeParams)
    typed(node, type(work))
    node_of(node).work = work


# Launches.


@function(1)
def hipGraphKernelNodeGetParams(node: Any) -> Any:
    """Return a launch's parameters. Its arguments are valid until they are changed."""
    return launch_params(typed(node, Launch))


@function()
def hipGraphKernelNodeSetParams(node: Any, pNodeParams: Any) -> None:
    """Change a launch. Its attributes stay."""
    old, new = typed(node, Launch), launch_of(pNodeParams)
    if old.cooperative:
        new = with_cooperation(new, True)
    new.attributes = dict(old.attributes)
    node_of(node).work = new


def with_cooperation(launch: Launch, cooperative: bool) -> Launch:
    """Return a launch with or without blocks that may wait for one another."""
    changed = Launch(launch.kernel, cooperative, (launch.grid, launch.block, launch.shared), launch.arguments)
    changed.attributes = dict(launch.attributes)
    return changed


_VALUE_SIZE = types.hipLaunchAttributeValue().c_sizeof()
_ATTRIBUTES: Any = types.hipLaunchAttributeID
_COOPERATIVE = int(_ATTRIBUTES.hipLaunchAttributeCooperative)
# The others of these are advice: they are kept, and change nothing.
_KNOWN = (
    _COOPERATIVE,
    int(_ATTRIBUTES.hipLaunchAttributeAccessPolicyWindow),
    int(_ATTRIBUTES.hipLaunchAttributePriority),
)


def _attribute(attr: Any) -> int:
    number = int(check(_ATTRIBUTES, attr))
    if number not in _KNOWN:
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected the attribute of cooperation, of priority or of the access policy window, got {attr!r}",
        )
    return number


@function()
def hipGraphKernelNodeGetAttribute(hNode: Any, attr: Any, value: Any) -> None:
    """Write a launch's attribute into a hipLaunchAttributeValue."""
    launch = typed(hNode, Launch)
    number = _attribute(attr)
    data = launch.attributes.get(number, bytes(_VALUE_SIZE))
    if number == _COOPERATIVE:
        data = int(launch.cooperative).to_bytes(_VALUE_SIZE, "little")
    struct = struct_of(types.hipLaunchAttributeValue, value)
    ctypes.memmove(int(struct), data, _VALUE_SIZE)
    put_struct(value, struct)


@function()
def hipGraphKernelNodeSetAttribute(hNode: Any, attr: Any, value: Any) -> None:
    """Set a launch's attribute to a hipLaunchAttributeValue."""
    launch = typed(hNode, Launch)
    number, struct = _attribute(attr), struct_of(types.hipLaunchAttributeValue, value)
    if number == _COOPERATIVE:
        node_of(hNode).work = with_cooperation(launch, bool(struct.cooperative))
    else:
        launch.attributes[number] = bytes_of(int(struct), _VALUE_SIZE)


# Copies, fills and the others.


@function(1)
def hipGraphMemcpyNodeGetParams(node: Any) -> Any:
    """Return a copy's parameters."""
    return box_params(typed(node, Copies))


@function()
def hipGraphMemcpyNodeSetParams(node: Any, pNodeParams: Any) -> None:
    """Change a copy."""
    typed(node, Copies)
    node_of(node).work = box_copy(pNodeParams)


@function()
def hipGraphMemcpyNodeSetParams1D(node: Any, dst: Any, src: Any, count: int, kind: Any) -> None:
    """Change a copy to one of bytes in a row."""
    typed(node, Copies)
    node_of(node).work = plain_copy(dst, src, count, kind)


@function(1)
def hipGraphMemsetNodeGetParams(node: Any) -> Any:
    """Return a fill's parameters."""
    return fill_params(typed(node, Fills))


@function()
def hipGraphMemsetNodeSetParams(node: Any, pNodeParams: Any) -> None:
    """Change a fill."""
    typed(node, Fills)
    node_of(node).work = fill_of(pNodeParams)


@function(1)
def hipGraphHostNodeGetParams(node: Any) -> Any:
    """Return a call's parameters. A function of Python has the address of a C function that calls it."""
    return call_params(typed(node, Call))


@function()
def hipGraphHostNodeSetParams(node: Any, pNodeParams: Any) -> None:
    """Change a call of a function of the host."""
    typed(node, Call)
    node_of(node).work = call_of(pNodeParams)


@function(1)
def hipGraphEventRecordNodeGetEvent(node: Any) -> Any:
    """Return the event that a node records."""
    return event_handle(typed(node, Record))


@function()
def hipGraphEventRecordNodeSetEvent(node: Any, event: Any) -> None:
    """Let a node record another event."""
    typed(node, Record)
    node_of(node).work = record_of(event)


@function(1)
def hipGraphEventWaitNodeGetEvent(node: Any) -> Any:
    """Return the event that a node waits for."""
    return event_handle(typed(node, Wait))


@function()
def hipGraphEventWaitNodeSetEvent(node: Any, event: Any) -> None:
    """Let a node wait for another event."""
    typed(node, Wait)
    node_of(node).work = wait_of(event)


@function(1)
def hipGraphChildGraphNodeGetGraph(node: Any) -> Any:
    """Return the graph of a node. It is the node's: it cannot be destroyed."""
    return typed(node, Child).graph.handle

"""Executable graphs: instantiated from graphs, launched and changed."""

from __future__ import annotations

from typing import Any

from launchpath.hip._graphs.copies import box_copy, fill_of, plain_copy
from launchpath.hip._graphs.graphs import graphs
from launchpath.hip._graphs.nodes import with_cooperation
from launchpath.hip._graphs.params import call_of, launch_of, record_of, wait_of, work_of
from launchpath.hip._graphs.run import Executable, Refusal, Result, executables
from launchpath.hip._graphs.works import Child, Launch, Work
from launchpath.hip._streams.capturing import Capturing
from launchpath.hip._streams.streams import LEGACY, PER_THREAD, stream_of
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import place_of, put_struct, struct_of, write

_FLAGS: Any = types.hipGraphInstantiateFlags
_ALL_FLAGS = sum(map(int, _FLAGS))


def _instantiate(graph: Any, flags: int) -> Any:
    subject = graphs.find(graph)
    if flags & ~_ALL_FLAGS:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of hipGraphInstantiateFlags, got {flags:#x}")
    if flags & _FLAGS.hipGraphInstantiateFlagDeviceLaunch:
        raise HipError(Error.hipErrorNotSupported, "launchpath.hip does not launch graphs from a device")
    try:
        return executables.add(Executable(subject, flags))
    except HipError as error:
        if error.outputs is not None:
            error.outputs = (None, *error.outputs[1:])
        raise


@function(3)
def hipGraphInstantiate(graph: Any, bufferSize: int) -> tuple[Any, Any, bytes]:
    """Make an executable of a graph. If there is a cycle, the last outputs are a node that it holds up, and a text."""
    return _instantiate(graph, 0), types.hipGraphNode(0), b""


@function(1)
def hipGraphInstantiateWithFlags(graph: Any, flags: int) -> Any:
    """Make an executable of a graph."""
    return _instantiate_plainly(graph, flags)


def _instantiate_plainly(graph: Any, flags: int) -> Any:
    try:
        return _instantiate(graph, flags)
    except HipError as error:
        error.outputs = None
        raise


@function(1)
def hipGraphInstantiateWithParams(graph: Any, instantiateParams: Any) -> Any:
    """Make an executable of a graph. The result, and the node that was refused, are in the parameters then."""
    params = struct_of(types.hipGraphInstantiateParams, instantiateParams)
    results: Any = types.hipGraphInstantiateResult
    try:
        executable = _instantiate(graph, params.flags)
    except HipError as error:
        params.result_out = results.hipGraphInstantiateError
        if error.outputs is not None:
            params.result_out = results.hipGraphInstantiateInvalidStructure
            params.errNode_out = error.outputs[1]
            error.outputs = None
        put_struct(instantiateParams, params)
        raise
    params.result_out = results.hipGraphInstantiateSuccess
    put_struct(instantiateParams, params)
    return executable


@function()
def hipGraphExecDestroy(graphExec: Any) -> None:
    """Destroy an executable, when its last launch is complete."""
    executables.remove(graphExec).end()


@function(1)
def hipGraphExecGetFlags(graphExec: Any) -> int:
    """Return the flags that an executable was made with."""
    return executables.find(graphExec).flags


def _launch(graphExec: Any, stream: Any) -> None:
    executable, order = executables.find(graphExec), stream_of(stream)
    if isinstance(order, Capturing):
        order.add(Child(executable.snapshot()))
        return
    executable.launch(order)


@function()
def hipGraphLaunch(graphExec: Any, stream: Any) -> None:
    """Launch a graph on a stream. Launches of one executable come one behind the other."""
    _launch(graphExec, stream)


@function()
def hipGraphLaunch_spt(graphExec: Any, stream: Any) -> None:
    """Launch a graph on a stream; by default on the thread's own."""
    _launch(graphExec, PER_THREAD if address(stream) in (0, LEGACY) else stream)


@function()
def hipGraphUpload(graphExec: Any, stream: Any) -> None:
    """Check an executable and a stream: there is nothing to upload."""
    executables.find(graphExec)
    stream_of(stream)


@function(1)
def hipGraphExecUpdate(hGraphExec: Any, hGraph: Any, hErrorNode_out: Any) -> Any:
    """Take another graph's parameters over. The output is the result, after a failure too.

    ``hErrorNode_out`` is the address at which the node is written that was refused, or None.
    """
    executable, graph = executables.find(hGraphExec), graphs.find(hGraph)
    place = 0 if isinstance(hErrorNode_out, types.hipGraphNode) else address(hErrorNode_out)
    if place:
        place_of(hErrorNode_out, 8, written=True, noun="node")
    try:
        executable.update(graph)
    except Refusal as refusal:
        if place:
            write(place, 0 if refusal.node is None else address(refusal.node.handle), 8)
        raise
    if place:
        write(place, 0, 8)
    return Result.hipGraphExecUpdateSuccess


# Nodes of an executable, by those of its graph.


def change_node(graphExec: Any, node: Any, work: Work) -> None:
    """Let a node of an executable do something else."""
    executable = executables.find(graphExec)
    executable.change(executable.node(node), work)


@function()
def hipGraphExecNodeSetParams(graphExec: Any, node: Any, nodeParams: Any) -> None:
    """Change what a node does; its type stays."""
    change_node(graphExec, node, work_of(nodeParams))


@function()
def hipGraphExecKernelNodeSetParams(hGraphExec: Any, node: Any, pNodeParams: Any) -> None:
    """Change a launch."""
    launch, executable = launch_of(pNodeParams), executables.find(hGraphExec)
    copied = executable.node(node)
    if isinstance(copied.work, Launch) and copied.work.cooperative:
        launch = with_cooperation(launch, True)
    executable.change(copied, launch)


@function()
def hipGraphExecMemcpyNodeSetParams(hGraphExec: Any, node: Any, pNodeParams: Any) -> None:
    """Change a copy."""
    change_node(hGraphExec, node, box_copy(pNodeParams))


@function()
def hipGraphExecMemcpyNodeSetParams1D(hGraphExec: Any, node: Any, dst: Any, src: Any, count: int, kind: Any) -> None:
    """Change a copy to one of bytes in a row."""
    change_node(hGraphExec, node, plain_copy(dst, src, count, kind))


@function()
def hipGraphExecMemsetNodeSetParams(hGraphExec: Any, node: Any, pNodeParams: Any) -> None:
    """Change a fill."""
    change_node(hGraphExec, node, fill_of(pNodeParams))


@function()
def hipGraphExecHostNodeSetParams(hGraphExec: Any, node: Any, pNodeParams: Any) -> None:
    """Change a call of a function of the host."""
    change_node(hGraphExec, node, call_of(pNodeParams))


@function()
def hipGraphExecEventRecordNodeSetEvent(hGraphExec: Any, hNode: Any, event: Any) -> None:
    """Let a node record another event."""
    change_node(hGraphExec, hNode, record_of(event))


@function()
def hipGraphExecEventWaitNodeSetEvent(hGraphExec: Any, hNode: Any, event: Any) -> None:
    """Let a node wait for another event."""
    change_node(hGraphExec, hNode, wait_of(event))


@function()
def hipGraphExecChildGraphNodeSetParams(hGraphExec: Any, node: Any, childGraph: Any) -> None:
    """Take the parameters of a graph over that has the nodes and edges of a node's graph."""
    executable, graph = executables.find(hGraphExec), graphs.find(childGraph)
    copied = executable.node(node)
    if not isinstance(copied.work, Child):
        raise HipError(Error.hipErrorInvalidValue, f"expected a child graph's node, got {copied.work.kind.name}")
    try:
        executable.update_part(copied.work.graph, graph)
    except Refusal as refusal:
        raise HipError(Error.hipErrorInvalidValue, str(refusal)) from None


@function(1)
def hipGraphNodeGetEnabled(hGraphExec: Any, hNode: Any) -> int:
    """Return whether a node of an executable runs: 1 or 0."""
    executable = executables.find(hGraphExec)
    return int(_switch(executable, hNode) not in executable.disabled)


@function()
def hipGraphNodeSetEnabled(hGraphExec: Any, hNode: Any, isEnabled: int) -> None:
    """Let a launch, a copy or a fill run or not in later launches of an executable."""
    executable = executables.find(hGraphExec)
    executable.switch(_switch(executable, hNode), bool(isEnabled))


def _switch(executable: Executable, handle: Any) -> Any:
    node = executable.node(handle)
    if not node.work.may_be_disabled:
        raise HipError(Error.hipErrorInvalidValue, f"expected a launch, a copy or a fill, got {node.work.kind.name}")
    return node

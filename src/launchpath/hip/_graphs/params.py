"""The parameters of nodes: from HIP's structs to what nodes do, and back."""

from __future__ import annotations

import ctypes
from typing import Any

from launchpath.hip._graphs.copies import box_copy, fill_of
from launchpath.hip._graphs.graphs import Graph, graphs, node_of
from launchpath.hip._graphs.works import Allocate, Call, Child, Free, Kind, Launch, Memory, Record, Wait, Work
from launchpath.hip._launches.launching import packed_arguments
from launchpath.hip._launches.registered import find, pointer_of
from launchpath.hip._streams.events import events
from launchpath.hip._streams.streams import c_callable
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError
from launchpath.hip._types.values import bytes_of, read, struct_of

_POINTER = 8  # bytes
_BUFFER, _SIZE, _END = 1, 2, 3  # HIP_LAUNCH_PARAM_BUFFER_POINTER and the others


def launch_of(params: Any) -> Launch:
    """Return the launch of a hipKernelNodeParams."""
    params = struct_of(types.hipKernelNodeParams, params)
    kernel = find(params.func).kernel
    grid, block = ((size.x, size.y, size.z) for size in (params.gridDim, params.blockDim))
    pointers, extra = params.kernelParams, params.extra
    if not isinstance(pointers, (tuple, list)) and not address(pointers):
        pointers = None
    if not isinstance(extra, (tuple, list)):
        if address(extra):
            arguments = _buffer(kernel.signature, address(extra))
            if pointers is not None:
                raise HipError(Error.hipErrorInvalidValue, "expected kernelParams or extra, got both")
            return Launch(kernel, False, (grid, block, params.sharedMemBytes), arguments)
        extra = None
    arguments = packed_arguments(kernel, pointers, extra)
    return Launch(kernel, False, (grid, block, params.sharedMemBytes), arguments)


def _buffer(signature: Any, place: int) -> bytes:
    fields: dict[int, int] = {}
    for position in (0, 2):
        key = read(place + position * _POINTER, _POINTER)
        if key == _END:
            break
        fields[key] = read(place + (position + 1) * _POINTER, _POINTER)
    if not fields.get(_BUFFER) or not fields.get(_SIZE):
        raise HipError(Error.hipErrorInvalidValue, "expected a buffer and its size in extra")
    size = read(fields[_SIZE], _POINTER)
    if size < signature.size:
        raise HipError(Error.hipErrorInvalidValue, f"{signature}: expected {signature.size} bytes, got {size}")
    return bytes_of(fields[_BUFFER], signature.size, "buffer of arguments")


def launch_params(launch: Launch) -> Any:
    """Return a launch as a hipKernelNodeParams."""
    params = types.hipKernelNodeParams(
        func=pointer_of(launch.kernel),
        sharedMemBytes=launch.shared,
        kernelParams=ctypes.addressof(launch.pointers),
    )
    for size, values in ((params.gridDim, launch.grid), (params.blockDim, launch.block)):
        size.x, size.y, size.z = values
    return params


def call_of(params: Any) -> Call:
    """Return the call of a hipHostNodeParams, or of an object with a Python function as its ``fn``."""
    if not callable(getattr(params, "fn", None)):  # any object may have a function of Python
        params = struct_of(types.hipHostNodeParams, params)
    if callable(params.fn):
        return Call(params.fn, (params.userData,))
    host_function = c_callable(params.fn, ctypes.CFUNCTYPE(None, ctypes.c_void_p))
    pointers = address(params.fn), address(params.userData)
    return Call(host_function, (pointers[1],), pointers)


def call_params(call: Call) -> Any:
    """Return a call as a hipHostNodeParams."""
    return types.hipHostNodeParams(fn=call.pointers[0], userData=call.pointers[1])


def child_of(graph: Any, parent: Graph | None = None) -> Child:
    """Return a child of a graph's copy."""
    subject = graphs.find(graph)
    if subject is parent:
        raise HipError(Error.hipErrorInvalidValue, "expected another graph, got the one that the node is added to")
    inner = subject.copy()
    inner.owned = True
    return Child(inner)


def _event(handle: Any) -> Any:
    try:
        return events.find(handle)
    except HipError as error:
        raise HipError(Error.hipErrorInvalidValue, str(error)) from None


def record_of(event: Any) -> Record:
    """Return the record of an event."""
    return Record(_event(event))


def wait_of(event: Any) -> Wait:
    """Return the wait for an event."""
    return Wait(_event(event))


def event_handle(work: Any) -> Any:
    """Return the handle of a node's event."""
    return events.handle_of(lambda event: event is work.event)


def memory_at(pointer: int, works: list[Work]) -> Memory:
    """Return the memory that a node of these allocates at an address, and that no node of them frees."""
    memories = [work.memory for work in works if isinstance(work, Allocate) and work.memory.address == pointer]
    if not memories or any(isinstance(work, Free) and work.memory is memories[0] for work in works):
        raise HipError(
            Error.hipErrorInvalidValue,
            f"expected memory that a node of the graph allocates and none frees, got {pointer:#x}",
        )
    return memories[0]


def work_of(params: Any, graph: Graph | None = None) -> Work:
    """Return the work of a hipGraphNodeParams, whose union follows its type."""
    params = struct_of(types.hipGraphNodeParams, params)
    union = types.hipGraphNodeParams_union_0.fromObj(address(params) + 16)
    kind = int(params.type)
    if kind == Kind.hipGraphNodeTypeKernel:
        return launch_of(union.kernel)
    if kind == Kind.hipGraphNodeTypeMemcpy:
        return box_copy(union.memcpy.copyParams)
    if kind == Kind.hipGraphNodeTypeMemset:
        return fill_of(union.memset)
    if kind == Kind.hipGraphNodeTypeHost:
        return call_of(union.host)
    if kind == Kind.hipGraphNodeTypeGraph:
        return child_of(union.graph.graph, graph)
    if kind == Kind.hipGraphNodeTypeWaitEvent:
        return wait_of(union.eventWait.event)
    if kind == Kind.hipGraphNodeTypeEventRecord:
        return record_of(union.eventRecord.event)
    raise HipError(Error.hipErrorNotSupported, f"launchpath.hip does not add nodes of type {kind} in this way")


def typed(handle: Any, kind: type[Any]) -> Any:
    """Return a node's work, which must be of a kind."""
    work = node_of(handle).work
    if not isinstance(work, kind):
        raise HipError(
            Error.hipErrorInvalidValue, f"expected a node of type {kind.kind.name}, got one of {work.kind.name}"
        )
    return work

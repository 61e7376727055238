"""Memory of graphs' own, and user objects that graphs keep."""

from __future__ import annotations

from typing import Any

from launchpath.hip._devices.current import current, device_at, number_of
from launchpath.hip._devices.limits import check
from launchpath.hip._graphs.graphs import graphs
from launchpath.hip._graphs.nodes import add_node
from launchpath.hip._graphs.params import memory_at, typed
from launchpath.hip._graphs.user_objects import check_count, user_objects
from launchpath.hip._graphs.works import Allocate, Counts, Free, Memory, counts
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import put_struct, read, struct_of, write


@function(1)
def hipGraphAddMemAllocNode(graph: Any, pDependencies: Any, numDependencies: int, pNodeParams: Any) -> Any:
    """Add an allocation. The address is in ``pNodeParams.dptr`` then."""
    graphs.find(graph)
    params = struct_of(types.hipMemAllocNodeParams, pNodeParams)
    if not params.bytesize:
        raise HipError(Error.hipErrorInvalidValue, "expected a hipMemAllocNodeParams with a size in bytes")
    location = params.poolProps.location
    chosen = location.type == types.hipMemLocationType.hipMemLocationTypeDevice
    memory = Memory(device_at(location.id) if chosen else current(), params.bytesize)
    handle = add_node(graph, pDependencies, numDependencies, Allocate(memory))
    params.dptr = memory.address
    put_struct(pNodeParams, params)
    return handle


@function(1)
def hipGraphMemAllocNodeGetParams(node: Any) -> Any:
    """Return an allocation's parameters."""
    memory = typed(node, Allocate).memory
    params = types.hipMemAllocNodeParams(bytesize=memory.size, dptr=memory.address)
    params.poolProps.location.type = types.hipMemLocationType.hipMemLocationTypeDevice
    params.poolProps.location.id = number_of(memory.device)
    return params


def add_free_node(graph: Any, array: Any, count: int, pointer: Any) -> Any:
    """Add the end of an allocation of the same graph."""
    works = [node.work for node in graphs.find(graph).nodes]
    return add_node(graph, array, count, Free(memory_at(address(pointer), works)))


@function(1)
def hipGraphAddMemFreeNode(graph: Any, pDependencies: Any, numDependencies: int, dev_ptr: Any) -> Any:
    """Add the end of an allocation of the same graph."""
    return add_free_node(graph, pDependencies, numDependencies, dev_ptr)


@function()
def hipGraphMemFreeNodeGetParams(node: Any, dev_ptr: Any) -> None:
    """Write the address of an allocation that a node ends to where a pointer points."""
    memory = typed(node, Free).memory
    write(dev_ptr, memory.address, 8)


_USED: Any = types.hipGraphMemAttributeType


@function()
def hipDeviceGetGraphMemAttribute(device: int, attr: Any, value: Any) -> None:
    """Write how many bytes graphs use, or used at most, as a value of 8 bytes."""
    memory, kind = counts.get(device_at(device), Counts()), check(_USED, attr)
    most = kind in (_USED.hipGraphMemAttrUsedMemHigh, _USED.hipGraphMemAttrReservedMemHigh)
    write(value, memory.most if most else memory.now, 8)


@function()
def hipDeviceSetGraphMemAttribute(device: int, attr: Any, value: Any) -> None:
    """Set what graphs used at most to 0, to count anew."""
    chosen, kind = device_at(device), check(_USED, attr)
    if kind not in (_USED.hipGraphMemAttrUsedMemHigh, _USED.hipGraphMemAttrReservedMemHigh) or read(value, 8):
        raise HipError(Error.hipErrorInvalidValue, "only a highest value can be set, and only to 0")
    if chosen in counts:
        counts[chosen].most = counts[chosen].now


@function()
def hipDeviceGraphMemTrim(device: int) -> None:
    """Do nothing more than check the device: graphs reserve no memory that they do not use."""
    device_at(device)


@function()
def hipGraphRetainUserObject(graph: Any, object: Any, count: int, flags: int) -> None:
    """Keep a user object as long as a graph: by new references, or by the caller's with hipGraphUserObjectMove."""
    check_count(count)
    subject, user_object = graphs.find(graph), user_objects.find(object)
    if flags not in (0, types.hipUserObjectRetainFlags.hipGraphUserObjectMove):
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0 or hipGraphUserObjectMove, got {flags}")
    if not flags:
        user_object.retain(count)
    subject.objects[user_object] += count


@function()
def hipGraphReleaseUserObject(graph: Any, object: Any, count: int) -> None:
    """Drop references of a graph to a user object."""
    check_count(count)
    subject, user_object = graphs.find(graph), user_objects.find(object)
    references = subject.objects[user_object]
    if references < count:
        raise HipError(Error.hipErrorInvalidValue, f"expected at most the graph's {references} references, got {count}")
    subject.objects[user_object] -= count
    if not subject.objects[user_object]:
        del subject.objects[user_object]
    user_object.release(count)

"""What graphs keep: memory that their nodes allocate, what nodes use, and user objects."""

import ctypes
import gc

import numpy as np

from .calls import fails, ok
from .graphs import N, address, run, start

VALUE = "hipErrorInvalidValue"


def test_what_nodes_use_lives_as_long(hip, program, graph, stream, made):
    x, result = program.memory(), np.zeros(N, "f4")
    ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, x, start() + 5, 4 * N, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphDestroy(graph))
    gc.collect()
    junk = [np.full(N, 7, "f4") for _ in range(50)]
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipMemcpyWithStream(result, x, 4 * N, 4, stream))
    assert (result == start() + 5).all()
    assert junk


def test_memory_that_was_freed_is_refused(hip, program, graph, made):
    x, gone = program.memory(), ok(hip.hipMalloc(4 * N))
    ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, gone, x, 4 * N, 3))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, None))
    ok(hip.hipFree(gone))
    fails(hip.hipGraphLaunch(executable, None), VALUE)


def used(hip, kind="hipGraphMemAttrUsedMemCurrent"):
    value = ctypes.c_uint64(1)
    attribute = hip.hipGraphMemAttributeType[kind]
    ok(hip.hipDeviceGetGraphMemAttribute(ok(hip.hipGetDevice()), attribute, ctypes.addressof(value)))
    return value.value


def test_a_graph_has_the_memory_of_its_nodes_until_it_is_destroyed(hip, program, graph):
    from launchpath.hip._memory import allocations

    gc.collect()
    number, before, count = ok(hip.hipGetDevice()), used(hip), allocations.count()
    params = hip.hipMemAllocNodeParams(bytesize=4 * N)
    params.poolProps.location.type = hip.hipMemLocationType.hipMemLocationTypeDevice
    params.poolProps.location.id = number
    node = ok(hip.hipGraphAddMemAllocNode(graph, None, 0, params))
    pointer, x = int(params.dptr), program.memory(np.zeros(N, "f4"))
    assert used(hip) == before + 4 * N
    fill = ok(hip.hipGraphAddMemsetNode(graph, (node,), 1, hip.hipMemsetParams(
        dst=pointer, elementSize=4, height=1, pitch=0, value=0x3F800000, width=N)))  # fmt: skip
    copy = ok(hip.hipGraphAddMemcpyNode1D(graph, (fill,), 1, x, pointer, 4 * N, 3))
    free = ok(hip.hipGraphAddMemFreeNode(graph, (copy,), 1, pointer))
    fails(hip.hipGraphAddMemFreeNode(graph, (copy,), 1, pointer), VALUE)
    fails(hip.hipDrvGraphAddMemFreeNode(graph, (copy,), 1, x), VALUE)
    run(hip, graph, times=2)
    assert (program.read(x) == 1).all()
    seen = ok(hip.hipGraphMemAllocNodeGetParams(node))
    assert (int(seen.dptr), seen.bytesize, seen.poolProps.location.id) == (pointer, 4 * N, number)
    place = ctypes.c_void_p()
    ok(hip.hipGraphMemFreeNodeGetParams(free, ctypes.addressof(place)))
    assert place.value == pointer
    fails(hip.hipGraphMemFreeNodeGetParams(free, None), VALUE)
    fails(hip.hipGraphMemFreeNodeGetParams(node, ctypes.addressof(place)), VALUE)
    fails(hip.hipGraphMemAllocNodeGetParams(free), VALUE)
    fails(hip.hipGraphAddMemAllocNode(graph, None, 0, hip.hipMemAllocNodeParams()), VALUE)
    ok(hip.hipGraphDestroy(graph))
    gc.collect()
    assert used(hip) == before
    assert used(hip, "hipGraphMemAttrUsedMemHigh") >= 4 * N
    assert allocations.count() == count + 1  # x


def test_memory_without_a_free_node_is_the_programs(hip, graph):
    params = hip.hipMemAllocNodeParams(bytesize=64)
    ok(hip.hipGraphAddMemAllocNode(graph, None, 0, params))
    pointer, executable = int(params.dptr), ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, None))
    ok(hip.hipMemset(pointer, 1, 64))
    ok(hip.hipFree(pointer))
    fails(hip.hipGraphLaunch(executable, None), VALUE)
    ok(hip.hipGraphExecDestroy(executable))
    later = ok(hip.hipGraphCreate(0))
    ok(hip.hipGraphAddMemAllocNode(later, None, 0, params))
    pointer = int(params.dptr)
    run(hip, later)
    ok(hip.hipGraphDestroy(later))
    gc.collect()
    ok(hip.hipMemset(pointer, 1, 64))
    ok(hip.hipFree(pointer))


def test_attributes_of_graph_memory(hip):
    kinds, number = hip.hipGraphMemAttributeType, ok(hip.hipGetDevice())
    value = ctypes.c_uint64(0)
    place = ctypes.addressof(value)
    ok(hip.hipDeviceGraphMemTrim(number))
    ok(hip.hipDeviceSetGraphMemAttribute(number, kinds.hipGraphMemAttrUsedMemHigh, place))
    assert used(hip, "hipGraphMemAttrReservedMemHigh") == used(hip)
    fails(hip.hipDeviceSetGraphMemAttribute(number, kinds.hipGraphMemAttrUsedMemCurrent, place), VALUE)
    fails(hip.hipDeviceGetGraphMemAttribute(number, 77, place), VALUE)
    fails(hip.hipDeviceGetGraphMemAttribute(number, kinds.hipGraphMemAttrUsedMemHigh, None), VALUE)
    for result in (
        hip.hipDeviceGraphMemTrim(1000),
        hip.hipDeviceGetGraphMemAttribute(1000, kinds.hipGraphMemAttrUsedMemHigh, place),
        hip.hipDeviceSetGraphMemAttribute(1000, kinds.hipGraphMemAttrUsedMemHigh, place),
    ):
        fails(result, "hipErrorInvalidDevice")


def test_a_user_objects_function_runs_with_its_last_reference(hip, graph):
    ended = []
    counted = ok(hip.hipUserObjectCreate("data", ended.append, 1, 1))
    ok(hip.hipGraphRetainUserObject(graph, counted, 1, 1))  # the caller's reference
    ok(hip.hipGraphRetainUserObject(graph, counted, 2, 0))
    ok(hip.hipUserObjectRetain(counted, 1))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    fails(hip.hipGraphReleaseUserObject(graph, counted, 4), VALUE)
    ok(hip.hipGraphReleaseUserObject(graph, counted, 3))
    ok(hip.hipUserObjectRelease(counted, 1))
    assert not ended
    ok(hip.hipGraphExecDestroy(executable))
    assert ended == ["data"]
    fails(hip.hipUserObjectRelease(counted, 1), VALUE)
    fails(hip.hipUserObjectRetain(counted, 1), VALUE)
    fails(hip.hipGraphRetainUserObject(graph, counted, 1, 0), VALUE)
    fails(hip.hipGraphReleaseUserObject(graph, counted, 1), VALUE)
    for arguments in ((None, 1, 1), (print, 0, 1), (print, 1, 0)):
        fails(hip.hipUserObjectCreate(None, *arguments), VALUE)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ended.append)
    counted = ok(hip.hipUserObjectCreate(0x55, address(function), 2, 1))
    fails(hip.hipUserObjectRelease(counted, 3), VALUE)
    fails(hip.hipGraphRetainUserObject(graph, counted, 1, 2), VALUE)
    ok(hip.hipGraphRetainUserObject(graph, counted, 2, 1))
    ok(hip.hipGraphDestroy(graph))
    assert ended == ["data", 0x55]


def test_a_graph_that_is_collected_waits_for_nothing(hip, program, graph, stream):
    """The collector runs anywhere: in a thread that holds a stream back, in a host function."""
    from launchpath.hip._memory import allocations
    from launchpath.hip._streams.streams import stream_of

    params = hip.hipMemAllocNodeParams(bytesize=4 * N)
    ok(hip.hipGraphAddMemAllocNode(graph, None, 0, params))
    before = used(hip)
    with stream_of(stream).hold():
        ok(hip.hipMemsetAsync(program.memory(), 1, 4, stream))
        ok(hip.hipGraphDestroy(graph))
        gc.collect()
        assert used(hip) == before - 4 * N
        assert allocations.find(int(params.dptr)) is None
    ok(hip.hipStreamSynchronize(stream))

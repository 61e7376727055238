"""Graphs of explicit nodes, their edges, and launches of their executables."""

import ctypes
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from tests.threads import at_once

from .calls import fails, ok
from .graphs import N, run, scale, start

VALUE = "hipErrorInvalidValue"


def test_a_graph_lists_its_nodes_and_edges_after_each_change(hip, graph):
    assert ok(hip.hipGraphGetNodes(graph)) == ((), 0)
    a = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    b = ok(hip.hipGraphAddEmptyNode(graph, (a,), 1))
    array = (ctypes.c_void_p * 2)(int(a), int(b))
    c = ok(hip.hipGraphAddEmptyNode(graph, array, 2))
    assert ok(hip.hipGraphGetNodes(graph)) == ((a, b, c), 3)
    assert ok(hip.hipGraphGetRootNodes(graph)) == ((a,), 1)
    assert ok(hip.hipGraphGetEdges(graph)) == ((a, a, b), (b, c, c), 3)
    assert ok(hip.hipGraphNodeGetDependencies(c)) == ((a, b), 2)
    assert ok(hip.hipGraphNodeGetDependentNodes(a)) == ((b, c), 2)
    assert ok(hip.hipGraphNodeGetType(a)) == hip.hipGraphNodeType.hipGraphNodeTypeEmpty
    ok(hip.hipGraphRemoveDependencies(graph, (a,), (c,), 1))
    assert ok(hip.hipGraphNodeGetDependencies(c)) == ((b,), 1)
    ok(hip.hipGraphAddDependencies(graph, a, c, 1))
    assert ok(hip.hipGraphNodeGetDependencies(c)) == ((b, a), 2)
    ok(hip.hipGraphDestroyNode(b))
    assert ok(hip.hipGraphGetEdges(graph)) == ((a,), (c,), 1)
    fails(hip.hipGraphNodeGetType(b), VALUE)


def test_what_a_graph_refuses(hip, graph):
    a, b = (ok(hip.hipGraphAddEmptyNode(graph, None, 0)) for _ in range(2))
    other = ok(hip.hipGraphCreate(0))
    foreign = ok(hip.hipGraphAddEmptyNode(other, None, 0))
    fails(hip.hipGraphCreate(1), VALUE)
    fails(hip.hipGraphAddEmptyNode(graph, (foreign,), 1), VALUE)
    fails(hip.hipGraphAddEmptyNode(graph, None, 1), VALUE)
    fails(hip.hipGraphAddEmptyNode(graph, (a,), 2), VALUE)
    fails(hip.hipGraphAddDependencies(graph, (a,), (foreign,), 1), VALUE)
    fails(hip.hipGraphAddDependencies(graph, (a,), (a,), 1), VALUE)
    fails(hip.hipGraphAddDependencies(graph, (a, a), (b, b), 2), VALUE)
    ok(hip.hipGraphAddDependencies(graph, (a,), (b,), 1))
    fails(hip.hipGraphAddDependencies(graph, (a,), (b,), 1), VALUE)
    fails(hip.hipGraphRemoveDependencies(graph, (b,), (a,), 1), VALUE)
    ok(hip.hipGraphDestroy(other))
    for call in (hip.hipGraphDestroy, hip.hipGraphGetNodes, hip.hipGraphGetEdges, hip.hipGraphClone):
        fails(call(other), VALUE)
    for call in (hip.hipGraphGetRootNodes, hip.hipGraphInstantiateWithFlags):
        fails(call(*(None, 0)[: 1 + (call is hip.hipGraphInstantiateWithFlags)]), VALUE)
    for call in (hip.hipGraphDestroyNode, hip.hipGraphNodeGetDependencies, hip.hipGraphNodeGetDependentNodes):
        fails(call(foreign), VALUE)


def test_a_cycle_is_refused(hip, graph):
    a, b = (ok(hip.hipGraphAddEmptyNode(graph, None, 0)) for _ in range(2))
    ok(hip.hipGraphAddDependencies(graph, (a, b), (b, a), 2))
    code, executable, node, text = hip.hipGraphInstantiate(graph, 0)
    assert code.name == VALUE
    assert executable is None
    assert node is a
    assert b"cycle" in text
    fails(hip.hipGraphInstantiateWithFlags(graph, 0), VALUE)
    params = hip.hipGraphInstantiateParams()
    fails(hip.hipGraphInstantiateWithParams(graph, params), VALUE)
    assert params.result_out == hip.hipGraphInstantiateResult.hipGraphInstantiateInvalidStructure
    assert int(params.errNode_out) == int(a)


def test_nodes_run_in_the_order_of_their_edges(hip, program, graph, stream):
    x, host, result = program.memory(), start() + 1, np.zeros(N, "f4")
    down = ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, result, x, 4 * N, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    doubled = scale(hip, program, graph, x, 2)
    up = ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, x, host, 4 * N, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    ok(hip.hipGraphAddDependencies(graph, (up, doubled), (doubled, down), 2))
    del up
    executable, node, text = ok(hip.hipGraphInstantiate(graph, 0))
    assert int(node) == 0
    assert text == b""
    for number in range(3):
        host += number
        result[:] = 0
        ok(hip.hipGraphLaunch(executable, stream))
        ok(hip.hipStreamSynchronize(stream))
        assert (result == 2 * host).all()
    ok(hip.hipGraphExecDestroy(executable))
    for call in (hip.hipGraphExecDestroy, hip.hipGraphExecGetFlags):
        fails(call(executable), VALUE)
    for call in (hip.hipGraphLaunch, hip.hipGraphLaunch_spt, hip.hipGraphUpload):
        fails(call(executable, stream), VALUE)


def test_flags_of_instantiation(hip, graph, made):
    fails(hip.hipGraphInstantiateWithFlags(graph, 1 << 10), VALUE)
    fails(hip.hipGraphInstantiateWithFlags(graph, 4), "hipErrorNotSupported")
    fails(hip.hipGraphInstantiateWithParams(graph, None), VALUE)
    params = hip.hipGraphInstantiateParams(flags=2)
    executable = made(hip.hipGraphInstantiateWithParams(graph, params))
    assert ok(hip.hipGraphExecGetFlags(executable)) == 2
    assert params.result_out == hip.hipGraphInstantiateResult.hipGraphInstantiateSuccess
    ok(hip.hipGraphLaunch(executable, None))  # of no node


def test_a_graph_within_a_graph_is_a_copy_that_is_owned_by_its_node(hip, program, graph, made):
    x, inner = program.memory(), made(hip.hipGraphCreate(0))
    node = scale(hip, program, inner, x, 2)
    scale(hip, program, inner, x, 5, (node,))
    child = ok(hip.hipGraphAddChildGraphNode(graph, None, 0, inner))
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(x, 3)))
    run(hip, graph)
    assert (program.read(x) == 10 * start()).all()
    embedded = ok(hip.hipGraphChildGraphNodeGetGraph(child))
    assert ok(hip.hipGraphNodeFindInClone(node, embedded)) == ok(hip.hipGraphGetNodes(embedded))[0][0]
    fails(hip.hipGraphDestroy(embedded), VALUE)
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphExecChildGraphNodeSetParams(executable, child, inner))
    ok(hip.hipGraphLaunch(executable, None))
    assert (program.read(x) == 150 * start()).all()
    ok(hip.hipGraphAddEmptyNode(inner, None, 0))
    fails(hip.hipGraphExecChildGraphNodeSetParams(executable, child, inner), VALUE)
    ok(hip.hipGraphExecDestroy(executable))
    fails(hip.hipGraphAddChildGraphNode(graph, None, 0, graph), VALUE)
    fails(hip.hipGraphAddChildGraphNode(graph, None, 0, None), VALUE)
    empty = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    fails(hip.hipGraphChildGraphNodeGetGraph(empty), VALUE)


def test_a_clone(hip, program, graph, made):
    x = program.memory()
    node = scale(hip, program, graph, x, 2)
    clone = made(hip.hipGraphClone(graph))
    copied = ok(hip.hipGraphNodeFindInClone(node, clone))
    assert ok(hip.hipGraphGetNodes(clone)) == ((copied,), 1)
    ok(hip.hipGraphKernelNodeSetParams(copied, program.kernel(x, 3)))
    run(hip, graph)
    run(hip, clone)
    assert (program.read(x) == 6 * start()).all()
    late = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    fails(hip.hipGraphNodeFindInClone(late, clone), VALUE)
    fails(hip.hipGraphNodeFindInClone(node, graph), VALUE)
    ok(hip.hipGraphDestroyNode(copied))
    fails(hip.hipGraphNodeFindInClone(node, clone), VALUE)


def test_threads_launch_the_same_executable(hip, device, program, graph, made):
    from launchpath.hip._devices import current

    x, times = program.memory(np.zeros(N, "f4")), 50
    ones = np.ones(N, "f4")
    y = program.memory(ones)
    values = ctypes.c_void_p(int(x)), ctypes.c_void_p(int(y)), ctypes.c_int(N)
    pointers = (ctypes.c_void_p * 3)(*map(ctypes.addressof, values))
    params = program.kernel(x, 0, program.add)
    params.kernelParams = ctypes.addressof(pointers)
    node = None
    for _ in range(3):
        node = ok(hip.hipGraphAddKernelNode(graph, () if node is None else (node,), node is not None, params))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    failed = []

    def launch():
        current.choose(device)
        stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
        failed.extend(code for code in (hip.hipGraphLaunch(executable, stream)[0] for _ in range(times)) if code)
        failed.extend(code for code in (hip.hipStreamSynchronize(stream)[0], hip.hipStreamDestroy(stream)[0]) if code)

    at_once(lambda _: launch(), range(2))
    assert not failed
    assert (program.read(x) == 2 * times * 3).all()


def test_a_drawing(hip, program, graph, tmp_path):
    node = scale(hip, program, graph, program.memory(), 2)
    ok(hip.hipGraphAddEmptyNode(graph, (node,), 1))
    path = tmp_path / "graph.dot"
    ok(hip.hipGraphDebugDotPrint(graph, str(path).encode(), 0))
    text = path.read_text()
    assert text.startswith("digraph")
    assert "node_0 -> node_1" in text
    assert "scale" in text
    fails(hip.hipGraphDebugDotPrint(graph, str(tmp_path / "none" / "graph.dot"), 0), "hipErrorOperatingSystem")
    fails(hip.hipGraphDebugDotPrint(None, str(path), 0), VALUE)


def test_an_executable_is_a_single_submission_where_it_can_be(hip, program, graph, stream, made):
    from launchpath.hip._graphs.run import Joined, executables

    x = program.memory()
    node = scale(hip, program, graph, x, 2)
    scale(hip, program, graph, x, 3, (node,))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, stream))
    (part,) = executables.find(executable)._parts
    assert isinstance(part, Joined)
    assert part.executable is not None
    from launchpath import Step

    with Step():
        ok(hip.hipGraphExecKernelNodeSetParams(executable, node, program.kernel(x, 5)))
        ok(hip.hipGraphLaunch(executable, stream))
    assert (program.read(x) == 90 * start()).all()


def test_a_cycle_in_a_graph_within_a_graph(hip, graph, made):
    inner = made(hip.hipGraphCreate(0))
    a, b = (ok(hip.hipGraphAddEmptyNode(inner, None, 0)) for _ in range(2))
    ok(hip.hipGraphAddDependencies(inner, (a, b), (b, a), 2))
    ok(hip.hipGraphAddChildGraphNode(graph, None, 0, inner))
    fails(hip.hipGraphInstantiateWithFlags(graph, 0), VALUE)


def test_a_stream_of_another_device(hip, program, graph, made):
    number, count = ok(hip.hipGetDevice()), ok(hip.hipGetDeviceCount())
    if count < 2:
        pytest.skip("there is one device")
    x = program.memory()
    scale(hip, program, graph, x, 2)
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipSetDevice((number + 1) % count))
    other, theirs = ok(hip.hipStreamCreate()), ok(hip.hipMalloc(4 * N))
    fails(hip.hipGraphLaunch(executable, other), VALUE)
    fails(hip.hipGraphAddMemcpyNode1D(graph, None, 0, theirs, x, 4, 4), "hipErrorNotSupported")
    ok(hip.hipStreamDestroy(other))
    ok(hip.hipFree(theirs))
    ok(hip.hipSetDevice(number))
    assert (program.read(x) == start()).all()


def test_an_executable_is_destroyed_behind_its_launch(hip, program, graph, stream):
    x, result = program.memory(), np.zeros(N, "f4")
    ok(hip.hipGraphAddMemcpyNode1D(graph, None, 0, result, x, 4 * N, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    from launchpath.hip._streams.streams import stream_of

    hold = stream_of(stream).hold()
    hold.__enter__()
    timer = threading.Timer(0.05, hold.__exit__, (None, None, None))
    ok(hip.hipGraphLaunch(executable, stream))
    assert (result == 0).all()
    timer.start()
    ok(hip.hipGraphExecDestroy(executable))
    assert (result == start()).all()
    timer.join()


def test_launches_of_an_executable_run_in_turn(hip, graph, stream, made):
    from launchpath.hip._streams.streams import stream_of

    other, calls = made(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)), []
    ok(hip.hipGraphAddHostNode(graph, None, 0, SimpleNamespace(fn=calls.append, userData=1)))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    with stream_of(stream).hold():
        ok(hip.hipGraphLaunch(executable, stream))
        ok(hip.hipGraphLaunch(executable, other))
        time.sleep(0.02)
        fails(hip.hipStreamQuery(other), "hipErrorNotReady")
        assert calls == []
    ok(hip.hipStreamSynchronize(other))
    assert calls == [1, 1]

"""Changes of executable graphs: parameters of their nodes, and updates by another graph."""

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

from .calls import fails, ok
from .graphs import N, scale, start

VALUE = "hipErrorInvalidValue"


def test_an_executable_stays_when_its_graph_changes(hip, program, graph, stream):
    x = program.memory()
    node = scale(hip, program, graph, x, 3)
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 8))
    assert ok(hip.hipGraphExecGetFlags(executable)) == 8
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(x, 100)))
    ok(hip.hipGraphDestroy(graph))
    ok(hip.hipGraphUpload(executable, stream))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipGraphLaunch_spt(executable, None))
    assert (program.read(x) == 9 * start()).all()
    ok(hip.hipGraphExecDestroy(executable))
    fails(hip.hipGraphInstantiateWithFlags(graph, 0), VALUE)


def test_parameters_that_an_executable_is_given_count_from_its_next_launch(hip, program, graph, stream, made):
    kinds, x, y, calls = hip.hipMemcpyKind, program.memory(), program.memory(np.zeros(N, "f4")), []
    filled = hip.hipMemsetParams(dst=int(x), elementSize=4, height=1, pitch=0, value=0, width=1)
    fill = ok(hip.hipGraphAddMemsetNode(graph, None, 0, filled))
    launch = scale(hip, program, graph, x, 2, (fill,))
    copy = ok(hip.hipGraphAddMemcpyNode1D(graph, (launch,), 1, y, x, 4, kinds.hipMemcpyDeviceToDevice))
    call = ok(hip.hipGraphAddHostNode(graph, (copy,), 1, SimpleNamespace(fn=calls.append, userData=1)))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, stream))
    filled.width = 3
    ok(hip.hipGraphExecMemsetNodeSetParams(executable, fill, filled))
    ok(hip.hipGraphExecKernelNodeSetParams(executable, launch, program.kernel(x, 3)))
    ok(hip.hipGraphExecMemcpyNodeSetParams1D(executable, copy, y, x, 4 * N, kinds.hipMemcpyDeviceToDevice))
    ok(hip.hipGraphExecHostNodeSetParams(executable, call, SimpleNamespace(fn=calls.append, userData=2)))
    ok(hip.hipGraphLaunch(executable, stream))
    expected = 6 * start()
    expected[:3] = 0
    assert (program.read(x) == expected).all()
    assert (program.read(y) == expected).all()
    assert calls == [1, 2]
    filled.width = 5
    ok(hip.hipDrvGraphExecMemsetNodeSetParams(executable, fill, filled, None))
    params = ok(hip.hipGraphMemcpyNodeGetParams(copy))
    ok(hip.hipGraphExecMemcpyNodeSetParams(executable, copy, params))
    ok(hip.hipGraphLaunch(executable, stream))
    assert (program.read(x)[:6] == [0, 0, 0, 0, 0, 90]).all()
    assert (program.read(y)[:6] == expected[:6]).all()
    for result in (
        hip.hipGraphExecKernelNodeSetParams(executable, fill, program.kernel(x, 3)),
        hip.hipGraphExecMemsetNodeSetParams(executable, launch, filled),
        hip.hipDrvGraphExecMemsetNodeSetParams(executable, launch, filled, None),
        hip.hipGraphExecMemcpyNodeSetParams(executable, launch, params),
        hip.hipGraphExecMemcpyNodeSetParams1D(executable, launch, y, x, 4, kinds.hipMemcpyDeviceToDevice),
        hip.hipGraphExecHostNodeSetParams(executable, launch, SimpleNamespace(fn=print, userData=2)),
        hip.hipGraphExecChildGraphNodeSetParams(executable, launch, graph),
        hip.hipGraphExecMemsetNodeSetParams(executable, None, filled),
        hip.hipGraphExecMemsetNodeSetParams(None, fill, filled),
    ):
        fails(result, VALUE)


def test_nodes_that_are_disabled(hip, program, graph, made):
    x = program.memory()
    double = scale(hip, program, graph, x, 2)
    scale(hip, program, graph, x, 3, (double,))
    empty = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    assert ok(hip.hipGraphNodeGetEnabled(executable, double)) == 1
    ok(hip.hipGraphNodeSetEnabled(executable, double, 0))
    assert ok(hip.hipGraphNodeGetEnabled(executable, double)) == 0
    ok(hip.hipGraphLaunch(executable, None))
    assert (program.read(x) == 3 * start()).all()
    ok(hip.hipGraphNodeSetEnabled(executable, double, 1))
    ok(hip.hipGraphLaunch(executable, None))
    assert (program.read(x) == 18 * start()).all()
    fails(hip.hipGraphNodeSetEnabled(executable, empty, 0), VALUE)
    fails(hip.hipGraphNodeGetEnabled(executable, empty), VALUE)
    fails(hip.hipGraphNodeGetEnabled(executable, None), VALUE)


def test_an_update_takes_other_parameters_but_no_other_nodes_or_edges(hip, program, graph, stream, made):
    results, x = hip.hipGraphExecUpdateResult, program.memory()
    node = scale(hip, program, graph, x, 2)
    last = scale(hip, program, graph, x, 3, (node,))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipGraphKernelNodeSetParams(node, program.kernel(x, 5)))
    place = ctypes.c_void_p(1)
    assert ok(hip.hipGraphExecUpdate(executable, graph, ctypes.addressof(place))) == results.hipGraphExecUpdateSuccess
    assert place.value is None
    ok(hip.hipGraphLaunch(executable, stream))
    assert (program.read(x) == 90 * start()).all()

    def refused(name):
        place = ctypes.c_void_p()
        code, result = hip.hipGraphExecUpdate(executable, graph, ctypes.addressof(place))
        assert code.name == "hipErrorGraphExecUpdateFailure"
        assert result == results[name]
        return place.value

    ok(hip.hipGraphRemoveDependencies(graph, (node,), (last,), 1))
    assert refused("hipGraphExecUpdateErrorTopologyChanged") == int(last)
    ok(hip.hipGraphAddDependencies(graph, (node,), (last,), 1))
    more = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    assert refused("hipGraphExecUpdateErrorTopologyChanged") == int(more)
    ok(hip.hipGraphDestroyNode(last))
    assert refused("hipGraphExecUpdateErrorNodeTypeChanged") == int(more)
    fails(hip.hipGraphExecUpdate(executable, None, None), VALUE)
    ok(hip.hipGraphLaunch(executable, stream))  # as before
    assert (program.read(x) == 1350 * start()).all()


def test_an_update_keeps_the_device(hip, program, graph, made):
    count, number = ok(hip.hipGetDeviceCount()), ok(hip.hipGetDevice())
    if count < 2:
        pytest.skip("there is one device")
    x = program.memory()
    values = {"elementSize": 1, "height": 1, "pitch": 0, "value": 0, "width": 4}
    node = ok(hip.hipGraphAddMemsetNode(graph, None, 0, hip.hipMemsetParams(dst=int(x), **values)))
    executable = made(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipSetDevice((number + 1) % count))
    theirs = ok(hip.hipMalloc(4))
    params = hip.hipMemsetParams(dst=int(theirs), **values)
    fails(hip.hipGraphExecMemsetNodeSetParams(executable, node, params), VALUE)
    ok(hip.hipGraphMemsetNodeSetParams(node, params))
    code, result = hip.hipGraphExecUpdate(executable, graph, None)
    assert code.name == "hipErrorGraphExecUpdateFailure"
    assert result == hip.hipGraphExecUpdateResult.hipGraphExecUpdateErrorParametersChanged
    ok(hip.hipFree(theirs))
    ok(hip.hipSetDevice(number))

"""Nodes of graphs that copy to variables of modules, and from them."""

import numpy as np
import pytest

from .calls import compiled, fails, ok

VALUE = "hipErrorInvalidValue"
SOURCE = b"""
__device__ int counters[4] = {1, 2, 3, 4};
extern "C" __global__ void twice() { counters[threadIdx.x] *= 2; }
"""


@pytest.fixture
def module(hip):
    handle = ok(hip.hipModuleLoadData(compiled(SOURCE, b"symbols.hip")))
    yield handle
    hip.hipModuleUnload(handle)


@pytest.fixture
def up(hip):
    return hip.hipMemcpyKind.hipMemcpyHostToDevice


@pytest.fixture
def down(hip):
    return hip.hipMemcpyKind.hipMemcpyDeviceToHost


def launched(hip, graph, stream):
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    return executable


def test_copies_to_a_variable_and_from_it(hip, module, graph, stream, up, down):
    values, result = np.array([10, 7], "i4"), np.zeros(4, "i4")
    to = ok(hip.hipGraphAddMemcpyNodeToSymbol(graph, None, 0, "counters", values, 8, 4, up))
    back = ok(hip.hipGraphAddMemcpyNodeFromSymbol(graph, (to,), 1, result, "counters", 16, 0, down))
    executable = launched(hip, graph, stream)
    assert result.tolist() == [1, 10, 7, 4]
    values[:] = 20, 30  # read at each launch
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert result.tolist() == [1, 20, 30, 4]
    ok(hip.hipGraphExecMemcpyNodeSetParamsToSymbol(executable, to, "counters", values, 8, 0, up))
    ok(hip.hipGraphExecMemcpyNodeSetParamsFromSymbol(executable, back, result, "counters", 8, 8, down))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert result.tolist() == [30, 4, 30, 4]
    other = np.array([5], "i4")
    ok(hip.hipGraphMemcpyNodeSetParamsToSymbol(to, "counters", other, 4, 12, up))
    ok(hip.hipGraphMemcpyNodeSetParamsFromSymbol(back, result, "counters", 16, 0, down))
    launched(hip, graph, stream)
    assert result.tolist() == [20, 30, 30, 5]


def test_by_address_and_within_the_device(hip, module, graph, stream, down, made):
    address, _ = ok(hip.hipModuleGetGlobal(module, b"counters"))
    memory, result, kind = made(hip.hipMalloc(16)), np.zeros(4, "i4"), hip.hipMemcpyKind.hipMemcpyDeviceToDevice
    ok(hip.hipMemcpy(memory, np.array([9, 8, 7, 6], "i4"), 16, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    to = ok(hip.hipGraphAddMemcpyNodeToSymbol(graph, None, 0, int(address), memory, 8, 8, kind))
    ok(hip.hipGraphAddMemcpyNodeFromSymbol(graph, (to,), 1, memory, int(address), 16, 0, kind))
    launched(hip, graph, stream)
    ok(hip.hipMemcpy(result, memory, 16, down))
    assert result.tolist() == [1, 2, 9, 8]


def test_a_graph_keeps_the_variable_of_a_module_that_is_unloaded(hip, module, graph, stream, down):
    result = np.zeros(4, "i4")
    ok(hip.hipGraphAddMemcpyNodeFromSymbol(graph, None, 0, result, "counters", 16, 0, down))
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    ok(hip.hipModuleUnload(module))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert result.tolist() == [1, 2, 3, 4]


def test_a_capture_keeps_it_too(hip, module, stream, down):
    result = hip.hipHostMalloc(16, 0)[1]
    ok(hip.hipStreamBeginCapture(stream, hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed))
    ok(hip.hipMemcpyFromSymbolAsync(result, "counters", 16, 0, down, stream))
    executable = ok(hip.hipGraphInstantiateWithFlags(ok(hip.hipStreamEndCapture(stream)), 0))
    ok(hip.hipModuleUnload(module))
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    values = np.zeros(4, "i4")
    ok(hip.hipMemcpy(values, result, 16, hip.hipMemcpyKind.hipMemcpyHostToHost))
    assert values.tolist() == [1, 2, 3, 4]
    ok(hip.hipHostFree(result))


def test_wrong_parameters(hip, module, up, down):
    values, graph = np.zeros(4, "i4"), ok(hip.hipGraphCreate(0))
    add, back = hip.hipGraphAddMemcpyNodeToSymbol, hip.hipGraphAddMemcpyNodeFromSymbol
    fails(add(graph, None, 0, "nobody", values, 8, 0, up), "hipErrorInvalidSymbol")
    fails(add(graph, None, 0, None, values, 8, 0, up), "hipErrorInvalidSymbol")
    fails(add(graph, None, 0, "counters", values, 8, 12, up), VALUE)
    fails(add(graph, None, 0, "counters", values, 0, 0, up), VALUE)
    fails(add(graph, None, 0, "counters", None, 8, 0, up), VALUE)
    fails(add(None, None, 0, "counters", values, 8, 0, up), VALUE)
    fails(add(graph, None, 0, "counters", values, 8, 0, down), "hipErrorInvalidMemcpyDirection")
    fails(back(graph, None, 0, values, "counters", 20, 0, down), VALUE)
    fails(back(graph, None, 0, values, "counters", 8, 0, up), "hipErrorInvalidMemcpyDirection")
    node = ok(hip.hipGraphAddEmptyNode(graph, None, 0))
    fails(hip.hipGraphMemcpyNodeSetParamsToSymbol(node, "counters", values, 8, 0, up), VALUE)
    fails(hip.hipGraphMemcpyNodeSetParamsFromSymbol(node, values, "counters", 8, 0, down), VALUE)

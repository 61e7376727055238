"""Graphs of the stand-in that are built node by node: calls that are refused."""

import ctypes

import pytest

from tests.standin.graphs.graph_nodes import DEVICE, HOST, UNIFIED, Nodes, copy, fill, increment, kernel
from tests.standin.graphs.scene import out


def test_graphs(cuda, nodes, stream):
    assert cuda.code("cuGraphCreate", out(), 1) == 1
    assert cuda.code("cuGraphCreate", None, 0) == 1
    assert cuda.code("cuGraphUpload", 8, stream) == 1
    assert cuda.code("cuGraphUpload", nodes.instantiate(), 8) == 400
    cuda("cuGraphDestroy", nodes.graph)
    assert cuda.code("cuGraphDestroy", nodes.graph) == 1
    assert nodes.code("EmptyNode") == 1


def test_dependencies(cuda, nodes):
    other, first = Nodes(cuda), nodes.add("EmptyNode")
    foreign = other.add("EmptyNode")
    cases = [(foreign,), (first, first), (8,), (0,)]
    assert [nodes.code("EmptyNode", after=after) for after in cases] == [1] * 4
    assert cuda.code("cuGraphAddEmptyNode", out(), nodes.graph, None, 1) == 1
    assert cuda.code("cuGraphAddEmptyNode", None, nodes.graph, None, 0) == 1
    cuda("cuGraphDestroy", other.graph)
    assert nodes.code("EmptyNode", after=(foreign,)) == 1
    assert cuda.code("cuGraphNodeGetType", foreign, out()) == 1
    assert cuda.live("nodes") == 1


def test_a_graph_that_is_captured(cuda, stream):
    cuda.capture(stream)
    status, graph = ctypes.c_int(), ctypes.c_uint64()
    cuda("cuStreamGetCaptureInfo_v2", stream, ctypes.byref(status), None, ctypes.byref(graph), None, None)
    assert cuda.code("cuGraphAddEmptyNode", out(), graph, None, 0) == 801
    nodes = Nodes(cuda)
    nodes.graph = cuda.captured(stream)
    nodes.add("EmptyNode")


@pytest.mark.parametrize(
    "changes",
    [
        {"grid": (0, 1, 1)},
        {"block": (2048, 1, 1)},
        {"shared": 1 << 20},
        {"packed": b"1234"},
        {"function": 0},
        {"function": 8},
    ],
)
def test_kernels(cuda, nodes, changes):
    node = kernel(**{"function": cuda.function("increment"), "packed": increment(8)} | changes)
    assert nodes.code("KernelNode_v2", ctypes.byref(node)) == 1
    assert nodes.code("KernelNode_v2", None) == 1
    assert cuda.live("nodes") == 0


COPIES = {
    "no bytes": lambda c: {"width": 0},
    "no rows": lambda c: {"rows": 0},
    "narrow rows": lambda c: {"rows": 2, "pitches": (8, 4)},
    "rows without a pitch": lambda c: {"rows": 2},
    "pageable as a device's": lambda c: {"source": 4096, "types": (DEVICE, DEVICE)},
    "a device's as the host's": lambda c: {"types": (HOST, DEVICE)},
    "an array": lambda c: {"types": (3, DEVICE)},
    "no address": lambda c: {"to": 0},
}


@pytest.mark.parametrize("which", COPIES)
def test_copies(cuda, nodes, which):
    parameters = {"to": cuda.allocate(64), "source": cuda.allocate(64), "width": 8} | COPIES[which](cuda)
    assert nodes.code("MemcpyNode", ctypes.byref(copy(**parameters)), cuda.context) == 1
    assert cuda.live("nodes") == 0


def test_other_copies(cuda, nodes):
    data = cuda.allocate(64)
    for name in "x", "y", "z", "level":
        node = copy(data, data + 32, 8)
        setattr(node.source, name, 1)
        assert nodes.code("MemcpyNode", ctypes.byref(node), cuda.context) == 1
    node = copy(data, data + 32, 8)
    node.planes = 2
    assert nodes.code("MemcpyNode", ctypes.byref(node), cuda.context) == 1
    assert nodes.code("MemcpyNode", None, cuda.context) == 1
    assert nodes.code("MemcpyNode", ctypes.byref(copy(data, data, 8)), 0) == 201
    assert nodes.code("MemcpyNode", ctypes.byref(copy(data, data + 32, 128)), cuda.context) == 1
    (report,) = cuda.reports()
    assert report.startswith("more was used than was allocated")


def test_managed_memory_is_of_a_side_where_the_host_cannot_use_it_at_any_time(cuda, nodes):
    data, managed = cuda.allocate(64), cuda.out("cuMemAllocManaged", 64, 1)
    for kind, unified in (1, 0), (2, 1):
        cuda.option("managed", kind)
        codes = [
            nodes.code("MemcpyNode", ctypes.byref(copy(data, managed, 8, types=(DEVICE, type_))), cuda.context)
            for type_ in (HOST, DEVICE, UNIFIED)
        ]
        assert codes == [0, 0, unified]


@pytest.mark.parametrize(
    "changes",
    [{"width": 0}, {"rows": 0}, {"element": 3}, {"element": 8}, {"rows": 2, "pitch": 4}, {"rows": 2, "pitch": 10}],
)
def test_fills(cuda, nodes, changes):
    parameters = {"to": cuda.allocate(64), "value": 1, "width": 2} | changes
    assert nodes.code("MemsetNode", ctypes.byref(fill(**parameters)), cuda.context) == 1


def test_other_fills(cuda, nodes):
    data = cuda.allocate(64)
    for address in data + 1, 4096, 0:
        assert nodes.code("MemsetNode", ctypes.byref(fill(address, 1)), cuda.context) == 1
    assert nodes.code("MemsetNode", ctypes.byref(fill(data, 1)), 0) == 201
    assert nodes.code("MemsetNode", None, cuda.context) == 1
    assert nodes.code("HostNode", None) == 1
    assert nodes.code("HostNode", bytes(16)) == 1
    assert [nodes.code(f"Event{name}Node", 8) for name in ("Record", "Wait")] == [1, 1]

"""HIP's calls for graphs that are built node by node, with HIP's structs, over the stand-in."""

import ctypes
import struct

import pytest

from tests.standin.client import IMAGE, NON_BLOCKING
from tests.standin.graphs.graph_nodes import HostNode, packed_arguments
from tests.standin.graphs.scene import HOST_FUNCTION

HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT = range(5)
HIP_END = 3
NOT_READY = 600


class KernelNode(ctypes.Structure):
    """``hipKernelNodeParams``"""

    _fields_ = (
        ("block", ctypes.c_uint * 3),
        ("extra", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("parameters", ctypes.c_void_p),
        ("shared", ctypes.c_uint),
    )


class Rows(ctypes.Structure):
    """``hipPitchedPtr``"""

    _fields_ = (("address", ctypes.c_void_p), *((name, ctypes.c_size_t) for name in ("pitch", "width", "rows")))


class CopyNode(ctypes.Structure):
    """``hipMemcpy3DParms``"""

    _fields_ = (
        ("source_array", ctypes.c_void_p),
        ("source_place", ctypes.c_size_t * 3),
        ("source", Rows),
        ("to_array", ctypes.c_void_p),
        ("to_place", ctypes.c_size_t * 3),
        ("to", Rows),
        ("extent", ctypes.c_size_t * 3),
        ("kind", ctypes.c_int),
    )


class FillNode(ctypes.Structure):
    """``hipMemsetParams``"""

    _fields_ = (
        ("to", ctypes.c_void_p), ("element", ctypes.c_uint), ("rows", ctypes.c_size_t), ("pitch", ctypes.c_size_t),
        ("value", ctypes.c_uint), ("width", ctypes.c_size_t),
    )  # fmt: skip


def kernel(function, packed, end=HIP_END):
    extra, kept = packed_arguments(packed, end)
    node = KernelNode((1, 1, 1), ctypes.addressof(extra), function, (1, 1, 1), None, 0)
    node.kept = (extra, kept)
    return node


def copied_rows(to, source, kind=DEFAULT):
    return CopyNode(source=Rows(source, 8, 4, 2), to=Rows(to, 16, 4, 2), extent=(4, 2, 1), kind=kind)


class HipNodes:
    """A graph, its stream, and the kernels of kernels.c."""

    def __init__(self, hip):
        self.hip = hip
        self.graph = hip.out("hipGraphCreate", 0)
        self.stream = hip.out("hipStreamCreateWithFlags", NON_BLOCKING)
        self.module = hip.out("hipModuleLoadData", IMAGE)

    def function(self, name):
        return self.hip.out("hipModuleGetFunction", self.module, name.encode())

    def code(self, name, *parameters, after=()):
        node, before = ctypes.c_uint64(), (ctypes.c_uint64 * len(after))(*after)
        code = self.hip.code(f"hipGraphAdd{name}", ctypes.byref(node), self.graph, before, len(after), *parameters)
        self.added = node.value
        return code

    def add(self, name, *parameters, after=()):
        assert self.code(name, *parameters, after=after) == 0
        return self.added

    def instantiate(self):
        return self.hip.out("hipGraphInstantiateWithFlags", self.graph, 0)


@pytest.fixture
def nodes(hip):
    return HipNodes(hip)


def test_nodes_and_updates(hip, cuda, nodes):
    data, source, seen = hip.out("hipMalloc", 64), hip.out("hipHostMalloc", 64, 0), []
    event = hip.out("hipEventCreateWithFlags", 2)
    ctypes.memset(data, 0, 64)
    for at in range(4):
        ctypes.c_uint32.from_address(source + 4 * at).value = at + 1
    note = HOST_FUNCTION(seen.append)
    increment, word = nodes.function("increment"), cuda.word()
    wait = nodes.add("EventWaitNode", event)
    spin = kernel(nodes.function("spin"), struct.pack("QI", ctypes.addressof(word), 1))
    held = nodes.add("KernelNode", ctypes.byref(spin), after=(wait,))
    filled = nodes.add("MemsetNode", ctypes.byref(FillNode(data, 4, 1, 0, 5, 2)), after=(held,))
    added = nodes.add("KernelNode", ctypes.byref(kernel(increment, struct.pack("Qi", data, 1))), after=(filled,))
    copied = nodes.add("MemcpyNode1D", data + 8, source, 4, HOST_TO_DEVICE, after=(added,))
    nodes.add("MemcpyNode", ctypes.byref(copied_rows(data + 16, source)), after=(copied,))
    hosted = nodes.add("HostNode", ctypes.byref(HostNode(ctypes.cast(note, ctypes.c_void_p), 7)), after=(copied,))
    empty = nodes.add("EmptyNode", after=(hosted,))
    recorded = nodes.add("EventRecordNode", event, after=(empty,))
    exec_ = nodes.instantiate()
    hip("hipGraphUpload", exec_, nodes.stream)
    hip("hipGraphLaunch", exec_, nodes.stream)
    assert hip.code("hipEventQuery", event) == NOT_READY
    later = hip.out("hipEventCreateWithFlags", 2)
    hip("hipGraphExecMemsetNodeSetParams", exec_, filled, ctypes.byref(FillNode(data, 4, 1, 0, 50, 2)))
    update = kernel(increment, struct.pack("Qi", data + 4, 1))
    hip("hipGraphExecKernelNodeSetParams", exec_, added, ctypes.byref(update))
    hip("hipGraphExecMemcpyNodeSetParams1D", exec_, copied, data + 12, source + 4, 4, HOST_TO_DEVICE)
    hip("hipGraphExecEventRecordNodeSetEvent", exec_, recorded, later)
    hip("hipGraphExecEventWaitNodeSetEvent", exec_, wait, later)
    word.value = 1
    hip("hipEventSynchronize", event)
    assert cuda.read(data, 9) == [6, 5, 1, 0, 1, 0, 0, 0, 3]
    hip("hipGraphLaunch", exec_, nodes.stream)
    hip("hipEventSynchronize", later)
    assert cuda.read(data, 4) == [50, 51, 1, 2]
    assert seen == [7, 7]
    hip("hipGraphExecDestroy", exec_)
    hip("hipGraphDestroy", nodes.graph)
    assert (cuda.live("graphs"), cuda.live("nodes")) == (0, 0)


def test_kinds_of_copies(hip, nodes):
    device, host = hip.out("hipMalloc", 8), hip.out("hipHostMalloc", 8, 0)
    codes = {
        (to, source): [nodes.code("MemcpyNode1D", to, source, 4, kind) for kind in range(-1, 6)]
        for to in (device, host)
        for source in (device + 4, host + 4)
    }
    assert codes == {
        (device, device + 4): [1, 1, 1, 1, 0, 0, 1],
        (device, host + 4): [1, 1, 0, 1, 0, 0, 1],  # the device reaches pinned memory too
        (host, device + 4): [1, 1, 1, 0, 0, 0, 1],
        (host, host + 4): [1, 0, 0, 0, 0, 0, 1],
    }


def test_updates_of_copies(hip, cuda, nodes):
    device, host = hip.out("hipMalloc", 64), hip.out("hipHostMalloc", 64, 0)
    node = nodes.add("MemcpyNode1D", device, host, 4, DEFAULT)
    exec_ = nodes.instantiate()
    row = CopyNode(source=Rows(host + 8, 0, 4, 1), to=Rows(device + 8, 0, 4, 1), extent=(4, 1, 1), kind=HOST_TO_DEVICE)
    hip("hipGraphExecMemcpyNodeSetParams", exec_, node, ctypes.byref(row))
    for wrong in copied_rows(device, host), copied_rows(device, host, 5), CopyNode(source_array=8):
        assert hip.code("hipGraphExecMemcpyNodeSetParams", exec_, node, ctypes.byref(wrong)) == 1
    assert hip.code("hipGraphExecMemcpyNodeSetParams1D", exec_, node, host, device, 4, DEVICE_TO_HOST) == 1
    ctypes.c_uint32.from_address(host + 8).value = 9
    hip("hipGraphLaunch", exec_, nodes.stream)
    assert cuda.read(device + 8) == [9]


def test_what_is_refused(hip, nodes):
    for name in "KernelNode", "MemcpyNode", "MemsetNode", "HostNode":
        assert nodes.code(name, None) == 1
    assert nodes.code("KernelNode", ctypes.byref(kernel(nodes.function("nothing"), b"", end=4))) == 1
    assert hip.code("hipGraphCreate", ctypes.byref(ctypes.c_uint64()), 1) == 1
    node = nodes.add("EmptyNode")
    exec_ = nodes.instantiate()
    for name in "KernelNode", "MemcpyNode", "MemsetNode":
        assert hip.code(f"hipGraphExec{name}SetParams", exec_, node, None) == 1

"""Graphs of the stand-in that are built node by node: the structs of CUDA's calls, and a graph to add nodes to."""

import ctypes
import struct

from tests.standin.client import Cuda

HOST, DEVICE, UNIFIED = 1, 2, 4  # where memory of a copy is
EMPTY = 5  # a node's type
END = 0


class KernelNode(ctypes.Structure):
    """``CUDA_KERNEL_NODE_PARAMS``"""

    _fields_ = (
        ("function", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("parameters", ctypes.c_void_p),
        ("extra", ctypes.c_void_p),
        ("kernel", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    )


class Side(ctypes.Structure):
    """The source or the destination of a ``CUDA_MEMCPY3D``"""

    _fields_ = (
        ("x", ctypes.c_size_t), ("y", ctypes.c_size_t), ("z", ctypes.c_size_t), ("level", ctypes.c_size_t),
        ("type", ctypes.c_int), ("host", ctypes.c_void_p), ("device", ctypes.c_uint64), ("array", ctypes.c_void_p),
        ("reserved", ctypes.c_void_p), ("pitch", ctypes.c_size_t), ("height", ctypes.c_size_t),
    )  # fmt: skip


class CopyNode(ctypes.Structure):
    """``CUDA_MEMCPY3D``"""

    _fields_ = (
        ("source", Side), ("to", Side), ("width", ctypes.c_size_t), ("rows", ctypes.c_size_t),
        ("planes", ctypes.c_size_t),
    )  # fmt: skip


class FillNode(ctypes.Structure):
    """``CUDA_MEMSET_NODE_PARAMS``"""

    _fields_ = (
        ("to", ctypes.c_uint64), ("pitch", ctypes.c_size_t), ("value", ctypes.c_uint), ("element", ctypes.c_uint),
        ("width", ctypes.c_size_t), ("rows", ctypes.c_size_t),
    )  # fmt: skip


class HostNode(ctypes.Structure):
    """``CUDA_HOST_NODE_PARAMS``"""

    _fields_ = (("function", ctypes.c_void_p), ("data", ctypes.c_void_p))


def packed_arguments(packed: bytes, end: int = END) -> tuple[ctypes.Array, tuple[object, ...]]:
    """Return ``extra`` for packed bytes, and what has to live as long as it is used."""
    buffer, size = ctypes.create_string_buffer(packed, max(len(packed), 1)), ctypes.c_size_t(len(packed))
    return (ctypes.c_void_p * 5)(1, ctypes.addressof(buffer), 2, ctypes.addressof(size), end), (buffer, size)


def kernel(function: int, packed: bytes = b"", grid=(1, 1, 1), block=(1, 1, 1), shared: int = 0) -> KernelNode:
    """Return a kernel node of packed arguments, which live as long as it does."""
    extra, kept = packed_arguments(packed)
    node = KernelNode(function, grid, block, shared, None, ctypes.addressof(extra), None, None)
    node.kept = (extra, kept)
    return node


def copy(to: int, source: int, width: int, rows: int = 1, pitches=(0, 0), types=(UNIFIED, UNIFIED)) -> CopyNode:
    """Return a copy node; pitches and types are those of the destination and of the source."""
    sides = []
    for address, pitch, type_ in zip((to, source), pitches, types, strict=True):
        host, device = (address, 0) if type_ == HOST else (0, address)
        sides.append(Side(type=type_, host=host, device=device, pitch=pitch))
    return CopyNode(sides[1], sides[0], width, rows, 1)


def fill(to: int, value: int, width: int = 1, element: int = 4, rows: int = 1, pitch: int = 0) -> FillNode:
    return FillNode(to, pitch, value, element, width, rows)


def increment(address: int, count: int = 1) -> bytes:
    """Return the arguments of the kernel `increment`."""
    return struct.pack("Qi", address, count)


class Nodes:
    """A graph that is built by calls."""

    def __init__(self, cuda: Cuda):
        self.cuda = cuda
        self.graph = cuda.out("cuGraphCreate", 0)

    def code(self, name: str, *parameters: object, after: tuple[int, ...] = ()) -> int:
        """Add a node and return the call's code; the node's handle is then in `added`."""
        node = ctypes.c_uint64()
        before = (ctypes.c_uint64 * len(after))(*after)
        code = self.cuda.code(f"cuGraphAdd{name}", ctypes.byref(node), self.graph, before, len(after), *parameters)
        self.added = node.value
        return code

    def add(self, name: str, *parameters: object, after: tuple[int, ...] = ()) -> int:
        """Add a node and return its handle."""
        assert self.code(name, *parameters, after=after) == 0
        return self.added

    def kernel(self, name: str, packed: bytes = b"", after: tuple[int, ...] = (), **shape: object) -> int:
        node = kernel(self.cuda.function(name), packed, **shape)
        return self.add("KernelNode_v2", ctypes.byref(node), after=after)

    def copy(self, node: CopyNode, after: tuple[int, ...] = ()) -> int:
        return self.add("MemcpyNode", ctypes.byref(node), self.cuda.context, after=after)

    def fill(self, node: FillNode, after: tuple[int, ...] = ()) -> int:
        return self.add("MemsetNode", ctypes.byref(node), self.cuda.context, after=after)

    def host(self, function: object, data: int, after: tuple[int, ...] = ()) -> int:
        node = HostNode(ctypes.cast(function, ctypes.c_void_p), data)
        return self.add("HostNode", ctypes.byref(node), after=after)

    def instantiate(self) -> int:
        return self.cuda.instantiate(self.graph)

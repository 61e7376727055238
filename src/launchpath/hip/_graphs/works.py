"""What the nodes of graphs do: launches, calls of the host, events, graphs within graphs and memory of their own."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, ClassVar

from launchpath import errors
from launchpath._programs.kernel import Kernel
from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._launches.launching import launcher
from launchpath.hip._memory import allocations
from launchpath.hip._streams.events import RecordedEvent
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError

Kind: Any = types.hipGraphNodeType


class Work:
    """What a node does. It never changes: a node with other parameters has another one."""

    kind: ClassVar[Any]
    may_be_disabled: ClassVar[bool] = False
    device: Device | None = None  # None: any

    @property
    def joins(self) -> bool:
        """Whether launchpath's own graphs can hold it."""
        return False

    def check(self) -> None:
        """Raise if what it uses is gone."""

    def submit(self, stream: Stream) -> None:
        """Submit it to a stream."""

    def text(self) -> str:
        """Describe it in one line."""
        return str(self.kind.name.removeprefix("hipGraphNodeType"))


class Empty(Work):
    """Nothing."""

    kind = Kind.hipGraphNodeTypeEmpty


class Launch(Work):
    """A launch of a kernel, with its arguments."""

    kind = Kind.hipGraphNodeTypeKernel
    may_be_disabled = True

    def __init__(self, kernel: Kernel, cooperative: bool, configuration: tuple[Any, ...], arguments: bytes) -> None:
        self.grid, self.block, self.shared = configuration
        self.kernel, self.cooperative, self.arguments = kernel, cooperative, arguments
        self.device = kernel.device
        self.attributes: dict[int, bytes] = {}
        first = kernel.device.legacy_stream
        launcher(kernel, self.grid, self.block, first, self.shared)  # it refuses sizes that the kernel does not support
        try:
            self._launched: Any = kernel.cooperative if cooperative else kernel
        except errors.ConfigurationError as error:
            raise HipError(Error.hipErrorCooperativeLaunchTooLarge, str(error)) from error
        self._launcher(first)
        self._buffer = ctypes.create_string_buffer(arguments, max(1, len(arguments)))
        begin = ctypes.addressof(self._buffer)
        places = [begin + parameter.offset for parameter in kernel.signature.parameters]
        self.pointers = (ctypes.c_void_p * max(1, len(places)))(*places)  # what hipGraphKernelNodeGetParams returns

    @property
    def joins(self) -> bool:
        return not self.cooperative

    def _launcher(self, stream: Stream) -> Any:
        return self._launched[self.grid, self.block, stream, self.shared]

    def submit(self, stream: Stream) -> None:
        self._launcher(stream).packed(self.arguments)

    def text(self) -> str:
        return f"{self.kernel.name} {self.grid} {self.block}"


class Call(Work):
    """A call of a function of the host."""

    kind = Kind.hipGraphNodeTypeHost

    def __init__(self, function: Any, arguments: tuple[Any, ...], pointers: tuple[int, int] | None = None) -> None:
        self.function, self.arguments = function, arguments
        if pointers is None:
            # A function of Python has a function of C for hipGraphHostNodeGetParams, whose argument does not matter.
            self._stub = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: function(*arguments))
            pointers = ctypes.cast(self._stub, ctypes.c_void_p).value or 0, 0
        self.pointers = pointers

    def submit(self, stream: Stream) -> None:
        stream.host_function(self.function, *self.arguments)


class Record(Work):
    """A record of an event."""

    kind = Kind.hipGraphNodeTypeEventRecord

    def __init__(self, event: RecordedEvent) -> None:
        self.event = event

    def submit(self, stream: Stream) -> None:
        stream.record(self.event.event)
        self.event.captured = None


class Wait(Work):
    """A wait for an event."""

    kind = Kind.hipGraphNodeTypeWaitEvent

    def __init__(self, event: RecordedEvent) -> None:
        self.event = event

    def submit(self, stream: Stream) -> None:
        if self.event.event.recorded:
            stream.wait(self.event.event)


class Child(Work):
    """All nodes of another graph."""

    kind = Kind.hipGraphNodeTypeGraph

    def __init__(self, graph: Any) -> None:
        self.graph = graph


# Memory.


class Counts:
    """The bytes of a device's graphs."""

    def __init__(self) -> None:
        self.now = self.most = 0


counts: dict[Device, Counts] = {}


class Memory:
    """Memory of an allocation node: it is there from the node's creation on.

    It ends with the last graph that uses it, if a node frees it or if it was never launched. Else it is the program's.
    """

    def __init__(self, device: Device, size: int) -> None:
        self.device, self.size = device, size
        self.address = allocations.allocate(device, size, allocations.DEVICE)
        self.allocation = allocations.need(self.address, size, "the memory of a graph")
        self._state = {"launched": False, "freed": False}
        memory = counts.setdefault(device, Counts())
        memory.now += size
        memory.most = max(memory.most, memory.now)
        weakref.finalize(self, _end, memory, self.allocation, self._state).atexit = False

    def launched(self) -> None:
        """Note that it is the program's from now on, unless a node frees it."""
        self._state["launched"] = True

    def freed(self) -> None:
        """Note that a node frees it."""
        self._state["freed"] = True


def _end(memory: Counts, allocation: allocations.Allocation, state: dict[str, bool]) -> None:
    memory.now -= allocation.size
    if state["freed"] or not state["launched"]:
        allocations.drop(allocation)


class Allocate(Work):
    """An allocation."""

    kind = Kind.hipGraphNodeTypeMemAlloc

    def __init__(self, memory: Memory) -> None:
        self.memory, self.device = memory, memory.device

    def check(self) -> None:
        if allocations.find(self.memory.address) is not self.memory.allocation:
            raise HipError(Error.hipErrorInvalidValue, "memory of the graph was freed: free it by a node of the graph")

    def submit(self, stream: Stream) -> None:
        self.memory.launched()


class Free(Work):
    """The end of an allocation."""

    kind = Kind.hipGraphNodeTypeMemFree

    def __init__(self, memory: Memory) -> None:
        self.memory, self.device = memory, memory.device

    def submit(self, stream: Stream) -> None:
        self.memory.freed()

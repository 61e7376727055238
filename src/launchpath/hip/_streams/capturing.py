"""The object that replaces a stream while it is captured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._types.bindings import Error
from launchpath.hip._types.errors import HipError


# No abstract class: each copy asks whether its stream is of this class, which takes longer then.
class Capturing:
    """A stream that is captured: its work becomes nodes of a graph."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.device = stream.device
        self.blocking = stream.blocking
        self.priority = stream.priority

    def add(self, work: Any) -> None:
        """Add a node."""
        raise NotImplementedError

    def launch(self, function: Any, cooperative: bool, configuration: tuple[Any, ...], arguments: bytes) -> None:
        """Add a launch."""
        raise NotImplementedError

    def copy(self, copy: Any) -> None:
        """Add a copy."""
        raise NotImplementedError

    def fill(self, fill: Any) -> None:
        """Add a fill."""
        raise NotImplementedError

    def host_function(self, function: Callable[..., Any], *args: Any) -> None:
        """Add a call of a function of the host."""
        raise NotImplementedError

    def record(self, event: Any, external: bool = False) -> None:
        """Record an event; from outside of the graph it is seen only if it is external."""
        raise NotImplementedError

    def wait(self, event: Any, external: bool = False) -> None:
        """Let what follows come after an event."""
        raise NotImplementedError

    def allocate(self, size: int) -> int:
        """Add an allocation."""
        raise NotImplementedError

    def free(self, address: int) -> None:
        """Add the end of an allocation."""
        raise NotImplementedError

    def refuse(self, action: str) -> NoReturn:
        """Invalidate the capture: this cannot be part of a graph."""
        raise NotImplementedError

    def forget(self) -> None:
        """Leave the capture: the stream is destroyed."""
        raise NotImplementedError

    def query(self) -> NoReturn:
        """Refuse a query."""
        self.refuse("a query")

    def synchronize(self) -> NoReturn:
        """Refuse to wait."""
        self.refuse("a call that waits")


captured: dict[Stream, Capturing] = {}  # all streams that are captured now


def check_legacy(device: Device) -> None:
    """Refuse work of the legacy stream while a blocking stream of its device is captured: it would come after that."""
    for stream in list(captured):
        if stream.blocking and stream.device is device:
            raise HipError(
                Error.hipErrorStreamCaptureImplicit,
                "the legacy stream waits for blocking streams, and one of them is captured: use another stream, or "
                "capture one with hipStreamNonBlocking",
            )

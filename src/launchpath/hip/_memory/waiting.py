"""Memory that is freed in the order of a stream: it waits until the stream has passed the call that freed it."""

from __future__ import annotations

import threading
from collections import deque

from launchpath import _core
from launchpath._streams.event import Event
from launchpath._streams.stream import Stream
from launchpath.errors import AsynchronousError

_Line = deque[tuple[_core.Allocation, Event]]

_lock = threading.Lock()  # of the lines below. It is not held while an event is asked
_lines: dict[Stream, _Line] = {}  # of each stream, the memory that was freed first in front


def add(memory: _core.Allocation, event: Event, stream: Stream) -> None:
    """Let memory wait for an event of a stream, recorded behind the last use of the memory."""
    with _lock:
        _lines.setdefault(stream, deque()).append((memory, event))


def free_passed() -> None:
    """Free what streams have passed. A stream passes its events in order: the first that it has not passed ends a line.

    If an event raises, its memory is freed and the memory behind it waits further.
    """
    with _lock:
        streams = list(_lines)
    for stream in streams:
        while (front := _front(stream)) is not None:
            memory, event = front
            try:
                if not event.query():
                    break
            except AsynchronousError:  # its work has ended, and it raises at every query
                _free(stream, memory)
                raise
            _free(stream, memory)


def count() -> int:
    """Count the pieces of memory that wait."""
    with _lock:
        return sum(map(len, _lines.values()))


def _front(stream: Stream) -> tuple[_core.Allocation, Event] | None:
    with _lock:
        line = _lines.get(stream)
        return line[0] if line else None


def _free(stream: Stream, memory: _core.Allocation) -> None:
    """Free the memory in front of a line, unless another thread has freed it."""
    with _lock:
        line = _lines.get(stream)
        if not line or line[0][0] is not memory:
            return
        line.popleft()
        if not line:
            del _lines[stream]
    memory.free()

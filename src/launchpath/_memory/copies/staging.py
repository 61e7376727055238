"""Staging: pinned memory for copies that are asynchronous, reused when they are complete."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from launchpath._memory.host_memory import Pinned
from launchpath.errors import AsynchronousError

if TYPE_CHECKING:
    from launchpath._streams.device import Device
    from launchpath._streams.event import Event
    from launchpath._streams.stream import Stream

_BYTES = 4 << 20  # limit on bytes in flight
_PIECES = 64  # limit on pieces in flight (at least 2). At the limit, wait for the oldest; on timeout, raise the limit
_PATIENCE = 0.02  # seconds of that wait; doubled after each timeout
_LOOK = 50e-6  # seconds between two polls


class Piece(Pinned):
    """Pinned memory of one copy."""

    def __init__(self, device: Device, nbytes: int) -> None:
        super().__init__(device, nbytes)
        self.stream: Stream | None = None  # of the copy, whose number there is not above this
        self.number = 0
        self.event: Event | None = None  # behind the copy, if one was recorded

    def is_free(self) -> bool:
        """Whether the copy is known to be complete. Asks the driver nothing."""
        return self.stream is None or self.stream.submitted[1] >= self.number


class Staging:
    """Pieces of pinned memory, as many as copies are under way, within bounds. Used by one thread at a time."""

    def __init__(self, device: Device, nbytes: int) -> None:
        self.device, self.nbytes = device, nbytes
        self.bound = self.most = min(max(_BYTES // max(nbytes, 1), 2), _PIECES)
        self.patience = _PATIENCE
        self.pieces: deque[Piece] = deque()  # the oldest first
        self.busy = False  # whether the oldest was, when a piece was taken last
        self.unmarked = 0  # copies since the last event

    def take(self) -> Piece:
        """Give a piece that no copy uses; `give` takes it back when a copy that does has been submitted."""
        self.busy = bool(self.pieces) and not self._oldest_is_free()
        if not self.pieces or (self.busy and (len(self.pieces) < self.most or not self._wait())):
            return Piece(self.device, self.nbytes)
        piece = self.pieces.popleft()
        piece.event = None
        return piece

    def give(self, piece: Piece, stream: Stream) -> None:
        """Take a piece back, which a copy on the stream uses; or does not, since it was refused."""
        piece.stream, piece.number = stream, stream.submitted[0]  # of a later command, perhaps: free somewhat later
        self.pieces.append(piece)
        # Synchronizations show how far the device is; a program without them needs events.
        self.unmarked = self.unmarked + 1 if self.busy else 0
        if self.unmarked >= max(self.most // 4, 1):
            self.unmarked = 0
            piece.event = stream.record()

    def _oldest_is_free(self) -> bool:
        oldest = self.pieces[0]
        if oldest.is_free():
            return True
        event = self._event_behind(oldest)
        if event is not None:
            with suppress(AsynchronousError):  # the next call that synchronizes the stream tells of it
                event.query()
        return oldest.is_free()

    def _event_behind(self, oldest: Piece) -> Event | None:
        for piece in self.pieces:
            if piece.event is not None and piece.stream is oldest.stream:
                return piece.event
        return None

    def _wait(self) -> bool:
        """Wait for the oldest. That ends, so that a host which holds its own stream back is slowed and not hung."""
        oldest = self.pieces[0]
        if oldest.stream is not None and self._event_behind(oldest) is None:
            oldest.event = oldest.stream.record()
        until = monotonic() + self.patience
        while not self._oldest_is_free():
            if monotonic() > until:
                self.most += self.bound
                self.patience = min(2 * self.patience, 0.64)
                return False
            sleep(_LOOK)
        return True

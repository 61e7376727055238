"""Followers: they use another library's current stream, and look it up at each use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from launchpath import _core
from launchpath._listed import Listed

if TYPE_CHECKING:
    from launchpath._streams.device import Device
    from launchpath._streams.stream import Stream


class Follower(_core.FollowerBase, Listed):
    """Lets what names no stream go where another library's work goes, on the threads that ask for it.

    ``with follower:`` does so in a block; a ``with stream:`` inside the block goes before it. `start` and `stop` do so
    for the calling thread, outside of all such blocks.
    """

    def current_device(self) -> Device:
        """Give the other library's current device."""
        raise NotImplementedError

    def current_stream(self, device: Device) -> Stream:
        """Give its current stream of a device; of one that is not its own the legacy default stream."""
        raise NotImplementedError

    def _left(self) -> None:
        """Drop what must not outlive a block or `stop`."""

    def __cuda_stream__(self) -> tuple[int, int]:
        """Give what is current, as other libraries take streams."""
        return 0, self.current_stream(self.current_device()).handle

    def start(self) -> None:
        """Follow on this thread from now on."""
        _core.enter_first(self)

    def stop(self) -> None:
        """Undo `start` on this thread; nothing happens if there was none."""
        _core.leave_first(self)
        self._left()

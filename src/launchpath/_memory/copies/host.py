"""Copies to the host that are under way."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from launchpath._listed import Listed

if TYPE_CHECKING:
    from launchpath._streams.event import Event


class HostCopy(Listed):
    """A copy to a pinned array that is under way: what `Array.copy_to_host_async` returns.

    ``await copy`` gives the array when its values are there, without blocking the event loop.

    Attributes
    ----------
    event : Event
        Complete when the values are there.
    """

    __slots__ = ("_array", "event")

    def __init__(self, array: npt.NDArray[Any], event: Event) -> None:
        self._array, self.event = array, event

    def done(self) -> bool:
        """Whether the values are there. Never blocks."""
        return self.event.query()

    def result(self) -> npt.NDArray[Any]:
        """Wait for the values, and give the array that has them.

        Raises
        ------
        AsynchronousError
            A command before the copy failed, or the copy itself.
        """
        self.event.synchronize()
        return self._array

    def __await__(self) -> Generator[Any, None, npt.NDArray[Any]]:
        yield from self.event.__await__()
        return self._array

    def __repr__(self) -> str:
        return f"<HostCopy to an array of shape {self._array.shape}, {self._array.dtype}>"

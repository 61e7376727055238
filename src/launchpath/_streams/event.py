"""Events: points in streams that other streams and the host can wait for."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from launchpath import _core
from launchpath._listed import Listed
from launchpath._shown import as_bool, described
from launchpath._streams.awaiting import arrived


class Event(_core.EventBase, Listed):
    """A point in a stream, set by `Stream.record`.

    Parameters
    ----------
    timing : bool
        Take the device's time at each record, for `elapsed_time`. Without it a record has no cost in the driver until a
        stream or the host waits.

    Attributes
    ----------
    timing : bool
    """

    _of_core = ("timing",)

    def __new__(cls, timing: bool = False) -> Event:
        return super().__new__(cls, as_bool(timing, "an event's `timing`"))

    def __repr__(self) -> str:
        kind = "Event with timing" if self.timing else "Event"
        return f"<{kind}, never recorded>" if self.stream is None else f"<{kind}, recorded on {self.stream!r}>"

    def query(self) -> bool:
        """Is the last record complete? True if there is none (hipEventQuery). Never blocks."""
        return bool(super().query())

    def synchronize(self) -> None:
        """Block until the last record is complete.

        Raises
        ------
        AsynchronousError
            Something that the record stands behind failed.
        """
        super().synchronize()

    def __await__(self) -> Generator[Any, None, None]:
        """``await event``: go on when the last record is complete, without blocking the event loop.

        A thread of launchpath's watches what all loops await; a cancelled await ends at once.

        Raises
        ------
        AsynchronousError
            Something that the record stands behind failed.
        """
        return arrived(self).__await__()

    def elapsed_time(self, end: Event) -> float:
        """Device time from this event to ``end`` in milliseconds; waits for both (hipEventElapsedTime).

        Parameters
        ----------
        end : Event
            An event with timing, recorded on the same device.

        Returns
        -------
        float
            Milliseconds.

        Raises
        ------
        ArgumentValueError
            Either event has no timing or was never recorded, or they are of different devices.
        """
        if not isinstance(end, _core.EventBase):
            raise TypeError(f"elapsed_time: expected a launchpath event, got {described(end)}")
        return float(self.elapsed_nanoseconds(end)) * 1e-6

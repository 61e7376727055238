"""Periods: when a trace records, by the clock."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

Record = Callable[[bool, threading.Event], None]  # whether to record, unless that event is set

_LOOK = 1.0  # seconds from one look at the clock to the next
_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")


class Period:
    """``delay:duration:repeat``, in seconds: wait, record for so long, and so on, so many times; 0 times: for ever.

    With ``@`` before it, all processes record the same seconds, whenever they begin: those from each multiple of
    ``delay + duration`` seconds since 1970, by their hosts' clocks.

    Attributes
    ----------
    text : str
    delay, duration : float
        Seconds.
    repeat : int
    aligned : bool
        Whether it begins with ``@``.
    """

    def __init__(self, text: str) -> None:
        aligned = isinstance(text, str) and text.strip().startswith("@")
        parts = text.strip().removeprefix("@").split(":") if isinstance(text, str) else []
        if (
            len(parts) not in (2, 3)
            or not all(_NUMBER.fullmatch(part.strip()) for part in parts)
            or float(parts[1]) == 0
            or max(float(part) for part in parts[:2]) > threading.TIMEOUT_MAX
            or (len(parts) == 3 and not parts[2].strip().isdecimal())
        ):
            raise ArgumentValueError(
                "period: expected 'delay:duration' or 'delay:duration:repeat', in seconds, with a duration above 0, or "
                f"'@' before them, got {shown(text)}"
            )
        self.text, self.delay, self.duration = text, float(parts[0]), float(parts[1])
        self.repeat = int(parts[2]) if len(parts) == 3 else 1
        self.aligned = aligned
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, record: Record) -> None:
        """Begin: a thread calls `record` at the times."""
        self._thread = threading.Thread(target=self._run, args=(record,), name="launchpath trace period", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; the trace is not touched after this."""
        self._end.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self, record: Record) -> None:
        rounds = 0
        while not self._end.is_set() and (self.repeat == 0 or rounds < self.repeat):
            begin = following(time.time_ns(), self.delay + self.duration)
            if self._until(begin) if self.aligned else self._end.wait(self.delay):
                return
            record(True, self._end)
            if self._until(begin + round(self.duration * 1e9)) if self.aligned else self._end.wait(self.duration):
                return
            record(False, self._end)
            rounds += 1

    def _until(self, at: int) -> bool:
        """Wait for a nanosecond since 1970. Gives whether the trace ends."""
        while (left := at - time.time_ns()) > 0:  # the clock may be set in between
            if self._end.wait(min(left / 1e9, _LOOK)):
                return True
        return self._end.is_set()


def following(now: int, every: float) -> int:
    """Give the nanosecond since 1970 after `now` that is a multiple of `every` seconds."""
    step = round(every * 1e9)
    return now + step - now % step

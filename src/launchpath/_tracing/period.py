"""Periods: when a trace records, by the clock."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

Record = Callable[[bool, threading.Event], None]  # whether to record, unless that event is set

_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")


class Period:
    """``delay:duration:repeat``, in seconds: wait, record for so long, and so on, so many times; 0 times: for ever.

    Attributes
    ----------
    text : str
    delay, duration : float
        Seconds.
    repeat : int
    """

    def __init__(self, text: str) -> None:
        parts = text.split(":") if isinstance(text, str) else []
        if (
            len(parts) not in (2, 3)
            or not all(_NUMBER.fullmatch(part.strip()) for part in parts)
            or float(parts[1]) == 0
            or max(float(part) for part in parts[:2]) > threading.TIMEOUT_MAX
            or (len(parts) == 3 and not parts[2].strip().isdecimal())
        ):
            raise ArgumentValueError(
                "period: expected 'delay:duration' or 'delay:duration:repeat', in seconds, with a duration above 0, "
                f"got {shown(text)}"
            )
        self.text, self.delay, self.duration = text, float(parts[0]), float(parts[1])
        self.repeat = int(parts[2]) if len(parts) == 3 else 1
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
            if self._end.wait(self.delay):
                return
            record(True, self._end)
            if self._end.wait(self.duration):
                return
            record(False, self._end)
            rounds += 1

"""What time daemons do to a clock: they speed it up and slow it down, which no exchange of a minute ago knows of.

Linux has the same clock without that, ``CLOCK_MONOTONIC_RAW``. A watch compares the two several times a second. From
this follows how far the clock was from a straight line between two moments, its *bend*: what is drawn between two
measurements may be wrong by so much, besides what the crystals do.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

EVERY = 0.25  # seconds
LOOKS = 3
KEPT = 1 << 14  # of an hour
_APART = int(EVERY / 2 * 1e9)  # nanoseconds: looks that are closer tell no rate, for their errors

Clock = Callable[[], int]


class Look(NamedTuple):
    """At `time` of the clock it was `slew` ahead of the raw one, but for `error`. Nanoseconds."""

    time: int
    slew: int
    error: int


def raw_clock() -> Clock | None:
    """Give the raw clock; None where there is none."""
    number = getattr(time, "CLOCK_MONOTONIC_RAW", None)
    return None if number is None else lambda: time.clock_gettime_ns(number)


class Slewing:
    """Watches a clock.

    Parameters
    ----------
    clock : callable
        The clock, nanoseconds.
    raw : callable or None
        The same without what time daemons do; None: there is none, and nothing is known.
    """

    def __init__(self, clock: Clock = time.monotonic_ns, raw: Clock | None = None) -> None:
        self._clock, self._raw = clock, raw
        self._looks: list[Look] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to look."""
        if self._raw is None:
            return
        self.look()
        self._thread = threading.Thread(target=self._run, name="launchpath clock slewing", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def look(self) -> None:
        """Compare the clocks now. Of some looks the one that took least counts."""
        if self._raw is None:
            return
        best = min((self._pair() for _ in range(LOOKS)), key=lambda each: each.error)
        with self._lock:
            if not self._looks or best.time > self._looks[-1].time:
                self._looks.append(best)
                if len(self._looks) > KEPT:
                    del self._looks[: KEPT // 4]

    def since(self, begin: int, end: int) -> tuple[int, int]:
        """Tell what was done to the clock.

        Parameters
        ----------
        begin, end : int
            Two times of the clock. What has not come yet counts as now.

        Returns
        -------
        (int, int)
            By how much it is ahead of the raw clock at `end`, and its bend in between: from the straight line between
            any two moments of that time it was never further. Nanoseconds; a bend of -1: that time was not watched.
        """
        if self._raw is None:
            return 0, -1
        if not self._looks or end > self._looks[-1].time:
            self.look()
        with self._lock:
            end = min(end, self._looks[-1].time)
            first = bisect_right(self._looks, begin, key=lambda each: each.time) - 1
            last = bisect_left(self._looks, end, key=lambda each: each.time)
            looks = self._looks[max(first - 2, 0) : last + 1]  # some before, to compare rates with
        return _slew(looks[-2:], end), -1 if first < 0 else _bend(looks)

    def _pair(self) -> Look:
        assert self._raw is not None
        before = self._clock()
        raw = self._raw()
        after = self._clock()
        middle = (before + after) // 2
        return Look(middle, middle - raw, (after - before + 1) // 2)

    def _run(self) -> None:
        while not self._ended.wait(EVERY):
            self.look()


def _slew(looks: list[Look], end: int) -> int:
    before, after = looks[0], looks[-1]
    span = after.time - before.time
    return after.slew if not span else before.slew + (after.slew - before.slew) * (end - before.time) // span


def _bend(looks: list[Look]) -> int:
    """Give how far a clock was from any line between two of its moments within some looks.

    A daemon that changes the rate between two looks changes the mean rate there, so that it differs from that of the
    spans beside: the clock is off the line between the two by no more than the difference makes in that time. From this
    follows the distance from the line through the first and the last look. From a line between two other moments it is
    twice that at most.
    """
    first, last = looks[0], looks[-1]
    rate = (last.slew - first.slew) / max(last.time - first.time, 1)
    off = max(abs(each.slew - first.slew - rate * (each.time - first.time)) for each in looks)
    return int(2 * (off + _between(_apart(looks)) + max(each.error for each in looks))) + 1


def _between(looks: list[Look]) -> float:
    """Give how far a clock was from the lines between neighbouring looks."""
    spans = [(other.slew - one.slew, other.time - one.time) for one, other in pairwise(looks)]
    if len(spans) == 1:  # nothing to compare with: all of it may have been done at once
        return abs(spans[0][0])
    changes = [0.0] * len(spans)
    for place, ((slew, length), (next_slew, next_length)) in enumerate(pairwise(spans)):
        change = abs(slew / length - next_slew / next_length)
        changes[place] = max(changes[place], change * length)
        changes[place + 1] = change * next_length
    return max(changes, default=0.0)


def _apart(looks: list[Look]) -> list[Look]:
    """Choose looks that are far enough apart to tell a rate, the first and the last one among them."""
    chosen = looks[:1]
    for each in looks[1:]:
        if each.time - chosen[-1].time >= _APART:
            chosen.append(each)
    if chosen[-1] is not looks[-1]:
        chosen[max(len(chosen) - 1, 1) :] = looks[-1:]
    return chosen

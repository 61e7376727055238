"""Measuring this host's clock through a trace: at its begin, soon after, every minute, and at its end."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from launchpath._trace.hosts.exchange import Exchange
from launchpath._trace.hosts.host_clock import COUNTS, KEY, HostClock
from launchpath._trace.hosts.measurement import Measurement, measured
from launchpath._tracing.clocks.identity import identity
from launchpath._tracing.clocks.knots import Sides, with_knots
from launchpath._tracing.clocks.reference import ClockError, exchanges
from launchpath._tracing.clocks.slewing import Clock, Slewing, raw_clock

# Seconds after the begin, and from then on. The early ones tell the rate of a trace that is killed soon.
SCHEDULE, EVERY = (1.0, 4.0, 16.0, 60.0), 60.0
_CHECKED = 4  # exchanges, whether a clock is the reference's
_SERIES = 2  # of exchanges, if those of the first contradict one another


class Asked(Protocol):
    """What a watch asks: a `Reference`, or MPI's rank 0."""

    by: str

    @property
    def lost(self) -> int: ...
    @property
    def refused(self) -> int: ...
    def about(self) -> tuple[str, str]: ...
    def exchange(self) -> Exchange: ...
    def slewing(self, begin: int, end: int) -> tuple[int, int]: ...
    def close(self) -> None: ...


class Watch:
    """Measures this host's clock. No failure of a measurement is an error: it is counted, with its reason.

    Parameters
    ----------
    asked : Asked
        The reference.
    noted : callable, optional
        Called with facts for ``META`` after each measurement, from any thread.
    clock : callable, optional
        The own clock, for tests; `raw` without what daemons do to it.
    name, id : str, optional
        Of this host and its clock.
    """

    def __init__(
        self,
        asked: Asked,
        noted: Callable[[dict[str, Any]], None] = lambda facts: None,
        *,
        clock: Clock = time.monotonic_ns,
        raw: Clock | None = None,
        name: str | None = None,
        id: str | None = None,
    ) -> None:
        self.facts = HostClock(id or identity(), name or socket.gethostname(), by=asked.by)
        self._asked, self._noted = asked, noted
        self._slewing = Slewing(clock, raw_clock() if raw is None else raw)
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._failed_last = False
        self._told = 0  # measurements that `noted` has got

    def begin(self) -> None:
        """Measure, and go on to measure in a thread."""
        self.start()
        self.measure()
        self.go_on()

    def begin_beside(self) -> None:
        """Do the same without waiting for the first measurement."""
        self.start()
        self.go_on(at_once=True)

    def start(self) -> None:
        """Begin to watch what daemons do to the own clock, without measuring."""
        self._slewing.start()

    def look(self) -> None:
        """Look at what daemons do to the own clock now, besides the looks of the thread."""
        self._slewing.look()

    def end(self, anyway: bool = False) -> None:
        """Measure for the last time, and end.

        If the last measurement has failed the reference is not waited for any more, unless it is to be asked `anyway`.
        """
        self._leave()
        if not self.facts.is_reference and (anyway or not self._failed_last):
            self.measure()
        self.stop()

    def stop(self) -> None:
        """End without measuring."""
        self._leave()
        self._slewing.stop()
        self._asked.close()

    def _leave(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def measure(self) -> Measurement | None:
        """Measure now; None if that fails, or this is the reference's own clock."""
        try:
            measurement = self._measured()
            self._failed_last = False
        except ClockError as error:
            measurement = None
            self._failed_last = True
            self.facts.failed += 1
            self.facts.failure = str(error)
        self.facts.lost, self.facts.refused = self._asked.lost, self._asked.refused
        self._noted(self._news())
        return measurement

    def _measured(self) -> Measurement | None:
        facts = self.facts
        about = self._asked.about()
        if facts.reference_id and about[0] != facts.reference_id:
            raise ClockError(f"expected the clock of {facts.reference_host} again, got another one, of {about[1]}")
        facts.reference_id, facts.reference_host = about
        if facts.is_reference and self._is_same():
            return None
        for _ in range(_SERIES):
            made = exchanges(self._asked.exchange)
            measurement = measured(made)
            if measurement is not None:
                break
        else:
            raise ClockError("exchanges contradict one another: a clock was set meanwhile, or answers were wrong")
        before = facts.measurements[-1] if facts.measurements else measurement
        sides = Sides(self._slewing.since, self._asked.slewing, before, measurement)
        watched = sides.since(before.time, measurement.time)
        measurement = measurement._replace(slew=watched.slew, bend=watched.bend)
        facts.measurements += with_knots(sides, before, measurement) if facts.measurements else [measurement]
        return measurement

    def _is_same(self) -> bool:
        """Check that this is the reference's clock, as its identity says: copies of a virtual machine have the same."""
        seen = measured(self._asked.exchange() for _ in range(_CHECKED))
        if seen is None or seen.low <= 0 <= seen.high:
            return True
        self.facts.id += f" {self.facts.host}"
        return False

    def _news(self) -> dict[str, Any]:
        """Give what is new, for a file that has the rest."""
        news = self.facts.as_json()
        points = news["measurements"]
        news["measurements"] = {number: points[number] for number in list(points)[self._told :]}
        self._told = len(points)
        return {KEY: {name: value for name, value in news.items() if value or name in COUNTS}}

    def go_on(self, at_once: bool = False) -> None:
        """Go on to measure in a thread, the first time at once if that is wanted."""
        if self.facts.is_reference:
            return
        run = threading.Thread(target=self._run, args=(at_once,), name="launchpath clock", daemon=True)
        self._thread = run
        run.start()

    def _run(self, at_once: bool) -> None:
        begun = time.monotonic()
        if at_once:
            self.measure()
        number = 0
        while not self.facts.is_reference:
            due = SCHEDULE[number] if number < len(SCHEDULE) else SCHEDULE[-1] + EVERY * (number - len(SCHEDULE) + 1)
            if self._ended.wait(max(begun + due - time.monotonic(), 0)):
                return
            self.measure()
            number += 1

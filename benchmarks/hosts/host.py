"""The host's side, a program of its own: simulated traces with their measurements, and what they say at random times.

It reads a scene, both clocks, the reference's addresses, and the trace's length and seed as JSON from each line of its
input, and writes a list: for each time the true offset, the stated one and its bound; and the shortest round trip.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy

from benchmarks.hosts.world import SECOND, FakeClock, World
from launchpath._trace.hosts.offset import Offset
from launchpath._tracing.clocks.address import Address
from launchpath._tracing.clocks.reference import Reference
from launchpath._tracing.clocks.slewing import EVERY
from launchpath._tracing.clocks.watch import SCHEDULE, Watch

TIMES = 5  # of a trace
_LATER = 1 << 62  # a reference that is asked for what has not come yet looks at its clock


class Trace:
    """A simulated trace: the world moves on from measurement to measurement, and the clocks are looked at meanwhile."""

    def __init__(self, world: World, own: FakeClock, addresses: list[list[Any]]) -> None:
        self.world, self.own = world, own
        clock, raw = own.at(world)
        delayed, direct = (Address(*each) for each in addresses)
        self.watch = Watch(Reference(delayed, clock), clock=clock, raw=raw, name="host", id="the host's")
        self._direct = Reference(direct, clock)

    def run(self, length: int) -> Offset:
        """Measure as a trace of so many nanoseconds does."""
        begun = self.world.now()
        self.watch.start()
        self.watch.measure()
        minutes = range(int(SCHEDULE[-1]) + 60, length // SECOND + 1, 60)
        for due in (*SCHEDULE, *minutes):
            if due * SECOND < length:
                self._move_to(begun + int(due * SECOND))
                self.watch.measure()
        self._move_to(begun + length)
        self.watch.end()
        self._direct.close()
        return Offset(self.watch.facts.measurements)

    def _move_to(self, time: int) -> None:
        """Move on, with the looks at both clocks that their watches take meanwhile."""
        while (left := time - self.world.now()) > 0:
            self.world.skip(min(left, int(EVERY * SECOND)))
            self.watch.look()
            self._direct.slewing(_LATER, _LATER)


def main() -> None:
    world = World(Path(sys.argv[1]))
    for line in sys.stdin:
        own_facts, other_facts, addresses, length, seed = json.loads(line)
        own, other = FakeClock(*own_facts), FakeClock(*other_facts)
        trace = Trace(world, own, addresses)
        begun = world.now()
        offset = trace.run(length)
        ended = world.now()
        rows = []
        for now in sorted(random.Random(seed).randrange(begun, ended) for _ in range(TIMES)):
            time = own.corrected(now)
            stated, bound = offset(numpy.array([time]))
            rows.append([other.corrected(now) - time, int(stated[0]), int(bound[0])])
        facts = trace.watch.facts
        shortest = min(each.round_trip for each in facts.measurements if each.exchanges)
        counts = [facts.failed, facts.lost, facts.refused, offset.steps]
        sys.stdout.write(json.dumps([rows, shortest, counts, len(facts.measurements)]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

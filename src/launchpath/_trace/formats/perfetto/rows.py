"""The lanes of a row while it is drawn: which of them has room for a slice."""

from __future__ import annotations

import heapq

_FREE = 1 << 64  # above all times


class Lanes:
    """Lanes with the slices that have begun on them and not ended. Slices come in the order of their begins.

    Finding a lane takes time that grows with the logarithm of their number: as many slices may overlap as there are.

    Parameters
    ----------
    nest : bool
        Whether a slice may be within another one of its lane.
    """

    def __init__(self, nest: bool) -> None:
        self._nest = nest
        self._open: list[list[tuple[int, int]]] = []  # for each lane its slices, as (end, place)
        self._ends: list[tuple[int, int, int]] = []  # a heap: end, slices that began later first, lane
        self._begun = 0
        # A tree over the lanes: the lane n is at n + _width, and each node has the higher number of the two below it.
        self._width = 1
        self._room = [_FREE, _FREE]

    def ended(self, time: int | None = None) -> tuple[int, int, int] | None:
        """Take a slice that has ended at a time, or any if there is no time: its end, lane and place."""
        if not self._ends or (time is not None and self._ends[0][0] > time):
            return None
        end, _, lane = heapq.heappop(self._ends)
        _, place = self._open[lane].pop()
        self._set_room(lane)
        return end, lane, place

    def begin(self, end: int, place: int) -> int:
        """Put a slice on the first lane that has room for it; gives the lane."""
        if self._room[1] < end:
            self._widen()
        node = 1
        while node < self._width:
            node = 2 * node if self._room[2 * node] >= end else 2 * node + 1
        lane = node - self._width
        while lane >= len(self._open):
            self._open.append([])
        self._open[lane].append((end, place))
        self._begun += 1
        heapq.heappush(self._ends, (end, -self._begun, lane))
        self._set_room(lane)
        return lane

    def _set_room(self, lane: int) -> None:
        """Note the latest end of a slice for which a lane has room."""
        inside = self._open[lane]
        node = lane + self._width
        self._room[node] = _FREE if not inside else inside[-1][0] if self._nest else -_FREE
        while node > 1:
            room = max(self._room[node], self._room[node ^ 1])
            node //= 2
            if self._room[node] == room:
                break
            self._room[node] = room

    def _widen(self) -> None:
        """Make twice as many lanes."""
        lanes = self._room[self._width :] + [_FREE] * self._width
        self._width *= 2
        self._room = [_FREE] * self._width + lanes
        for node in reversed(range(1, self._width)):
            self._room[node] = max(self._room[2 * node], self._room[2 * node + 1])

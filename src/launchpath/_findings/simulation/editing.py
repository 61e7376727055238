"""Edits of a stretch: a mend of some of its calls."""

from __future__ import annotations

from typing import Any

import numpy

from launchpath._findings.simulation import edits
from launchpath._findings.simulation.calibration import Calibration
from launchpath._findings.simulation.program import Kind, Program, Work, waits_for_streams
from launchpath._findings.timeline.ops import Array

_FIXED = 0.25  # of a command's time is its fixed part, where sizes do not tell


class NotSimulated(Exception):
    """The edit cannot be simulated: why."""


def edited(
    program: Program, edit: edits.Edit, calibration: Calibration | None, sizes: Array, begins: frozenset[int]
) -> Program:
    """Give a stretch with an edit.

    Parameters
    ----------
    begins : frozenset of int
        The places of calls at which repetitions begin.
    sizes : numpy.ndarray
        Bytes of each call of the timeline.

    Raises
    ------
    NotSimulated
        What the edit costs is not known.
    """
    return _Editing(program.copy(), calibration, sizes, begins).apply(edit)


def rows_of(edit: edits.Edit) -> Array:
    """Give the rows of all calls that an edit mends."""
    if isinstance(edit, edits.Together):
        return numpy.concatenate([rows_of(each) for each in edit.edits] or [numpy.zeros(0, "i8")])
    return edit.rows


def is_ascending(rows: Array) -> bool:
    """Tell whether rows are in their order."""
    return bool((rows[1:] >= rows[:-1]).all())


class _Editing:
    def __init__(self, program: Program, calibration: Calibration | None, sizes: Array, begins: frozenset[int]) -> None:
        self.program = program
        self.begins = begins
        self.calibration = calibration
        self.sizes = sizes
        self.rows = numpy.array(program.rows, "i8")

    def places(self, rows: Array) -> tuple[Array, Array]:
        """Give the places of those of the rows that are in the stretch, ascending, and which of the rows these are."""
        if not len(rows):
            return numpy.zeros(0, "i8"), numpy.zeros(0, "i8")
        order = None if is_ascending(rows) else numpy.argsort(rows, kind="stable")
        at = numpy.minimum(numpy.searchsorted(rows, self.rows, sorter=order), len(rows) - 1)
        which = at if order is None else order[at]
        match = numpy.flatnonzero(rows[which] == self.rows)
        return match, which[match]

    def apply(self, edit: edits.Edit) -> Program:
        if isinstance(edit, edits.Together):
            for each in edit.edits:
                self.apply(each)
            return self.program
        places, which = self.places(numpy.asarray(edit.rows, "i8"))
        name = f"_{type(edit).__name__.lower()}"
        change: Any = getattr(self, name, None)
        if change is None:
            raise NotSimulated(f"the simulation does not know the edit {type(edit).__name__}")
        change(edit, places.tolist(), which.tolist())
        return self.program

    def take_out(self, place: int) -> None:
        """Leave a call out, and what a device does for it."""
        program = self.program
        program.kind[place], program.own[place] = Kind.PLAIN, 0.0
        program.works[place], program.awaits[place] = (), ()

    def _remove(self, edit: edits.Remove, places: list[int], which: list[int]) -> None:
        for place in places:
            self.take_out(place)

    def _return(self, edit: edits.Return, places: list[int], which: list[int]) -> None:
        program = self.program
        wakes = [program.wake[place] for place in places if program.kind[place] == Kind.WAIT]
        usual = float(numpy.median(wakes)) if wakes else 0.0
        for place in places:
            if program.kind[place] == Kind.BLOCK:
                self.detach(place, program.own[place])
            elif program.kind[place] == Kind.WAIT:
                # A thread that woke up late had no processor, or waited for another thread: it will elsewhere.
                program.own[place] += max(program.wake[place] - usual, 0.0)
                program.kind[place], program.awaits[place] = Kind.PLAIN, ()

    def detach(self, place: int, host: float) -> None:
        """Let a call that waits for its own command return after `host` nanoseconds."""
        program = self.program
        program.kind[place], program.own[place] = Kind.SUBMIT, host
        # Latencies of calls that wait are from their begins, of others from their ends.
        program.works[place] = tuple(work._replace(latency=work.latency - host) for work in program.works[place])

    def _narrow(self, edit: edits.Narrow, places: list[int], which: list[int]) -> None:
        program = self.program
        for place, each in zip(places, which, strict=True):
            if program.kind[place] != Kind.WAIT:
                continue
            upto = int(edit.upto[each]) if len(edit.upto) else -1
            if upto < 0:
                program.awaits[place] = waits_for_streams([edit.stream])
                continue
            found, _ = self.places(numpy.array([upto]))
            # Works of a stream end in its order. A call from before the stretch has ended.
            program.awaits[place] = tuple(found.tolist())

    def _asynchronous(self, edit: edits.Asynchronous, places: list[int], which: list[int]) -> None:
        for place in places:
            if self.program.kind[place] == Kind.BLOCK:
                self.detach(place, edit.host)
            elif self.program.kind[place] == Kind.WAIT:
                self.take_out(place)
                self.program.own[place] = edit.host

    def _faster(self, edit: edits.Faster, places: list[int], which: list[int]) -> None:
        program = self.program
        for place, host in zip(places, _of_rows(edit.host, edit.rows, which), strict=True):
            program.own[place] *= host
            blocks = program.kind[place] == Kind.BLOCK
            if blocks or program.kind[place] == Kind.WAIT:
                program.wake[place] *= host
            program.works[place] = tuple(
                work._replace(
                    time=work.time * edit.work,
                    latency=work.latency * host if blocks and work.latency > 0 else work.latency,
                )
                for work in program.works[place]
            )

    def _before(self, edit: edits.Before, places: list[int], which: list[int]) -> None:
        for place, factor in zip(places, _of_rows(edit.factor, edit.rows, which), strict=True):
            self.program.before[place] *= factor

    def _move(self, edit: edits.Move, places: list[int], which: list[int]) -> None:
        program = self.program
        left: set[int] = set()
        for place, each in zip(places, which, strict=True):
            after = int(edit.after[each]) if len(edit.after) else -1
            behind, _ = self.places(numpy.array([after])) if after >= 0 else (numpy.zeros(0, "i8"), None)
            left.update(work.stream for work in program.works[place])
            program.works[place] = tuple(
                work._replace(stream=edit.stream, ready=(*work.ready, *behind.tolist()))
                for work in program.works[place]
            )
        # What has waited for the stream needs what was in it.
        for place, awaits in enumerate(program.awaits):
            if any(-1 - stream in awaits for stream in left):
                program.awaits[place] = (*awaits, -1 - edit.stream)

    def _merge(self, edit: edits.Merge, places: list[int], which: list[int]) -> None:
        program = self.program
        groups: dict[int, list[int]] = {}
        for place, each in zip(places, which, strict=True):
            groups.setdefault(int(edit.group[each]), []).append(place)
        fixed = self.fixed([place for its in groups.values() for place in its]) if edit.work < 0 else 0.0
        for its in groups.values():
            first = its[0]
            time = edit.work
            if time < 0:
                total = sum(work.time for place in its for work in program.works[place])
                time = max(total - fixed * (len(its) - 1), 0.0)
            program.works[first] = tuple(work._replace(time=time) for work in program.works[first][:1])
            for place in its[1:]:
                self.take_out(place)

    def fixed(self, places: list[int]) -> float:
        """Give the part of commands' times that does not depend on their sizes."""
        times, sizes = [], []
        for place in places:
            for work in self.program.works[place]:
                times.append(work.time)
                sizes.append(float(self.sizes[self.program.rows[place]]))
        if not times:
            return 0.0
        least = float(numpy.quantile(times, 0.1))
        if len(set(sizes)) < 3:
            return min(least, (1 - _FIXED) * least) if max(sizes) > 65536 else least
        slope, fixed = numpy.polyfit(sizes, times, 1)
        return float(min(max(fixed, 0.0), least)) if slope >= 0 else least

    def _asstep(self, edit: edits.AsStep, places: list[int], which: list[int]) -> None:
        if self.calibration is None:
            raise NotSimulated("what a launch costs in a step was not measured on this device")
        program = self.program
        mine = set(places)
        threads = {program.thread[place] for place in places}
        steps: dict[int, list[int]] = {thread: [] for thread in threads}
        for place in range(len(program)):
            its = steps.get(program.thread[place])
            if its is None:
                continue
            if its and (place in self.begins or (place not in mine and program.kind[place] != Kind.PLAIN)):
                self.submit(its)
                its.clear()
            if place in mine:
                its.append(place)
        for its in steps.values():
            if its:
                self.submit(its)

    def submit(self, places: list[int]) -> None:
        """Make a step of calls of a thread, that is submitted behind the last of them."""
        calibration, program = self.calibration, self.program
        assert calibration is not None
        works: list[Work] = [work for place in places for work in program.works[place]]
        mine = set(places)
        last = places[-1]
        for place in places:
            program.own[place] = calibration.kept
            program.kind[place], program.works[place], program.awaits[place] = Kind.PLAIN, (), ()
        cost = calibration.submit + calibration.node * (len(places) - 1)
        program.own[last] += cost
        program.kind[last] = Kind.SUBMIT
        gaps = [work.gap for work in works if not work.shown]
        gap = calibration.apart or (float(numpy.median(gaps)) if gaps else 0.0)
        submitted = []
        for number, work in enumerate(works):
            before = gap if work.shown or calibration.apart else work.gap
            # A node is there when its part of the submission is over.
            lead = calibration.node * (len(works) - 1 - number)
            submitted.append(
                work._replace(
                    latency=work.latency - lead,
                    gap=max(before + calibration.gap, 0.0) if number else work.gap,
                    ready=tuple(each for each in work.ready if each not in mine),
                )
            )
        program.works[last] = tuple(submitted)


def _of_rows(value: float | Array, rows: Array, which: list[int]) -> list[float]:
    """Give the values of some of the rows, from one for all or one for each."""
    values: list[float] = numpy.broadcast_to(value, len(rows))[which].tolist()
    return values

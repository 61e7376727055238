"""The simulation of a region: what a mend saves, and what a repetition's time depends on."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy

from launchpath._findings.interval import Interval
from launchpath._findings.regions.region import LEAST, Region
from launchpath._findings.simulation import edits
from launchpath._findings.simulation.calibration import Calibration
from launchpath._findings.simulation.costs import Costs
from launchpath._findings.simulation.critical import Critical, critical_path
from launchpath._findings.simulation.delays import Target, delayed, halved
from launchpath._findings.simulation.editing import NotSimulated, edited, is_ascending, rows_of
from launchpath._findings.simulation.extracting import Extractor, Stretch
from launchpath._findings.simulation.latencies import Latencies
from launchpath._findings.simulation.planning import Plan, around, spread
from launchpath._findings.simulation.program import Program
from launchpath._findings.simulation.running import run
from launchpath._findings.statistics import mean_interval, median_interval
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.timeline import Timeline

Bound = Literal["host", "device", "neither", "unknown"]

_ERROR = 0.15  # of the measured time, by which the simulation of the unchanged program may be wrong
_MODEL = 0.1  # of a saving, by which nine of ten predictions of measured pairs of programs were wrong at most
_BLOCKS = 20  # parts of the run, whose spread gives the interval
_MIDDLE = 0.2  # of a block's repetitions at each end that are not counted
_RARE = 0.5  # of the repetitions; an edit of calls that fewer have is simulated around them
_DELAY = 500.0  # nanoseconds of the delays whose slope is asked for
_MUCH = 0.25  # of its time that a repetition saves, if what bounds it is halved
_LITTLE = 0.4  # of that is saved, if the other side is halved


class Simulation:
    """The calls of a region and what devices do for them, run again with changes.

    Parameters
    ----------
    region : Region
    calibration : Calibration, optional
        What mends cost on the region's device; without it steps cannot be simulated.
    extractor : Extractor, optional
        Of the region's timeline; regions of one timeline can share it.

    Attributes
    ----------
    refusal : str
        Why the last `saving` or `slope` was not given; empty: it was.
    """

    def __init__(
        self, region: Region, calibration: Calibration | None = None, extractor: Extractor | None = None
    ) -> None:
        self.region = region
        self.calibration = calibration
        self.refusal = ""
        self._extractor = extractor or Extractor(region.timeline)
        self._costs = Costs(region.timeline, calibration)

    @property
    def timeline(self) -> Timeline:
        """The timeline of the region."""
        return self.region.timeline

    @cached_property
    def _part(self) -> _Part:
        return _Part(self, spread(self.region))

    @cached_property
    def measured(self) -> Interval:
        """Nanoseconds of a repetition, by the records: until the device has done all that was submitted in it."""
        return median_interval(self._part.blocks(self._part.measured))

    @cached_property
    def traced(self) -> Interval:
        """The same by the simulation of the unchanged program."""
        return median_interval(self._part.blocks(self._part.traced))

    @cached_property
    def period(self) -> Interval:
        """The same without what the trace has cost, as far as that was measured."""
        return median_interval(self._part.blocks(self._part.base))

    @cached_property
    def error(self) -> float:
        """By how much the simulated time of the unchanged program differs from the measured one, as a share of it."""
        measured = self.measured.value
        return abs(self.traced.value - measured) / measured if measured > 0 else float("inf")

    def _reason(self) -> str:
        """Give why nothing can be simulated; empty: it can."""
        if len(self.region) < LEAST:
            return f"the region ran {len(self.region)} times; a simulation needs {LEAST}"
        if not len(self.timeline.works):
            return "the trace has no times of the device"
        if self.timeline.counters.get("dropped"):
            return f"{self.timeline.counters['dropped']} records were lost"
        if self.error > _ERROR:
            return (
                f"the simulation of the unchanged program takes {self.traced.value / 1e3:.1f} us a repetition, and "
                f"{self.measured.value / 1e3:.1f} us were measured"
            )
        return ""

    def saving(self, edit: edits.Edit) -> Interval | None:
        """Tell how many nanoseconds of a repetition an edit saves.

        Returns
        -------
        Interval or None
            With its 95 % interval. None: it cannot be told, see `refusal`.
        """
        self.refusal = self._reason()
        if self.refusal:
            return None
        try:
            return self._saving(edit)
        except NotSimulated as error:
            self.refusal = str(error)
            return None

    def _saving(self, edit: edits.Edit) -> Interval | None:
        rows, region = rows_of(edit), self.region
        rows = rows if is_ascending(rows) else numpy.sort(rows)
        having = numpy.flatnonzero(numpy.searchsorted(rows, region.last) > numpy.searchsorted(rows, region.first))
        if not len(having):
            self.refusal = "none of the calls is in a repetition of the region"
            return None
        part = self._part
        if len(having) < _RARE * len(self.region):
            if part.is_whole:
                saved = numpy.concatenate(part.saved(edit))
                return self._widened(mean_interval(_means(saved)))
            part = _Part(self, around(self.region, having))
            covered = numpy.isin(having, part.repetitions)
            if not covered.any():
                self.refusal = "none of the calls is in a repetition that was simulated"
                return None
            # What each of the rare repetitions saves, those behind it included, for all of them.
            rare = numpy.array([each.sum() for each in part.saved(edit)]) / numpy.maximum(
                [numpy.isin(having, stretch.repetitions).sum() for stretch in part.stretches], 1
            )
            return self._widened(mean_interval(rare).scaled(len(having) / len(self.region)))
        return self._widened(median_interval(part.blocks(part.saved(edit))))

    def _widened(self, interval: Interval) -> Interval:
        more = (self.error + _MODEL) * abs(interval.value)
        return Interval(interval.value, interval.low - more, interval.high + more)

    def slope(self, target: Target) -> Interval:
        """Tell by how much the time of a repetition grows with a small delay before each call of a kind.

        Parameters
        ----------
        target : {'submissions', 'synchronizations', 'copies', 'host code', 'works'}
            ``host code``: the time between calls; ``works``: each command of the device takes longer.

        Returns
        -------
        Interval
            In nanoseconds for each nanosecond of delay: 1, all of it is on the critical path. 0 where there are no
            such calls.
        """
        part = self._part
        slopes = []
        for stretch, base in zip(part.stretches, part.base, strict=True):
            program = stretch.program.untraced()
            changed, counts = delayed(program, target, _DELAY, self.timeline.ops)
            times = part.of(stretch, changed)
            count = numpy.add.reduceat(numpy.append(counts, 0), stretch.marks.next[::2]) if counts.any() else None
            slopes.append(
                numpy.zeros(len(base)) if count is None else (times - base) / numpy.maximum(count * _DELAY, _DELAY)
            )
        return median_interval(part.blocks(slopes))

    @cached_property
    def bound(self) -> Bound:
        """Tell what the time of a repetition follows: the host's time, the device's, or neither alone."""
        if self._reason():
            return "unknown"
        host, device = self.halved("host"), self.halved("device")
        if max(host, device) < _MUCH or min(host, device) > _LITTLE * max(host, device):
            return "neither"
        return "host" if host > device else "device"

    def halved(self, side: Literal["host", "device"]) -> float:
        """Tell the share of a repetition's time that is saved if all that the host does, or devices do, is halved."""
        part = self._part
        saved = [
            base - part.of(stretch, halved(stretch.program.untraced(), side))
            for stretch, base in zip(part.stretches, part.base, strict=True)
        ]
        return median_interval(part.blocks(saved)).value / self.period.value if self.period.value > 0 else 0.0

    def critical(self, repetition: int) -> Critical:
        """Tell which calls, and which calls' works, a repetition's time depends on.

        Parameters
        ----------
        repetition : int
            Its number in the region.
        """
        first = max(repetition - 1, 0)
        part = _Part(self, [Plan(first, min(repetition + 1, len(self.region)), repetition - first)])
        stretch = part.stretches[0]
        return critical_path(stretch, run(stretch.program, part.latencies))


class _Part:
    """Stretches of the run, with the times of their repetitions."""

    def __init__(self, simulation: Simulation, plans: list[Plan]) -> None:
        self.simulation = simulation
        self.plans = plans
        extractor, costs = simulation._extractor, simulation._costs
        self.stretches = [extractor.stretch(simulation.region, plan.first, plan.last, costs) for plan in plans]
        self.latencies = Latencies(stretch.program for stretch in self.stretches)
        self.repetitions = numpy.concatenate([stretch.repetitions for stretch in self.stretches])

    @cached_property
    def measured(self) -> list[Array]:
        """The recorded times of repetitions, for each stretch."""
        return [_durations(stretch.measured()) for stretch in self.stretches]

    @cached_property
    def traced(self) -> list[Array]:
        """The simulated times, with the trace's cost."""
        return self.times([stretch.program for stretch in self.stretches])

    @cached_property
    def base(self) -> list[Array]:
        """The simulated times, without it."""
        return self.times([stretch.program.untraced() for stretch in self.stretches])

    @property
    def is_whole(self) -> bool:
        """Whether all repetitions are in it, the first one perhaps not."""
        return len(self.plans) == 1 and len(self.repetitions) >= len(self.simulation.region) - 1

    def saved(self, edit: edits.Edit) -> list[Array]:
        """Give by how much repetitions are shorter with an edit, for each stretch."""
        mended = self.times(self.edited(edit))
        return [base - new for base, new in zip(self.base, mended, strict=True)]

    def edited(self, edit: edits.Edit) -> list[Program]:
        sizes, calibration = self.simulation.timeline.ops.size, self.simulation.calibration
        return [
            edited(stretch.program.untraced(), edit, calibration, sizes, frozenset(stretch.marks.next[::2].tolist()))
            for stretch in self.stretches
        ]

    def times(self, programs: list[Program]) -> list[Array]:
        """Give the times of repetitions of changed stretches."""
        return [self.of(stretch, program) for stretch, program in zip(self.stretches, programs, strict=True)]

    def of(self, stretch: Stretch, program: Program) -> Array:
        return _durations(stretch.marks.times(program, run(program, self.latencies)))

    def blocks(self, values: list[Array]) -> Array:
        """Give the means of the middle values of blocks of repetitions that follow one another.

        Repetitions that fill the queues, and those that are not typical where most are, are not counted.
        """
        region = self.simulation.region
        total = sum(max(plan.last - plan.first - plan.warm, 1) for plan in self.plans)
        means = []
        for plan, stretch, its in zip(self.plans, self.stretches, values, strict=True):
            counted = numpy.arange(plan.last - plan.first) >= plan.warm
            typical = region.typical[stretch.repetitions] & counted
            if numpy.count_nonzero(typical) >= 0.5 * numpy.count_nonzero(counted):
                counted = typical
            chosen = its[counted]
            number = max(round(_BLOCKS * len(chosen) / total), 1)
            means += [_middle(block) for block in numpy.array_split(chosen, number) if len(block)]
        return numpy.array(means)


def _durations(times: Array) -> Array:
    return times[1::2] - times[::2]


def _means(values: Array) -> Array:
    """Give the means of blocks, with all their values: what is rare is in few of them."""
    return numpy.array([block.mean() for block in numpy.array_split(values, min(_BLOCKS, len(values)))])


def _middle(values: Array) -> float:
    """Give the mean without the least and the greatest fifth."""
    out = int(len(values) * _MIDDLE)
    return float(numpy.sort(values)[out : len(values) - out].mean())

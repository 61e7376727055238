"""The cost of a launch in a step: with nothing, one or every argument changed, against launches without it and C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter_ns as now
from typing import Any

from launchpath._bench.measure import LAUNCHES, Probe, Size, interleave
from launchpath._bench.peer import Missing
from launchpath._bench.result import Figure, Result, Row
from launchpath._bench.step.kernels import Case, StepKernels
from launchpath._bench.step.subjects import C, CGraph, CLibrary, Eager, Frozen, Stepped, Subject
from launchpath._environment import switch
from launchpath._streams.device import Device
from launchpath.errors import ArgumentValueError

CHANGED = ("none", "one", "all")
STREAMS = 8
IN_FLIGHT = 400  # launches at most while the host's time is measured: CUDA's streams hold about 1,000 before they block
MOST_STEPS = 4  # and as many steps
VALUES = [float(1 + i % 8) for i in range(64)]  # the argument that changes, from step to step

# On CUDA devices: microseconds, and ratios.
HOST = {"none": 0.10, "all": 0.20}
OVER_C = 1 / 20
C_OVER_STEP = 2.8
OVER_GRAPH = 1.10
# On CPU devices.
HOST_OVER_EAGER, COMPLETION_OVER_EAGER = 1.0, 1.05
# On OpenCL devices.
OVER_OPENCL = 1.02
# Everywhere.
MANY_OVER_FEW = 1.2


@dataclass(frozen=True)
class Amount:
    """How many launches and steps are measured."""

    launches: int = 100  # of a step, in most cases
    many: int = 2000  # of a step on several streams
    wide: int = 96  # of a step where several streams are compared with a single one
    steps: int = 32  # between two waits, while the time until completion is measured

    @classmethod
    def of(cls, launches: int) -> Amount:
        """Give the amount for a number of launches as `Size` has it: fewer than the default are less work."""
        part = min(1.0, launches / LAUNCHES)
        wide = max(1, round(cls.wide // STREAMS * part)) * STREAMS
        return cls(
            max(4, int(cls.launches * part)), max(STREAMS, int(cls.many * part)), wide, max(2, int(cls.steps * part))
        )


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device.

    Two times are measured, each divided by the number of launches (``measure``):

    - ``host``: the host's time for at most 400 launches and 4 steps, so that no queue of the driver is full. On OpenCL
      devices the queues are held back meanwhile, since the device may be the processor that the host runs on. Elsewhere
      launches run as they are submitted: a hold would block a queue that holds too many.
    - ``completion``: the time until 32 steps are complete, which are submitted without a wait in between.

    All subjects launch the same kernels on the same arrays, which are compared with the expected values after every
    block. ``eager`` runs in a process that has steps: its launches pass the layer that records them.

    Parameters
    ----------
    device : Device
    size : Size, optional
        With fewer launches than the default there are fewer launches in a step, and fewer steps.

    Returns
    -------
    Result
        ``step``, ``eager`` and ``frozen``; ``c`` on CUDA and OpenCL devices; ``c-graph`` on CUDA devices.

    Raises
    ------
    ArgumentValueError
        Steps are switched off.
    LaunchpathError
        A launch did not do what it must, or launches of a step were not kept back.
    """
    if not switch("LAUNCHPATH_STEPS", default=True):
        raise ArgumentValueError("LAUNCHPATH_STEPS: expected 1 or unset, got 0, which switches steps off: unset it")
    size = Size() if size is None else size
    amount = Amount.of(size.launches)
    result = Result("step", device.name, measured="time of a launch")
    with device:
        bench = _Bench(StepKernels(device, max(amount.launches, amount.many, amount.wide)), amount, result)
        try:
            result.rows = interleave(bench.probes(), size)
            bench.verify()
        finally:
            bench.close()
    _figures(result, amount, device.info)
    return result


class _Bench:
    """The probes, and the subjects that they run."""

    def __init__(self, kernels: StepKernels, amount: Amount, result: Result) -> None:
        self.kernels, self.amount, self.result = kernels, amount, result
        self.subjects: list[Subject] = []
        self.library: CLibrary | None = None
        try:
            self.library = CLibrary(kernels)
        except Missing as error:
            result.left_out += [(kind.subject, str(error)) for kind in (C, CGraph)]

    def probes(self) -> list[Probe]:
        """Give all probes."""
        amount, probes = self.amount, []
        for changed in CHANGED:
            case = Case(amount.launches, changed)
            kinds: list[type[Subject]] = [Stepped, Eager, C, CGraph]
            if changed == "none":
                kinds.append(Frozen)
            probes += self._probes(case, kinds, ("host", "completion"), changed)
        for case in (Case(amount.launches, "none", 1), Case(amount.many, "none", STREAMS)):
            probes += self._probes(case, (Stepped,), ("host",), "many")
        for streams in (1, STREAMS):
            case = Case(amount.wide, "none", streams)
            probes += self._probes(case, (Stepped, Eager, CGraph), ("completion",), "wide")
        return probes

    def _probes(self, case: Case, kinds: Sequence[type[Subject]], measures: Sequence[str], group: str) -> list[Probe]:
        probes = []
        for kind in kinds:
            subject = self._subject(kind, case)
            if subject is not None:
                self.subjects.append(subject)
                probes.append(self._probe(subject, measures, group))
        return probes

    def _subject(self, kind: type[Subject], case: Case) -> Subject | None:
        if not issubclass(kind, C):
            return kind(self.kernels, case)
        if self.library is None:
            return None
        try:
            return kind(self.kernels, case, self.library)
        except Missing as error:
            if (kind.subject, str(error)) not in self.result.left_out:
                self.result.left_out.append((kind.subject, str(error)))
            return None

    def _probe(self, subject: Subject, measures: Sequence[str], group: str) -> Probe:
        steps = {"host": max(1, min(MOST_STEPS, IN_FLIGHT // subject.case.launches)), "completion": self.amount.steps}

        def block() -> list[float]:
            self.kernels.clear()
            values: list[float] = []
            times = []
            for measure in measures:
                more = VALUES[len(values) : len(values) + 1 + steps[measure]]
                took = (_host if measure == "host" else _completion)(subject, more)
                times.append(took / steps[measure] / subject.case.launches / 1e3)
                values += more
            self.kernels.check(subject.subject, subject.case, values)
            return times

        return Probe(subject.subject, [subject.case.row_case(measure) for measure in measures], block, group)

    def verify(self) -> None:
        """Raise if the launches of a step were not kept back."""
        for subject in self.subjects:
            subject.verify()

    def close(self) -> None:
        """Free the memory and the objects of the loops in C."""
        for subject in self.subjects:
            subject.close()
        if self.library is not None:
            self.library.close()


def _host(subject: Subject, values: Sequence[float]) -> int:
    """Submit a step that is not timed, and then the others: nanoseconds."""
    first, others = subject.prepared(values[:1]), subject.prepared(values[1:])
    with subject.held():
        subject.submit(first)
        if not subject.holds:
            subject.synchronize()
        took = subject.submit(others)
    subject.synchronize()
    return took


def _completion(subject: Subject, values: Sequence[float]) -> int:
    """Complete a step that is not timed, and then submit and complete the others: nanoseconds."""
    first, others = subject.prepared(values[:1]), subject.prepared(values[1:])
    subject.submit(first)
    subject.synchronize()
    began = now()
    subject.submit(others)
    subject.synchronize()
    return now() - began


def _figures(result: Result, amount: Amount, info: Mapping[str, Any]) -> None:
    def row(subject: str, changed: str, measure: str, launches: int = amount.launches, streams: int = 0) -> Row | None:
        case = Case(launches, changed, streams).row_case(measure)
        return next((row for row in result.rows if row.subject == subject and row.case == case), None)

    def compare(upper: Row | None, lower: Row | None, against: str, **limits: float | None) -> None:
        if upper is not None and lower is not None:
            result.compare(upper, lower, against, **limits)

    cuda, cpu, opencl = info["driver"] == "cuda", info["kind"] == "cpu", info["driver"] == "opencl"
    for changed in CHANGED:
        host, completion = (row("step", changed, measure) for measure in ("host", "completion"))
        if host is not None and cuda:
            result.figures.append(Figure(host, "host time", host.us, "time", at_most=HOST.get(changed)))
        compare(host, row("eager", changed, "host"), "over eager", at_most=HOST_OVER_EAGER if cpu else None)
        none = changed == "none"
        limit = (OVER_C if cuda else OVER_OPENCL if opencl else None) if none else None
        compare(host, row("c", changed, "host"), "over c", at_most=limit)
        compare(row("frozen", changed, "host"), row("c", changed, "host"), "over c")
        compare(host, row("c-graph", changed, "host"), "over c-graph")
        limit = COMPLETION_OVER_EAGER if cpu else None
        compare(completion, row("eager", changed, "completion"), "over eager", at_most=limit)
        limit = C_OVER_STEP if cuda and changed == "all" else None
        compare(row("c", changed, "completion"), completion, "over step", at_least=limit)
        graph = row("c-graph", changed, "completion")
        compare(completion, graph, "over c-graph", at_most=OVER_GRAPH if none else None)
    few = row("step", "none", "host", streams=1)
    many = row("step", "none", "host", amount.many, STREAMS)
    compare(many, few, f"over {amount.launches} on one stream", at_most=MANY_OVER_FEW)
    for subject in (Stepped.subject, Eager.subject, CGraph.subject):
        single, several = (row(subject, "none", "completion", amount.wide, streams) for streams in (1, STREAMS))
        compare(single, several, f"over {STREAMS} streams")

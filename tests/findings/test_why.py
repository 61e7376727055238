"""What becomes of a finding: named, hidden, or not said. Simulations are stand-ins."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from launchpath._findings import why
from launchpath._findings.facts import tracing
from launchpath._findings.finding import SIMULATED, Finding
from launchpath._findings.interval import Interval
from launchpath._findings.noise import floor_of
from launchpath._findings.ordering.overlap import shares_processors
from launchpath._findings.region_summary import UNKNOWN
from launchpath._findings.regions.region import Region
from launchpath._findings.report import Report
from launchpath._findings.shown import sentences
from launchpath._trace.process import Process
from tests.findings.loops import Loop, launch
from tests.findings.timelines import Calls

EDIT = object()
US = 1000.0


def body(calls: Calls, number: int, begin: int) -> None:
    for place in range(4):
        at = begin + 200_000 * place
        launch(calls, at, [(at + 3000, at + 90_000)])


@pytest.fixture
def region() -> Region:
    return Loop().region(body)


class Simulated:
    """A simulation that knows one answer."""

    bound, error = "host", 0.0

    def __init__(self, region: Region, saving: Interval | None = None, refusal: str = "") -> None:
        self.region, self.timeline, self.refusal = region, region.timeline, refusal
        self._saving = saving
        self.asked: list[Any] = []

    def saving(self, edit: Any) -> Interval | None:
        self.asked.append(edit)
        return self._saving


def finding(region: Region, kind: str = "launch-bound", **fields: Any) -> Finding:
    fields = {"sentence": "It is so.", "count": 80, "repetitions": 20, "edit": EDIT, **fields}
    return Finding(kind, "k", region.name, mend="Mend it.", period=region.period.value, **fields)


def decided(simulation: Simulated, *findings: Finding) -> Report:
    examination = why._Examination(None)
    for each in findings:
        examination._decide(each, simulation)  # type: ignore[arg-type]
    return examination.finish()


def times(value: float, low: float | None = None, high: float | None = None) -> Interval:
    return Interval(value, value - 1 * US if low is None else low, value + 1 * US if high is None else high)


def test_a_saving_is_simulated_and_proved(region: Region) -> None:
    simulation = Simulated(region, times(100 * US))
    report = decided(simulation, finding(region))
    (result,) = report.findings
    assert simulation.asked == [EDIT] and result.saving == times(100 * US)
    assert [(proof.how, proof.saving) for proof in result.proofs] == [(SIMULATED, times(100 * US))]
    assert not result.hidden and not report.hidden and not report.not_said


def test_a_saving_is_no_longer_than_the_repetition(region: Region) -> None:
    period = region.period.value
    (result,) = decided(Simulated(region, times(3 * period, 0.5 * period, 4 * period)), finding(region)).findings
    assert result.saving == Interval(period, 0.5 * period, period)


@pytest.mark.parametrize(
    ("saving", "is_hidden"),
    [
        (times(0.0), True),
        (times(19.9 * US), True),  # less than 2 % of a repetition
        (times(20.1 * US), False),
        (times(100 * US, -1.0), True),  # it may save nothing
        (times(100 * US, 0.0), True),
        (times(100 * US, 1.0), False),
        (times(-50 * US), True),
    ],
)
def test_what_saves_too_little_is_hidden(region: Region, saving: Interval, is_hidden: bool) -> None:
    assert floor_of("launch-bound", region) == pytest.approx(20 * US)
    report = decided(Simulated(region, saving), finding(region))
    assert len(report.hidden) == is_hidden and len(report.findings) == (not is_hidden)
    assert (report.hidden or report.findings)[0].hidden is is_hidden


def test_what_cannot_be_simulated_is_not_said_with_the_reason(region: Region) -> None:
    report = decided(Simulated(region, None, "the model is wrong by 30 %"), finding(region))
    assert not report.findings and not report.hidden
    assert report.not_said == ["It is so. What mending that would save is not known: the model is wrong by 30 %."]


def test_what_a_fact_hides_stays_hidden_and_is_not_simulated(region: Region) -> None:
    simulation = Simulated(region, times(500 * US))
    report = decided(simulation, finding(region, hidden=True))
    assert not simulation.asked and len(report.hidden) == 1 and not report.findings


def test_a_saving_that_a_fact_has_measured_is_not_simulated(region: Region) -> None:
    simulation = Simulated(region)
    (result,) = decided(simulation, finding(region, saving=times(100 * US), proofs=[])).findings
    assert not simulation.asked and result.saving == times(100 * US) and not result.proofs


def test_without_a_saving_and_an_edit_it_is_hidden(region: Region) -> None:
    assert len(decided(Simulated(region), finding(region, edit=None)).hidden) == 1


def test_the_trace_itself_is_a_sentence_and_no_finding(region: Region) -> None:
    report = decided(
        Simulated(region), finding(region, tracing.KIND, sentence="Records take 3 us.", hidden=True, edit=None)
    )
    assert (report.tracing, report.hidden, report.findings) == ("Records take 3 us.", [], [])


def test_counts_of_stretches_are_those_of_the_whole_trace(region: Region, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(region.timeline), "share", 0.25)
    (result,) = decided(Simulated(region, times(100 * US)), finding(region)).findings
    assert (result.repetitions, result.count) == (80, 320)
    assert result.total == pytest.approx(80 * 100 * US)


def test_findings_are_in_the_order_of_what_they_save_of_all(region: Region) -> None:
    first = finding(region, saving=times(50 * US), repetitions=20)
    second = finding(region, saving=times(30 * US), repetitions=100)
    most = finding(region, saving=times(900 * US), evidence={"at_most": True})
    hidden = [finding(region, hidden=True, count=count) for count in (5, 90, 20)]
    report = decided(Simulated(region), first, second, most, *hidden)
    assert [each is other for each, other in zip(report.findings, (second, first, most), strict=True)] == [True] * 3
    assert [each.count for each in report.hidden] == [90, 20, 5]


def test_a_sentence_is_not_said_twice(region: Region) -> None:
    assert len(decided(Simulated(region, None, "no reason"), finding(region), finding(region)).not_said) == 1


def test_a_process_that_repeats_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls()
    launch(calls, 0, [(5000, 9000)])
    examination = why._Examination(None)
    examination.add(calls.timeline())
    report = examination.finish()
    assert report.processes == 1 and not report.regions
    assert report.not_said == ["Nothing repeats 3 times in process 100: no two to compare."]


def test_without_records_that_can_be_trusted_there_are_regions_and_no_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*words: Any) -> None:
        raise AssertionError("nothing may be simulated or measured")

    monkeypatch.setattr(why, "Simulation", asked)
    timeline = Loop().region(body).timeline
    timeline.counters["dropped"] = 1
    examination = why._Examination(asked)  # type: ignore[arg-type]
    examination.add(timeline)
    report = examination.finish()
    assert [(region.name, region.bound) for region in report.regions] == [("step", UNKNOWN)]
    assert not report.findings and not report.hidden and not report.timeline
    assert "1 records are lost" in report.not_said[0]


def test_the_device_that_did_most_is_calibrated_first() -> None:
    asked: list[list[str]] = []
    timeline = Loop().region(body).timeline
    timeline.meta["devices"] = [{"name": "idle"}, {"name": "busy"}, "no facts"]
    timeline.works.device[:] = 1
    examination = why._Examination(lambda facts: asked.append([each["name"] for each in facts]))  # type: ignore[func-returns-value]
    examination.add(timeline)
    assert asked == [["busy", "idle"]]


def on_processors(number: object, blocks: int = 64, driver: str = "opencl", host: str = "node0") -> Region:
    """A loop on a device of 8 units, in a process that has so many processors."""

    def step(calls: Calls, number: int, begin: int) -> None:
        launch(calls, begin, [(begin + 3000, begin + 90_000)], blocks=blocks)

    region = Loop(driver=driver).region(step)
    region.timeline.process = Process({"process": {"pid": 100, "host": host, "processors": number}})
    return region


@pytest.mark.parametrize(
    ("region", "kind", "is_most"),
    [
        (on_processors(8), "needless-synchronize", True),
        (on_processors(8), "host-code", True),
        (on_processors(8), "equal-uploads", False),  # what is not done at all is saved
        (on_processors(9), "needless-synchronize", False),  # one is left for the host
        (on_processors(8, blocks=7), "needless-synchronize", False),
        (on_processors(8, driver="cuda"), "needless-synchronize", False),
        (on_processors(None, host="elsewhere"), "needless-synchronize", False),  # it is not known
    ],
)
def test_kernels_that_may_use_all_processors_leave_none_for_the_host(region: Region, kind: str, is_most: bool) -> None:
    report = decided(Simulated(region, times(100 * US)), finding(region, kind))
    (result,) = report.findings
    assert result.is_most is is_most and result.saving == times(100 * US)
    assert ("at most 101us" in sentences.saving(result)) is is_most
    assert any("as many units as its host has processors" in each for each in report.not_said) is is_most


def test_without_its_number_of_processors_a_process_of_this_host_has_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert shares_processors(on_processors(None, host=socket.gethostname()).timeline, 0)
    monkeypatch.setattr("os.cpu_count", lambda: 9)
    assert not shares_processors(on_processors(None, host=socket.gethostname()).timeline, 0)


def test_several_processes_have_one_report() -> None:
    examination = why._Examination(None)
    for period in (1_000_000, 2_000_000):
        examination.add(Loop(period=period).region(body).timeline)
    report = examination.finish()
    assert report.processes == 2
    assert [region.period.value for region in report.regions] == [2_000_000, 1_000_000]  # the longest in all first
    assert report.timeline["us"] == 2000.0
    assert report.length == pytest.approx(20 * 2e6, rel=0.01)


def test_a_process_that_only_compiles_for_another_one_is_none_of_the_programs() -> None:
    compiling, running = Calls(), Loop().region(body).timeline
    compiling.call("load", 0, 50_000_000)
    compiling.call("load", 60_000_000, 90_000_000)
    other = compiling.timeline()
    other.process, running.process = (
        Process({"process": {"pid": pid, "argv": argv}})
        for pid, argv in (
            (101, ["python", "-S", "-P", "-c", "import compiler"]),
            (100, ["launchpath", "run", "life.cu"]),
        )
    )
    examination = why._Examination(None)
    for timeline in (other, running):
        examination.add(timeline)
    report = examination.finish()
    assert (report.program, report.processes) == ("launchpath run life.cu", 1)
    assert report.length == pytest.approx(20e6, rel=0.01) and not report.not_said
    alone = why._Examination(None)
    alone.add(other)
    assert alone.finish().processes == 1

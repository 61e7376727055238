"""How what `launchpath why` says is held against what was planted and measured."""

import dataclasses
import json

import pytest

from benchmarks.findings import bounds, running, verdict
from benchmarks.findings.__main__ import replace
from benchmarks.findings.catalogue import find
from benchmarks.findings.measured import Runs, difference, interval, is_narrow
from benchmarks.findings.page import page
from benchmarks.findings.running import Run, RunError, read
from benchmarks.findings.summary import distribution, shown, summary
from benchmarks.findings.verdict import Prediction, Verdict
from launchpath._findings.finding import REPLAYED, SIMULATED, Finding, Proof
from launchpath._findings.interval import Interval

PAIR = find("pairs.own.host_code")
APPLICATION = find("apps.serving")


def finding(kind, *proofs, line=0, file="host_code.py", repetitions=100):
    """A finding as `launchpath why --json` writes it; proofs are (how, microseconds)."""
    made = Finding(kind, "it", "step", "It is so.", "Mend it.", repetitions=repetitions)
    made.sites = [f"/home/user/{file}:{line} main"] if line else []
    made.proofs = [Proof(how, Interval(us * 1e3, us * 1e3, us * 1e3)) for how, us in proofs]
    made.saving = made.proofs[-1].saving if proofs else None
    return made.as_json()


def held(program, *findings, hidden=(), costs=True):
    row = Verdict(program.name, program.kinds, costs=costs)
    row.measured = {kind: Interval(100.0, 90.0, 110.0) for kind in program.kinds}
    report = {"findings": list(findings), "hidden": list(hidden)}
    verdict.hold(row, program, report)
    row.predictions = verdict.predictions(row, report, 50)
    return row


def test_a_fault_is_named_if_it_is_the_first():
    (line,) = PAIR.lines()["host-code"]
    row = held(PAIR, finding("host-code", line=line), finding("lock"))
    assert row.named and row.line
    row = held(PAIR, finding("lock"), finding("host-code", line=line))
    assert not row.named and row.line
    assert not held(PAIR).named


def test_host_code_is_near_a_call():
    (line,) = PAIR.lines()["host-code"]
    assert held(PAIR, finding("host-code", line=line + 3)).line
    assert not held(PAIR, finding("host-code", line=line + 4)).line


def test_other_faults_are_at_their_call():
    program = find("pairs.own.small_copies")
    (line,) = program.lines()["small-copies"]
    assert held(program, finding("small-copies", line=line, file="small_copies.py")).line
    assert not held(program, finding("small-copies", line=line + 1, file="small_copies.py")).line


@pytest.mark.parametrize("place", [{"line": 1}, {"line": 0}, {"file": "other.py"}])
def test_a_fault_at_another_line_is_not_at_its_line(place):
    (line,) = PAIR.lines()["host-code"]
    assert not held(PAIR, finding("host-code", **{"line": line, **place})).line


def test_both_faults_of_an_application_are_named_in_any_order():
    assert held(APPLICATION, finding("equal-uploads"), finding("lock"), finding("host-code")).named
    assert not held(APPLICATION, finding("equal-uploads"), finding("host-code"), finding("lock")).named


def test_a_fault_that_costs_nothing_may_only_be_hidden():
    assert held(PAIR, finding("lock"), hidden=[finding("host-code")], costs=False).named
    assert not held(PAIR, finding("lock"), finding("host-code"), costs=False).named


def test_predictions_are_of_a_repetition_of_the_program():
    row = held(PAIR, finding("host-code", (SIMULATED, 45), (REPLAYED, 60)))
    assert [(each.how, each.us, each.right) for each in row.predictions] == [
        (SIMULATED, pytest.approx(90), True),  # the region ran twice in a repetition
        (REPLAYED, pytest.approx(120), False),
    ]


@pytest.mark.parametrize(
    ("us", "measured", "right"), [(110, 100, True), (111, 100, False), (15, 10, True), (16, 10, False)]
)
def test_a_prediction_is_right_within_a_tenth_or_five_microseconds(us, measured, right):
    assert Prediction("lock", SIMULATED, us, measured).right is right


@pytest.mark.parametrize(
    ("low", "value", "us", "costs"),
    [(1, 50, 1000, True), (-1, 50, 1000, False), (1, 4, 100, False), (1, 15, 1000, False)],
)
def test_a_fault_costs_something_if_its_interval_and_its_share_say_so(low, value, us, costs):
    assert verdict.costs(Interval(value, low, value), us) is costs


def test_intervals_hold_the_mean_of_runs():
    few = interval([10.0, 12.0, 14.0])
    assert few.value == 12 and few.half == pytest.approx(4.3 * 2 / 3**0.5, rel=0.01)
    assert interval([10.0]).half == float("inf")


def test_a_median_resists_a_disturbed_run():
    assert interval([10.0, 10.0, 10.0, 10.0, 90.0]).value == 10


class Twins:
    """A machine on which a fault costs the same in each run, but for a disturbance of some runs."""

    def __init__(self, disturbed, result="ab"):
        self.disturbed, self.result, self.runs = disturbed, result, 0

    def run(self, program, *options):
        self.runs += 1
        us = 1000.0 if options else 1200.0
        return Run(us + 300 * (self.runs in self.disturbed), 100, self.result if options else "ab")


def test_twins_run_until_their_difference_is_known():
    calm = Twins(())
    measured, faulty = difference(calm, PAIR, ("--mended",), Runs(3, 9))
    assert (measured.value, calm.runs, len(faulty)) == (200, 6, 3)
    disturbed = Twins((2, 5))
    measured, faulty = difference(disturbed, PAIR, ("--mended",), Runs(3, 9))
    assert measured.value == 200 and disturbed.runs == 10
    wild = Twins(range(1, 100, 3))
    measured, faulty = difference(wild, PAIR, ("--mended",), Runs(3, 9))
    assert len(faulty) == 9 and not is_narrow(measured, 1200)


def test_twins_must_have_the_same_results():
    with pytest.raises(RunError, match="expected the same results with and without the fault"):
        difference(Twins((), "cd"), PAIR, ("--mended",), Runs(3, 9))


@pytest.mark.parametrize(
    ("value", "half", "narrow"),
    [(200, 10, True), (200, 11, False), (20, 3, True), (20, 4, False), (0, 9, True), (5, 11, False)],
)
def test_how_well_a_difference_is_to_be_known(value, half, narrow):
    assert is_narrow(Interval(value, value - half, value + half), 1000) is narrow


def test_what_a_program_prints_is_read():
    assert read('hello\n{"us": 3.5, "repetitions": 7, "result": "ab"}\n').repetitions == 7
    with pytest.raises(RunError, match="expected a line with the time of a repetition, got 'hello'"):
        read("hello")


def test_the_summary_counts_programs_and_errors():
    right, wrong = held(PAIR, finding("host-code", (SIMULATED, 52))), held(PAIR, finding("lock", (SIMULATED, 50)))
    right.silent, wrong.problem = True, "it failed"
    figures = summary([right, wrong])
    assert (figures["programs"], figures["problems"], figures["named"], figures["silent"]) == (2, 1, 0.5, 0.5)
    assert figures["simulated"]["share"] == 1 and figures["simulated"]["predictions"] == 1
    assert figures["simulated"]["counts"]["at most 5%"] == 1
    assert figures["replayed"] == {"share": None, "possible": None, "predictions": 0}
    text = "\n".join(shown(figures))
    assert "50% (missed: at least 95%)" in text and "median 4.0%" in text


def test_errors_have_a_distribution():
    predictions = [Prediction("lock", SIMULATED, 100 + error, 100.0) for error in (-1, 4, 8, 15, 300)]
    spread = distribution(predictions)
    assert list(spread["counts"].values()) == [1, 1, 1, 1, 0, 0, 1]
    assert (spread["median"], spread["largest"], spread["too_high"]) == (0.08, 3.0, 4)


@pytest.mark.parametrize(
    ("host", "device", "bound"),
    [
        (0.4, 0.05, "host"),
        (0.02, 0.45, "device"),
        (0.25, 0.25, "neither"),
        (0.05, 0.05, "unknown"),
        (0.4, 0.2, "neither"),
    ],
)
def test_what_bounds_a_program_is_told_by_halving_its_work(host, device, bound):
    assert bounds.measured(host, device) == bound


def test_the_main_region_takes_the_most_time():
    regions = [
        {"bound": "host", "repetitions": 10, "us_repetition": {"value": 5.0}},
        {"bound": "device", "repetitions": 20, "us_repetition": {"value": 4.0}},
    ]
    assert bounds.main_region({"regions": regions}) == "device"
    assert bounds.main_region({"regions": []}) == "no region"


def test_the_page_has_what_was_measured():
    row = held(PAIR, finding("host-code", (SIMULATED, 52), (REPLAYED, 40)))
    row.silent = True
    result = {"machine": "2 x Processor", "device": "pocl", "figures": summary([row]), "rows": [row.as_json()]}
    text = page({"pocl": result | {"bounds": [{"right": True}, {"right": False}]}})
    assert "| pairs.own.host_code: host-code | yes | yes | 100 ± 10 | 104 | 80 |  |" in text
    assert "| replayed: within 10 % or 5 µs a step | at least 95% | 0% |" in text
    assert "| pocl, simulated | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 4.0% |" in text
    assert "2 x Processor" in text and "Of 2 random programs, 1 were told right" in text


def test_the_least_disturbed_run_counts(monkeypatch):
    monkeypatch.setattr(running, "PAUSE", 0.0)
    monkeypatch.setattr(running, "TRIES", 5)
    tries = iter([0.5, 0.2, 0.3, 0.01, 0.0])
    assert (
        running.Machine("intel").undisturbed(lambda: next(tries), float) == 0.01
    )  # and the one behind it is not needed
    assert next(tries) == 0.0
    busy = iter([0.9, 0.7, 0.8, 0.7, 0.6])
    assert running.Machine("intel").undisturbed(lambda: next(busy), float) == 0.6
    assert running.Machine("cuda").undisturbed(lambda: next(iter([0.9, 0.1])), float) == 0.9


def test_what_other_programs_use_is_seen(monkeypatch):
    seconds = iter([10.0, 12.5])
    monkeypatch.setattr(running, "_busy", lambda: next(seconds))
    monkeypatch.setattr(running, "_own", lambda: 0.0)
    monkeypatch.setattr(running.time, "monotonic", iter([0.0, 5.0]).__next__)
    monkeypatch.setattr(running, "_run", lambda words, environment: '{"us": 3.5, "repetitions": 7, "result": "ab"}')
    assert running._timed(["x"], {}).others == 0.5


def test_rows_of_a_file_are_replaced(tmp_path):
    old, new = held(PAIR, finding("host-code", (SIMULATED, 120))), held(PAIR, finding("host-code", (SIMULATED, 46)))
    other = Verdict("pairs.own.lock", ("lock",), named=True)
    file = tmp_path / "results.json"
    file.write_text(json.dumps({"rows": [old.as_json(), other.as_json()], "figures": {}}), encoding="utf-8")
    replace(file, [new])
    result = json.loads(file.read_text(encoding="utf-8"))
    assert [row["program"] for row in result["rows"]] == [PAIR.name, "pairs.own.lock"]
    assert result["again"] == [PAIR.name]
    assert Verdict.from_json(result["rows"][0]) == new
    assert result["figures"]["simulated"]["share"] == result["figures"]["simulated"]["possible"] == 1


def test_what_the_measurement_leaves_open_is_counted_too():
    row = held(PAIR, finding("host-code", (SIMULATED, 52)))
    row.measured["host-code"] = Interval(95.0, 80.0, 110.0)
    row.predictions = [dataclasses.replace(row.predictions[0], us=109.0, measured=95.0)]
    figures = summary([row])["simulated"]
    assert (figures["share"], figures["possible"]) == (0, 1)

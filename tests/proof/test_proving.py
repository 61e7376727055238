"""What running a program again adds to a report. No program runs: the intervention and the replay are stand-ins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from launchpath._findings.anchor import FUNCTION, KERNEL, RANGE, Anchor
from launchpath._findings.finding import INTERVENED, REPLAYED, SIMULATED, Finding, Proof
from launchpath._findings.interval import Interval
from launchpath._findings.report import Report
from launchpath._findings.shown.sentences import saving
from launchpath._proof import proving, run_progress
from launchpath._proof.intervention import Intervention
from launchpath._proof.proving import prove
from launchpath._proof.replay import Replay
from launchpath.errors import LaunchpathError
from tests.findings.reports import MS, US, around, equal_uploads, launch_bound, needless_synchronize, region

COMMAND = ("python", "simulate.py")
COUNTS = {"submissions": 96.0, "synchronizations": 1.0, "copies": 1.0, "host-code": 0.12 * MS}
INTEGRATE = Anchor(RANGE, "integrate")
STEP, UPLOAD, WAIT = (
    "step:integrate",
    "skip-upload:/home/ada/model/simulate.py:57",
    "no-wait:/home/ada/model/simulate.py:63",
)


class Runs:
    """Stands in for what runs the program."""

    def __init__(self) -> None:
        self.intervention: Intervention | LaunchpathError | OSError = Intervention()
        self.replays: dict[str, Replay | LaunchpathError] = {}
        self.delayed: list[tuple[Sequence[str], Anchor, dict[str, float], Mapping[str, Any]]] = []
        self.forced: list[str] = []
        self.lines: list[str] = []

    def intervene(self, command: Any, anchor: Any, counts: Any, *, options: Any, run: Any) -> Intervention:
        assert callable(run)
        self.delayed.append((command, anchor, dict(counts), options))
        if isinstance(self.intervention, Exception):
            raise self.intervention
        return self.intervention

    def replay(self, command: Any, mend: str, anchor: Any, *, environment: Any, progress: Any) -> Replay:
        assert tuple(command) == COMMAND and "PATH" in environment
        self.forced.append(mend)
        progress(mend)
        given = self.replays.get(mend, LaunchpathError("no time"))
        if isinstance(given, Exception):
            raise given
        return given

    def prove(self, report: Report) -> Report:
        prove(report, COMMAND, {"findings": True}, self.lines.append)
        return report


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    stand_in = Runs()
    monkeypatch.setattr(proving, "intervene", stand_in.intervene)
    monkeypatch.setattr(proving, "replay", stand_in.replay)
    return stand_in


def report(*findings: Finding, anchor: Anchor | None = INTEGRATE, own: bool = True) -> Report:
    summary = region(anchor=anchor, own=own, counts=dict(COUNTS))
    return Report(
        regions=[summary], findings=list(findings or (launch_bound(), equal_uploads(), needless_synchronize()))
    )


def unproved(finding: Finding) -> Finding:
    """With the saving that the simulation gives."""
    finding.proofs = [Proof(SIMULATED, finding.saving)]
    return finding


def slope(value: float, half: float = 0.03, most: float | None = None) -> Proof:
    return Proof(INTERVENED, None if most is None else around(most, most / 10), around(value, half))


def replayed(time: Interval) -> Replay:
    return Replay(Proof(REPLAYED, time, None, "five runs each"), "", True, None, [])


def refused(reason: str) -> Replay:
    return Replay(Proof(REPLAYED, None, None, reason), reason, True, None, [])


def test_what_the_findings_are_about_is_delayed_in_one_run(runs: Runs) -> None:
    runs.prove(report())
    ((command, anchor, counts, options),) = runs.delayed
    assert command == COMMAND and options == {"findings": True}
    assert anchor == Anchor(RANGE, "integrate", 1, 4.4 * MS)  # with the period, by which delays are chosen
    assert counts == {"submissions": 96.0}
    assert runs.lines[0].startswith("a run with delays; ")


def test_how_many_runs_are_left_is_told_and_about_how_long_they_take(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_progress.time, "monotonic_ns", iter((0, 5 * 10**9, 8 * 10**9, 10**10)).__next__)
    reported = report()
    reported.length = 2e9
    runs.prove(reported)
    # An intervention, and nine runs for each of three mends: each replay here ends after its first.
    assert runs.lines == [
        "a run with delays; 28 runs at most, about 56.0s",
        f"{STEP}; 27 runs at most, about 135s",
        f"{UPLOAD}; 18 runs at most, about 72.0s",
        f"{WAIT}; 9 runs at most, about 30.0s",
    ]


def test_calls_that_the_region_does_not_have_are_not_delayed(runs: Runs) -> None:
    reported = report(launch_bound(), own=False)
    reported.regions[0].counts["submissions"] = 0.0
    runs.prove(reported)
    assert not runs.delayed and not runs.lines
    assert reported.not_said == [
        "Nothing is proved by running the program again: there is no finding that a delay or a mend could prove."
    ]


def test_slopes_are_added_and_the_saving_stays_the_simulated_one(runs: Runs) -> None:
    reported = report(unproved(launch_bound()), own=False)
    runs.intervention = Intervention(
        proofs={"submissions": slope(0.97, most=3 * MS)}, not_said=["copies: too few blocks"]
    )
    (finding,) = runs.prove(reported).findings
    assert [proof.how for proof in finding.proofs] == [SIMULATED, INTERVENED]
    assert finding.saving == around(2.3 * MS, 0.1 * MS)
    assert saving(finding).endswith("; simulated; intervention: slope 0.97 ± 0.03.")
    assert reported.not_said == ["copies: too few blocks"]


def test_what_a_slope_shows_to_cost_nothing_is_hidden_and_not_replayed(runs: Runs) -> None:
    runs.intervention = Intervention(proofs={"submissions": slope(0.05), "copies": slope(0.14)})
    reported = runs.prove(report())
    assert [each.kind for each in reported.hidden] == ["launch-bound"] and reported.hidden[0].hidden
    assert "equal-uploads" in [each.kind for each in reported.findings]  # it may cost something: 0.17
    assert runs.forced == [UPLOAD, WAIT]


def test_what_was_hidden_gets_its_slope_too(runs: Runs) -> None:
    reported = report(launch_bound(), own=False)
    reported.hidden = [host_code(50 * US)]
    reported.hidden[0].hidden, reported.hidden[0].saving = True, None
    reported.regions[0].counts["host-code"] = 50 * US
    runs.intervention = Intervention(proofs={"host-code": slope(0.02, 0.01)})
    (finding,) = runs.prove(reported).hidden
    assert [(proof.how, proof.saving) for proof in finding.proofs[1:]] == [(INTERVENED, around(1 * US, 0.5 * US))]
    assert finding.saving is None


def test_delays_before_waits_and_copies_prove_nothing(runs: Runs) -> None:
    """Of a wait for the device they are hidden in the wait, however much leaving it out would save."""
    reported = report(equal_uploads(), needless_synchronize(), own=False)
    runs.intervention = Intervention(proofs={"synchronizations": slope(0.02), "copies": slope(0.02)})
    runs.prove(reported)
    assert not runs.delayed and len(reported.findings) == 2 and not reported.hidden
    assert reported.not_said[0].startswith("Nothing is proved by running the program again")


def host_code(code: float, saved: float = 46 * US, **evidence: Any) -> Finding:
    """Code that takes so long of a repetition of 112 us."""
    evidence = {"us_code": code / 1e3, **evidence}
    return Finding(
        "host-code", "life", "integrate", "Host code holds the device back.", "Do it before.", repetitions=1000,
        period=112 * US, saving=around(saved, 5 * US), proofs=[Proof(SIMULATED, around(saved, 5 * US))], evidence=evidence,
    )  # fmt: skip


def test_a_slope_below_one_limits_the_saving(runs: Runs) -> None:
    reported = report(host_code(50 * US), own=False)
    reported.regions[0].counts["host-code"] = 50 * US
    runs.intervention = Intervention(proofs={"host-code": slope(0.5, 0.02)})
    (finding,) = runs.prove(reported).findings
    assert finding.saving == around(25 * US, 1 * US)
    assert saving(finding) == "Saves at most 26.0us of 112us (23 %), 26.0ms in all; intervention: slope 0.50 ± 0.02."
    assert finding.proofs[-1].saving == finding.saving


def test_of_several_pieces_of_code_one_may_be_all_that_counts(runs: Runs) -> None:
    """The slope is of all of them: half of 100 us can be the 50 us of one piece."""
    reported = report(host_code(50 * US), own=False)
    reported.regions[0].counts["host-code"] = 100 * US
    runs.intervention = Intervention(proofs={"host-code": slope(0.5, 0.02)})
    (finding,) = runs.prove(reported).findings
    assert finding.saving == around(46 * US, 5 * US) and "at_most" not in finding.evidence
    assert saving(finding).endswith("; simulated; intervention: slope 0.50 ± 0.02.")


@pytest.mark.parametrize("value", [0.97, 1.0, 1.31])
def test_a_slope_of_one_leaves_the_saving_as_it_is(runs: Runs, value: float) -> None:
    reported = report(host_code(50 * US), own=False)
    reported.regions[0].counts["host-code"] = 50 * US
    runs.intervention = Intervention(proofs={"host-code": slope(value)})
    (finding,) = runs.prove(reported).findings
    assert saving(finding).startswith(
        "Saves 46.0us ± 5.0 of 112us (41 %), 46.0ms in all; simulated; intervention: slope"
    )


def test_launches_are_limited_by_the_time_that_launching_takes(runs: Runs) -> None:
    reported = report(unproved(launch_bound()), own=False)
    reported.findings[0].evidence |= {"us_launching": 2400.0, "us_idle_of_device": 100.0}
    runs.intervention = Intervention(proofs={"submissions": slope(0.4, 0.02)})
    (finding,) = runs.prove(reported).findings
    assert finding.saving == around(1.0 * MS, 0.05 * MS)
    reported = report(unproved(launch_bound()), own=False)
    reported.findings[0].evidence |= {"us_launching": 2400.0, "launches": 32}  # a third of the 96 that the slope is of
    assert runs.prove(reported).findings[0].saving == around(2.3 * MS, 0.1 * MS)


def test_what_is_measured_is_no_upper_bound(runs: Runs) -> None:
    reported = report(unproved(launch_bound()))
    reported.findings[0].evidence["us_launching"] = 2400.0
    runs.intervention = Intervention(proofs={"submissions": slope(0.4, 0.02)})
    runs.replays = {STEP: replayed(around(0.5 * MS, 0.1 * MS))}
    (finding,) = runs.prove(reported).findings
    assert saving(finding).startswith("Saves 500us ± 100 of 4.40ms (11 %), 200ms in all; replayed; intervention: slope")


@pytest.mark.parametrize("error", [LaunchpathError("no room"), OSError("no room")])
def test_a_failed_intervention_is_told_and_the_replay_still_runs(runs: Runs, error: LaunchpathError | OSError) -> None:
    runs.intervention = error
    reported = runs.prove(report())
    assert reported.not_said[0] == "No intervention: no room." and runs.forced == [STEP, UPLOAD, WAIT]


def test_a_program_that_fails_with_delays_has_no_slope(runs: Runs) -> None:
    runs.intervention = Intervention(proofs={"submissions": slope(0.97)}, code=3)
    reported = runs.prove(report(unproved(launch_bound()), own=False))
    assert reported.not_said == ["No intervention: with delays the program ended with code 3."]
    assert [proof.how for proof in reported.findings[0].proofs] == [SIMULATED]


def test_a_replayed_saving_is_the_one_that_counts(runs: Runs) -> None:
    runs.replays = {STEP: replayed(around(0.5 * MS, 0.1 * MS)), UPLOAD: replayed(around(0.9 * MS, 0.1 * MS))}
    reported = runs.prove(report(unproved(launch_bound()), equal_uploads()))
    assert [(each.kind, each.saving) for each in reported.findings] == [  # in the order of what is measured
        ("equal-uploads", around(0.9 * MS, 0.1 * MS)), ("launch-bound", around(0.5 * MS, 0.1 * MS)),
    ]  # fmt: skip
    assert [proof.how for proof in reported.findings[1].proofs] == [SIMULATED, REPLAYED]
    assert saving(reported.findings[1]).endswith("; replayed.")
    assert [text.partition(";")[0] for text in runs.lines] == ["a run with delays", STEP, UPLOAD]


@pytest.mark.parametrize(
    ("measured", "is_hidden"),
    [
        (Interval(0.5 * MS, -0.1 * MS, 1.1 * MS), False),
        (Interval(-0.2 * MS, -0.3 * MS, -0.1 * MS), True),  # it takes longer
        (around(87 * US, 1 * US), True),  # less than 2 % of 4.4 ms
        (around(89 * US, 1 * US), False),
    ],
)
def test_what_saves_nothing_when_it_is_measured_is_hidden(runs: Runs, measured: Interval, is_hidden: bool) -> None:
    runs.replays = {STEP: replayed(measured)}
    reported = runs.prove(report(launch_bound()))
    assert [each.hidden for each in reported.findings + reported.hidden] == [is_hidden] and len(
        reported.hidden
    ) == is_hidden


def test_a_refused_replay_is_told_and_changes_nothing(runs: Runs) -> None:
    runs.replays = {STEP: refused("with the mend the program gives other results: line 1")}
    reported = runs.prove(report(unproved(launch_bound()), equal_uploads()))
    assert reported.not_said == [
        f"LAUNCHPATH_MEND={STEP} proves nothing: with the mend the program gives other results: line 1.",
        f"LAUNCHPATH_MEND={UPLOAD} could not be tried: no time.",
    ]
    assert reported.findings[0].saving == around(2.3 * MS, 0.1 * MS) and len(reported.findings[0].proofs) == 1


def test_programs_of_other_libraries_and_kinds_without_a_mend_are_not_replayed(runs: Runs) -> None:
    runs.prove(report(own=False))
    other = launch_bound()
    other.kind = "serial-copies"
    runs.prove(report(other))
    assert not runs.forced


def test_other_regions_are_not_proved(runs: Runs) -> None:
    other = launch_bound()
    other.region = "warm_up"
    reported = report(other)
    runs.intervention = Intervention(proofs={"submissions": slope(0.0)})
    runs.prove(reported)
    assert reported.findings == [other] and not runs.delayed and not runs.forced


def test_only_the_first_findings_are_replayed(runs: Runs) -> None:
    runs.prove(report(*(launch_bound() for _ in range(9))))
    assert len(runs.forced) == 4


def test_repetitions_that_only_a_function_tells_are_not_replayed(runs: Runs) -> None:
    reported = runs.prove(report(equal_uploads(), anchor=Anchor(FUNCTION, "clFinish")))
    assert not runs.delayed and not runs.forced
    assert reported.not_said == [f"LAUNCHPATH_MEND={UPLOAD} is not tried: `integrate` has no kernel to time it by."]


def test_a_kernel_that_tells_repetitions_becomes_the_begin_of_a_step(runs: Runs) -> None:
    runs.prove(report(launch_bound(), anchor=Anchor(KERNEL, "forces", 48)))
    assert runs.forced == ["step:@forces*48"]


@pytest.mark.parametrize("anchor", [None, INTEGRATE])
def test_what_does_not_repeat_is_not_run_again(runs: Runs, anchor: Anchor | None) -> None:
    reported = report(anchor=anchor)
    if anchor is not None:
        reported.regions = []
    runs.prove(reported)
    assert len(reported.not_said) == 1 and ("nothing repeats" in reported.not_said[0]) is (anchor is not None)
    assert not runs.delayed and not runs.forced


def test_the_same_sentence_is_there_once(runs: Runs) -> None:
    reported = report(launch_bound(), launch_bound())
    runs.prove(reported)
    assert reported.not_said == [f"LAUNCHPATH_MEND={STEP} could not be tried: no time."]

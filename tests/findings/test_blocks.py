"""What ends a block, and what its slope proves."""

import numpy
import pytest

from launchpath._findings.anchor import Anchor
from launchpath._findings.finding import INTERVENED, Finding, Proof
from launchpath._findings.interval import Interval
from launchpath._findings.intervention.blocks import Blocks, _by_device
from launchpath._findings.intervention.delays import Delays, arms
from launchpath._findings.intervention.plan import plan
from launchpath._findings.intervention.slopes import Slope
from launchpath._proof.intervention import Intervention, _judge, targets_of
from launchpath._trace.format import DELAYS_SLOT

N = 20
LAUNCHES = 4  # of a block


def made(length: float, delay: int = 0) -> Blocks:
    """Blocks of a host that takes `length` nanoseconds for each, one after the other."""
    slots = numpy.zeros(N, DELAYS_SLOT)
    slots["repetitions"], slots["delay"], slots["target"] = 2, delay, 1
    begin = numpy.arange(N) * length
    return Blocks(Delays(arms(submissions=(0, 1)), "k"), slots, begin, begin + length)


def works(length: float, device: float) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
    """The device's work: each block submits 4 commands, each of which takes `device` nanoseconds."""
    enqueued = numpy.arange(N * LAUNCHES) * (length / LAUNCHES)
    ends, free = [], 0.0
    for at in enqueued:
        free = max(free, at + 10) + device
        ends.append(free)
    order = numpy.random.default_rng(3).permutation(len(enqueued))
    return [
        (enqueued[order][:30], numpy.array(ends)[order][:30]),
        (enqueued[order][30:], numpy.array(ends)[order][30:]),
    ]


def test_where_the_host_runs_ahead_blocks_end_with_the_device() -> None:
    blocks = made(1e5)
    begin, end = _by_device(blocks, works(1e5, 1e5))
    assert blocks.by_device
    assert numpy.median(end - begin) == pytest.approx(LAUNCHES * 1e5)


def test_where_the_device_waits_for_the_host_the_host_ends_them() -> None:
    blocks = made(1e5)
    begin, end = _by_device(blocks, works(1e5, 1e3))
    assert not blocks.by_device
    assert (end - begin == 1e5).all()


def test_disturbed_repetitions_are_seen() -> None:
    blocks = made(1e5)
    blocks.time = numpy.full(N, 5e4)
    assert blocks.disturbance == pytest.approx(1)
    blocks.time /= 2
    assert blocks.disturbance == pytest.approx(2)


def finding(kind: str) -> Finding:
    return Finding(kind, "k", "step", "", "")


def test_findings_get_the_proof_of_their_target_and_what_is_hidden_is() -> None:
    held = Proof(INTERVENED, None, Interval(0.9, 0.8, 1.0))
    hidden = Proof(INTERVENED, None, Interval(0.02, -0.01, 0.05))
    result = Intervention(proofs={"submissions": held, "host-code": hidden, "copies": hidden})
    findings = [finding(kind) for kind in ("launch-bound", "host-code", "small-copies", "lock")]
    launching, code, *others = findings
    result.attach(findings, {"submissions": 10.0, "host-code": 2e4})
    assert (launching.proofs, launching.hidden) == ([held], False)
    assert (code.proofs, code.hidden) == ([hidden], True)
    assert [(other.proofs, other.hidden) for other in others] == [([], False)] * 2
    assert targets_of(findings) == ["submissions", "host-code"]


@pytest.mark.parametrize(
    ("interval", "groups", "said", "sentence"),
    [
        (Interval(0.9, 0.87, 0.93), 50, True, None),
        (Interval(0.9, 0.8, 1.0), 50, True, "submissions: the program ran 3.0 s; for a slope ± 0.05 it must run 10.7 s"),
        (Interval(0.9, 0.1, 1.7), 50, False, "submissions: the program ran 3.0 s; for a slope ± 0.05 it must run 620.5 s"),
        (None, 5, False, "submissions: 5 of at least 6 groups of blocks: the program ran 3.0 s; for a slope ± 0.05 it must run"),
    ],
)  # fmt: skip
def test_a_slope_is_said_as_far_as_it_is_known(
    interval: Interval | None, groups: int, said: bool, sentence: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    slope = Slope(interval, groups, 10.0, 1e5, [], 2.0, 0.3)
    blocks = made(1e8)
    monkeypatch.setattr(Blocks, "slope", lambda _self, _target: slope)
    result = Intervention(blocks=blocks, seconds=3.0)
    _judge(result, plan(Anchor("kernel", "k", period=1e5), {"submissions": 10}), "submissions", 0.05)
    assert result.slopes == {"submissions": slope}
    assert [said] == [bool(result.proofs)]
    if sentence is None:
        assert result.not_said == []
    else:
        assert result.not_said[0].startswith(sentence)
    if said and interval is not None:
        launching = Finding("launch-bound", "", "", "", "", evidence={"us_launching": 20.0, "launches": 10})
        result.attach([launching], {"submissions": 10.0})
        most = interval.scaled(20_000) if interval.high < 1 else None  # a slope of 1 leaves all of the time
        assert launching.proofs[0].saving == most and launching.saving is None

"""Intervention: the program runs with delays in alternating blocks of its repetitions, and what that shows."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from launchpath._findings.anchor import Anchor
from launchpath._findings.finding import AT_MOST, INTERVENED, Finding, Proof
from launchpath._findings.interval import Interval
from launchpath._findings.intervention.blocks import Blocks, read_blocks
from launchpath._findings.intervention.delays import VARIABLE, Delays
from launchpath._findings.intervention.plan import GROUPS_FIRST, Plan, plan
from launchpath._findings.intervention.slopes import GROUPS_LEAST, Slope
from launchpath._recorder.starting import start
from launchpath._report.units import format_time

HALF_WIDTH = 0.05  # of a slope's interval, if nothing else is asked for
_WIDEST = 0.25  # half of an interval that is still worth saying
_DISTURBED = 1.5  # times as long as typical
_HIDDEN = 0.15  # a slope that is certainly below it is hidden
# What is delayed to prove a kind of finding: those whose mend takes time away from the host. A delay before a wait is
# hidden in the wait, and one before a copy or a kernel says nothing of the time that it takes on the device.
TARGET_OF = {"launch-bound": "submissions", "host-code": "host-code"}
_NAMES = {
    "submissions": "each submission",
    "synchronizations": "each synchronization",
    "copies": "each copy",
}

Run = Callable[[Sequence[str], Mapping[str, str]], int]


@dataclass
class Intervention:
    """What an intervention has shown.

    Attributes
    ----------
    slopes : dict
        For each target the `Slope`; those too that are too uncertain to be said.
    proofs : dict
        For each target whose slope can be said the `Proof`.
    not_said : list of str
        Sentences: what cannot be said, and why, and how long the program must run for it.
    blocks : Blocks
    code : int
        The exit code of the program.
    seconds : float
        That the program ran.
    """

    slopes: dict[str, Slope] = field(default_factory=dict)
    proofs: dict[str, Proof] = field(default_factory=dict)
    not_said: list[str] = field(default_factory=list)
    blocks: Blocks = field(default_factory=Blocks)
    code: int = 0
    seconds: float = 0.0

    def attach(self, findings: Iterable[Finding], counts: Mapping[str, float]) -> None:
        """Give findings their proofs. What costs nothing, as its slope shows, is hidden.

        A repetition becomes shorter by the slope times the host's time that is taken away, at most: a shorter time is
        less often on the critical path than a longer one. A simulation that gives more is limited to it.

        Parameters
        ----------
        counts : mapping
            What a repetition has of each target, as `intervene` takes it.
        """
        for finding in findings:
            target = TARGET_OF.get(finding.kind, "")
            proof = self.proofs.get(target)
            if proof is None or proof.slope is None:
                continue
            most = _at_most(finding, proof.slope, counts.get(target, 0.0))
            saving = finding.saving or most
            if finding.saving is not None and most is not None and most.high < finding.saving.high:
                saving = finding.saving = _limited(finding.saving, most)
                finding.evidence[AT_MOST] = True
            finding.proofs.append(replace(proof, saving=saving))
            if proof.slope.high < _HIDDEN:
                finding.hidden = True


def _at_most(finding: Finding, slope: Interval, count: float) -> Interval | None:
    """Give what a repetition can save, nanoseconds, if a finding's time of the host were none; None: all of that time.

    A slope is that of all calls of a kind: a finding's own may all be on the critical path, and the others not.
    """
    time, mine = _own(finding)
    if not time or not mine or not count:
        return None
    others = max(count / mine, 1.0)
    low, value, high = (time * min(max(part, 0.0) * others, 1.0) for part in (slope.low, slope.value, slope.high))
    return Interval(value, low, high) if high < time else None


def _own(finding: Finding) -> tuple[float, float]:
    """Give a finding's time of the host in a repetition, and how much it has of what is delayed; 0: not known."""
    evidence = finding.evidence
    if finding.kind == "host-code":
        time = 1e3 * float(evidence.get("us_code", 0.0))
        return time, time
    # Between the commands of a run the device may wait for itself: fewer commands save that too.
    time = 1e3 * (float(evidence.get("us_launching", 0.0)) + float(evidence.get("us_idle_of_device", 0.0)))
    return time, float(evidence.get("launches", 0.0))


def _limited(saving: Interval, most: Interval) -> Interval:
    """Limit a saving to what there is at most."""
    return Interval(*(min(getattr(saving, each), getattr(most, each)) for each in ("value", "low", "high")))


def targets_of(findings: Iterable[Finding]) -> list[str]:
    """List what is to be delayed to prove these findings."""
    return list(dict.fromkeys(TARGET_OF[finding.kind] for finding in findings if finding.kind in TARGET_OF))


def intervene(
    command: Sequence[str],
    anchor: Anchor,
    counts: Mapping[str, float],
    *,
    half_width: float = HALF_WIDTH,
    options: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] = os.environ,
    seed: int = 1,
    run: Run | None = None,
) -> Intervention:
    """Run a program with delays, once, and tell by how much they make its repetitions longer.

    Parameters
    ----------
    command : sequence of str
        The program.
    anchor : Anchor
        What ends its repetitions.
    counts : mapping
        What is delayed, each with how many such calls a repetition has; ``"host-code"`` with how many nanoseconds.
    half_width : float
        Of the slopes' intervals of 95 %: ± what is asked for.
    options : mapping, optional
        Those of the trace.
    environment : mapping
        What the program would have.
    seed : int
        Of the order of the levels.
    run : callable, optional
        Runs a command in an environment, and gives its exit code.

    Returns
    -------
    Intervention
    """
    planned = plan(anchor, counts, seed)
    with tempfile.TemporaryDirectory() as folder:
        variables = {**environment, VARIABLE: planned.delays.text}
        prepared = start(os.path.join(folder, "delays-%pid%.lptrace"), options or {}, variables)
        began = time.monotonic()
        code = (run or _run)(command, prepared.environment)
        seconds = time.monotonic() - began
        files = prepared.written()
        blocks = read_blocks(files) if files else Blocks(not_said=["the program has left no trace"])
    result = Intervention(blocks=blocks, code=code, seconds=seconds)
    if code:
        result.not_said.append(f"the program ended with exit code {code} when it ran with delays")
    result.not_said += [f"{target} was not delayed: {reason}" for target, reason in planned.left_out.items()]
    if blocks.not_said:
        result.not_said += blocks.not_said
        if not len(blocks) and blocks.anchors > 0:
            result.not_said.append(_longer(seconds, planned.seconds(), half_width))
        return result
    if blocks.disturbance > _DISTURBED:
        result.not_said.append(
            f"repetitions took {blocks.disturbance:.1f} times as long in the mean as typical ones, for other programs "
            "had the processors, or they are of several kinds: slopes are those of typical ones"
        )
    for target in dict.fromkeys(arm.target for arm in planned.delays.arms):
        _judge(result, planned, target, half_width)
    return result


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    return subprocess.run(command, env=environment, check=False).returncode


def _judge(result: Intervention, planned: Plan, target: str, half_width: float) -> None:
    """Add a target's slope, and its proof if it can be said."""
    slope = result.slopes[target] = result.blocks.slope(target)
    before = max(result.seconds - result.blocks.seconds, 0.0)
    if slope.groups < GROUPS_LEAST:
        result.not_said.append(
            f"{target}: {slope.groups} of at least {GROUPS_LEAST} groups of blocks: "
            + _longer(result.seconds, before + planned.seconds(GROUPS_FIRST), half_width)
        )
        return
    if slope.count == 0:
        result.not_said.append(f"{target}: the repetitions had no such call")
        return
    if slope.interval is None or slope.interval.half > half_width:
        longer = _longer(result.seconds, before + slope.needed(half_width).seconds, half_width)
        result.not_said.append(f"{target}: {longer}")
    if slope.interval is None or slope.interval.half > _WIDEST:
        return
    text = _text(planned.delays, target, len(result.blocks))
    result.proofs[target] = Proof(INTERVENED, slope=slope.interval, text=text)


def _longer(ran: float, needed: float, half_width: float) -> str:
    return f"the program ran {ran:.1f} s; for a slope ± {half_width:g} it must run {max(needed, ran):.1f} s"


def _text(delays: Delays, target: str, blocks: int) -> str:
    """Tell readers what was done."""
    levels = [arm.delay for arm in delays.arms if arm.target == target]
    if target == "host-code":
        shares = ", ".join(f"{level / 10:g} %" for level in levels)
        what = f"{shares} of the time between calls added to it"
    else:
        times = ", ".join(format_time(level) if level else "0" for level in levels)
        what = f"{times} before {_NAMES[target]}"
    return f"the program ran again with {what}, in turns: {blocks} blocks of {delays.repetitions} repetitions"

"""Replay: a program runs again with a mend forced, and its times and results are compared with those without."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from launchpath._findings.amounts import time_text
from launchpath._findings.anchor import Anchor
from launchpath._findings.finding import REPLAYED, Proof
from launchpath._findings.interval import Interval
from launchpath._mends.request import READ_BACKS, mends
from launchpath._proof.period import Period, period
from launchpath._proof.results import Comparison, compare
from launchpath._proof.run import Run, run
from launchpath._proof.turns import LEAST, difference, turn, turns_needed
from launchpath._report.units import format_time
from launchpath.errors import ArgumentValueError, LaunchpathError

MOST = 15  # turns: a run without the mend and one with it
_COMPARED = 3  # runs whose results are compared
RUNS = _COMPARED + 2 * LEAST  # of a replay of which no half width is asked for

_UNEVEN = 0.5  # of a repetition: of runs that differ by more nothing is told


@dataclass(frozen=True)
class Replay:
    """What replaying a mend has shown.

    Attributes
    ----------
    proof : Proof
        Its `saving` is None if the proof is refused.
    refused : str
        Why there is no saving; empty: there is one.
    comparable : bool
        Whether results could be compared. If they could not, the saving is only that of times.
    comparison : Comparison or None
    forced : list of dict
        What came of each mend in the run whose results were compared: ``effects``, ``not_needed``, ``refused``.
    before, after : tuple of float
        Nanoseconds of a repetition, without the mend and with it, of each turn.
    """

    proof: Proof
    refused: str
    comparable: bool
    comparison: Comparison | None
    forced: list[dict[str, Any]]
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()


def replay(
    command: Sequence[str],
    mend: str,
    anchor: Anchor,
    *,
    half_width: float | None = None,
    turns: int = LEAST,
    most: int = MOST,
    environment: Mapping[str, str] = os.environ,
    timeout: float | None = None,
    progress: Callable[[str], object] | None = None,
) -> Replay:
    """Run a program without a mend and with it, in turn.

    Three runs come first whose results are compared: without, with, and without once more. They are not timed. What
    they read from devices is hashed.

    Parameters
    ----------
    command : sequence of str
        The program. It has to give the same results each time, and its standard input is empty.
    mend : str
        As ``LAUNCHPATH_MEND`` has it.
    anchor : Anchor
        What tells its repetitions.
    half_width : float, optional
        Nanoseconds that half the interval is to be at most: there are as many turns as it takes, up to `most`.
    turns, most : int
        Timed runs of each kind, at least and at most.
    environment : mapping
        That of the program.
    timeout : float, optional
        Seconds that each run may take.
    progress : callable, optional
        Told of each run, in words.

    Returns
    -------
    Replay

    Raises
    ------
    ArgumentValueError
        There is no such mend, or fewer turns than 3 are asked for.
    LaunchpathError
        The program cannot be run, or took too long.
    """
    mends(mend)
    if not LEAST <= turns <= most:
        raise ArgumentValueError(f"turns: expected {LEAST} to {most}, got {turns}")
    folder = tempfile.mkdtemp(prefix="launchpath-replay-")
    try:
        runner = _Runner(command, folder, environment, timeout, progress)
        return _replayed(runner, mend, anchor, half_width, turns, most)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Runner:
    """Runs the program."""

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        timeout: float | None,
        progress: Callable[[str], object] | None,
    ) -> None:
        self._command, self._folder, self._environment, self._timeout = command, folder, environment, timeout
        self._progress = progress

    def run(self, mend: str, reads: bool = False) -> Run:
        words = ("with" if mend else "without", "results" if reads else "times")
        if self._progress:
            self._progress(f"a run {words[0]} the mend, for its {words[1]}")
        text = ",".join(part for part in (mend, READ_BACKS if reads else "") if part)
        return run(self._command, text, self._folder, self._environment, self._timeout)

    def period(self, mend: str, anchor: Anchor, code: int) -> Period:
        timed = self.run(mend)
        if timed.code != code:
            raise LaunchpathError(f"a run {'with' if mend else 'without'} the mend ended with exit code {timed.code}")
        taken = period(timed.traces, anchor)
        for path in timed.traces:
            os.unlink(path)
        # Bytes are compared in the place of an upload, while the program waits for it.
        compared = sum(effect["ns"] for effect in timed.forced()) / taken.all_repetitions
        return replace(taken, time=max(taken.time - compared, 0.0))


def _replayed(runner: _Runner, mend: str, anchor: Anchor, half_width: float | None, turns: int, most: int) -> Replay:
    plain, mended, again = runner.run("", True), runner.run(mend, True), runner.run("", True)
    forced, comparison = mended.forced(), compare(mended, plain, again)
    if comparison.different:
        return _refused(str(comparison), comparison, forced)
    if reason := _without_effect(forced):
        return _refused(reason, comparison, forced)
    before: list[float] = []
    after: list[float] = []
    count = turns
    try:
        while len(before) < count:
            for is_mended in turn(len(before)):
                times = after if is_mended else before
                times.append(runner.period(mend if is_mended else "", anchor, plain.code).time)
            if half_width is not None and len(before) >= count:
                count = min(most, turns_needed(before, after, half_width))
    except LaunchpathError as error:
        return _refused(str(error), comparison, forced)
    saving = difference(before, after)
    text = _result(mend, forced, before, after, comparison)
    usual = sum(before) / len(before)
    if is_uneven(saving, usual):
        reason = (
            f"the program's runs differ by more than the mend could save: {time_text(saving)} of {format_time(usual)} "
            "a repetition; run it longer, or on a machine that does less beside it"
        )
        return _refused(reason, comparison, forced)
    if half_width is not None and saving.half > half_width:
        needed = turns_needed(before, after, half_width)
        text += f"; ±{format_time(half_width)} would take {needed} runs of each kind: there were {len(before)}"
    proof = Proof(REPLAYED, saving, None, text)
    return Replay(proof, "", comparison.tells, comparison, forced, tuple(before), tuple(after))


def is_uneven(saving: Interval, usual: float) -> bool:
    """Whether runs differ by so much that a saving of a repetition, which takes `usual` nanoseconds, says nothing."""
    return saving.half > _UNEVEN * usual or saving.value > usual


def _refused(reason: str, comparison: Comparison, forced: list[dict[str, Any]]) -> Replay:
    return Replay(Proof(REPLAYED, None, None, reason), reason, comparison.tells, comparison, forced)


def _without_effect(forced: list[dict[str, Any]]) -> str:
    """Say why a mend cannot be proved; empty: each took effect."""
    if not forced:
        return "the mend cannot be proved: no process of the program imported launchpath and ended by itself"
    for effect in forced:
        if effect["effects"]:
            continue
        if effect["refused"]:
            return f"{effect['mend']} cannot be proved: {_reasons(effect['refused'])}"
        if effect["not_needed"]:
            return f"{effect['mend']} had no effect: the bytes of all {effect['not_needed']} uploads differ"
        return f"{effect['mend']} had no effect: the program did not come to such a place"
    return ""


def _reasons(refused: Mapping[str, int]) -> str:
    reasons = sorted(refused.items(), key=lambda item: -item[1])
    return "; ".join(f"{reason} ({count} times)" if count > 1 else reason for reason, count in reasons)


def _result(
    mend: str, forced: list[dict[str, Any]], before: list[float], after: list[float], comparison: Comparison
) -> str:
    text = (
        f"the program ran {len(before)} times without and {len(after)} times with {mend}: "
        f"{format_time(sum(before) / len(before))} a repetition without, {format_time(sum(after) / len(after))} with"
    )
    for effect in forced:
        text += f"; {effect['mend']} took effect {effect['effects']} times"
        if effect["refused"]:
            text += f", and was refused {sum(effect['refused'].values())} times: {_reasons(effect['refused'])}"
    return f"{text}; {comparison}"

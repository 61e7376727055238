"""Trials: the first launches of a specialization, in which the original's bytes are compared with ours."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from launchpath import _core
from launchpath._fast.capture import CaptureError, Driver, Launched
from launchpath._fast.records import Record

TRIALS = 3  # launches that are compared


@dataclass(slots=True)
class Trial:
    """How far a specialization is, and what is needed to compare it.

    Attributes
    ----------
    function : int
        The handle that is launched.
    names : list of str
        Of the packed parameters, in the driver's order.
    rest : dict
        The parameters that such calls leave out, with their values.
    """

    function: int
    names: list[str]
    rest: dict[str, Any] = field(default_factory=dict)
    agreed: int = 0
    refused: str | None = None  # why it is switched off
    key: Any = None
    debug: Any = None


class FastLaunchWarning(RuntimeWarning):
    """A kernel is launched the original way, since the fast one would have given it other arguments."""


def compare(
    driver: Driver,
    record: Record,
    specialization: _core.FastSpecialization,
    packed: bytes,
    config: tuple[Sequence[int], Sequence[int], int],
    launch: Callable[[int], object],
) -> None:
    """Hold our launch against the original's, and end the trial if that was the last one, or they differ.

    Parameters
    ----------
    packed : bytes
        Ours.
    config : tuple
        Our grid, block and bytes of shared memory.
    launch : callable
        Makes the original's launch on a stream, which is captured.
    """
    trial: Trial = specialization.note
    try:
        original = driver.launched(launch)
    except CaptureError as error:
        trial.refused = f"its bytes cannot be compared: {error}"
        specialization.decide(False)
        return
    difference = _difference(trial, original, packed, config)
    if difference is not None:
        trial.refused = f"its launch differs: {difference}"
        specialization.decide(False)
        warnings.warn(
            f"launchpath: {record.library}'s kernel {record.name} goes the original way from now on: {difference}. "
            "Please report this with the kernel's source",
            FastLaunchWarning,
            stacklevel=2,
        )
        return
    trial.agreed += 1
    if trial.agreed >= TRIALS:
        specialization.decide(True)


def _difference(
    trial: Trial, original: Launched, packed: bytes, config: tuple[Sequence[int], Sequence[int], int]
) -> str | None:
    """Say how two launches differ; None: not at all."""
    grid, block, shared = config
    rows = (
        ("function", hex(original.function), hex(trial.function)),
        ("grid", original.grid, tuple(grid)),
        ("block", original.block, tuple(block)),
        ("bytes of shared memory", original.shared, shared),
    )
    for subject, theirs, ours in rows:
        if theirs != ours:
            return f"{subject}: {theirs} there, {ours} here"
    end = max((offset + size for offset, size in original.places), default=0)
    if end != len(packed):
        return f"bytes of arguments: {end} there, {len(packed)} here"
    for i, ((offset, size), theirs_bytes) in enumerate(zip(original.places, original.values, strict=True)):
        ours_bytes = packed[offset : offset + size]
        if theirs_bytes != ours_bytes:
            name = trial.names[i] if i < len(trial.names) else f"number {i + 1}"
            return f"parameter {name!r}: {theirs_bytes.hex()} there, {ours_bytes.hex()} here"
    return None

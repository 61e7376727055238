"""Turns of processes that never ran."""

import numpy

from launchpath._trace.condensed.turns import PART_NAMES, WINDOW_TYPE, Turns

MS = 1_000_000


def row(
    rank: int | None,
    steps: list[dict[str, int]],
    *,
    name: str = "step",
    kind: str = "range",
    shift: int = 0,
    between: int = 0,
    host: str = "a",
    looks: bool = True,
) -> Turns:
    """Turns of a process: for each step its parts in nanoseconds, with ``host`` for code between calls.

    The turn's length is their sum. ``ready`` is part of ``host`` and of calls, and not added.
    """
    windows = numpy.zeros(-(-len(steps) >> shift), WINDOW_TYPE)
    now = 1000
    for number, step in enumerate(steps):
        window = windows[number >> shift]
        length = sum(time for part, time in step.items() if part != "ready")
        parts = dict(step)
        parts["run"] = parts.pop("host", 0) + step.get("submit", 0) + step.get("copy", 0) + step.get("call", 0)
        if not looks:
            parts.update(run=0, ready=0, away=0)
        if window["turns"] == 0:
            window["begin"] = now
        window["turns"] += 1
        window["total"] += length
        window["longest"] = max(int(window["longest"]), length)
        window["end"] = now + length
        for place, part in enumerate(PART_NAMES):
            window["parts"][place] += parts.get(part, 0)
        now += length + between
    return Turns(f"{host}:{100 if rank is None else 100 + rank}", rank, name, kind, len(steps), shift, windows)


USUAL = {"submit": 2 * MS, "copy": MS, "wait": 3 * MS, "call": MS, "host": 2 * MS, "ready": 0}


def lockstep(works: list[list[dict[str, int]]], *, looks: bool = True, shift: int = 0) -> list[Turns]:
    """Processes that wait for the slowest in each step, asleep outside of the driver."""
    lengths = [[sum(time for part, time in step.items() if part != "ready") for step in steps] for steps in works]
    longest = [max(column) for column in zip(*lengths, strict=True)]
    return [
        row(
            rank,
            [
                step | {"away": step.get("away", 0) + most - length}
                for step, length, most in zip(steps, mine, longest, strict=True)
            ],
            looks=looks,
            shift=shift,
        )
        for rank, (steps, mine) in enumerate(zip(works, lengths, strict=True))
    ]

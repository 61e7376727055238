"""Delays in a stretch: before calls of a kind, between calls, and on the device."""

from __future__ import annotations

from typing import Literal

import numpy

from launchpath._findings.simulation.program import Kind, Program
from launchpath._findings.timeline.ops import Array, Ops
from launchpath._findings.timeline.roles import SUBMITS, Role

Target = Literal["submissions", "synchronizations", "copies", "host code", "works"]

_ROLES: dict[str, tuple[Role, ...]] = {
    "submissions": SUBMITS,
    "synchronizations": (Role.SYNCHRONIZE,),
    "copies": (Role.COPY, Role.FILL),
}


def delayed(program: Program, target: Target, delay: float, ops: Ops) -> tuple[Program, Array]:
    """Give a stretch with a delay before each call of a kind, and for each call how many delays it has."""
    program = program.copy()
    rows = numpy.array(program.rows, "i8")
    if target == "works":
        counts = numpy.array([len(works) if kind in (Kind.SUBMIT, Kind.BLOCK) else 0
                              for works, kind in zip(program.works, program.kind, strict=True)])  # fmt: skip
        for place in numpy.flatnonzero(counts).tolist():
            program.works[place] = tuple(work._replace(time=work.time + delay) for work in program.works[place])
        return program, counts
    if target == "host code":
        counts = numpy.ones(len(rows), "i8")
    else:
        counts = numpy.isin(ops.role[rows], _ROLES[target]).astype("i8")
    for place in numpy.flatnonzero(counts).tolist():
        program.before[place] += delay
    return program, counts


def halved(program: Program, side: Literal["host", "device"]) -> Program:
    """Give a stretch in which all that the host does, or all that devices do, takes half of its time."""
    program = program.copy()
    if side == "host":
        program.before = [each / 2 for each in program.before]
        program.own = [each / 2 for each in program.own]
        return program
    for place, works in enumerate(program.works):
        if works:
            program.works[place] = tuple(work._replace(time=work.time / 2, gap=work.gap / 2) for work in works)
    return program

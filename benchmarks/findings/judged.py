"""Judges a program of the corpus on a device: measures its fault, asks `launchpath why`, compares.

Machines are faster at one time than at another, by more than a prediction may be wrong. So the program without a trace,
its mended twin and `launchpath why` take turns, and medians are compared.
"""

from __future__ import annotations

import statistics
from dataclasses import replace
from typing import Any

from benchmarks.findings import verdict
from benchmarks.findings.catalogue import Program
from benchmarks.findings.measured import Runs, difference, is_narrow
from benchmarks.findings.running import Machine, Run, RunError
from benchmarks.findings.verdict import Prediction, Verdict

RUNS, QUICK_RUNS = Runs(5, 15), Runs(3, 8)
ASKED = 3  # times that `launchpath why` is asked

Report = tuple[Run, dict[str, Any]]


def judged(machine: Machine, program: Program, prove: bool, ask: bool = True) -> Verdict:
    """Judge a program. A failure is a problem of its row, and does not end the others."""
    row = Verdict(program.name, program.kinds)
    try:
        reports = measure(machine, program, row, ask)
        if ask:
            hold(machine, program, row, reports, prove)
    except RunError as error:
        row.problem = str(error)
    return row


def measure(machine: Machine, program: Program, row: Verdict, ask: bool) -> list[Report]:
    """Measure what each mend saves, and ask `launchpath why` meanwhile. An application's mends are measured alone."""
    runs = QUICK_RUNS if machine.quick else RUNS
    reports: list[Report] = []

    def between() -> None:
        if ask and len(reports) < ASKED:
            reports.append(machine.why(program))

    for kind in program.kinds:
        mend = ("--mend", kind) if program.is_application else ("--mended",)
        row.measured[kind], faulty = difference(machine, program, mend, runs, between)
        row.us = sorted(run.us for run in faulty)[len(faulty) // 2]
    row.wide = [kind for kind, measured in row.measured.items() if not is_narrow(measured, row.us)]
    expected = machine.device not in program.free
    row.costs = all(verdict.costs(measured, row.us) for measured in row.measured.values())
    if row.costs != expected:
        state = "costs nothing" if expected else "costs something"
        row.problem = f"the fault {state} here, expected that it {'does' if expected else 'does not'}"
    return reports


def hold(machine: Machine, program: Program, row: Verdict, reports: list[Report], prove: bool) -> None:
    """Hold the reports of both twins against what was planted: of the faulty one the most frequent judgement counts."""
    each = [replace(row, not_said=list(row.not_said)) for _ in reports]
    for its, (_, report) in zip(each, reports, strict=True):
        verdict.hold(its, program, report)
    right = sum(its.named for its in each) > len(each) / 2
    usual = next(its for its in each if its.named == right)
    row.named, row.line, row.not_said = usual.named, usual.line, usual.not_said
    row.with_fault, row.hidden = usual.with_fault, usual.hidden
    row.predictions = middle([verdict.predictions(row, report, run.repetitions) for run, report in reports])
    _, mended = machine.why(program, "--mended")
    row.without = [finding["kind"] for finding in mended["findings"]]
    row.silent = not row.without
    if prove and row.costs:
        run, report = machine.why(program, prove=True)
        already = {(each.kind, each.how) for each in row.predictions}
        proved = verdict.predictions(row, report, run.repetitions)
        row.predictions += [each for each in proved if (each.kind, each.how) not in already]


def middle(rounds: list[list[Prediction]]) -> list[Prediction]:
    """Return the medians of what several reports predict: of what most of them do."""
    values: dict[tuple[str, str], list[Prediction]] = {}
    for prediction in (each for predictions in rounds for each in predictions):
        values.setdefault((prediction.kind, prediction.how), []).append(prediction)
    return [
        replace(its[0], us=statistics.median(each.us for each in its))
        for its in values.values()
        if len(its) > len(rounds) / 2
    ]


def line_of(row: Verdict) -> str:
    """Return a line of the table that is printed while the programs are judged."""
    saved = ", ".join(
        f"{value.value:.0f} ± {value.half:.0f}{'?' if kind in row.wide else ''}" for kind, value in row.measured.items()
    )
    predicted = ", ".join(f"{each.how} {each.us:.0f}{'' if each.right else ' (!)'}" for each in row.predictions)
    marks = "".join("+" if mark else "-" for mark in (row.named, row.line, row.silent))
    first = ", ".join(row.with_fault[:3]) or "nothing"
    rest = f"  without: {', '.join(row.without)}" if row.without else ""
    problem = f"  PROBLEM: {row.problem}" if row.problem else ""
    return f"{row.program:36}{row.us:9.0f} us{saved:>20}  {marks}  {first}; {predicted or 'no saving'}{rest}{problem}"

"""Judges a program of the corpus on a device: measures its fault, asks `launchpath why`, compares."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.findings import verdict
from benchmarks.findings.catalogue import Program
from benchmarks.findings.measured import Runs, difference, is_narrow
from benchmarks.findings.running import Machine, RunError
from benchmarks.findings.verdict import Verdict

RUNS, QUICK_RUNS = Runs(5, 15), Runs(3, 5)


def judged(machine: Machine, program: Program, prove: bool, ask: bool = True) -> Verdict:
    """Judge a program. A failure is a problem of its row, and does not end the others."""
    row = Verdict(program.name, program.kinds)
    try:
        measure(machine, program, row)
        if ask:
            hold(machine, program, row, prove)
    except RunError as error:
        row.problem = str(error)
    return row


def measure(machine: Machine, program: Program, row: Verdict) -> None:
    """Measure what each mend saves. An application's mends are measured in turn, each alone."""
    runs = QUICK_RUNS if machine.quick else RUNS
    for kind in program.kinds:
        mend = ("--mend", kind) if program.is_application else ("--mended",)
        row.measured[kind], faulty = difference(machine, program, mend, runs)
        row.us = sorted(run.us for run in faulty)[len(faulty) // 2]
    row.wide = [kind for kind, measured in row.measured.items() if not is_narrow(measured, row.us)]
    expected = machine.device not in program.free
    row.costs = all(verdict.costs(measured, row.us) for measured in row.measured.values())
    if row.costs != expected:
        state = "costs nothing" if expected else "costs something"
        row.problem = f"the fault {state} here, expected that it {'does' if expected else 'does not'}"


def hold(machine: Machine, program: Program, row: Verdict, prove: bool) -> None:
    """Ask `launchpath why` of both twins."""
    run, report = machine.why(program)
    verdict.hold(row, program, report)
    row.predictions = verdict.predictions(row, report, run.repetitions)
    _, mended = machine.why(program, "--mended")
    row.without = [finding["kind"] for finding in mended["findings"]]
    row.silent = not row.without
    if prove and row.costs:
        run, report = machine.why(program, prove=True)
        already = {(each.kind, each.how) for each in row.predictions}
        proved = verdict.predictions(row, report, run.repetitions)
        row.predictions += [each for each in proved if (each.kind, each.how) not in already]


Say = Callable[[str], None]


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

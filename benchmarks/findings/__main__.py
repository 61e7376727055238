"""Judge `launchpath why` by programs with known faults.

    python -m benchmarks.findings --device intel [--only KIND] [--again] [--quick] [--prove] [--json FILE]

Each program runs with its fault and without it, in turn and untraced: the difference is what the fault costs. Then
`launchpath why` must name the fault first, say nothing of the mended twin, and predict the difference. A line of the
table has: the time of a repetition, what mending saves, three marks (named first, with its line, silent if mended), the
first findings, and the predicted savings ("!": further off than 10 % and 5 us). Programs run until what mending saves
is known to 5 % or 3 us; "?": it is not, after as many runs as are allowed. With `--again` the rows of the programs that
were asked for are replaced in the results' file, and the others stay.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.any_program.__main__ import _processor
from benchmarks.findings import bounds
from benchmarks.findings.catalogue import PROGRAMS, Program
from benchmarks.findings.judged import judged, line_of
from benchmarks.findings.running import Machine, RunError
from benchmarks.findings.summary import shown, summary
from benchmarks.findings.verdict import Verdict

RESULTS = Path(__file__).parents[1] / "results"


def main() -> int:
    """Judge, print the tables, and write the results."""
    asked = parser().parse_args()
    machine = Machine(asked.device, asked.quick)
    asked_for = [each for each in PROGRAMS if each.runs_on(asked.device) and wanted(each, asked.only)]
    programs = [each for each in asked_for if each.library == "own" or find_spec(each.library)]
    left_out = sorted({each.name for each in asked_for} - {each.name for each in programs})
    say = sys.stdout.write
    try:
        for units in sorted({each.units for each in programs} | {1}):
            machine.calibrate(units)
    except RunError as error:
        sys.exit(str(error))
    load, rows = os.getloadavg()[0], []
    for program in programs:
        rows.append(judged(machine, program, asked.prove, not asked.untraced))
        say(line_of(rows[-1]) + "\n")
        sys.stdout.flush()
    file = asked.json or RESULTS / f"findings-{asked.device}.json"
    if asked.again:
        replace(file, rows)
        return int(any(row.problem for row in rows))
    result = {
        "benchmark": "findings",
        "machine": f"{_processor()}, Python {platform.python_version()}",
        "device": asked.device,
        "load": load,
        "rounds_a_us": machine.rates,
        "left_out": left_out,
        "figures": summary(rows),
        "rows": [row.as_json() for row in rows],
    }
    say("\n" + "\n".join(shown(result["figures"])) + "\n")
    if left_out:
        say(f"left out, their library is not installed: {', '.join(left_out)}\n")
    if asked.generated and not asked.only:
        drawn = [bounds.judged(machine, seed, not asked.untraced) for seed in range(asked.generated)]
        result["bounds"] = [row.as_json() for row in drawn]
        say("\n" + "\n".join(map(str, drawn)) + f"\n{bounds.right(drawn)} of {len(drawn)} bounds are right\n")
    if (not asked.only and not asked.untraced) or asked.json:
        file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return int(any(row.problem for row in rows))


def replace(file: Path, rows: list[Verdict]) -> None:
    """Replace rows of a results' file, and compute its figures anew."""
    result = json.loads(file.read_text(encoding="utf-8"))
    by_name = {row["program"]: row for row in result["rows"]} | {row.program: row.as_json() for row in rows}
    result["rows"] = list(by_name.values())
    result["again"] = sorted({*result.get("again", []), *(row.program for row in rows)})
    result["figures"] = summary([Verdict.from_json(row) for row in result["rows"]])
    file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", required=True, choices=("intel", "pocl", "cuda"))
    parser.add_argument("--only", action="append", default=[], metavar="KIND", help="programs with this kind, or name")
    parser.add_argument("--again", action="store_true", help="replace these programs' rows in the results' file")
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    parser.add_argument("--prove", action="store_true", help="ask for proofs too: intervention and replay")
    parser.add_argument("--untraced", action="store_true", help="only measure what the faults cost")
    parser.add_argument("--generated", type=int, default=20, metavar="N", help="random programs (20)")
    parser.add_argument("--json", type=Path, help="the results' file (default: in benchmarks/results)")
    return parser


def wanted(program: Program, only: list[str]) -> bool:
    """Whether a program is asked for."""
    return not only or bool({program.name, *program.kinds} & set(only))


if __name__ == "__main__":
    sys.exit(main())

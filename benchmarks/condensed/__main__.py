"""Condensed traces: what reading thousands of them costs.

    python -m benchmarks.condensed [--only SECTION] [--json FILE] [--files 10000] [--folder FOLDER]

``reports``: `launchpath report` of so many files of several hosts, as a whole command: its time, and the most memory of
all of its processes together. The sections that were asked for are replaced in the results' file, and the others stay.
The exit code is 1 if a bound is missed. With `--folder` the files are made there, or taken from there.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.any_program.__main__ import _processor
from benchmarks.condensed import reports

RESULTS = Path(__file__).parents[1] / "results" / "condensed.json"

Section = Callable[[argparse.Namespace], dict[str, Any]]
# Each measures, prints its figures, and gives them; "missed" has the bounds that it misses.
SECTIONS: dict[str, Section] = {"reports": reports.measure}


def main() -> int:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=SECTIONS, action="append", metavar="SECTION")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="FILE")
    parser.add_argument("--files", type=int, default=10_000, help="of `reports`")
    parser.add_argument("--folder", type=Path, help="of `reports`: where its files are")
    asked = parser.parse_args()
    results: dict[str, Any] = json.loads(asked.json.read_text(encoding="utf-8")) if asked.json.exists() else {}
    missed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="launchpath-condensed-") as folder:
        asked.folder = asked.folder or Path(folder)
        for name in asked.only or SECTIONS:
            section = SECTIONS[name](asked)
            missed += section["missed"]
            results[name] = {
                "machine": f"{_processor()}, Python {platform.python_version()}",
                "load": os.getloadavg()[0],
                **section,
            }
            asked.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for text in missed:
        print(f"missed: {text}", file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())

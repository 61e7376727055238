"""Compare slopes of interventions with those that are known, for an unmodified program of PyOpenCL.

    python -m benchmarks.any_program.slopes --platform Intel [--python PYTHON] [--icd FILE] [--seconds S] [--json FILE]

known_slopes.py runs once by itself, and then with delays before its launches. Where the device is the processor, run
this on a machine that does nothing else: a delay takes a core that the device could use.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from launchpath._findings.intervention.plan import Anchor
from launchpath._proof.intervention import intervene

PROGRAM = Path(__file__).with_name("known_slopes.py")
LAUNCHES = {"host": 17, "device": 17, "half": 18, "ahead": 5}
NEAR = 0.1


def _run(words: Sequence[str], environment: Mapping[str, str]) -> int:
    return subprocess.run(words, env=environment, check=False, stdout=subprocess.DEVNULL).returncode


def compare(asked: argparse.Namespace, kind: str, environment: dict[str, str]) -> dict[str, Any]:
    """Run the program of a kind, without delays and with them."""
    words = [asked.python, str(PROGRAM), asked.platform, kind]
    done = subprocess.run([*words, "1.5"], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    alone = json.loads(done.stdout.splitlines()[-1])
    anchor = Anchor("begin", period=1e3 * alone["us"])
    counts = {"submissions": float(LAUNCHES[kind])}
    result = intervene([*words, str(asked.seconds)], anchor, counts, environment=environment, run=_run)
    slope = result.slopes.get("submissions")
    return {
        "kind": kind,
        "us": alone["us"],
        "known": alone["share"],
        "slope": slope.interval.as_json() if slope and slope.interval else None,
        "not_said": result.not_said,
    }


def main() -> None:
    """Compare, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--platform", required=True, metavar="WORDS", help="in the platform's name and version")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has PyOpenCL")
    parser.add_argument("--icd", metavar="FILE", help="the runtime's library")
    parser.add_argument("--seconds", type=float, default=10, help="of a run with delays (10)")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    environment = dict(os.environ)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        if asked.icd:
            Path(folder, "runtime.icd").write_text(asked.icd + "\n", encoding="utf-8")
            needed = (str(Path(asked.icd).parent), environment.get("LD_LIBRARY_PATH", ""))
            environment |= {"OCL_ICD_VENDORS": folder, "LD_LIBRARY_PATH": os.pathsep.join(filter(None, needed))}
        rows = [compare(asked, kind, environment) for kind in LAUNCHES]
    for row in rows:
        slope = row["slope"]
        text = "{value:6.3f} ({low:.3f} to {high:.3f})".format(**slope) if slope else "none"
        right = slope and slope["low"] - NEAR <= row["known"] <= slope["high"] + NEAR
        verdict = "as known" if right else "another one"
        sys.stdout.write(f"{row['kind']:7} {row['us']:9.1f} us  known {row['known']:.3f}  slope {text}  {verdict}\n")
        for sentence in row["not_said"]:
            sys.stdout.write(f"        {sentence}\n")
    if asked.json is not None:
        result = {"benchmark": "slopes", "platform": asked.platform, "load": load, "rows": rows}
        asked.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Run a library's own tests, or scripts, as they are and under ``launchpath run --fast``, and compare which ones pass.

    python -m benchmarks.fast_launches.compare_tests [--json FILE] [--timeout 280] PATH... [-- PYTEST OPTIONS...]

A PATH whose name begins with ``test`` goes to pytest, with all others such; any other ``.py`` file is run as a script,
and passes if its exit code is 0. Triton's: ``python/test/unit/runtime`` and ``python/tutorials`` of its repository.
Numba's: ``numba_cuda/numba/cuda/tests``, where the package has them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

WAYS = ("as it is", "fast")


def launched(way: str, words: list[str], timeout: int) -> subprocess.CompletedProcess[str] | None:
    """Run Python with words; None: it took too long."""
    command = [sys.executable, *(["-m", "launchpath", "run", "--fast"] if way == "fast" else []), *words]
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            env={**os.environ, "MPLBACKEND": "agg"},
        )
    except subprocess.TimeoutExpired:
        return None


def tests(way: str, paths: list[str], options: list[str], timeout: int) -> dict[str, str]:
    """Return how each test ended, by name."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.xml"
        answer = launched(
            way, ["-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={file}", *options, *paths], timeout
        )
        if answer is None or not file.exists():
            text = "it took too long" if answer is None else f"{answer.stdout[-600:]}\n{answer.stderr[-600:]}"
            print(f"pytest, {way}: no results: {text}")
            return {}
        if line := [line for line in answer.stderr.splitlines() if line.startswith("launchpath:")]:
            print(line[-1])
        results = {}
        for case in ElementTree.parse(file).iter("testcase"):
            kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
            results[f"{case.get('classname')}::{case.get('name')}"] = kinds.pop() if kinds else "passed"
        return results


def script(way: str, path: str, timeout: int) -> str:
    """Return how a script ended."""
    answer = launched(way, [path], timeout)
    if answer is None:
        return "it took too long"
    if line := [line for line in answer.stderr.splitlines() if line.startswith("launchpath:")]:
        print(f"{Path(path).name}: {line[-1]}")
    return "passed" if answer.returncode == 0 else f"exit code {answer.returncode}: {answer.stderr.strip()[-200:]}"


def main() -> int:
    """Run both ways, and print what differs."""
    words = sys.argv[1:]
    words, options = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--timeout", type=int, default=280, help="seconds for pytest, and for each script")
    parser.add_argument("paths", nargs="+")
    asked = parser.parse_args(words)
    for_pytest = [path for path in asked.paths if Path(path).name.startswith("test") or Path(path).is_dir()]
    scripts = [path for path in asked.paths if path not in for_pytest]
    results: dict[str, dict[str, str]] = {}
    for way in WAYS:
        results[way] = tests(way, for_pytest, options, asked.timeout) if for_pytest else {}
        results[way] |= {path: script(way, path, asked.timeout) for path in scripts}
        passed = sum(result == "passed" for result in results[way].values())
        print(f"{way}: {passed} of {len(results[way])} passed")
    plain, fast = (results[way] for way in WAYS)
    worse = {name for name, result in plain.items() if result == "passed" and fast.get(name) != "passed"}
    better = {name for name, result in fast.items() if result == "passed" and plain.get(name) != "passed"}
    for name in sorted(worse):
        print(f"passes only as it is: {name}: {fast.get(name, 'not run')}")
    for name in sorted(better):
        print(f"passes only fast: {name}: {plain.get(name, 'not run')}")
    if asked.json:
        asked.json.write_text(
            json.dumps({"results": results, "worse": sorted(worse), "better": sorted(better)}, indent=1)
        )
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compile the programs of a folder as they are, and count how many compile, and in what processor time.

    .venv/bin/python -m benchmarks.published FOLDER --device intel --json result.json

FOLDER has published programs, each with its own `main` or for the host code of others. Its file ``programs.txt``, or
that of ``--list``, has a line for each program: the path of its file, and the options that its own build gives (``-I``,
``-D``, ``-std``), with paths from FOLDER. What follows `` # `` is where it comes from. Without a list every ``.cu`` and
``.hip`` file is a program.

Each program is compiled by ``launchpath compile`` in a process of its own, with a cache that has the precompiled
headers and nothing else. Its processor time is that of all processes that it starts, from the first line of Python on.

``--device cuda`` needs no GPU: where there is none, the tests' stand-in takes the place of CUDA's driver. NVRTC is
real.
``--toolkit FOLDER`` names the CUDA whose headers are used; without it those of Python's packages are, and an installed
CUDA's. ``--draw COUNT`` takes that many programs of the list, by ``--seed``.

The exit code is 1 if less than ``--least`` percent compile.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import launchpath as lp
from tests.standin.build import environment

LIST = "programs.txt"
_MOST = 8000  # characters of what a compiler says
_SUBREAPER = 36  # of prctl(2)
_EMPTY = "__global__ void empty(float *x) { x[threadIdx.x] = 1; }\n"
# Headers that are precompiled when a program first includes them.
_FIRST = (
    f"#include <vector>\n#include <iostream>\ntemplate <class T> __global__ void of(T x) {{ x(); }}\n{_EMPTY}"
    "int main() { of<<<1, 1>>>([] __device__ () {}); }\n"
)


class Published(NamedTuple):
    """A program, with the options of its own build."""

    file: str
    options: tuple[str, ...] = ()
    origin: str = ""


class Outcome(NamedTuple):
    """What became of a program."""

    file: str
    compiled: bool
    kernels: int
    message: str
    error_text: str
    processor_s: float
    stages: dict[str, float]


def read_list(folder: Path, path: Path | None = None) -> list[Published]:
    """Read the list of a folder's programs, or take all of its files if there is none."""
    is_named = path is not None
    path = path or folder / LIST
    if not is_named and not path.exists():
        files = [file for file in sorted(folder.rglob("*")) if file.suffix in (".cu", ".hip") and file.is_file()]
        return [Published(str(file.relative_to(folder))) for file in files]
    programs = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text, _, origin = line.partition(" # ")
        if words := shlex.split(text):
            programs.append(Published(words[0], tuple(words[1:]), origin.strip()))
    return programs


def surroundings(device: str, toolkit: str | None, cache: str) -> dict[str, str]:
    """Give the environment of the processes that compile."""
    variables = {**os.environ, "LAUNCHPATH_CACHE_DIR": cache, "LAUNCHPATH_PROGRESS": "0"}
    if device == "cuda" and not any(each.driver.startswith("cuda") for each in lp.devices()):
        variables |= environment("cuda")
    if toolkit:
        variables |= {"CUDA_PATH": toolkit, "CUDA_HOME": toolkit}
    return variables


def adopt_orphans() -> None:
    """Make this process the parent of compilers that outlive the process that started them: their time counts too."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def compile_one(program: Published, folder: Path, device: str, around: dict[str, str], limit: float) -> Outcome:
    """Compile a program in a process of its own."""
    options = [_absolute(option, folder) for option in program.options]
    with tempfile.NamedTemporaryFile(suffix=".json") as report, tempfile.TemporaryFile() as errors:
        command = [sys.executable, "-m", "launchpath", "compile", str(folder / program.file), "--device", device,
                   "--warnings", "hide", "--json", report.name, *(f"--option={word}" for word in options)]  # fmt: skip
        process = subprocess.Popen(
            command, env=around, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
        code, used = _wait(process.pid, limit)
        process.returncode = code
        errors.seek(0)
        log = errors.read().decode("utf-8", "replace")
        result = json.loads(Path(report.name).read_text(encoding="utf-8") or "{}") if code == 0 else {}
    kernels = sum(len(part["kernels"]) for part in result.get("parts", ()))
    stages: Counter[str] = Counter()
    for stage in result.get("stages", ()):
        stages[stage["name"]] += round(stage["seconds"], 3)
    message = _message(code, log, kernels, limit)
    error_text = log[:_MOST] if message else ""
    return Outcome(program.file, not message, kernels, message, error_text, round(used, 3), stages)


def _absolute(option: str, folder: Path) -> str:
    return f"-I{folder / option[2:]}" if option.startswith("-I") else option


def _wait(pid: int, limit: float) -> tuple[int, float]:
    """Wait for a process and what it leaves behind; give its exit status and the processor time of all."""
    code, used, ends = -signal.SIGKILL, 0.0, time.monotonic() + limit
    killed = False
    while True:
        try:
            ended, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return code, used
        if ended:
            used += usage.ru_utime + usage.ru_stime
            code = os.waitstatus_to_exitcode(status) if ended == pid and not killed else code
        elif time.monotonic() > ends and not killed:
            killed = True
            os.kill(pid, signal.SIGKILL)  # its compilers notice, and end too
        else:
            time.sleep(0.01)


def _message(code: int, words: str, kernels: int, limit: float) -> str:
    """Give the first line that says what is wrong."""
    if code == 0:
        return "" if kernels else "has only templates of kernels, and nothing that launches them"
    if code < 0:
        return f"ended by signal {-code}" if words or -code != signal.SIGKILL else f"took longer than {limit:.0f} s"
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    lines = [line for line in lines if not line.endswith("does not compile:")]
    errors = [line for line in lines if re.search(r": (fatal )?error: ", line)]
    return (errors or lines or [f"ended with exit code {code}"])[0].removeprefix("Error: CompileError: ")


def percentile(values: Sequence[float], part: float) -> float:
    """Give the value that `part` of all are not above."""
    return sorted(values)[max(0, -(-int(len(values) * part * 1000) // 1000) - 1)] if values else 0.0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", type=Path, metavar="FILE", help=f"default: {LIST} of the folder")
    parser.add_argument("--device", default="intel", metavar="WORDS", help="as lp.device takes it; default: intel")
    parser.add_argument("--toolkit", metavar="FOLDER", help="the CUDA whose headers are used")
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="of each program; default: 300")
    parser.add_argument("--draw", type=int, metavar="COUNT", help="take only so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    folder = options.folder.resolve()
    programs = read_list(folder, options.list)
    if options.draw is not None:
        programs = random.Random(options.seed).sample(programs, min(options.draw, len(programs)))
    adopt_orphans()
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="launchpath-published-") as cache:
        around = surroundings(options.device, options.toolkit, cache)
        first = Path(cache, "first.cu")
        for text in (_FIRST, _EMPTY):  # the second: what a process costs that compiles next to nothing
            first.write_text(text, encoding="utf-8")
            least = compile_one(Published(first.name), Path(cache), options.device, around, options.limit)
        for program in programs:
            outcomes.append(compile_one(program, folder, options.device, around, options.limit))
            outcome = outcomes[-1]
            print(
                f"{outcome.processor_s:7.2f} s  {outcome.kernels:4} kernels  {outcome.file}  {outcome.message}",
                flush=True,
            )
    compiled = [outcome for outcome in outcomes if outcome.compiled]
    times = [outcome.processor_s for outcome in compiled]
    shares = {"median": percentile(times, 0.5), "90th percentile": percentile(times, 0.9), "most": max([0, *times])}
    kernels = sum(outcome.kernels for outcome in compiled)
    print(f"{len(compiled)} of {len(outcomes)} programs compile on {options.device}, {kernels} kernels")
    print("processor time: " + ", ".join(f"{name} {value:.2f} s" for name, value in shares.items())
          + f"; of a kernel of one line {least.processor_s:.2f} s")  # fmt: skip
    if options.json:
        result: dict[str, Any] = {
            "device": options.device,
            "toolkit": bool(options.toolkit),
            "programs": len(outcomes),
            "compiled": len(compiled),
            "processor_s": shares,
            "least_s": least.processor_s,
            "outcomes": [outcome._asdict() for outcome in outcomes],
        }
        Path(options.json).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return int(len(compiled) * 100 < options.least * len(outcomes))


if __name__ == "__main__":
    raise SystemExit(main())

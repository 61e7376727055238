"""Draw published programs that check themselves, build and run each as it is, and count how they end.

    .venv/bin/python -m benchmarks.published_programs FOLDER --seed 20261203 --number 60 --json result.json

FOLDER holds programs as HeCBench's ``src`` does: a folder ``NAME-hip`` or ``NAME-cuda`` each, with a Makefile whose
target ``run`` starts the program. Half of those drawn are HIP, half CUDA, and no name comes twice. A program may be
drawn if

- its Makefile builds it with hipcc or nvcc, and names no library of a vendor (BLAS, FFT, random numbers on the host,
  NCCL, MPI and such), nor does an ``#include`` of its own files;
- it says how right it is: its files have a word such as PASS, FAIL, mismatch, error, verify or reference;
- the files that its target ``run`` names are there, and those that it turns out to read.

Each is built in a copy of its folder, whose neighbours are those of FOLDER, by ``make`` with launchpath's compiler, and
is not changed. Then its own ``run`` starts it. ``published_programs.json`` has what a program needs besides:

``arguments``  those of the program, since a problem that is made for a GPU takes long on a CPU
``make``       variables of its Makefile, by which it checks its results
``right``      a regular expression of the right output, where its check has other words than most
``absent``     what it lacks, data or a check: it is not counted, and another is drawn
``remark``     what else one has to know

The outcomes:

passed       it ended well and said PASS, or printed an error measure that is small, or the right output
no check     it ended well, and printed nothing that a program could read as a check
check failed it said FAIL, mismatch or the like, or printed an error measure that is large
refused      launchpath refused a call, and the program ended for that reason
compile      it was not built
crashed      a signal or an exit code that is not 0 ended it, without such words
timeout      it had no end in ``--timeout`` seconds
too large    the same, and no argument makes its problem smaller
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import launchpath as lp
from benchmarks.hip_conformance import versions

Table = dict[str, dict[str, str]]

_ABOUT = Path(__file__).with_suffix(".json")
_COMPILERS = {"hip": "launchpath-hipcc", "cuda": "launchpath-nvcc"}
_SOURCES = (".cu", ".hip", ".cpp", ".cc", ".c", ".cuh", ".h", ".hpp", ".hh")
_VENDORS = r"blas|fft|rand|sparse|solver|dnn|tensor|nccl|rccl|nvshmem|cutlass|cute|gsl|boost|openblas|lapack|opencv|mkl"
_VENDOR_OPTION = re.compile(rf"-l\s*(?:cu|hip|roc)?(?:{_VENDORS})\w*|mpi(?:cc|cxx|run|c\+\+)|\bMPI|nvshmem|CUTLASS")
_VENDOR_HEADER = re.compile(
    r'^\s*#\s*include\s*[<"](?:(?:cu|hip|roc)(?:blas|fft|rand|sparse|solver|dnn|tensor)(?!\w*_kernel)[\w.]*'
    r"|(?:hip|roc)(?:rand|blas|fft|sparse|solver)/(?!\w*_kernel)|(?:nccl|rccl|mpi|mkl|cblas|lapacke)\.h|(?:cutlass|cute|"
    r"opencv2|boost|gsl|nvshmem|miopen)[/.])",
    re.MULTILINE,
)
_CHECKS_ITSELF = re.compile(
    r"pass(?:ed)?\b|\bfail|mismatch|incorrect|verif|validat|max\w*\W?err|error rate|rmse|\breference|\bcompare",
    re.IGNORECASE,
)
_GOOD = re.compile(
    r"\bpass(?:ed)?\b|\bsuccess(?:ful|fully)?\b|test ok|verified|\bcorrect\b|results? match|no errors?", re.IGNORECASE
)
_BAD = re.compile(
    r"\bfail(?:ed|ure|s)?\b|mismatch|incorrect|\bwrong\b|do(?:es)? not match|not equal|\bdiffers?\b", re.IGNORECASE
)
_NUMBER = r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)"
_MEASURE = re.compile(
    rf"^.*(?:\berror\b|\berrors\b|rmse|\bdiff\w*|deviation|norm\b)[^\d\n]{{0,40}}?({_NUMBER})\b.*$", re.I | re.M
)
_REASON = re.compile(r"^launchpath: ((?:hip|cuda)\w+: .*)$", re.MULTILINE)
_SMALL = 1e-2


def text_of(folder: Path) -> str:
    """Give all that a program's own files say."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in _SOURCES and path.is_file())
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def commands(folder: Path, *options: str) -> list[str]:
    """Ask make what its target 'run' does; nothing if it has no such target."""
    asked = subprocess.run(["make", "-n", "run", *options], cwd=folder, capture_output=True, text=True, check=False)
    lines = asked.stdout.replace("\\\n", " ").splitlines() if asked.returncode == 0 else []
    return [line for line in lines if re.match(r"\s*(?:\S+=\S+\s+)*\./", line)]


def may_be_drawn(folder: Path) -> bool:
    """Tell whether a program meets the criteria."""
    makefile = folder / "Makefile"
    if not makefile.exists() or _VENDOR_OPTION.search(makefile.read_text(encoding="utf-8", errors="replace")):
        return False
    text = text_of(folder)
    if _VENDOR_HEADER.search(text) or not _CHECKS_ITSELF.search(text):
        return False
    lines = commands(folder)
    words = [word for line in lines for word in line.split()[1:]]
    named = [word for word in words if re.fullmatch(r"[\w./+-]*(?:/[\w./+-]+|\.[a-z]\w{1,4})", word)]
    return bool(lines) and all((folder / word).exists() for word in named)


def draw(folder: Path, seed: int, number: int, about: Table) -> list[str]:
    """Choose programs, HIP and CUDA in turn."""
    order = random.Random(seed)
    names = sorted({path.name.rpartition("-")[0] for path in folder.glob("*-*") if path.is_dir()})
    order.shuffle(names)
    chosen: list[str] = []
    for name in names:
        if len([each for each in chosen if "absent" not in about.get(each, {})]) == number:
            break
        program = f"{name}-{('hip', 'cuda')[len(chosen) % 2]}"
        if may_be_drawn(folder / program):
            chosen.append(program)
    return [each for each in chosen if "absent" not in about.get(each, {})]


def call(
    command: list[str], folder: Path, timeout: float, environment: dict[str, str]
) -> tuple[int | None, str, str, float]:
    """Run a command; give its exit code, or None if it has no end, its output, its errors and the seconds."""
    begin = time.monotonic()
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            output, errors = process.communicate(timeout=timeout)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            code = None
    seconds = round(time.monotonic() - begin, 1)
    return code, output.decode(errors="replace"), errors.decode(errors="replace"), seconds


def measure(output: str) -> tuple[str, bool] | None:
    """Find the error measure that an output ends with: its line, and whether it is small."""
    matches = list(_MEASURE.finditer(output))
    return (matches[-1][0].strip(), abs(float(matches[-1][1])) < _SMALL) if matches else None


def outcome(code: int | None, output: str, errors: str, right: str | None = None) -> dict[str, Any]:
    """Say how a program ended, and why; `right` is a regular expression of the right output."""
    text = output + "\n" + re.sub(r"^launchpath: .*\n?", "", errors, flags=re.MULTILINE)
    reasons = [*dict.fromkeys(_REASON.findall(errors))]
    measured = measure(text)
    bad = next((line.strip() for line in text.splitlines() if _BAD.search(line)), "")
    good = next((line.strip() for line in text.splitlines() if _GOOD.search(line) and not _BAD.search(line)), "")
    if code is None:
        return {"outcome": "timeout"}
    if right is not None and code == 0 and not reasons:
        matches = re.search(right, text)
        return {"outcome": "passed"} if matches else {"outcome": "check failed", "reason": f"expected {right}"}
    if code and reasons:
        return {"outcome": "refused", "reason": reasons[-1][:300]}
    if bad or (measured and not measured[1] and not good):
        return {"outcome": "check failed", "reason": (bad or measured[0] if measured else bad)[:300]}
    if code:
        return {"outcome": "crashed", "code": code, "reason": " ".join(text.split())[-300:]}
    if good or measured:
        said_so = {"check": (good or measured[0] if measured else good)[:120]}
        return {"outcome": "passed", **said_so, **({"refused_calls": reasons} if reasons else {})}
    return {"outcome": "no check", "reason": " ".join(text.split())[-200:]}


def one(folder: Path, program: str, about: dict[str, str], options: argparse.Namespace) -> dict[str, Any]:
    """Build and run a program."""
    beside = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}", "LAUNCHPATH_LOG": "1"}
    environment["LAUNCHPATH_DEVICE"] = options.device
    compiler = f"CC={_COMPILERS[program.rpartition('-')[2]]}"
    result: dict[str, Any] = {"program": program, **{key: about[key] for key in about.keys() - {"right"}}}
    make = ["make", compiler, *shlex.split(about.get("make", ""))]
    with tempfile.TemporaryDirectory(prefix="published-", dir=options.work) as work:
        for path in folder.iterdir():
            if path.name != program:
                (Path(work) / path.name).symlink_to(path)
        copy = Path(work) / program
        shutil.copytree(folder / program, copy, symlinks=True)
        code, output, errors, seconds = call(make, copy, options.build_timeout, environment)
        result["build_seconds"] = seconds
        if code != 0:
            lines = [line for line in (errors + output).splitlines() if "error" in line or "Error" in line]
            return result | {"outcome": "compile", "reason": " | ".join(lines or [errors[-300:]])[:300]}
        command = [*make, "run"]
        if "arguments" in about:
            command = [*commands(copy, *make[1:])[-1].split()[:1], *shlex.split(about["arguments"])]
        code, output, errors, seconds = call(command, copy, options.timeout, environment)
        if options.outputs:
            (options.outputs / f"{program}.txt").write_text(output + "\n--- errors\n" + errors, encoding="utf-8")
        ended = outcome(code, output, errors, about.get("right"))
        if code is None and "arguments" not in about:
            ended["outcome"] = "too large"
        return result | {"run_seconds": seconds} | ended


def options_of_command() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=20261203)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--programs", nargs="+", help="these, instead of drawing")
    parser.add_argument("--again", type=Path, help="a result: only what has not passed there is run")
    parser.add_argument("--draw", action="store_true", help="print the programs and their own commands, and end")
    parser.add_argument("--device", default="intel")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--build-timeout", type=float, default=300)
    parser.add_argument("--work", type=Path, help="where the copies are made")
    parser.add_argument("--outputs", type=Path, help="a folder for what each program prints")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> int:
    """Draw, build, run and count."""
    options = options_of_command()
    folder = options.folder.resolve()
    about: Table = json.loads(_ABOUT.read_text(encoding="utf-8"))
    drawn = options.programs or draw(folder, options.seed, options.number, about)
    before: list[dict[str, Any]] = (
        json.loads(options.again.read_text(encoding="utf-8"))["programs"] if options.again else []
    )
    kept = {each["program"]: each for each in before if each["outcome"] == "passed" and "refused_calls" not in each}
    programs = [program for program in drawn if program not in kept]
    if options.draw:
        for program in drawn:
            print(program, *commands(folder / program), sep="\n    ")
        return 0
    os.environ["LAUNCHPATH_DEVICE"] = options.device
    report: dict[str, Any] = {"versions": versions(), "device": lp.current_device().name, "seed": options.seed}
    report["counts"] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda program: one(folder, program, about.get(program, {}), options), programs):
            kept[result["program"]] = result
            results = [kept[program] for program in drawn if program in kept]
            print(*(f"{word}" for word in result.values()), sep="  ", flush=True)
            report |= {"counts": Counter(each["outcome"] for each in results), "programs": results}
            if options.json:
                options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(dict(report["counts"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

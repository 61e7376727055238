"""Build ROCm's tests of HIP's functions as they are, run them, and count them.

    .venv/bin/python -m benchmarks.hip_conformance FOLDER --build BUILD --device intel --json result.json

FOLDER is the folder ``catch`` of ROCm's hip-tests. CMake and Ninja build it with launchpath's compiler, in BUILD. A
file that does not compile is left out, and its executable is linked without it; the report names such files.
``--targets`` names the executables, ``--tests`` a regular expression for tests' names, and ``--built`` takes what BUILD
has already.

``--batch`` tests run in a process after each other. What does not pass there runs again, in a process of its own, and
that is what counts: another test cannot be the reason. A test passed if its process says so, and was skipped if the
suite itself skips it on this device. It is excluded, and does not run, if the suite's own list leaves it out on all of
AMD's devices. Any other test failed, crashed or had no end after ``--timeout`` seconds. The report has the first check
of each that failed, and why launchpath refused a call.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import launchpath as lp

TARGETS = (
    "EventTest", "ErrorHandlingTest", "StreamTest", "OccupancyTest", "ExecutionControlTest", "KernelTest",
    "PrintfTest", "CallbackTest", "ModuleTest", "DeviceTest", "MemoryTest1", "MemoryTest2", "GraphsTest1",
    "GraphsTest2", "RTC", "UnitDeviceTests",
)  # fmt: skip
_CHECK = re.compile(r"^(\S+:\d+): FAILED:\n(.*?)(?:\n\n|\n[=.-]{20,}|\Z)", re.MULTILINE | re.DOTALL)
_REASON = re.compile(r"^launchpath: ((?:hip|cuda)\w+: .*)$", re.MULTILINE)
_SKIPPED = ("HIP_SKIP_THIS_TEST", "Skipping", "skipped", "Test Skipped")


def toolkit() -> str:
    """Give the folder that CMake takes for ROCm's."""
    command = [sys.executable, "-m", "launchpath", "c++", "--print-toolkit-dir"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def configure(folder: Path, build: Path) -> None:
    """Let CMake make the files for Ninja."""
    options = ["-DHIP_PLATFORM=amd", f"-DHIP_PATH={toolkit()}"]
    subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", build, *options], check=True, capture_output=True)


def make_helpers(build: Path, jobs: int) -> None:
    """Build what tests load or start while they run, which no executable of tests depends on."""
    all_built = _inputs(build, "build_tests")["build_tests"]
    units = [name for name in all_built if name.startswith("catch_tests/unit/")]
    helpers = [name for name, inputs in _inputs(build, *units).items() if not any("Main_Object" in i for i in inputs)]
    subprocess.run(["ninja", "-C", build, f"-j{jobs}", "-k0", *helpers], capture_output=True, check=False)


def _inputs(build: Path, *targets: str) -> dict[str, list[str]]:
    """Name what targets are built from."""
    asked = subprocess.run(["ninja", "-C", build, "-t", "query", *targets], capture_output=True, text=True, check=True)
    blocks = re.findall(r"^(\S.*):\n  input: .*\n((?:    .*\n)*)", asked.stdout, re.MULTILINE)
    return {name: lines.split() for name, lines in blocks}


def make(build: Path, target: str, jobs: int, compiles: bool) -> tuple[Path | None, list[str]]:
    """Build an executable of the files that compile; give it, and the files that do not."""
    if compiles:
        subprocess.run(["ninja", "-C", build, f"-j{jobs}", "-k0", target], capture_output=True, check=False)
    asked = subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True, check=True)
    line = next(each for each in reversed(asked.stdout.splitlines()) if f"/{target} " in each)
    words = shlex.split(line.removeprefix(": && ").removesuffix(" && :"))
    objects = [word for word in words if word.endswith(".o")]
    lost = [word for word in objects if not (build / word).exists()]
    path = build / words[words.index("-o") + 1]
    newest = (
        max((build / word).stat().st_mtime for word in objects if word not in lost) if len(lost) < len(objects) else 0
    )
    if compiles or not path.exists() or path.stat().st_mtime < newest:
        kept = [word for word in words if word not in lost]
        linked = subprocess.run(kept, cwd=build, capture_output=True, text=True, check=False)
        if linked.returncode:
            sys.stderr.write(linked.stderr)
            return None, lost
    return path, lost


def names(path: Path) -> list[str]:
    """List the tests of an executable."""
    command = [path, "--list-test-names-only"]
    asked = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    return [line.strip() for line in asked.stdout.splitlines() if line.strip() and not line.startswith("launchpath")]


class Ended(NamedTuple):
    """How a process ended."""

    code: int | None  # None: it did not end in time
    output: str
    errors: str


def start(command: list[str | Path], timeout: float, environment: dict[str, str]) -> Ended:
    """Run a process to its end. What it leaves running ends with it: its children may hold its output open."""
    folder = os.path.dirname(command[0])
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment,
            start_new_session=True,
        )  # fmt: skip
        try:
            code: int | None = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Ended(code, *texts)


def passed(path: Path, chosen: list[str], timeout: float, environment: dict[str, str]) -> dict[str, str]:
    """Run tests after each other in a process; give the outcomes of those that passed or were skipped."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f'"{each}"\n' for each in chosen)
        file.flush()
        output = start([path, "--durations", "yes", "--input-file", file.name], timeout, environment).output
    parts = re.split(r"(?m)^[\d.]+ s: (.*)$", output)
    outcomes = {}
    for text, name in zip(parts[::2], parts[1::2], strict=False):
        if "FAILED:" not in text and "fatal error condition" not in text:
            outcomes[name.strip()] = "skipped" if any(word in text for word in _SKIPPED) else "passed"
    return {name: outcomes[name] for name in chosen if name in outcomes}


def run_all(path: Path, chosen: list[str], options: argparse.Namespace, environment: dict[str, str]) -> list[Any]:
    """Run tests; give the result of each."""
    size = options.batch
    batches = [chosen[start : start + size] for start in range(0, len(chosen), size)] if size > 1 else []
    with ThreadPoolExecutor(options.jobs) as pool:
        known: dict[str, str] = {}
        for outcomes in pool.map(lambda batch: passed(path, batch, options.timeout * 2, environment), batches):
            known |= outcomes
            print(".", end="", file=sys.stderr, flush=True)
        others = [name for name in chosen if name not in known]
        alone = pool.map(lambda name: run(path, name, options.timeout, environment), others)
        return [*({"name": name, "outcome": outcome} for name, outcome in known.items()), *alone]


def excluded(folder: Path) -> list[str]:
    """List the tests that the suite's own list leaves out on AMD's devices, whichever they are."""
    text = (folder / "hipTestMain" / "config" / "config_amd_linux").read_text(encoding="utf-8")
    common = re.search(r"#if defined COMMON\n(.*?)#endif", text, re.DOTALL)
    return re.findall(r'"(\w[^"]*)"', common[1]) if common else []


def run(path: Path, name: str, timeout: float, environment: dict[str, str]) -> dict[str, Any]:
    """Run one test."""
    chosen = re.sub(r"([,\[\]*\\])", r"\\\1", name)
    code, text, log = start([path, chosen], timeout, environment)
    result: dict[str, Any] = {"name": name, "outcome": "passed"}
    if code is None:
        result["outcome"] = "timeout"
    elif code == 0:
        result["outcome"] = "skipped" if any(word in text for word in _SKIPPED) else "passed"
        return result
    elif code < 0 or "fatal error condition" in text or "SIG" in text:
        result["outcome"] = "crashed"
    else:
        result["outcome"] = "failed"
    if checks := _CHECK.findall(text):
        result["check"] = f"{os.path.basename(checks[0][0])}: {' '.join(checks[0][1].split())}"[:400]
    elif code is not None:
        result["check"] = " ".join((text + log)[-300:].split())
    if reasons := _REASON.findall(log):
        result["log"] = [each[:200] for each in dict.fromkeys(reasons[-3:])]
    return result


def versions() -> dict[str, str]:
    """Name what the figures are of."""
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return {
        "launchpath": lp.__version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor[1] if processor else platform.machine(),
    }


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--built", action="store_true", help="compile nothing")
    parser.add_argument("--device", default="intel")
    parser.add_argument("--targets", nargs="+", default=TARGETS)
    parser.add_argument("--tests", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> int:
    """Build, run and count."""
    options = arguments()
    environment = {**os.environ, "LAUNCHPATH_DEVICE": options.device, "LAUNCHPATH_LOG": "1"}
    os.environ["LAUNCHPATH_DEVICE"] = options.device
    if not (options.build / "build.ninja").exists():
        configure(options.folder.resolve(), options.build)
    report: dict[str, Any] = {"versions": versions(), "device": lp.current_device().name, "executables": {}}
    left_out = excluded(options.folder)
    if not options.built:
        make_helpers(options.build, options.jobs)
    for target in options.targets:
        path, lost = make(options.build.resolve(), target, options.jobs, not options.built)
        tests: list[dict[str, Any]] = []
        if path is not None:
            named = [name for name in names(path) if re.search(options.tests, name)]
            chosen = [name for name in named if not any(fnmatch(name, pattern) for pattern in left_out)]
            tests = run_all(path, chosen, options, environment)
            tests += [{"name": name, "outcome": "excluded"} for name in named if name not in set(chosen)]
        counts = Counter(test["outcome"] for test in tests)
        report["executables"][target] = {
            "counts": dict(counts),
            "does_not_compile": lost,
            "tests": [test for test in tests if test["outcome"] not in ("passed", "excluded")],
        }
        print(f"{target}: {dict(counts)}, {len(lost)} files do not compile", flush=True)
        if options.json:
            options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

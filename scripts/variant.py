"""Build the core in another way, in a folder of its own, and run tests with it.

    python scripts/variant.py asserts [pytest's arguments]
    python scripts/variant.py sanitize [pytest's arguments]
    python scripts/variant.py docs --build-only

``asserts`` aborts where the core comes into an impossible state (``_core/base/assertion.h``). ``sanitize`` is that too,
under gcc's AddressSanitizer and UndefinedBehaviorSanitizer: whatever they report, in whatever process, is printed at
the end and an error. The folder is ``build/NAME``, with links to the rest of the package. Without tests among the
arguments, those in `TESTS` run: of all that the core does on the simulated driver, and few that start a compiler.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "launchpath"

# The files of tests/unit, by their folders and nouns, that test the core on the simulated driver.
UNIT = """
    blocks/* core/asserts core/layer core/refusal core/sealed core/simulated compiler/spilled host/plain_calls
    launch/kernel launch/launcher launch/packing launch/result* memory/array memory/memory memory/read order/*
    staged/failure staged/refusal staged/staged staged/streams streams/closed streams/current streams/device
    streams/event streams/host_function streams/stream
"""
TESTS = [
    str(path)
    for folder, _, noun in (name.partition("/") for name in UNIT.split())
    for path in sorted((ROOT / "tests" / "unit" / folder).glob(f"test_{noun}.py"))
]
TESTS += [f"tests/faults/test_{noun}.py" for noun in ("driver_calls", "asynchronous", "threads", "interrupts")]
TESTS += ["tests/model"]
# It measures, and these builds are slow.
TESTS += ["--deselect", "tests/unit/order/test_depth.py::test_the_clock_decides_about_the_delay"]

VARIANTS = {
    "docs": {"LAUNCHPATH_BUILD_PLAIN": "1"},  # for `make docs` without .venv
    "asserts": {"LAUNCHPATH_BUILD_ASSERTS": "1"},
    "sanitize": {"LAUNCHPATH_BUILD_ASSERTS": "1", "LAUNCHPATH_BUILD_SANITIZE": "1", "LAUNCHPATH_BUILD_DEBUG": "1"},
}


def build(name: str) -> Path:
    """Build a variant; returns the folder that it is imported from."""
    folder = ROOT / "build" / name
    command = [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(folder)]
    command += ["--build-temp", str(folder / "temp")]
    result = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **VARIANTS[name]}, text=True, stderr=subprocess.PIPE, check=False
    )
    if result.returncode:
        sys.exit(f"{result.stderr}\nexpected the variant {name!r} to be built, got exit status {result.returncode}")
    # A condition that Cython puts into a variable is evaluated by the core that is shipped, too.
    computed = re.findall(r"LP_ASSERT\([^\n]*__pyx_t_[^\n]*", (next((folder / "temp").rglob("core.c"))).read_text())
    if computed:
        sys.exit(f"expected conditions that are expressions in C, got {computed}: see _core/base/assertion.h")
    for path in (folder / "launchpath").iterdir():
        if path.is_symlink():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)  # the C libraries that were built with the core: those of the package are used
    for path in PACKAGE.iterdir():
        if path.suffix != ".so" and path.name != "__pycache__":
            (folder / "launchpath" / path.name).symlink_to(path)
    return folder


def library(name: str) -> str:
    """The path of a library of the C compiler's own."""
    command = [*os.environ.get("CC", "gcc").split(), f"-print-file-name={name}"]
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()


def sanitized(reports: Path) -> dict[str, str]:
    """The environment of processes that use the core under sanitizers.

    AddressSanitizer writes to files in `reports`; the other one cannot beside it, so it writes to the standard error.
    Either ends the process.
    """
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    return {
        "LD_PRELOAD": library("libasan.so"),
        "PYTHONMALLOC": "malloc",  # Python's own allocator hides what is wrong with its blocks
        # A thread that Python ends at the exit leaves its stack poisoned. AddressSanitizer would take that
        # for a mistake as it gives back the stack that it made for signals: it makes none.
        "ASAN_OPTIONS": f"detect_leaks=0:use_sigaltstack=0:log_path={reports}/address",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def run(command: list[str], environment: dict[str, str]) -> tuple[int, list[str]]:
    """Run a command; its exit status, and the lines of UndefinedBehaviorSanitizer's on its standard error."""
    lines = []
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            print(line, end="", file=sys.stderr, flush=True)
            if "runtime error:" in line:
                lines.append(line.rstrip())
    return process.returncode, lines


def main() -> int:
    """Build a variant and run tests; the exit status is pytest's, or 1 if there are reports."""
    if len(sys.argv) < 2 or sys.argv[1] not in VARIANTS:
        sys.exit(__doc__)
    name, arguments = sys.argv[1], sys.argv[2:]
    folder = build(name)
    if arguments == ["--build-only"]:
        return 0
    reports = folder / "reports"
    environment = {**os.environ, "PYTHONPATH": str(folder), "LAUNCHPATH_TEST_VARIANT": name}
    if name == "sanitize":
        environment |= sanitized(reports)
        arguments.append("--capture=sys")  # or reports are lost with what a test has written that passes
    if not any(argument.startswith("tests") for argument in arguments):
        arguments += TESTS
    status, reported = run([sys.executable, "-m", "pytest", *arguments], environment)
    if name == "sanitize":
        reported += [f"{path}\n{path.read_text(errors='replace')}" for path in sorted(reports.iterdir())]
        print(f"{len(reported)} reports of the sanitizers", *reported, sep="\n")
    return status or int(bool(reported))


if __name__ == "__main__":
    sys.exit(main())

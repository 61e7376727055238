"""docs/any-program/opencl.md is true: its program compiles, its commands run, and the report has the page's rows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import blocks
from tests.recorder.opencl import platform
from tests.recorder.programs import traced
from tests.standin.build import compiler

PAGE = "docs/any-program/opencl.md"

pytestmark = [
    pytest.mark.compiles,
    pytest.mark.processes,
    pytest.mark.skipif(not (blocks.ROOT / PAGE).exists(), reason="not in a checkout"),
]


def built(folder: Path, loader: str) -> Path:
    """Compile the page's program, and link it with a loader in place of the system's."""
    (source,) = blocks.blocks(PAGE, "c")
    (folder / "twice.c").write_text(source, encoding="utf-8")
    linked = ["-l:" + os.path.basename(loader), "-L" + os.path.dirname(loader), "-Wl,--allow-shlib-undefined"]
    words = [*compiler(), "-Wall", "-Werror", "twice.c", "-o", "twice", *linked]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    if "CL/cl.h" in done.stderr:
        pytest.skip("OpenCL's headers are not installed")
    assert done.returncode == 0, done.stderr
    return folder / "twice"


def rows(text: str) -> set[tuple[str, str]]:
    """Names and numbers of calls of the rows in a report's tables."""
    return set(re.findall(r"^ *(\w[^|\n]*?) +\| [^|\n]+ \| +[\d.]+% \| +(\d+) \|", text, re.MULTILINE))


def test_the_program_prints_and_is_reported_as_the_page_says(tmp_path: Path) -> None:
    loader, variables = platform("Intel")
    (session,) = blocks.blocks(PAGE, "console")
    (report,) = [block for block in blocks.blocks(PAGE, "text") if "twice" in block]
    build, trace, printed, remark, show = session.strip().splitlines()
    assert build == "$ cc twice.c -o twice -lOpenCL"
    assert trace == "$ launchpath trace --output twice.lptrace -- ./twice"
    assert show == "$ launchpath report twice.lptrace"

    done = traced(tmp_path, built(tmp_path, loader), options=("--output", "twice.lptrace"), **variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{printed}\n", f"{remark}\n")
    words = [sys.executable, "-m", "launchpath", "report", "twice.lptrace"]
    shown = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True).stdout
    assert len(rows(report)) >= 6
    assert rows(report) <= rows(shown)
    # What holds a program back depends on the machine: three lines at most, and an empty one.
    lines = shown.splitlines()[: shown.splitlines().index("")]
    assert 1 <= len(lines) <= 3 and ("`repetition of twice`" in lines[0] or lines[0].startswith("1. "))
    assert shown.splitlines()[len(lines) + 1].startswith("1 host, 1 process, 1 thread, 1 device, 1 stream; ")
    assert re.search(r"^records of opencl took .*: 102 commands, .*; 5 other calls, ", shown, re.MULTILINE)

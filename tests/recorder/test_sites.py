"""Source lines of calls, in traces of Python programs of each version that is here."""

import functools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

import launchpath as lp
from launchpath._trace import format
from scripts.interpreters import search
from tests.recorder.programs import FOLDER, traced
from tests.standin.build import compile_c, library
from tests.tracing.raw import Raw, read

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

VERSIONS = ("3.11", "3.12", "3.13")
PROGRAM = FOLDER / "python" / "sites.py"


@functools.cache
def interpreters() -> dict[str, str]:
    """The Pythons of this machine, by version."""
    return {".".join(map(str, each.version[:2])): each.path for each in search()}


def interpreter(version: str) -> str:
    if version not in interpreters():
        pytest.skip(f"there is no Python {version}")
    return interpreters()[version]


def run(python: str, folder: Path, scene: str, *options: str, gil: str = "released") -> dict[str, Any]:
    words = (python, "-Es", PROGRAM, library("cuda"), gil, scene)
    done = traced(folder, *words, options=("--mode", "host", *options), STANDIN_KERNELS=str(library("kernels")))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def sites(raw: Raw) -> dict[str, list[str]]:
    """Give the sites of cuInit, for each thread."""
    found: dict[str, list[str]] = {}
    for thread, parts in raw.threads.items():
        slots = numpy.concatenate(parts)
        calls = slots[slots[:, 0] == format.CALL].view(format.CALL_SLOT)[:, 0]
        evidence = slots[slots[:, 0] == format.EVIDENCE].view(format.EVIDENCE_SLOT)[:, 0]
        number = {int(slot["correlation"]): int(slot["site"]) for slot in evidence}
        assert len(number) == len(evidence)
        entry = raw.meta["entries"].index("cuInit")
        mine = [number[int(call["correlation"])] for call in calls if call["entry"] == entry]
        if mine:
            found[str(thread)] = [raw.names[site] if site else "" for site in mine]
    return found


@pytest.mark.sample(3)
@pytest.mark.parametrize("gil", ["held", "released"])
@pytest.mark.parametrize("version", VERSIONS)
def test_each_call_has_the_line_that_it_came_from(tmp_path: Path, version: str, gil: str) -> None:
    said = run(interpreter(version), tmp_path, "everything", "--findings", gil=gil)
    raw = read(tmp_path / "t.lptrace")
    assert sites(raw) == said["lines"]
    assert said["places"] < said["codes"]  # else nothing was tried of what comes again
    assert (raw.meta["findings"], raw.meta["sites"]) == (True, {"from": "Python"})
    assert all(number > format.SITE_NAMES for number, name in raw.names.items() if ".py:" in name)


@pytest.mark.sample(1)
@pytest.mark.parametrize("version", VERSIONS)
def test_threads_and_a_forked_child_have_their_own(tmp_path: Path, version: str) -> None:
    python = interpreter(version)
    said = run(python, tmp_path, "threads", "--findings")
    found = sites(read(tmp_path / "t.lptrace"))
    # Numbers of threads that have ended may come again, so their lines may stand behind those of another one.
    assert sorted(line for lines in found.values() for line in lines) == sorted(
        line for lines in said["lines"].values() for line in lines
    )
    assert len(found) == len(said["lines"]) > 1
    for thread, lines in said["lines"].items():
        assert found[thread] == lines
    (tmp_path / "fork").mkdir()
    said = run(python, tmp_path / "fork", "forks", "--findings")
    first, child = sorted((tmp_path / "fork").glob("*.lptrace"), key=lambda path: len(path.name), reverse=False)
    assert sites(read(first)) == said["lines"]
    assert sites(read(child)) == json.loads((tmp_path / "fork" / "child.json").read_text())


@pytest.mark.sample(1)
@pytest.mark.parametrize("version", VERSIONS)
def test_with_several_interpreters_nothing_is_told(tmp_path: Path, version: str) -> None:
    said = run(interpreter(version), tmp_path, "interpreters", "--findings")
    assert sites(read(tmp_path / "t.lptrace")) == said["lines"]
    assert "" in next(iter(said["lines"].values()))


def test_without_sites_and_without_findings(tmp_path: Path) -> None:
    run(sys.executable, tmp_path, "everything", "--findings", "--no-sites")
    raw = read(tmp_path / "t.lptrace")
    assert set(raw.slots(format.EVIDENCE)["site"].tolist()) == {0}
    assert raw.meta["sites"] == {"from": None}
    (tmp_path / "plain").mkdir()
    run(sys.executable, tmp_path / "plain", "everything")
    raw = read(tmp_path / "plain" / "t.lptrace")
    assert len(raw.slots(format.EVIDENCE)) == len(raw.slots(format.THREAD)) == 0
    assert "findings" not in raw.meta
    assert lp.read_trace(tmp_path / "t.lptrace").summary().counts["dropped"] == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_layouts_are_those_of_the_headers(tmp_path: Path, version: str) -> None:
    words = "import sysconfig; print(sysconfig.get_path('include'))"
    python = interpreter(version)
    include = subprocess.run([python, "-Ec", words], capture_output=True, text=True, check=True).stdout.strip()
    if not (Path(include) / "internal" / "pycore_frame.h").exists():
        pytest.skip(f"there are no headers of Python {version}")
    core = Path(lp.__file__).parent / "_core"
    program = tmp_path / "layout"
    flags = ["-w", "-I", include, "-I", f"{include}/internal", "-I", core / "trace" / "records"]
    done = compile_c(*flags, "-o", program, FOLDER / "python" / "layout.c")
    assert done.returncode == 0, done.stderr
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == 15
    for line in said:
        name, expected, found = line.split()
        assert expected == found, f"{name} of Python {version}"

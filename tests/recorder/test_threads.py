"""Names of threads, of those too that have ended before the process."""

from pathlib import Path

import pytest

import launchpath as lp
from tests.recorder.programs import compiled, traced
from tests.standin.build import library
from tests.standin.client import IMAGE

pytestmark = [pytest.mark.compiles, pytest.mark.processes]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("threads_program", tmp_path_factory.mktemp("program"))


@pytest.mark.parametrize(("end", "code"), [("exit", 0), ("kill", 137)])
def test_threads_that_ended_have_their_names(program: Path, tmp_path: Path, end: str, code: int) -> None:
    (tmp_path / "image").write_bytes(IMAGE)
    variables = {"STANDIN_KERNELS": str(library("kernels"))}
    words = (program, library("cuda"), end, tmp_path / "image")
    done = traced(tmp_path, *words, options=("--mode", "host"), **variables)
    assert done.returncode == code, done.stderr
    summary = lp.read_trace(tmp_path / "t.lptrace").summary()
    launches = {row["name"]: row["commands"] for row in summary.threads}
    assert launches == {"threads_program": 5, "early \\xff\\n": 10, "late": 20, "runs": 10}
    assert all(row["us"] > 0 and row["pid"] == summary.processes[0]["pid"] for row in summary.threads)
    assert "early \\xff\\n" in str(summary)


def test_perfetto_shows_the_names(program: Path, tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    (tmp_path / "image").write_bytes(IMAGE)
    variables = {"STANDIN_KERNELS": str(library("kernels"))}
    traced(tmp_path, program, library("cuda"), "exit", tmp_path / "image", options=("--mode", "host"), **variables)
    lp.read_trace(tmp_path / "t.lptrace").write_perfetto(tmp_path / "p")
    content = (tmp_path / "p").read_bytes()
    for name in (b"threads_program", b"late", b"runs", b"early \\xff"):
        assert name in content

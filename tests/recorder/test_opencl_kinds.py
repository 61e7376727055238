"""Each kind of command of OpenCL, counted by a program in C that checks its results."""

from collections import Counter
from pathlib import Path

import pytest

import launchpath as lp
from tests.recorder.opencl import platform
from tests.recorder.programs import compiled, traced

NO_PLATFORM, NO_EXTENSION = (3, 4), 7
KINDS = ("images", "boxes", "svm", "usm", "events", "buffers", "changed", "threads")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("opencl_kinds", tmp_path_factory.mktemp("program"))


def counts_of(output: str) -> Counter[str]:
    rows = (line.split() for line in output.splitlines())
    return Counter({name: int(count) for name, count in rows})


@pytest.mark.processes
@pytest.mark.parametrize("which", ["Intel", "Portable"])
@pytest.mark.parametrize("kind", KINDS)
def test_counts_are_those_of_the_program(program: Path, tmp_path: Path, kind: str, which: str) -> None:
    if (kind, which) == ("usm", "Portable"):
        pytest.skip("PoCL has no functions of Intel")
    loader, variables = platform(which)
    done = traced(tmp_path, program, loader, which, kind, **variables)
    if done.returncode in NO_PLATFORM:
        pytest.skip(f"no OpenCL platform is named {which}")
    if done.returncode == NO_EXTENSION:
        pytest.skip(f"{which} lacks it")
    assert done.returncode == 0, done.stderr
    counted = counts_of(done.stdout)
    saved = lp.read_trace(tmp_path / "t.lptrace")
    table, calls = saved.dispatches()[0], saved.calls()[0]
    accepted = ~table["failed"]
    commands = Counter(table["function"][accepted & ~table["in_graph"]].tolist())
    others = Counter(calls["name"][~calls["failed"]].tolist())
    seen = {name: commands[name] or others[name] for name in counted}
    assert seen == dict(counted)
    assert commands.keys() <= counted.keys()
    assert saved.summary().counts["not_understood"] == 0
    if kind in ("buffers", "changed"):
        in_graph = table["in_graph"]
        assert Counter(table["run"][in_graph].tolist()).keys() == set(
            range(1, 1 + counted["clEnqueueCommandBufferKHR"])
        )
        launches = in_graph & (table["command"] == "launch")
        assert set(table["name"][launches]) == {"add"}
        if kind == "buffers":
            assert Counter(table["command"][in_graph].tolist()) == {"fill": 5, "launch": 15, "copy": 5, "copy_rows": 5}
            assert Counter(table["bytes"][in_graph].tolist())[128] == 5
        else:
            assert table["grid_x"][launches].tolist() == [4, 2]
    else:
        assert table["timed"][accepted].all()
        assert (table["started"][accepted] <= table["ended"][accepted]).all()
    if kind == "threads":
        assert len(set(table["thread"].tolist())) == 4
        assert len(set(table["stream"].tolist())) == 5

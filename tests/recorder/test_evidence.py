"""Evidence of commands and calls: what copies move, what launches take, and which events are waited for."""

import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from launchpath._trace.format import ARGUMENTS, BLOCKING, CALL, CONTENT, EVIDENCE, PAGEABLE, PINNED
from tests.evidence import Evidence, evidence
from tests.recorder.opencl import platform
from tests.recorder.programs import FOLDER, traced
from tests.standin.build import compile_c
from tests.tracing.raw import Raw, read

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

Row = dict[str, Any]


def scenes(path: Path) -> dict[str, list[Row]]:
    """Give the evidence of a program's functions, by their names, in the order of the calls."""
    raw = read(path)
    table = evidence(raw.slots(EVIDENCE))
    found: dict[str, list[Row]] = {}
    for row in range(len(table.correlation)):
        site = raw.names.get(int(table.site[row]), "")
        names = [field.name for field in fields(Evidence)][:-2]
        values = {name: int(getattr(table, name)[row]) for name in names}
        values["waits"] = table.wait[table.wait_row == row].tolist()
        values["call"] = called(raw, values["correlation"])
        found.setdefault(site.rpartition(" ")[2], []).append(values)
    return found


def called(raw: Raw, correlation: int) -> str:
    slots = raw.slots(CALL)
    mine = slots[slots["correlation"] == correlation]
    if len(mine):
        return str(raw.meta["entries"][mine[0]["entry"]])
    details = [detail for command, detail in raw.commands() if command["correlation"] == correlation]
    return str(raw.meta["entries"][int(details[0]["number"])])


def changed(first: Row, second: Row) -> list[int]:
    """Tell which bytes of two launches' arguments differ."""
    return [place for place in range(8) if (first["arguments"] ^ second["arguments"]) >> 8 * place & 255]


@pytest.fixture(scope="module")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[Row]], dict[str, list[int]]]:
    folder = tmp_path_factory.mktemp("cuda")
    driver = folder / "libcuda-evidence.so"
    built = compile_c("-w", "-O1", "-fPIC", "-shared", "-o", driver, FOLDER / "c" / "evidence_driver.c")
    assert built.returncode == 0, built.stderr
    words = (sys.executable, FOLDER / "python" / "evidence_cuda.py", driver)
    done = traced(folder, *words, options=("--mode", "host", "--findings"))
    assert done.returncode == 0, done.stderr
    return scenes(folder / "t.lptrace"), json.loads(done.stdout)


@pytest.fixture(scope="module", params=["Intel", "Portable"])
def opencl(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("opencl")
    loader, variables = platform(request.param)
    words = (sys.executable, FOLDER / "python" / "evidence_opencl.py", loader, request.param)
    done = traced(folder, *words, options=("--mode", "device", "--findings"), **variables)
    if done.returncode == 4:
        pytest.skip(f"no OpenCL platform is named {request.param}")
    assert done.returncode == 0, done.stderr
    return scenes(folder / "t.lptrace"), json.loads(done.stdout)


Found = tuple[dict[str, list[Row]], dict[str, list[int]]]


def check_uploads(rows: list[Row], addresses: list[int]) -> None:
    """The first, second, third and fifth have the same bytes, the fourth has others."""
    contents = [row["content"] for row in rows]
    assert contents[0] == contents[1] == contents[2] == contents[4] != contents[3]
    assert [row["host"] for row in rows] == addresses
    assert all(row["flags"] & CONTENT for row in rows)


def check_last_differs(rows: list[Row]) -> None:
    assert all(row["flags"] & CONTENT for row in rows)
    assert rows[0]["content"] == rows[1]["content"] != rows[2]["content"]


def check_launches(rows: list[Row], n: int) -> None:
    """The second has another argument 2, the third another one of the last; the fourth is as the first."""
    first, second, third, fourth = rows
    assert all(row["flags"] == CONTENT | ARGUMENTS and row["count"] == n for row in rows)
    assert (changed(first, second), changed(first, third)) == ([2], [7])
    assert len({row["content"] for row in rows}) == 3
    assert (fourth["content"], fourth["arguments"]) == (first["content"], first["arguments"])


def test_cuda_uploads_of_equal_bytes_have_equal_content(cuda: Found) -> None:
    found, said = cuda
    check_uploads(found["uploads"], said["uploads"])
    assert [row["flags"] for row in found["uploads"]] == [CONTENT | BLOCKING | PAGEABLE] * 5


def test_cuda_tells_pinned_memory_and_what_waits(cuda: Found) -> None:
    found, _ = cuda
    up, down, waited = found["pinned"]
    assert [up["flags"], down["flags"]] == [CONTENT | PINNED, PINNED]
    assert waited["flags"] == CONTENT | PINNED | BLOCKING
    assert waited["content"] == up["content"]
    assert up["content"] == found["uploads"][0]["content"]
    up, down, pageable = found["downloads"]
    assert up["content"] == down["content"] == pageable["content"]
    assert {down["flags"], pageable["flags"]} == {CONTENT | PAGEABLE | BLOCKING}  # a copy to such memory always waits


def test_cuda_reads_only_what_the_host_may_read(cuda: Found) -> None:
    assert not any(row["flags"] & CONTENT for row in cuda[0]["unread"])
    assert len(cuda[0]["unread"]) == 4


def test_cuda_rows_and_fills(cuda: Found) -> None:
    for scene in ("rows", "boxes", "fills"):
        check_last_differs(cuda[0][scene])


def test_cuda_arguments_of_launches(cuda: Found) -> None:
    launches = cuda[0]["launch"]
    check_launches(launches[:4], 16)
    assert launches[4]["flags"] == 0  # of what sizes its arguments are the driver does not tell
    assert launches[5]["flags"] == CONTENT


def test_cuda_events(cuda: Found) -> None:
    found, said = cuda
    record, wait, synchronize = found["events"]
    (event,) = said["events"]
    assert (record["event"], record["waits"]) == (event, [])
    assert wait["waits"] == synchronize["waits"] == [event]
    assert wait["count"] == 1


def test_opencl_uploads_of_equal_bytes_have_equal_content(opencl: Found) -> None:
    found, said = opencl
    check_uploads(found["write"][:5], said["uploads"])
    assert [row["flags"] for row in found["write"][:5]] == [CONTENT | BLOCKING] * 4 + [CONTENT]
    waited, not_waited = (row for row in found["downloads"] if row["call"] == "clEnqueueReadBuffer")
    assert (waited["flags"], not_waited["flags"]) == (CONTENT | BLOCKING, 0)
    assert waited["content"] == found["write"][5]["content"]
    assert waited["host"] == not_waited["host"]


def test_opencl_rows_and_fills(opencl: Found) -> None:
    check_last_differs(opencl[0]["rows"])
    fills = [row for row in opencl[0]["fills"] if row["call"] == "clEnqueueFillBuffer"]
    check_last_differs(fills)
    assert {row["host"] for row in fills} == {0}


def test_opencl_arguments_are_those_that_were_set(opencl: Found) -> None:
    launches = opencl[0]["launch"]
    check_launches(launches[:4], 10)
    assert (launches[4]["flags"], launches[4]["count"]) == (CONTENT | ARGUMENTS, 0)
    for clone in launches[5:]:
        assert clone["content"] == launches[0]["content"]


def test_opencl_events(opencl: Found) -> None:
    found, said = opencl
    *markers, barrier, fill, wait = found["events"]
    assert [row["event"] for row in markers] == said["events"]
    assert (barrier["waits"], barrier["count"]) == (said["events"], 5)
    assert (fill["waits"], fill["count"]) == (said["events"][:3], 3)
    assert fill["event"] == 0  # the program has not asked for it: the recorder's own is no one else's
    assert wait["waits"] == said["events"][:2]

"""Evidence in traces of launchpath itself: of what copies move, launches take and waits wait for, and looks at threads."""

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._trace import format
from launchpath._trace.format import ARGUMENTS, CONTENT, PAGEABLE, PINNED
from tests.evidence import evidence
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.tracing.conftest import Launch
from tests.tracing.raw import Raw, read

Row = dict[str, Any]


def rows(raw: Raw) -> dict[int, Row]:
    """Give the evidence by correlation."""
    table = evidence(raw.slots(format.EVIDENCE))
    found = {}
    for row, correlation in enumerate(table.correlation.tolist()):
        names = ("flags", "count", "site", "content", "arguments", "spent", "event", "host")
        found[correlation] = {name: int(getattr(table, name)[row]) for name in names}
        found[correlation]["waits"] = table.wait[table.wait_row == row].tolist()
    return found


def of_commands(raw: Raw, command: int) -> list[Row]:
    found = rows(raw)
    mine = [int(head["correlation"]) for head, detail in raw.commands() if detail["command"] == command]
    return [found[correlation] for correlation in mine]


def of_calls(raw: Raw, name: str, kind: int = format.CALL) -> list[Row]:
    found, names = rows(raw), raw.meta["entries" if kind == format.CALL else "api"]
    slots = np.sort(raw.slots(kind), order="begin")
    return [found[int(slot["correlation"])] for slot in slots if names[slot["entry"]] == name]


def here(raw: Raw, row: Row) -> str:
    """The function that a call came from, where that is in this file."""
    path, _, function = raw.names.get(row["site"], "").rpartition(" ")
    assert path.rpartition(":")[0] == __file__, path
    return function


def test_a_trace_without_findings_has_none(machine: Machine, launch: Launch, path: Path) -> None:
    with lp.trace(path, mode="host"):
        launch(1)
    raw = read(path)
    assert len(raw.slots(format.EVIDENCE)) == len(raw.slots(format.THREAD)) == 0
    assert "findings" not in raw.meta


def test_launches_have_their_arguments_and_lines(machine: Machine, launch: Launch, path: Path) -> None:
    def again() -> None:
        launch(1)

    with lp.trace(path, findings=True):
        launch(1), launch(2), again()
    raw = read(path)
    first, second, third = of_commands(raw, format.LAUNCH)
    assert {row["flags"] for row in (first, second, third)} == {CONTENT | ARGUMENTS}
    assert [row["count"] for row in (first, second, third)] == [4, 4, 4]
    assert (first["content"], first["arguments"]) == (third["content"], third["arguments"])
    assert first["arguments"] ^ second["arguments"] == (first["arguments"] ^ second["arguments"]) & 0xFF000000 != 0
    assert first["content"] != second["content"]
    # The fixture's function is a lambda of another file.
    assert raw.names[first["site"]].endswith(".<lambda>")
    assert raw.meta["sites"] == {"from": "Python"}


@pytest.mark.parametrize("sites", [True, False])
def test_lines_are_those_of_the_caller(machine: Machine, stream: lp.Stream, path: Path, sites: bool) -> None:
    machine.machine.background()
    kernel, (a, b) = machine.kernel()[1, 1, stream], arrays(machine, 2)

    def launches() -> None:
        kernel(a, b, 16, 1)

    def waits() -> None:
        stream.synchronize()

    with lp.trace(path, findings=True, sites=sites):
        launches(), waits()
    raw = read(path)
    (launched,), (waited,) = of_commands(raw, format.LAUNCH), of_calls(raw, "Stream.synchronize", format.API)
    if not sites:
        assert launched["site"] == waited["site"] == 0
        return
    assert here(raw, launched).endswith("<locals>.launches")
    assert here(raw, waited).endswith("<locals>.waits")


def test_copies_have_their_content_and_memory(machine: Machine, stream: lp.Stream, path: Path) -> None:
    machine.machine.background()
    (array,) = arrays(machine, 1)
    ones, others = np.ones(16, "uint32"), np.arange(16, dtype="uint32")
    pinned = lp.pinned_empty((16,), "uint32", device=machine.device)
    pinned[:] = 1
    with lp.trace(path, findings=True):
        for source in (ones, ones.copy(), others, pinned):
            array.copy_from(source, stream)
        found = array.to_numpy(stream)
    assert (found == 1).all()
    raw = read(path)
    first, second, third, fourth, down = of_commands(raw, format.COPY)
    assert first["content"] == second["content"] == fourth["content"] == down["content"] != third["content"]
    assert [row["flags"] for row in (first, third, fourth)] == [
        CONTENT | PAGEABLE,
        CONTENT | PAGEABLE,
        CONTENT | PINNED,
    ]
    assert down["flags"] == CONTENT
    assert (first["host"], fourth["host"]) == (ones.ctypes.data, pinned.ctypes.data)
    assert down["host"] == found.ctypes.data
    assert all(row["spent"] for row in (first, down))


def test_large_copies_are_read_as_a_whole_only_where_others_were_alike(
    machine: Machine, stream: lp.Stream, path: Path
) -> None:
    machine.machine.background()
    n = 1 << 15
    array = lp.empty(n, "uint32", machine.device)
    one, other = (np.random.default_rng(seed).integers(0, 1 << 32, n, "uint32") for seed in (1, 2))
    nearly = one.copy()
    nearly[10 * 512 + 300] ^= 1  # between the lines that are looked at first
    with lp.trace(path, findings=True):
        for source in (one, one, other, one.copy(), nearly, one):
            array.copy_from(source, stream)
        array.to_numpy(stream)
    new, again, another, third, changed, fourth, down = (row["content"] for row in of_commands(read(path), format.COPY))
    assert again == third == fourth == down
    assert len({new, again, another, changed}) == 4


def test_fills_have_their_pattern(machine: Machine, stream: lp.Stream, path: Path) -> None:
    machine.machine.background()
    (array,) = arrays(machine, 1)
    with lp.trace(path, findings=True):
        for value in (1, 1, 2):
            array.fill(value, stream)
    first, second, third = of_commands(read(path), format.FILL)
    assert first["flags"] == CONTENT
    assert first["content"] == second["content"] != third["content"]


def test_waits_have_their_events(machine: Machine, path: Path) -> None:
    machine.machine.background()
    first, second = machine.streams(("nonblocking", "nonblocking"))
    kernel, (a, b) = machine.kernel(), arrays(machine, 2)
    with lp.trace(path, findings=True):
        kernel[1, 1, first](a, b, 16, 1)
        event = first.record()
        second.wait(event)
        kernel[1, 1, second](b, a, 16, 1)
        event.synchronize()
    raw = read(path)
    _, launched = of_commands(raw, format.LAUNCH)
    markers = [row for row in of_calls(raw, "marker") if row["event"]]
    (waited,) = of_calls(raw, "Event.synchronize", format.API)
    assert launched["waits"] == waited["waits"] == [markers[0]["event"]]
    assert launched["count"] == 4  # arguments


def test_many_events_are_in_several_slots(machine: Machine, path: Path) -> None:
    streams = machine.streams(("nonblocking",) * 6)
    kernel, (a, b) = machine.kernel(), arrays(machine, 2)
    with lp.trace(path, findings=True):
        for stream in streams[1:]:
            kernel[1, 1, stream](arrays(machine, 1)[0], b, 16, 1)
            streams[0].wait(stream.record())
        kernel[1, 1, streams[0]](a, b, 16, 1)
        machine.machine.run()
    raw = read(path)
    launched = of_commands(raw, format.LAUNCH)[-1]
    heads = [head for head, detail in raw.commands() if detail["command"] == format.LAUNCH]
    assert len(launched["waits"]) == heads[-1]["waits"] == 5
    assert set(launched["waits"]) <= {row["event"] for row in of_calls(raw, "marker")}


def test_threads_are_looked_at_after_a_pause(machine: Machine, launch: Launch, path: Path) -> None:
    def works() -> None:
        launch(1)
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        launch(2)
        time.sleep(0.02)
        launch(3)
        launch(4)

    with lp.trace(path, findings=True, sites=False):
        thread = threading.Thread(target=works)
        thread.start()
        thread.join()
        number = thread.native_id
    raw = read(path)
    assert number is not None
    slots = np.concatenate(raw.threads[number])
    looks = slots[slots[:, 0] == format.THREAD].view(format.THREAD_SLOT)[:, 0]
    took = looks["end"] - looks["begin"]
    busy = looks[looks["processor"].argmax()]
    assert busy["processor"] > 19e6
    # On a busy machine there are more looks than these two.
    slept = looks[(looks["processor"] < 10e6) & (took > took.max() // 8)]
    assert (slept["switches"] >= 1).any()
    assert (looks["begin"] < looks["end"]).all()
    assert (looks["begin"][1:] == looks["end"][:-1]).all()  # each goes on where the one before it ended
    assert busy["process"] >= busy["processor"] * 0.9


def test_readers_leave_evidence_out(machine: Machine, launch: Launch, path: Path, tmp_path: Path) -> None:
    with lp.trace(path, findings=True):
        launch(1), launch(2)
        time.sleep(0.001)
        launch(3)
    assert len(read(path).slots(format.THREAD)) >= 1
    saved = lp.read_trace(path)
    assert [entry.calls for entry in saved.summary().kernels] == [3]
    assert len(saved.dispatches()[0]["name"]) == 3
    pytest.importorskip("perfetto")
    pytest.importorskip("pyarrow")
    saved.write_perfetto(tmp_path / "p")
    saved.write_parquet(tmp_path / "q")
    assert (tmp_path / "p").stat().st_size > 0


def test_options_are_checked(path: Path) -> None:
    for name in ("findings", "sites"):
        with pytest.raises(lp.errors.ArgumentValueError, match=f"{name}: expected True or False, got the int 1"):
            lp.trace(path, **{name: 1})

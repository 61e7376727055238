"""Launches of C while a trace records: they are made without Python, and their records are those of Python's launches."""

from ctypes import byref, c_uint64

import pytest

import launchpath as lp
from launchpath._trace import format
from tests.native import table as c
from tests.native.kernels import N, add, values
from tests.native.table import Symbol, at
from tests.tracing.raw import read


def launch_by_c(table, stream, y):
    assert table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y), 3, None) == c.SUCCESS, table.text()


@pytest.mark.parametrize("findings", [False, True])
def test_the_records_are_those_of_pythons_launches(known, table, y, device, program, tmp_path, findings):
    stream, path = lp.Stream(blocking=False, device=device), tmp_path / "a.lptrace"
    launch_by_c(table, stream, y)
    with lp.trace(path, mode="host", findings=findings):
        for _ in range(3):
            launch_by_c(table, stream, y)
        program.add[1, N, stream](1.0, y, N)
        assert table.stream_synchronize(stream.c_handle) == c.SUCCESS
    assert values(y) == [5.0] * N
    raw = read(path)
    launches = raw.dispatches()
    assert [raw.name(command) for command, _ in launches] == ["add"] * 4
    for command, detail in launches:
        assert detail["grid"].tolist() == [1, 1, 1]
        assert detail["block"].tolist() == [N, 1, 1]
        assert command["stream"] == launches[3][0]["stream"]
        assert 0 < command["begin"] <= command["driver_begin"] <= command["driver_end"] <= command["end"]
    numbers = {int(command["correlation"]) for command, _ in launches}
    proofs = [each for each in raw.slots(format.EVIDENCE) if int(each["correlation"]) in numbers]
    assert len(proofs) == 4 * findings
    assert len({(int(each["content"]), int(each["arguments"]), int(each["count"])) for each in proofs}) == findings
    assert raw.calls(format.API).count("Stream.synchronize") == 1


def test_a_wait_for_an_event_has_a_record(known, table, y, device, tmp_path):
    stream, event, path = lp.Stream(blocking=False, device=device), c_uint64(), tmp_path / "a.lptrace"
    assert table.event_create(0, byref(event)) == c.SUCCESS
    with lp.trace(path, mode="host"):
        launch_by_c(table, stream, y)
        assert table.event_record(event.value, stream.c_handle) == c.SUCCESS
        assert table.event_synchronize(event.value) == c.SUCCESS
    assert read(path).calls(format.API) == ["Event.synchronize"]
    assert table.event_destroy(event.value) == c.SUCCESS


def test_a_kernel_that_the_trace_leaves_out_has_none(known, table, y, device, tmp_path):
    stream, path = lp.Stream(blocking=False, device=device), tmp_path / "a.lptrace"
    with lp.trace(path, mode="host", exclude="add"):
        launch_by_c(table, stream, y)
        stream.synchronize()
    assert values(y) == [1.0] * N
    assert not read(path).dispatches()


def test_a_refused_launch_is_recorded_as_before(known, table, y, device, tmp_path):
    stream, path = lp.Stream(blocking=False, device=device), tmp_path / "a.lptrace"
    with lp.trace(path, mode="host"):
        assert table.launch_symbol(Symbol(b"add"), at(block=0, stream=stream), add(y), 3, None) != c.SUCCESS
        launch_by_c(table, stream, y)
        stream.synchronize()
    launches = read(path).dispatches()
    assert [int(command["result"]) for command, _ in launches] == [0]
    assert values(y) == [1.0] * N

"""Streams and events of the C interface."""

from ctypes import byref, c_double, c_uint64

import launchpath as lp
from launchpath import _core
from tests.native import table as c
from tests.native.kernels import N, add, values
from tests.native.table import Symbol, at


def test_streams_of_c(known, table, y, device):
    stream, other = c_uint64(), c_uint64()
    assert table.stream_create(c.NON_BLOCKING, 0, byref(stream)) == c.SUCCESS, table.text()
    assert table.stream_create(0, 0, byref(other)) == c.SUCCESS
    assert table.launch_symbol(Symbol(b"add"), at(stream=stream.value), add(y), 3, None) == c.SUCCESS
    assert table.stream_synchronize(stream.value) == c.SUCCESS
    assert table.stream_query(stream.value) == c.SUCCESS
    assert values(y) == [1.0] * N
    for each in (stream, other):
        assert table.stream_destroy(each.value) == c.SUCCESS
        assert table.stream_destroy(each.value) == c.INVALID_HANDLE
        assert table.stream_query(each.value) == c.INVALID_HANDLE
    assert table.stream_create(6, 0, byref(stream)) == c.INVALID_VALUE


def test_a_held_stream_is_not_ready(known, table, y, device):
    stream, event, done = lp.Stream(blocking=False, device=device), c_uint64(), lp.Stream(blocking=False, device=device)
    assert table.event_create(0, byref(event)) == c.SUCCESS
    assert table.event_query(event.value) == c.SUCCESS  # it was never recorded
    with stream.hold():
        table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y), 3, None)
        assert table.event_record(event.value, stream.c_handle) == c.SUCCESS
        assert table.stream_query(stream.c_handle) == c.NOT_READY
        assert table.event_query(event.value) == c.NOT_READY
        assert table.stream_wait(done.c_handle, event.value) == c.SUCCESS
        table.launch_symbol(Symbol(b"add"), at(stream=done), add(y), 3, None)
        assert table.stream_query(done.c_handle) == c.NOT_READY
    assert table.event_synchronize(event.value) == c.SUCCESS
    assert table.stream_synchronize(done.c_handle) == c.SUCCESS
    assert values(y) == [2.0] * N
    assert table.event_destroy(event.value) == c.SUCCESS
    assert table.event_destroy(event.value) == c.INVALID_HANDLE
    assert table.event_record(event.value, stream.c_handle) == c.INVALID_HANDLE
    assert table.stream_wait(stream.c_handle, event.value) == c.INVALID_HANDLE


def test_a_wait_for_what_the_thread_holds_back_ends(known, table, y, device):
    stream, event = lp.Stream(blocking=False, device=device), c_uint64()
    assert table.event_create(0, byref(event)) == c.SUCCESS
    _core.set_own_hold_patience(0.1)
    try:
        with stream.hold():
            table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y), 3, None)
            assert table.event_record(event.value, stream.c_handle) == c.SUCCESS
            for wait in (
                lambda: table.stream_synchronize(stream.c_handle),
                lambda: table.event_synchronize(event.value),
            ):
                assert wait() == c.UNKNOWN
                assert "a stream that this thread holds back" in table.text()
    finally:
        _core.set_own_hold_patience(10)
    assert table.event_synchronize(event.value) == c.SUCCESS
    assert table.stream_synchronize(stream.c_handle) == c.SUCCESS
    table.event_destroy(event.value)


def test_the_time_between_events(known, table, y, device):
    stream, plain, start, end, took = lp.Stream(device=device), c_uint64(), c_uint64(), c_uint64(), c_double()
    table.event_create(0, byref(plain))
    for event in (start, end):
        assert table.event_create(c.TIMING, byref(event)) == c.SUCCESS
    assert table.event_elapsed(start.value, end.value, byref(took)) == c.INVALID_VALUE  # not recorded
    for event in (start, plain, end):
        assert table.event_record(event.value, stream.c_handle) == c.SUCCESS
        table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y), 3, None)
    assert table.event_synchronize(end.value) == c.SUCCESS
    assert table.event_elapsed(start.value, end.value, byref(took)) == c.SUCCESS
    assert 0 <= took.value < 1e5
    assert table.event_elapsed(start.value, plain.value, byref(took)) == c.INVALID_VALUE
    for event in (start, end, plain):
        table.event_destroy(event.value)


def test_the_legacy_stream_waits_for_blocking_ones(known, table, y, device):
    stream = lp.Stream(device=device)
    with stream.hold():
        table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y), 3, None)
        assert table.stream_query(0) == c.NOT_READY
    assert table.stream_synchronize(0) == c.SUCCESS
    assert values(y) == [1.0] * N

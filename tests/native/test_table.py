"""The C interface: launches by symbol, handles and configurations, on each device."""

import ctypes
import struct
import threading
from ctypes import byref, c_float, c_int, c_size_t, c_uint64, c_void_p

import pytest

import launchpath as lp
from tests.native import table as c
from tests.native.kernels import SOURCE, N, add, values
from tests.native.table import Arguments, Symbol, Table, at
from tests.threads import apart

# --- launches


def test_launch_by_symbol_many_times(known, table, y):
    symbol, arguments = Symbol(b"add"), add(y)
    for _ in range(200):  # more than a queue takes without a look at its depth
        assert table.launch_symbol(symbol, at(), arguments, 3, None) == c.SUCCESS, table.text()
    assert values(y) == [200.0] * N


def test_packed_and_by_handle(known, table, y):
    kernel = c_uint64()
    assert table.find(b"add", 0, byref(kernel)) == c.SUCCESS, table.text()
    packed = struct.pack("=f4xQi4x", 1.0, y.pointer, N)
    arguments = add(y)
    assert table.launch(kernel.value, at(), arguments, 3, arguments.sizes) == c.SUCCESS
    assert table.launch_packed(kernel.value, at(), packed, len(packed)) == c.SUCCESS
    assert table.launch_symbol_packed(Symbol(b"add"), at(), packed, len(packed)) == c.SUCCESS
    assert values(y) == [3.0] * N


def test_parameters_of_a_kernel(known, table):
    kernel, offset, size = c_uint64(), c_size_t(), c_size_t()
    table.find(b"add", 0, byref(kernel))
    places = []
    while table.parameter(kernel.value, len(places), byref(offset), byref(size)) == c.SUCCESS:
        places.append((offset.value, size.value))
    assert places == [(0, 4), (8, 8), (16, 4)]
    assert table.parameter(kernel.value, 3, byref(offset), byref(size)) == c.NOT_FOUND
    assert table.parameter(123, 0, byref(offset), byref(size)) == c.INVALID_HANDLE


def test_dynamic_shared_memory(known, table, device):
    with device:
        y = lp.arange(N, dtype="float32")
    assert table.launch_symbol(Symbol(b"reversed"), at(shared=4 * N), Arguments(c_void_p(y.pointer)), 1, None) == 0
    assert values(y) == list(range(N - 1, -1, -1))


def test_dynamic_shared_memory_of_no_bytes_is_right_where_no_thread_reaches_it(known, table, y):
    arguments = Arguments(c_void_p(y.pointer), c_int(0))
    for _ in range(2):  # by Python, then without
        assert table.launch_symbol(Symbol(b"sometimes"), at(), arguments, 2, None) == 0
    assert values(y) == [7] * N


def test_on_the_current_stream_and_on_a_named_stream(known, table, y, device):
    stream, other = lp.Stream(blocking=False, device=device), lp.Stream(blocking=False, device=device)
    arguments, symbol = add(y), Symbol(b"add")
    before = stream.submitted[0], other.submitted[0]
    with stream:
        assert table.launch_symbol(symbol, at(), arguments, 3, None) == c.SUCCESS
        assert table.launch_symbol(symbol, at(stream=other), arguments, 3, None) == c.SUCCESS
    assert (stream.submitted[0], other.submitted[0]) == (before[0] + 1, before[1] + 1)
    stream.synchronize()
    other.synchronize()


def test_in_a_step_and_in_a_trace(known, table, y, tmp_path):
    arguments, symbol = add(y), Symbol(b"add")
    with lp.Step():
        assert table.launch_symbol(symbol, at(), arguments, 3, None) == c.SUCCESS
    with lp.trace(tmp_path / "c.lptrace"):
        assert table.launch_symbol(symbol, at(), arguments, 3, None) == c.SUCCESS
    assert values(y) == [2.0] * N
    names = [name for table in lp.read_trace(tmp_path / "c.lptrace").dispatches() for name in table["name"]]
    assert names == ["add"]


def test_from_threads_that_python_does_not_know_while_others_hold_the_gil(known, device):
    """Launches of several threads, each on its own stream, with a contended kernel and many commands in flight."""
    without_gil, threads, times = Table(), 4, 500
    with device:
        arrays = [lp.zeros(N, "float32") for _ in range(threads)]
        lp.synchronize()
    streams = [lp.Stream(blocking=False, device=device) for _ in range(threads)]
    symbol, wrong = Symbol(b"add"), []

    def work(i):
        arguments, configuration = add(arrays[i], i + 1), at(stream=streams[i])
        for _ in range(times):
            wrong.append(without_gil.launch_symbol(symbol, configuration, arguments, 3, None))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for stream in streams:
        stream.synchronize()
    assert set(wrong) == {c.SUCCESS}
    assert [values(y) for y in arrays] == [[float(times * (i + 1))] * N for i in range(threads)]


def test_a_symbol_is_used_on_two_devices(two_devices):
    table, symbol = Table(), Symbol(b"add")
    with lp.register(SOURCE):
        for device in (*two_devices, *two_devices):
            with device:
                y = lp.zeros(N, "float32")
                assert table.launch_symbol(symbol, at(), add(y), 3, None) == c.SUCCESS, table.text()
                assert values(y) == [1.0] * N


# --- refusals


@pytest.mark.parametrize(
    ("configuration", "status", "text"),
    [
        ({"block": 0}, c.INVALID_CONFIGURATION, "expected dimensions of the block from 1"),
        ({"grid": 0}, c.INVALID_CONFIGURATION, "expected dimensions of the grid from 1"),
        ({"block": 1 << 20}, c.INVALID_CONFIGURATION, "expected a block of at most"),
        ({"shared": 1 << 30}, c.INVALID_CONFIGURATION, "bytes of dynamic"),
        ({"flags": 4}, c.INVALID_CONFIGURATION, "expected flags of 0 or LAUNCHPATH_COOPERATIVE, got 4"),
        ({"stream": 12345}, c.INVALID_HANDLE, "names no stream"),
    ],
)
def test_a_wrong_configuration(known, table, y, configuration, status, text):
    assert table.launch_symbol(Symbol(b"add"), at(**configuration), add(y), 3, None) == status
    assert text in table.text()
    assert values(y) == [0.0] * N


def test_wrong_arguments(known, table, y):
    symbol, arguments = Symbol(b"add"), add(y)
    assert table.launch_symbol(symbol, at(), arguments, 2, None) == c.INVALID_VALUE
    assert "expected 3 arguments, got 2" in table.text()
    sizes = (c_size_t * 3)(4, 8, 8)
    assert table.launch_symbol(symbol, at(), arguments, 3, sizes) == c.INVALID_VALUE
    assert "expected 4 bytes, got 8" in table.text()
    arguments.addresses[1] = None
    assert table.launch_symbol(symbol, at(), arguments, 3, None) == c.INVALID_VALUE
    assert "expected the address of the argument, got NULL" in table.text()
    assert table.launch_symbol_packed(symbol, at(), b"123", 3) == c.INVALID_VALUE
    assert "packs into 24 bytes, got 3" in table.text()
    assert table.launch_symbol(symbol, None, arguments, 3, None) == c.INVALID_VALUE
    assert table.launch_symbol(Symbol(None), at(), arguments, 3, None) == c.INVALID_VALUE


def test_an_unknown_symbol(device, table, y):
    with device:
        assert table.launch_symbol(Symbol(b"nothing"), at(), None, 0, None) == c.NOT_FOUND
        assert "got 'nothing': register it" in table.text()
        assert table.find(b"nothing", 0, byref(c_uint64())) == c.NOT_FOUND


def test_a_source_that_does_not_compile(device, table):
    with device, lp.register("__global__ void broken(int *x) { x = }", "broken"):
        assert table.launch_symbol(Symbol(b"broken"), at(), None, 0, None) == c.COMPILE_FAILED
        assert "broken" in table.text() or "expected" in table.text()


def test_a_kernel_of_another_device(two_devices, table):
    first, second = two_devices
    program = lp.compile(SOURCE, first)
    with lp.register(program):
        with second:
            assert table.launch_symbol(Symbol(b"add"), at(), None, 0, None) == c.NOT_FOUND
            assert "its program is on another device" in table.text()
        kernel = c_uint64()
        with first:
            assert table.find(b"add", 0, byref(kernel)) == c.SUCCESS
        stream = lp.Stream(device=second)
        arguments = Arguments(c_float(), c_void_p(), c_int())
        assert table.launch(kernel.value, at(stream=stream), arguments, 3, None) == c.INVALID_VALUE
        assert "expected a stream of" in table.text()


# --- configurations


def test_configurations_are_a_stack_of_each_thread(table):
    popped = c.Configuration()
    assert table.pop(byref(popped)) == c.EMPTY_STACK
    for grid in range(32):
        assert table.push(at(grid=grid + 1)) == c.SUCCESS
    assert table.push(at()) == c.FULL_STACK
    assert apart(table.pop, byref(c.Configuration())) == c.EMPTY_STACK
    for grid in range(32, 0, -1):
        assert table.pop(byref(popped)) == c.SUCCESS
        assert popped.grid[0] == grid
    assert table.pop(byref(popped)) == c.EMPTY_STACK
    assert table.push(None) == c.INVALID_VALUE


def test_the_header_has_the_sizes_that_these_tests_have():
    assert (ctypes.sizeof(c.Configuration), ctypes.sizeof(Symbol)) == (40, 40)
    assert lp.c_interface().version == 1

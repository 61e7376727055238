"""The C interface: launches by symbol, handles, configurations, streams and events, on each device."""

from __future__ import annotations

import ctypes
import struct
import threading
from ctypes import byref, c_double, c_float, c_int, c_size_t, c_uint64, c_void_p

import numpy as np
import pytest

import launchpath as lp
from tests.native import table as c
from tests.native.table import Arguments, Symbol, Table, at

SOURCE = """
extern "C" __global__ void add(float a, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a;
}
extern "C" __global__ void reversed(float *y) {
    extern __shared__ float t[];
    t[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = t[blockDim.x - 1 - threadIdx.x];
}
template <class T> __global__ void twice(T *y) { y[threadIdx.x] *= 2; }
"""
N = 64


@pytest.fixture(scope="session")
def program(device):
    return lp.compile(SOURCE, device, names=["twice<int>"])


@pytest.fixture(params=[False, True], ids=["without-gil", "with-gil"])
def table(request):
    return Table(with_gil=request.param)


@pytest.fixture
def known(device, program):
    with device, lp.register(program) as registration:
        yield registration


@pytest.fixture
def y(device):
    with device:
        zeros = lp.zeros(N, "float32")
        lp.synchronize()  # streams that do not block are not ordered behind it
        return zeros


def add(y, a=1.0):
    return Arguments(c_float(a), c_void_p(y.pointer), c_int(N))


def values(y):
    return np.asarray(y).tolist()


# --- launches


def test_launch_by_symbol_many_times(known, table, y):
    symbol, arguments = Symbol(b"add"), add(y)
    for _ in range(200):  # more than a queue takes without a look at its depth
        assert table.launch_symbol(symbol, at(), arguments.addresses, 3, None) == c.SUCCESS, table.text()
    assert values(y) == [200.0] * N


def test_packed_and_by_handle(known, table, y):
    kernel = c_uint64()
    assert table.find(b"add", 0, byref(kernel)) == c.SUCCESS, table.text()
    packed = struct.pack("=f4xQi4x", 1.0, y.pointer, N)
    arguments = add(y)
    assert table.launch(kernel.value, at(), arguments.addresses, 3, arguments.sizes) == c.SUCCESS
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
    assert (
        table.launch_symbol(Symbol(b"reversed"), at(shared=4 * N), Arguments(c_void_p(y.pointer)).addresses, 1, None)
        == 0
    )
    assert values(y) == list(range(N - 1, -1, -1))


def test_on_the_current_stream_and_on_a_named_stream(known, table, y, device):
    stream, other = lp.Stream(blocking=False, device=device), lp.Stream(blocking=False, device=device)
    arguments, symbol = add(y), Symbol(b"add")
    before = stream.submitted[0], other.submitted[0]
    with stream:
        assert table.launch_symbol(symbol, at(), arguments.addresses, 3, None) == c.SUCCESS
        assert table.launch_symbol(symbol, at(stream=other), arguments.addresses, 3, None) == c.SUCCESS
    assert (stream.submitted[0], other.submitted[0]) == (before[0] + 1, before[1] + 1)
    stream.synchronize()
    other.synchronize()


def test_in_a_step_and_in_a_trace(known, table, y, tmp_path):
    arguments, symbol = add(y), Symbol(b"add")
    with lp.Step():
        assert table.launch_symbol(symbol, at(), arguments.addresses, 3, None) == c.SUCCESS
    with lp.trace(tmp_path / "c.lptrace"):
        assert table.launch_symbol(symbol, at(), arguments.addresses, 3, None) == c.SUCCESS
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
            wrong.append(without_gil.launch_symbol(symbol, configuration, arguments.addresses, 3, None))

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
                assert table.launch_symbol(symbol, at(), add(y).addresses, 3, None) == c.SUCCESS, table.text()
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
    assert table.launch_symbol(Symbol(b"add"), at(**configuration), add(y).addresses, 3, None) == status
    assert text in table.text()
    assert values(y) == [0.0] * N


def test_wrong_arguments(known, table, y):
    symbol, arguments = Symbol(b"add"), add(y)
    assert table.launch_symbol(symbol, at(), arguments.addresses, 2, None) == c.INVALID_VALUE
    assert "expected 3 arguments, got 2" in table.text()
    sizes = (c_size_t * 3)(4, 8, 8)
    assert table.launch_symbol(symbol, at(), arguments.addresses, 3, sizes) == c.INVALID_VALUE
    assert "expected 4 bytes, got 8" in table.text()
    arguments.addresses[1] = None
    assert table.launch_symbol(symbol, at(), arguments.addresses, 3, None) == c.INVALID_VALUE
    assert "expected the address of the argument, got NULL" in table.text()
    assert table.launch_symbol_packed(symbol, at(), b"123", 3) == c.INVALID_VALUE
    assert "packs into 24 bytes, got 3" in table.text()
    assert table.launch_symbol(symbol, None, arguments.addresses, 3, None) == c.INVALID_VALUE
    assert table.launch_symbol(Symbol(None), at(), arguments.addresses, 3, None) == c.INVALID_VALUE


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
        assert table.launch(kernel.value, at(stream=stream), arguments.addresses, 3, None) == c.INVALID_VALUE
        assert "expected a stream of" in table.text()


# --- registrations


def test_unregistering_while_another_thread_launches(device, program):
    """Every launch either is submitted or does not find its kernel; none uses a kernel that is gone."""
    table = Table()
    with device:
        y, stream = lp.zeros(N, "float32"), lp.Stream(blocking=False)
        lp.synchronize()
    counts, stop = {}, threading.Event()

    def work():
        symbol, arguments, configuration = Symbol(b"add"), add(y), at(stream=stream)
        while not stop.is_set():
            status = table.launch_symbol(symbol, configuration, arguments.addresses, 3, None)
            counts[status] = counts.get(status, 0) + 1

    worker = threading.Thread(target=work)
    worker.start()
    for _ in range(200):
        with lp.register(program):
            pass
    stop.set()
    worker.join()
    stream.synchronize()
    assert set(counts) <= {c.SUCCESS, c.NOT_FOUND}, counts
    assert values(y) == [float(counts.get(c.SUCCESS, 0))] * N


def test_a_handle_ends_with_its_registration(known, table, y):
    kernel = c_uint64()
    table.find(b"add", 0, byref(kernel))
    known.unregister()
    assert table.launch(kernel.value, at(), add(y).addresses, 3, None) == c.INVALID_HANDLE
    assert "names no kernel, or none any more" in table.text()


def test_a_kernel_is_registered_again(device, program, table, y):
    symbol = Symbol(b"add")
    other = lp.compile('extern "C" __global__ void add(float a, float *y, int n) { y[threadIdx.x] -= a; }', device)
    with device:
        for each in (program, other, program):
            with lp.register(each):
                assert table.launch_symbol(symbol, at(), add(y).addresses, 3, None) == c.SUCCESS
        assert table.launch_symbol(symbol, at(), add(y).addresses, 3, None) == c.NOT_FOUND
    assert values(y) == [1.0] * N


def test_work_in_flight_outlives_its_program(device, table, y):
    with device:
        stream = lp.Stream(blocking=False)
        registration = lp.register(lp.compile(SOURCE, device))
        hold = stream.hold()
        assert table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y).addresses, 3, None) == c.SUCCESS
        registration.unregister()
        del registration
        hold.release()
        stream.synchronize()
    assert values(y) == [1.0] * N


def test_duplicates_are_refused_and_replaced(device, program):
    with lp.register(program) as first:
        with pytest.raises(lp.SymbolError, match="expected symbols that are not registered yet, got 'add'"):
            lp.register(program["add"], "add")
        with lp.register(SOURCE, "add", replace=True) as second:
            assert (first.active, second.active) == (False, True)
            assert lp.registered() == ["add"]
    assert lp.registered() == []


def test_the_same_symbol_of_two_devices(two_devices):
    programs = [lp.compile(SOURCE, device) for device in two_devices]
    with lp.register(programs[0]), lp.register(programs[1]):
        for device, program in zip(two_devices, programs, strict=True):
            assert lp.find_kernel("add", device) is program["add"]


def test_two_sources_that_have_the_same_kernel_are_named_at_the_first_use(device):
    with lp.register(SOURCE), lp.register(SOURCE), pytest.raises(lp.SymbolError, match="expected one kernel .* got 2"):
        lp.find_kernel("add", device)


def test_what_can_be_registered(device, program, tmp_path):
    source, saved = tmp_path / "k.hip", tmp_path / "k.lp"
    source.write_text(SOURCE)
    program.save(saved)
    loaded = []

    def load(of):
        loaded.append(of)
        return lp.compile(SOURCE, of)

    for what in (SOURCE, source, saved, saved.read_bytes(), load, program):
        with lp.register(what):
            assert lp.find_kernel("add", device).name == "add"
            lp.find_kernel("reversed", device)
    assert loaded == [device]
    with lp.register(SOURCE, {"two": "twice<int>"}):
        assert lp.find_kernel("two", device).name == "twice<int>"
    with lp.register(program["add"]), lp.register(program["add"], "plus"):
        assert lp.find_kernel("plus", device) is lp.find_kernel("add", device)


def test_what_cannot_be_registered(device, program):
    with pytest.raises(TypeError, match="expected a Program, a Kernel"):
        lp.register(3)
    with pytest.raises(lp.ArgumentValueError, match="expected each symbol once"):
        lp.register(program, ["add", "add"])
    with pytest.raises(lp.ArgumentValueError, match="non-empty"):
        lp.register(program, "")
    with pytest.raises(lp.ArgumentValueError, match="expected the symbol of the kernel add, got 2"):
        lp.register(program["add"], ["a", "b"])
    with (
        lp.register(lambda _device: 3, "x"),
        pytest.raises(lp.ArgumentValueError, match="expected the registered function"),
    ):
        lp.find_kernel("x", device)
    assert lp.registered() == []


# --- configurations


def test_configurations_are_a_stack_of_each_thread(table):
    popped = c.Configuration()
    assert table.pop(byref(popped)) == c.EMPTY_STACK
    for grid in range(32):
        assert table.push(at(grid=grid + 1)) == c.SUCCESS
    assert table.push(at()) == c.FULL_STACK
    elsewhere = []
    thread = threading.Thread(target=lambda: elsewhere.append(table.pop(byref(c.Configuration()))))
    thread.start()
    thread.join()
    assert elsewhere == [c.EMPTY_STACK]
    for grid in range(32, 0, -1):
        assert table.pop(byref(popped)) == c.SUCCESS
        assert popped.grid[0] == grid
    assert table.pop(byref(popped)) == c.EMPTY_STACK
    assert table.push(None) == c.INVALID_VALUE


# --- streams and events


def test_streams_of_c(known, table, y, device):
    stream, other = c_uint64(), c_uint64()
    assert table.stream_create(c.NON_BLOCKING, 0, byref(stream)) == c.SUCCESS, table.text()
    assert table.stream_create(0, 0, byref(other)) == c.SUCCESS
    assert table.launch_symbol(Symbol(b"add"), at(stream=stream.value), add(y).addresses, 3, None) == c.SUCCESS
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
        table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y).addresses, 3, None)
        assert table.event_record(event.value, stream.c_handle) == c.SUCCESS
        assert table.stream_query(stream.c_handle) == c.NOT_READY
        assert table.event_query(event.value) == c.NOT_READY
        assert table.stream_wait(done.c_handle, event.value) == c.SUCCESS
        table.launch_symbol(Symbol(b"add"), at(stream=done), add(y).addresses, 3, None)
        assert table.stream_query(done.c_handle) == c.NOT_READY
    assert table.event_synchronize(event.value) == c.SUCCESS
    assert table.stream_synchronize(done.c_handle) == c.SUCCESS
    assert values(y) == [2.0] * N
    assert table.event_destroy(event.value) == c.SUCCESS
    assert table.event_destroy(event.value) == c.INVALID_HANDLE
    assert table.event_record(event.value, stream.c_handle) == c.INVALID_HANDLE
    assert table.stream_wait(stream.c_handle, event.value) == c.INVALID_HANDLE


def test_the_time_between_events(known, table, y, device):
    stream, plain, start, end, took = lp.Stream(device=device), c_uint64(), c_uint64(), c_uint64(), c_double()
    table.event_create(0, byref(plain))
    for event in (start, end):
        assert table.event_create(c.TIMING, byref(event)) == c.SUCCESS
    assert table.event_elapsed(start.value, end.value, byref(took)) == c.INVALID_VALUE  # not recorded
    for event in (start, plain, end):
        assert table.event_record(event.value, stream.c_handle) == c.SUCCESS
        table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y).addresses, 3, None)
    assert table.event_synchronize(end.value) == c.SUCCESS
    assert table.event_elapsed(start.value, end.value, byref(took)) == c.SUCCESS
    assert 0 <= took.value < 1e5
    assert table.event_elapsed(start.value, plain.value, byref(took)) == c.INVALID_VALUE
    for event in (start, end, plain):
        table.event_destroy(event.value)


def test_the_legacy_stream_waits_for_blocking_ones(known, table, y, device):
    stream = lp.Stream(device=device)
    with stream.hold():
        table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y).addresses, 3, None)
        assert table.stream_query(0) == c.NOT_READY
    assert table.stream_synchronize(0) == c.SUCCESS
    assert values(y) == [1.0] * N


def test_the_header_has_the_sizes_that_these_tests_have():
    assert (ctypes.sizeof(c.Configuration), ctypes.sizeof(Symbol)) == (40, 40)
    assert lp.c_interface().version == 1

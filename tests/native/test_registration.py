"""Registrations: which symbols name which kernels, and until when."""

import ctypes
import threading
from ctypes import byref, c_uint64

import pytest

import launchpath as lp
from tests.native import table as c
from tests.native.kernels import SOURCE, N, add, values
from tests.native.table import Symbol, Table, at


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
            status = table.launch_symbol(symbol, configuration, arguments, 3, None)
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
    assert table.launch(kernel.value, at(), add(y), 3, None) == c.INVALID_HANDLE
    assert "names no kernel, or none any more" in table.text()


def test_a_kernel_is_registered_again(device, program, table, y):
    symbol = Symbol(b"add")
    other = lp.compile('extern "C" __global__ void add(float a, float *y, int n) { y[threadIdx.x] -= a; }', device)
    with device:
        for each in (program, other, program):
            with lp.register(each):
                assert table.launch_symbol(symbol, at(), add(y), 3, None) == c.SUCCESS
        assert table.launch_symbol(symbol, at(), add(y), 3, None) == c.NOT_FOUND
    assert values(y) == [1.0] * N


def test_work_in_flight_outlives_its_program(device, table, y):
    with device:
        stream = lp.Stream(blocking=False)
        registration = lp.register(lp.compile(SOURCE, device))
        with stream.hold():
            assert table.launch_symbol(Symbol(b"add"), at(stream=stream), add(y), 3, None) == c.SUCCESS
            registration.unregister()
            del registration
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


def test_a_pointer_of_ctypes_is_no_list_of_symbols(program):
    """Iterating over the pointer would never end."""
    pointer = ctypes.pointer(ctypes.c_int(1))
    with pytest.raises(TypeError, match="expected symbols, a str, an iterable of them or a dict, got the LP_c_int"):
        lp.register(program, pointer)
    with pytest.raises(TypeError, match="expected the kernels' names by their symbols, a dict, got the LP_c_int"):
        lp.Registration(program, pointer)


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

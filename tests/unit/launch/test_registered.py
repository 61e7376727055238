"""Registered kernels on the simulated driver, which notices what uses a kernel or a program that was let go."""

import gc
import random
from collections import Counter
from collections.abc import Callable
from ctypes import byref, c_int, c_uint64
from typing import Any

import pytest

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.native import table as c
from tests.native.table import Arguments, Symbol, Table, at
from tests.simulated import Machine
from tests.threads import at_once

# As OpenCL keeps programs, and as CUDA and HIP unload modules. A call that blocks runs nothing by itself.
each_driver = pytest.mark.parametrize(
    "_driver",
    [
        pytest.param(None, marks=pytest.mark.machine(automatic=False, patience=0.1), id="kept"),
        pytest.param(None, marks=pytest.mark.machine(automatic=False, patience=0.1, unloads=True), id="unloaded"),
    ],
)
TAG = Parameter("tag", "int", "int32", 4, 4, 0)


class Kernels:
    """Kernels of a machine that note their launches: (kernel, argument)."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.ran = machine, []

    def make(self, name: str) -> lp.Kernel:
        """A kernel in a program of its own."""
        noted = self.ran.append  # the machine has the function for ever: no reference to the test's kernels
        self.machine.machine.implement(name, lambda call: noted((name, call.args[0])), [("int", 0, 4, True)])
        return self.machine.kernel(name, Signature(name, (TAG,), 4))


@pytest.fixture(params=[False, True], ids=["without-gil", "with-gil"])
def with_gil(request: pytest.FixtureRequest) -> bool:
    """Whether C code keeps the GIL while it calls."""
    return bool(request.param)


@pytest.fixture
def kernels(machine: Machine) -> Kernels:
    return Kernels(machine)


@pytest.fixture
def launch(with_gil: bool) -> Callable[..., int]:
    """Launch by symbol from C with an argument; the status."""
    table = Table(with_gil)

    def launched(symbol: Symbol, tag: int, stream: lp.Stream) -> int:
        arguments = Arguments(c_int(tag))
        return table.launch_symbol(symbol, at(1, 1, stream=stream), arguments.addresses, 1, arguments.sizes)

    return launched


def run(machine: Machine) -> None:
    """Let the queues move, and the core see it."""
    machine.machine.run()
    machine.machine.automatic = True
    machine.device.synchronize()
    machine.machine.automatic = False


def programs(machine: Machine) -> int:
    """How many there are once those that nothing uses are unloaded."""
    gc.collect()
    machine.device.pool.trim()
    return machine.machine.live_programs


@each_driver
def test_a_launch_outlives_its_registration_and_its_program(machine, stream, kernels, launch, _driver):
    symbol = Symbol(b"note")
    with lp.register(kernels.make("note")):
        assert launch(symbol, 1, stream) == c.SUCCESS
        assert launch(symbol, 2, stream) == c.SUCCESS  # by the kernel that the symbol keeps
    assert launch(symbol, 3, stream) == c.NOT_FOUND
    gc.collect()
    assert kernels.ran == []
    run(machine)
    assert kernels.ran == [("note", 1), ("note", 2)]
    assert programs(machine) == 0


@each_driver
def test_an_unloaded_program_waits_for_its_launches(machine, stream, kernels, launch, _driver, request):
    unloads = any(mark.kwargs.get("unloads") for mark in request.node.iter_markers("machine"))
    with lp.register(kernels.make("note")):
        assert launch(Symbol(b"note"), 1, stream) == c.SUCCESS
    assert programs(machine) == int(unloads)
    run(machine)
    assert programs(machine) == 0
    assert kernels.ran == [("note", 1)]


@each_driver
def test_each_launch_runs_the_kernel_that_was_registered_then(machine, stream, kernels, launch, _driver):
    symbol, other = Symbol(b"note"), Symbol(b"note")
    for tag, name in enumerate(("first", "second", "third")):
        with lp.register(kernels.make(name), "note"):
            assert launch(symbol, tag, stream) == launch(other, tag + 10, stream) == c.SUCCESS
    run(machine)
    assert kernels.ran == [
        ("first", 0), ("first", 10), ("second", 1), ("second", 11), ("third", 2), ("third", 12),
    ]  # fmt: skip
    assert programs(machine) == 0


@each_driver
def test_a_replaced_kernel_still_runs(machine, stream, kernels, launch, _driver):
    symbol = Symbol(b"note")
    first = lp.register(kernels.make("first"), "note")
    launch(symbol, 1, stream)
    with lp.register(kernels.make("second"), "note", replace=True):
        assert not first.active
        launch(symbol, 2, stream)
    run(machine)
    assert kernels.ran == [("first", 1), ("second", 2)]


@each_driver
def test_a_handle_of_before_is_refused(machine, stream, kernels, with_gil, _driver):
    table, handle, later = Table(with_gil), c_uint64(), c_uint64()
    arguments = Arguments(c_int(1))
    with lp.register(kernels.make("first"), "note"):
        assert table.find(b"note", stream.c_handle, byref(handle)) == c.SUCCESS
        assert table.launch(handle.value, at(1, 1, stream=stream), arguments.addresses, 1, None) == c.SUCCESS
    with lp.register(kernels.make("second"), "note"):
        assert table.find(b"note", stream.c_handle, byref(later)) == c.SUCCESS
        assert table.launch(handle.value, at(1, 1, stream=stream), arguments.addresses, 1, None) == c.INVALID_HANDLE
        assert table.launch(later.value, at(1, 1, stream=stream), arguments.addresses, 1, None) == c.SUCCESS
    assert handle.value != later.value
    run(machine)
    assert kernels.ran == [("first", 1), ("second", 1)]


@each_driver
def test_unregistering_inside_a_step(machine, stream, kernels, launch, _driver):
    """The step keeps launches back; those of Python's too, which go through the same kernel."""
    symbol, step = Symbol(b"note"), lp.Step()
    for number in range(3):
        with step:
            registration = lp.register(kernels.make("note"))
            lp.find_kernel("note", machine.device)[1, 1, stream](10 * number)
            assert launch(symbol, 10 * number + 1, stream) == c.SUCCESS
            lp.find_kernel("note", machine.device)[1, 1, stream](10 * number + 2)
            registration.unregister()
            del registration
            gc.collect()
            assert launch(symbol, 9, stream) == c.NOT_FOUND
    run(machine)
    assert kernels.ran == [("note", 10 * number + i) for number in range(3) for i in range(3)]
    del step
    assert programs(machine) == 0


@each_driver
def test_unregistering_inside_a_step_that_repeats(machine, stream, kernels, _driver):
    """A launch that the step has recorded, and would keep back, when its kernel goes."""
    step = lp.Step()
    registration = lp.register(kernels.make("note"))
    for number in range(4):
        with step:
            lp.find_kernel("note", machine.device)[1, 1, stream](number)
            if number == 3:
                registration.unregister()
                del registration
                gc.collect()
    run(machine)
    assert kernels.ran == [("note", number) for number in range(4)]
    del step
    assert programs(machine) == 0


@each_driver
def test_unregistering_inside_a_capture(machine, stream, kernels, launch, _driver):
    symbol = Symbol(b"note")
    stream.begin_capture()
    with lp.register(kernels.make("note")):
        assert launch(symbol, 1, stream) == c.SUCCESS
    assert launch(symbol, 2, stream) == c.NOT_FOUND
    gc.collect()
    executable = stream.end_capture().instantiate()
    assert programs(machine) == 1  # the graph keeps the kernel
    for _ in range(3):
        executable.launch(stream)
    del executable
    gc.collect()
    run(machine)
    assert kernels.ran == [("note", 1)] * 3
    assert programs(machine) == 0


THREADS, TURNS, SYMBOLS = 4, 60, 3


class Worker:
    """Registers, launches and unregisters at random, as other threads do at the same time."""

    def __init__(self, kernels: Kernels, seed: int, with_gil: bool) -> None:
        self.kernels, self.random, self.table = kernels, random.Random(seed), Table(with_gil)
        self.stream = lp.Stream(blocking=False, device=kernels.machine.device)
        self.symbols = [Symbol(b"s%d" % number) for number in range(SYMBOLS)]
        self.registrations: list[Any] = []
        self.handles: list[tuple[int, int]] = []
        self.launched: Counter[int] = Counter()
        self.wrong: list[Any] = []

    def work(self) -> None:
        try:
            for _ in range(TURNS):
                number = self.random.randrange(SYMBOLS)
                self.random.choice((self.register, self.unregister, self.launch, self.launch, self.by_handle))(number)
            while self.registrations:
                self.unregister(0)
        except BaseException as error:
            self.wrong.append(error)

    def register(self, number: int) -> None:
        try:
            kernel = self.kernels.make(f"s{number}")
            self.registrations.append(lp.register(kernel, f"s{number}", replace=self.random.random() < 0.5))
        except lp.SymbolError:
            pass  # another thread has the symbol

    def unregister(self, _: int) -> None:
        if self.registrations:
            self.registrations.pop(self.random.randrange(len(self.registrations))).unregister()

    def launch(self, number: int) -> None:
        arguments = Arguments(c_int(number))
        configuration = at(1, 1, stream=self.stream)
        status = self.table.launch_symbol(self.symbols[number], configuration, arguments.addresses, 1, None)
        self.note(number, status, c.NOT_FOUND)

    def by_handle(self, number: int) -> None:
        handle = c_uint64()
        if self.table.find(b"s%d" % number, self.stream.c_handle, byref(handle)) == c.SUCCESS:
            self.handles.append((number, handle.value))
        for known, value in self.handles[-2:]:
            arguments = Arguments(c_int(known))
            configuration = at(1, 1, stream=self.stream)
            self.note(known, self.table.launch(value, configuration, arguments.addresses, 1, None), c.INVALID_HANDLE)

    def note(self, number: int, status: int, refusal: int) -> None:
        self.launched[number] += status == c.SUCCESS
        if status not in (c.SUCCESS, refusal):
            self.wrong.append((status, self.table.text()))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "_driver",
    [
        pytest.param(None, marks=pytest.mark.machine(seed=1), id="kept"),
        pytest.param(None, marks=pytest.mark.machine(seed=2, unloads=True), id="unloaded"),
    ],
)
def test_threads_that_register_launch_and_unregister(machine, kernels, with_gil, seed, _driver):
    machine.machine.background()
    workers = [Worker(kernels, 100 * seed + i, with_gil) for i in range(THREADS)]
    at_once(Worker.work, workers)
    assert [worker.wrong for worker in workers] == [[]] * THREADS
    machine.machine.background(False)
    run(machine)
    assert not machine.machine.errors
    assert lp.registered() == []
    launched = sum((worker.launched for worker in workers), Counter())
    assert Counter(kernels.ran) == Counter({(f"s{number}", number): n for number, n in launched.items()})
    assert sum(launched.values()) > THREADS
    workers.clear()
    assert programs(machine) == 0


def test_a_program_that_was_not_created_is_refused() -> None:
    """Later on it would fail whatever asks for all symbols."""
    with pytest.raises(TypeError, match="got one that was not created"):
        lp.register(lp.Program.__new__(lp.Program))
    assert lp.registered() == []

"""Objects in reference cycles: what the cycle collector drops gives back what is whole, and the rest goes on."""

import gc
import threading
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.unit.support.tally import kernel, put


def _result(machine: Machine) -> Any:
    return _launch(machine)(1, None, None, None)


def _launch(machine: Machine) -> Any:
    if "launch" not in machine.__dict__:
        machine.launch = kernel(machine, run=put).returning("total")[1, 1, _stream(machine)]  # type: ignore[attr-defined]
    return machine.launch  # type: ignore[attr-defined]


def _stream(machine: Machine) -> lp.Stream:
    if not machine.kept:
        machine.streams(("nonblocking",))
    stream: lp.Stream = machine.kept[0]
    return stream


def _graph(machine: Machine) -> lp.Graph:
    stream = lp.Stream(blocking=False, device=machine.device)
    a = lp.zeros(4, "int32", machine.device, stream)
    stream.begin_capture()
    a.fill(1, stream)
    return stream.end_capture()


def _frozen(machine: Machine) -> Any:
    step = lp.Step()
    a = lp.zeros(4, "int32", machine.device)
    for _ in range(2):
        with step:
            a.fill(1)
    return step.freeze()


def _loan(machine: Machine) -> Any:
    (a,) = arrays(machine, 1)
    return [a, _core.Loan(a)]  # both are cleared


MAKERS: dict[str, Callable[[Machine], Any]] = {
    "result": _result,
    "read result": lambda machine: (result := _result(machine), result.get()),
    "array": lambda machine: lp.zeros(16, "uint32", machine.device),
    "view": lambda machine: lp.zeros(16, "uint32", machine.device)[4:8],
    "loan": _loan,
    "stream": lambda machine: lp.Stream(device=machine.device),
    "busy stream": lambda machine: (
        stream := lp.Stream(device=machine.device),
        lp.zeros(4, "uint32", machine.device, stream),
    ),
    "event": lambda machine: _stream(machine).record(),
    "timed event": lambda machine: _stream(machine).record(timing=True),
    "kernel": lambda machine: machine.kernel(),
    "launcher": lambda machine: machine.kernel()[1, 1],
    "returning": lambda machine: kernel(machine, run=put).returning("total")[1, 1],
    "hold": lambda machine: lp.Stream(device=machine.device).hold(),
    "step": lambda machine: lp.Step(),
    "frozen step": _frozen,
    "graph": _graph,
    "executable": lambda machine: _graph(machine).instantiate(),
    "pinned": lambda machine: lp.pinned_empty(64, "uint32", machine.device),
    "host copy": lambda machine: lp.zeros(16, "uint32", machine.device).copy_to_host_async(
        lp.pinned_empty(16, "uint32", machine.device)
    ),
    "texture": lambda machine: lp.Texture(lp.zeros((4, 4), "float32", machine.device)),
    "staged": lambda machine: lp.Out(np.ones(4, "u4")),
    "device": lambda machine: machine.device,
    "exception": lambda machine: _raised(_result(machine)),
}


def _raised(held: Any) -> BaseException:
    try:
        raise ValueError(held)
    except ValueError as error:
        frame = error  # the traceback has this frame, which has the error
        return frame


def _drop_in_a_cycle(make: Callable[[Machine], Any], machine: Machine) -> None:
    held: list[Any] = [make(machine)]
    held.append(held)


def _use(machine: Machine) -> None:
    """Use the rest."""
    stream = _stream(machine)
    assert int(_launch(machine)(5, None, None, None)) == 5
    a = lp.zeros(16, "uint32", machine.device, stream)
    a.fill(7, stream)
    event = stream.record()
    assert a.to_numpy(stream).tolist() == [7] * 16
    assert event.query()


@pytest.fixture
def on(machine: Machine) -> Generator[Machine, None, None]:
    machine.machine.background()
    _use(machine)
    yield machine
    del machine.launch  # type: ignore[attr-defined]
    gc.collect()


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_collected_spoils_nothing(on: Machine, name: str) -> None:
    for number in range(5):
        _drop_in_a_cycle(MAKERS[name], on)
        if number % 2:
            _stream(on).synchronize()
        gc.collect()
        _use(on)


def test_all_in_a_single_cycle(on: Machine) -> None:
    for _ in range(5):
        _drop_in_a_cycle(lambda machine: [make(machine) for make in MAKERS.values()], on)
        gc.collect()
        _use(on)


def test_what_was_frozen_is_collected_later(on: Machine) -> None:
    for make in MAKERS.values():
        _drop_in_a_cycle(make, on)
    gc.freeze()
    gc.collect()
    _use(on)
    gc.unfreeze()
    gc.collect()
    _use(on)


def test_the_collector_runs_in_other_threads(on: Machine) -> None:
    over = threading.Event()

    def collect() -> None:
        while not over.is_set():
            gc.collect()

    threads = [threading.Thread(target=collect) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            for make in MAKERS.values():
                _drop_in_a_cycle(make, on)
                _use(on)
    finally:
        over.set()
        for thread in threads:
            thread.join()
    gc.collect()


def test_the_collector_runs_within_the_calls(on: Machine) -> None:
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for make in MAKERS.values():
            _drop_in_a_cycle(make, on)
            _use(on)
    finally:
        gc.set_threshold(*before)


def test_a_loan_that_is_collected_counts_its_own_memory(on: Machine) -> None:
    """Its array may have been cleared before it."""
    allocations = [(a := arrays(on, 1)[0]).allocation for _ in range(20)]
    del a
    for _ in range(20):
        (array,) = arrays(on, 1)
        allocations.append(array.allocation)
        held: list[Any] = [array, _core.Loan(array)]
        held.append(held)
        del array, held
    gc.collect()
    assert [allocation.loans for allocation in allocations] == [0] * 40


def test_a_piece_has_nothing_to_clear(on: Machine) -> None:
    """The collector clears what it finds with a loan, and the loan gives the piece to the next launch."""
    piece = _result(on)._loan.piece
    with pytest.raises(AttributeError):
        piece.views = ()
    assert not hasattr(piece, "__dict__")


def test_a_graph_gives_its_memory_back_though_its_device_goes_with_it() -> None:
    """Its pools are those of the devices, which the collector clears as well."""
    for _ in range(3):
        with Machine(check=False) as machine:
            held: list[Any] = [
                _graph(machine),
                _frozen(machine),
                machine.device,
                lp.Texture(lp.zeros(4, "float32", machine.device)),
            ]
            held.append(held)
            del held
        del machine
        gc.collect()

"""Interrupts anywhere leave everything as it was; `make interrupts` places many more."""

import _thread
import random
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

import launchpath as lp
from tests.faults import interrupts


@pytest.fixture
def scene() -> Iterator[interrupts.Scene]:
    scene = interrupts.simulated()
    yield scene
    interrupts.close(scene)


@pytest.mark.parametrize("name", interrupts.OPERATIONS)
def test_an_interrupt_at_any_bytecode(scene: interrupts.Scene, name: str) -> None:
    """Every one of short operations, every few of long ones; other ones each time that the operation changes."""
    operation = interrupts.OPERATIONS[name]
    operation(scene)
    long = interrupts.lengths(scene)[name]
    step = max(1, long // 25)
    came = 0
    for number in range(random.Random(name).randrange(step), long, step):
        came += interrupts.interrupt_at(number, lambda: operation(scene))
        scene.check()
    scene.check_leaks()
    assert came >= min(long // step, 25) - 2


def test_signals_at_any_moment(scene: interrupts.Scene) -> None:
    chance = random.Random(7)
    came = 0
    for name in list(interrupts.OPERATIONS) * 4:
        operation = interrupts.OPERATIONS[name]
        at = chance.uniform(1e-5, 2e-3)
        came += interrupts.interrupt_by_signal(at, lambda operation=operation: operation(scene))  # type: ignore[misc]
        scene.check()
    scene.check_leaks()
    assert came == 4 * len(interrupts.OPERATIONS)


def test_no_finalizer_is_written_in_python() -> None:
    """An interrupt that comes while one runs is lost: Python has nowhere to raise it."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "launchpath"]
    classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    ours = [each for each in classes if each.__module__.split(".")[0] == "launchpath"]
    assert len(ours) > 50
    # A `Worker` is dropped only by what has failed or was interrupted already, and then ends its process.
    finalizers = [each for each in ours if isinstance(vars(each).get("__del__"), types.FunctionType)]
    assert [each.__name__ for each in finalizers if each.__name__ != "Worker"] == []


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_threads_that_cannot_be_started(scene: interrupts.Scene, monkeypatch: pytest.MonkeyPatch, nth: int) -> None:
    """Each n-th start is refused: the host function it was for is refused too, and all others run."""
    start, starts = _thread.start_new_thread, 0

    def refuse(*arguments: Any) -> int:
        nonlocal starts
        starts += 1
        if starts % nth == 0:
            raise RuntimeError("can't start new thread")
        return start(*arguments)

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    streams = [lp.Stream(device=scene.device) for _ in range(20)]
    ran: list[int] = []
    refused = 0
    for number, stream in enumerate(streams):
        try:
            stream.host_function(ran.append, number)
        except RuntimeError:
            refused += 1
    scene.device.synchronize()
    assert len(ran) == 20 - refused
    scene.check()

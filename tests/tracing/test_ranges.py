"""Ranges, marks and external correlation ids in traces, on the simulated driver."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._trace import format
from tests.simulated import Machine
from tests.tracing.raw import read


def test_ranges_marks_and_external_numbers(machine: Machine, stream: lp.Stream, array: lp.Array, path: Path) -> None:
    @lp.range("decorated", color=0xFF00FF00)
    def work(depth: int) -> None:
        if depth:
            work(depth - 1)

    with lp.range("before"), lp.external_correlation_id(1):
        array.fill(1, stream)
    with lp.trace(path, mode="host"):
        with lp.range("outer", payload=7), lp.external_correlation_id(41):
            array.fill(1, stream)
            with lp.external_correlation_id(42):
                array.fill(1, stream)
                lp.mark("here")
            work(1)
        array.fill(1, stream)
        machine.machine.run()
        open_range = lp.range("left open")
        open_range.__enter__()
    open_range.__exit__(None, None, None)
    raw = read(path)
    assert [int(detail["external"]) for _, detail in raw.commands()] == [41, 42, 0]
    ended = {int(slot["correlation"]): slot for slot in raw.slots(format.RANGE)}
    begun = np.sort(raw.slots(format.RANGE_BEGIN), order="begin")
    assert [(raw.names[int(slot["name"])], int(slot["depth"])) for slot in begun] == [
        ("outer", 0), ("decorated", 1), ("decorated", 2), ("left open", 0)]  # fmt: skip
    assert {raw.names[int(slot["name"])] for slot in ended.values()} == {"outer", "decorated"}
    for slot in begun[:3]:
        end = ended[int(slot["correlation"])]
        assert (end["begin"], end["depth"], end["color"]) == (slot["begin"], slot["depth"], slot["color"])
        assert end["end"] >= end["begin"]
    (mark,) = raw.slots(format.MARK)
    assert raw.names[int(mark["name"])] == "here"
    assert mark["external"] == 42


def test_ranges_of_functions_that_go_on_after_they_return_are_refused() -> None:
    async def coroutine() -> None: ...

    def generator() -> Iterator[int]:
        yield 1

    for function in (coroutine, generator):
        with pytest.raises(TypeError, match="expected a function that is complete when it returns"):
            lp.range("work")(function)


@pytest.mark.parametrize("make", [lambda: lp.range("work"), lambda: lp.external_correlation_id(5)])
def test_a_region_that_is_left_twice_is_refused(make: Callable[[], Any]) -> None:
    region = make()
    with pytest.raises(lp.LaunchpathError, match="is left more often than it was entered: use `with`"):
        region.__exit__(None, None, None)
    with region:
        pass
    with pytest.raises(lp.LaunchpathError, match="is left more often than it was entered"):
        region.__exit__(None, None, None)

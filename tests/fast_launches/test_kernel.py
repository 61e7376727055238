"""Calls of `kernel[grid]` and `run`: which ones the core launches, with what, and which ones it leaves."""

import gc
import struct
import weakref
from typing import Any

import pytest

from launchpath import _core
from launchpath._fast import rules
from tests.fast_launches.launches import Kernel, Library, numbers, specialization

PLACES = ((0, 4), (4, 4), (8, 4))


class Case:
    """A kernel of three ints, of which a launch is known."""

    def __init__(self, names: tuple[str, ...] = (), before: int = 3, on: bool = True, **rest: Any) -> None:
        self.library, self.kernel = Library(), Kernel()
        self.fast = self.library.fast(self.kernel)
        self.made = specialization(numbers(*PLACES[: before + len(names)]), 12, on, **rest)
        assert self.fast.add(before, names, self.made)
        self.kind = type("Kind", (Kernel,), {})
        self.kind.__getitem__ = _core.FastSubscript(lambda kernel, grid: ("original", grid), lambda kernel: self.fast)
        self.kind.run = _core.FastRun(lambda *args, **kwargs: "original run", lambda kernel: self.fast)
        self.kernel.__class__ = self.kind

    @property
    def launched(self) -> list[Any]:
        return self.library.launches.made


def test_known_call_is_launched() -> None:
    case = Case()
    assert case.kernel[(5, 2)](1, 2, 3) == "compiled"
    assert case.launched == [(0x1000, (5, 2, 1), (128, 1, 1), 64, 77, struct.pack("<iii", 1, 2, 3))]
    assert case.library.calls == []
    assert (case.fast.launches, case.made.launches, len(case.made.samples_ns())) == (1, 1, 1)


def test_grid_is_the_same_object_for_the_same_numbers() -> None:
    case = Case()
    grids = [case.kernel[(5, 2)], case.kernel[(5,)], case.kernel[(5, 2)], case.kernel[5, 2], case.kernel[(5, 2, 1)]]
    assert grids[0] is grids[2] is grids[3]
    assert grids[1] is not grids[0]
    assert grids[4] is not grids[0]
    for n in range(100):
        case.kernel[(n + 1,)](1, 2, 3)
    assert [row[1][0] for row in case.launched] == list(range(1, 101))


def test_grid_as_a_list_is_read_at_each_call() -> None:
    case = Case()
    grid = [1, 2]
    kept = case.kernel[grid]
    kept(1, 2, 3)
    grid[1] = 7
    kept(1, 2, 3)
    assert [row[1] for row in case.launched] == [(1, 2, 1), (1, 7, 1)]


def test_grid_that_is_a_function_gets_all_arguments_by_name() -> None:
    case = Case(("b",), 1, n=9)
    seen = []

    def grid(bound: dict[str, Any]) -> tuple[int, ...]:
        seen.append(bound)
        return (bound["n"], 3)

    case.kernel[grid](4, b=6)
    assert seen == [{"a": 4, "b": 6, "n": 9}]
    assert list(seen[0]) == ["a", "b", "n"]
    assert case.launched[0][1] == (9, 3, 1)


@pytest.mark.parametrize("grid", [(0,), (4, 0, 2)])
def test_empty_grid_launches_nothing(grid: tuple[int, ...]) -> None:
    case = Case()
    assert case.kernel[grid](1, 2, 3) == "compiled"
    assert case.launched == case.library.calls == []


@pytest.mark.parametrize(
    "grid", [(-1,), (1, 2, 3, 4), (), (1 << 31,), (1 << 16, 1 << 15), (1.0,), (True,), 5, "xy", None]
)
def test_other_grids_are_left_to_the_original(grid: Any) -> None:
    case = Case()
    assert case.kernel[grid](1, 2, 3) == "original"
    assert case.launched == []
    assert case.library.calls[0][3] == "a grid of other than small ints"


def test_function_of_a_grid_is_not_called_twice() -> None:
    case = Case(n=0)
    calls = []

    def grid(bound: dict[str, Any]) -> object:
        calls.append(1)
        return (2.5,)

    assert case.kernel[grid](1, 2, 3) == "original"
    assert case.library.calls[0][2] == (2.5,)
    assert calls == [1]


@pytest.mark.parametrize("args", [(1, 2), (1, 2, 3, 4), (1, 2, 1.5), (1, 2, True), (1 << 40, 2, 3)])
def test_unknown_arguments_are_left_to_the_original(args: tuple[Any, ...]) -> None:
    case = Case()
    assert case.kernel[(1,)](*args) == "original"
    assert case.library.calls == [(args, {}, NotImplemented, None, None, None)]


def test_names_must_be_the_known_ones() -> None:
    case = Case(("b", "n"), 1)
    assert case.kernel[(1,)](4, b=5, n=6) == "compiled"
    assert case.kernel[(1,)](4, n=6, b=5) == "original"
    assert case.kernel[(1,)](a=4, b=5, n=6) == "original"
    assert case.kernel[(1,)](4, **{"b": 5, "n": 6}) == "compiled"
    assert [row[5] for row in case.launched] == [struct.pack("<iii", 4, 5, 6)] * 2
    assert case.library.calls[0][:2] == ((4,), {"n": 6, "b": 5})


def test_run_takes_grid_and_warmup_among_the_names() -> None:
    case = Case()
    made = specialization([*numbers(*PLACES), rules.anything(), rules.anything()], 12)
    case.fast.add(3, ("grid", "warmup"), made, 3, 4)
    assert case.kernel.run(1, 2, 3, grid=(4,), warmup=False) == "compiled"
    assert case.kernel.run(1, 2, 3, grid=lambda bound: (bound["a"],), warmup=False) == "compiled"
    assert [row[1][0] for row in case.launched] == [4, 1]
    assert case.kernel.run(1, 2, 3, grid=(4,), warmup=True) == "original"
    assert case.library.calls[-1][1:4] == ({"grid": (4,), "warmup": True}, NotImplemented, "a warm-up")
    assert case.kernel.run(1, 2, 3, warmup=False) == "original"
    assert case.kernel.run() == "original run"
    assert case.kernel[(1,)](1, 2, 3, grid=(4,), warmup=False) == "original"


def test_call_on_trial_brings_its_bytes() -> None:
    case = Case(on=False)
    assert case.kernel[(1,)](1, 2, 3) == "original"
    assert case.library.calls[0][3:] == (None, case.made, struct.pack("<iii", 1, 2, 3))
    case.made.decide(True)
    assert case.kernel[(1,)](1, 2, 3) == "compiled"
    case.made.decide(False)
    assert case.kernel[(1,)](1, 2, 3) == "original"


def test_reason_of_the_library_or_the_kernel_stops_all() -> None:
    case = Case()
    grid = case.kernel[(1,)]
    grid(1, 2, 3)
    case.library.settings["reason"] = "a hook"
    assert grid(1, 2, 3) == "original"
    assert case.library.calls[-1][3] == "a hook"
    del case.library.settings["reason"]
    assert grid(1, 2, 3) == "compiled"
    case.library.hooks.append(print)
    case.library.settings["reason"] = "hooks"
    assert grid(1, 2, 3) == "original"


def test_other_device_is_another_place() -> None:
    case = Case()
    case.library.device = 1
    assert case.kernel[(1,)](1, 2, 3) == "original"
    other = specialization(numbers(*PLACES), 12, place=1)
    case.fast.add(3, (), other)
    assert case.kernel[(1,)](1, 2, 3) == "compiled"
    assert case.launched[0][4] == 78
    case.library.device = 0
    assert case.kernel[(1,)](1, 2, 3) == "compiled"
    assert case.launched[1][4] == 77


def test_used_globals_must_be_the_same_objects() -> None:
    case = Case()
    names: dict[str, object] = {"SCALE": 1000}
    case.fast.globals = ((names, "SCALE", names["SCALE"]),)
    assert case.kernel[(1,)](1, 2, 3) == "compiled"
    names["SCALE"] = 1001
    assert case.kernel[(1,)](1, 2, 3) == "original"
    del names["SCALE"]
    assert case.kernel[(1,)](1, 2, 3) == "original"


def test_refused_launch_goes_the_original_way() -> None:
    case = Case()
    case.library.launches.code = 201
    assert case.kernel[(1,)](1, 2, 3) == "original"
    assert case.library.calls[0][3] == "a launch that the driver refused"
    assert case.fast.launches == 0


def test_latest_specialization_is_looked_at_first_and_all_are_found() -> None:
    case = Case()
    rows = [rules.integer(value, value, 0, PLACES[0]) for value in range(20)]
    for row in rows:
        case.fast.add(1, (), specialization([row], 12))
    for value in (*range(20), *reversed(range(20)), 7, 7, 3):
        assert case.kernel[(1,)](value) == "compiled"
    assert case.kernel[(1,)](20) == "original"
    assert len(case.fast.specializations()) == 21
    case.fast.keep_only(lambda of: of is case.made)
    assert case.fast.specializations() == [case.made]
    assert case.kernel[(1,)](7) == "original"


def test_specializations_are_bounded() -> None:
    case = Case()
    added = [case.fast.add(1, (), specialization([rules.integer(i, i, 0, PLACES[0])], 12)) for i in range(70)]
    assert added == [True] * 64 + [False] * 6


def test_errors_of_the_original_and_of_the_grid_come_through() -> None:
    case = Case(n=0)
    with pytest.raises(ZeroDivisionError):
        case.kernel[lambda bound: (1 // 0,)](1, 2, 3)

    def raises(*args: Any) -> None:
        raise KeyError("original")

    other = _core.FastKernel(case.kernel, raises, case.fast.common, case.fast.own, case.fast.place, ())
    with pytest.raises(KeyError, match="original"):
        _core.FastGrid(other, (1,))(1)


def test_kernel_ends_with_its_last_reference() -> None:
    case = Case()
    gone = weakref.ref(case.kernel)
    case.kernel[(1,)](1, 2, 3)
    del case
    gc.collect()
    assert gone() is None


def test_another_kernel_at_the_same_address_is_another() -> None:
    results = set()
    for _ in range(50):
        case = Case()
        results.add(case.kernel[(1,)](1, 2, 3))
        results.add(len(case.launched))
        del case
        gc.collect(0)
    assert results == {"compiled", 1}

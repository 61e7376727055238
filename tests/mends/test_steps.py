"""Steps that are forced on ranges and on launches, on the simulated driver."""

import gc
from collections.abc import Callable, Iterator

import pytest

import launchpath as lp
from launchpath import _core
from launchpath._mends.effect import Effect
from launchpath._mends.request import mends
from launchpath._mends.steps import AnchoredStep, ForcedSteps, SteppedRange
from tests.fixtures import calls
from tests.simulated import Machine
from tests.threads import apart


def fills(machine: Machine) -> int:
    """How many fills the driver got since the last time."""
    return calls(machine).get("fill", 0)


class Forced:
    """Ranges of the name ``work`` are steps, and those of ``more``."""

    def __init__(self) -> None:
        self.steps = SteppedRange.steps = ForcedSteps()
        self.effects = {name: Effect(mends(f"step:{name}")[0]) for name in ("work", "more")}
        SteppedRange.effects = self.effects

    def range(self, name: str) -> SteppedRange:
        return SteppedRange(name, 0, 0)

    def came(self, name: str = "work") -> tuple[int, dict[str, int]]:
        facts = self.effects[name].facts()
        return facts["effects"], facts["refused"]


@pytest.fixture
def forced(machine: Machine) -> Forced:
    machine.machine.automatic = True
    return Forced()


def test_a_range_is_a_step(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    for value in range(3):
        with forced.range("work"):
            array.fill(value, stream)
            array.fill(value + 1, stream)
            assert fills(machine) == 0
        assert fills(machine) == 2
    assert forced.came() == (3, {})
    assert array.to_numpy(stream).tolist() == [3] * 16


def test_another_range_is_none(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    with forced.range("other"):
        array.fill(1, stream)
        assert fills(machine) == 1
    assert forced.came() == (0, {})


def test_ranges_in_each_other_are_one_step(
    machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced
) -> None:
    with forced.range("work"):
        array.fill(1, stream)
        with forced.range("more"), forced.range("work"):
            array.fill(2, stream)
        assert fills(machine) == 0
    assert fills(machine) == 2
    assert (forced.came(), forced.came("more")) == ((2, {}), (1, {}))


def test_a_decorated_function_is_a_step(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    @forced.range("work")
    def work(depth: int) -> None:
        array.fill(depth, stream)
        if depth:
            work(depth - 1)

    work(3)
    assert fills(machine) == 4
    assert forced.came() == (4, {})


def test_an_exception_in_the_body(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    with pytest.raises(KeyError), forced.range("work"):
        array.fill(7, stream)
        raise KeyError
    assert fills(machine) == 1
    assert not _core.in_step()
    assert forced.came() == (1, {})


def test_a_refused_command_raises_at_the_end(
    machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced
) -> None:
    with pytest.raises(lp.DriverError), forced.range("work"):
        array.fill(7, stream)
        machine.machine.fail("fill")
    assert not _core.in_step()
    with forced.range("work"):
        array.fill(8, stream)
    assert array.to_numpy(stream).tolist() == [8] * 16


def test_a_range_in_which_nothing_is_kept_back(
    machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced
) -> None:
    assert array.pointer
    with forced.range("work"):
        array.fill(1, stream)
    assert fills(machine) == 1
    reason = "no command was kept back: other code has the streams or the memory, or nothing was submitted"
    assert forced.came() == (0, {reason: 1})


def test_a_range_inside_a_step_of_the_programs(
    machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced
) -> None:
    with lp.Step():
        with forced.range("work"):
            array.fill(1, stream)
        assert fills(machine) == 0
    assert forced.came() == (0, {"it is inside a step or a capture of the program's own": 1})


def test_a_capture_inside(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    with forced.range("work"):
        array.fill(1, stream)
        forced.steps.leave_all("a capture began inside it")
        assert fills(machine) == 1
        stream.begin_capture()
        with forced.range("more"):
            array.fill(2, stream)
        graph = stream.end_capture()
    assert len(graph) == 1
    assert forced.came() == (0, {"a capture began inside it": 1})
    assert forced.came("more") == (0, {"it is inside a step or a capture of the program's own": 1})


def test_each_thread_has_steps_of_its_own(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    def work() -> None:
        with forced.range("work"):
            array.fill(5, stream)

    with forced.range("work"):
        apart(work)
    apart(work)
    assert array.to_numpy(stream).tolist() == [5] * 16
    took, refused = forced.came()
    assert took == 2 and sum(refused.values()) == 1  # nothing was submitted in the outer one


def generator(forced: Forced, array: lp.Array, stream: lp.Stream) -> Iterator[int]:
    with forced.range("work"):
        array.fill(1, stream)
        yield 1
        array.fill(2, stream)


def test_a_generator(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    values = generator(forced, array, stream)
    next(values)
    array.fill(9, stream)  # of the step that goes on
    assert fills(machine) == 0
    assert next(values, None) is None
    assert fills(machine) == 3
    assert forced.came() == (1, {})


def test_generators_that_take_turns(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    first, second = generator(forced, array, stream), generator(forced, array, stream)
    next(first), next(second)
    next(first, None)
    assert fills(machine) == 0
    next(second, None)
    assert fills(machine) == 4
    assert not _core.in_step()


def test_a_generator_that_ends_on_another_thread(
    machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced
) -> None:
    values = generator(forced, array, stream)
    next(values)
    assert apart(next, values, None) is None
    gc.collect()
    assert not _core.in_step()
    assert fills(machine) == 2
    assert forced.came() == (0, {"it was left on another thread than it was entered on": 1})
    with forced.range("work"):
        array.fill(4, stream)
        assert fills(machine) == 0
    assert array.to_numpy(stream).tolist() == [4] * 16
    assert forced.came()[0] == 1


def test_a_thread_that_ends_inside(machine: Machine, stream: lp.Stream, array: lp.Array, forced: Forced) -> None:
    def work() -> None:
        forced.range("work").__enter__()
        array.fill(6, stream)

    apart(work)
    gc.collect()
    assert fills(machine) == 1
    assert array.to_numpy(stream).tolist() == [6] * 16


@pytest.fixture
def anchor() -> Iterator[Callable[[str], tuple[AnchoredStep, Effect]]]:
    """A function that lets launches begin steps."""

    def begin(text: str) -> tuple[AnchoredStep, Effect]:
        effect = Effect(mends(text)[0])
        anchored = AnchoredStep(ForcedSteps(), effect)
        _core.set_launch_anchor(anchored.at_launch, [effect.mend.kernel] if effect.mend.kernel else None)
        return anchored, effect

    yield begin
    _core.set_launch_anchor(None)


def launches(machine: Machine) -> int:
    return calls(machine).get("launch", 0)


Begin = Callable[[str], tuple[AnchoredStep, Effect]]


def test_a_step_from_launch_to_launch(machine: Machine, stream: lp.Stream, array: lp.Array, anchor: Begin) -> None:
    machine.machine.automatic = True
    mix = machine.kernel()[1, 1, stream]
    anchored, effect = anchor("step:@mix*2")
    seen = []
    for value in range(6):
        mix(array, array[:0], 0, value)
        array.fill(value, stream)
        counts = calls(machine)
        seen.append((counts.get("launch", 0), counts.get("fill", 0)))
    assert seen == [(0, 0), (0, 0), (2, 2), (0, 0), (2, 2), (0, 0)]
    assert array.to_numpy(stream).tolist() == [5] * 16
    anchored.at_exit()
    assert not _core.in_step()
    assert effect.facts()["effects"] == 3
    anchored.at_exit()


def test_another_kernel_begins_none(machine: Machine, stream: lp.Stream, array: lp.Array, anchor: Begin) -> None:
    machine.machine.automatic = True
    _, effect = anchor("step:@other")
    machine.kernel()[1, 1, stream](array, array[:0], 0, 1)
    assert launches(machine) == 1
    assert effect.facts()["effects"] == 0


def test_the_line_of_a_launch(machine: Machine, stream: lp.Stream, array: lp.Array, anchor: Begin) -> None:
    machine.machine.automatic = True
    mix = machine.kernel()[1, 1, stream]
    line = test_the_line_of_a_launch.__code__.co_firstlineno + 7
    anchored, effect = anchor(f"step:test_steps.py:{line}")
    for value in range(4):
        mix(array, array[:0], 0, value)  # this line
        mix(array, array[:0], 0, value)
    anchored.at_exit()
    assert effect.facts()["effects"] == 4
    assert launches(machine) == 8


def test_packed_launches_and_those_by_name_count(
    machine: Machine, stream: lp.Stream, array: lp.Array, anchor: Begin
) -> None:
    machine.machine.automatic = True
    mix = machine.kernel()[1, 1, stream]
    anchored, effect = anchor("step:@mix")
    mix(dst=array, src=array[:0], n=0, tag=1)
    mix.packed(bytes(24))
    mix(array, array[:0], 0, 1)
    anchored.at_exit()
    facts = effect.facts()
    assert facts["effects"] + sum(facts["refused"].values()) == 3


def test_launches_in_a_step_of_the_programs(
    machine: Machine, stream: lp.Stream, array: lp.Array, anchor: Begin
) -> None:
    machine.machine.automatic = True
    mix = machine.kernel()[1, 1, stream]
    _, effect = anchor("step:@mix")
    with lp.Step():
        mix(array, array[:0], 0, 1)
        assert launches(machine) == 0
    assert launches(machine) == 1
    assert effect.facts()["refused"] == {"it is inside a step or a capture of the program's own": 1}


def test_launches_of_threads_begin_steps_of_their_own(machine: Machine, array: lp.Array, anchor: Begin) -> None:
    machine.machine.automatic = True
    kernel = machine.kernel()
    streams = machine.streams(("nonblocking",) * 2)
    _, effect = anchor("step:@mix")

    def work(which: int) -> None:
        for _ in range(5):
            kernel[1, 1, streams[which]](array, array[:0], 0, 1)

    apart(work, 0)
    apart(work, 1)
    gc.collect()
    assert launches(machine) == 10  # those of the last steps too: they end with their threads
    assert effect.facts()["effects"] == 8

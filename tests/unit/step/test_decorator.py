"""`lp.step`: a function that is a step each time it is called, on each thread."""

import asyncio
import functools
from typing import Any

import pytest

import launchpath as lp
from tests.fixtures import arrays, calls
from tests.simulated import Machine
from tests.threads import apart, at_once


def test_a_function_is_a_step(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    @lp.step
    def work(value: int, *, more: int = 0) -> int:
        """Fill twice."""
        array.fill(value, stream)
        array.fill(value + more, stream)
        assert "fill" not in calls(machine)
        return value + more

    assert (work.__name__, work.__doc__) == ("work", "Fill twice.")
    for value in range(3):
        assert work(value, more=5) == value + 5
        assert calls(machine)["fill"] == 2
    assert array.to_numpy(stream).tolist() == [7] * 16


def test_a_function_that_raises(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    @lp.step
    def work(fails: bool) -> None:
        array.fill(1, stream)
        if fails:
            raise ValueError("my own")
        array.fill(2, stream)

    for fails in (True, False, True):
        try:
            work(fails)
        except ValueError:
            assert fails
        assert calls(machine)["fill"] == 2 - fails


def test_a_function_that_calls_itself_and_others(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    @lp.step
    def fill(value: int) -> None:
        array.fill(value, stream)

    @lp.step
    def count_down(value: int) -> None:
        fill(value)
        if value:
            count_down(value - 1)
        assert "fill" not in calls(machine)

    count_down(4)
    assert calls(machine)["fill"] == 5


def test_a_method_is_a_step(machine: Machine, stream: lp.Stream) -> None:
    class Scene:
        def __init__(self, value: int) -> None:
            self.value, (self.array,) = value, arrays(machine, 1)

        @lp.step
        def advance(self) -> None:
            self.array.fill(self.value, stream)
            self.value += 1
            assert "fill" not in calls(machine)

        @staticmethod
        @lp.step
        def nothing() -> str:
            return "nothing"

        @classmethod
        @lp.step
        def name(cls) -> str:
            return cls.__name__

    scenes = [Scene(0), Scene(10)]
    for _ in range(3):
        for scene in scenes:
            scene.advance()
            assert calls(machine)["fill"] == 1
    assert [scene.array.to_numpy(stream)[0] for scene in scenes] == [2, 12]
    assert (scenes[0].nothing(), Scene.name()) == ("nothing", "Scene")


def test_each_thread_has_a_step_of_its_own(machine: Machine) -> None:
    machine.machine.background()
    kept = arrays(machine, 4)
    streams = machine.streams(("nonblocking", "blocking") * 2)

    @lp.step
    def work(i: int, value: int) -> None:
        for j in range(5):
            kept[i].fill(value + j, streams[i])

    def run(i: int) -> None:
        for value in range(20):
            work(i, 100 * i + value)

    at_once(run, range(4))
    assert [kept[i].to_numpy(streams[i])[0] for i in range(4)] == [100 * i + 23 for i in range(4)]


def test_a_partial_and_a_callable_object(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    class Filler:
        def __call__(self, value: int) -> None:
            array.fill(value, stream)
            assert "fill" not in calls(machine)

    lp.step(Filler())(1)
    assert calls(machine)["fill"] == 1
    lp.step(functools.partial(Filler(), 2))()
    assert calls(machine)["fill"] == 1


async def _coroutine() -> None:
    pass


def _generator() -> Any:
    yield


async def _asynchronous_generator() -> Any:
    yield


class _Awaited:
    async def __call__(self) -> None:
        pass

    async def method(self) -> None:
        pass


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (_coroutine, "the coroutine function"),
        (functools.partial(_coroutine), "the coroutine function"),
        (_Awaited(), "the coroutine function"),
        (_Awaited().method, "the coroutine function"),
        (_generator, "the generator function"),
        (_asynchronous_generator, "the asynchronous generator function"),
    ],
)
def test_what_runs_after_its_call_is_refused(function: Any, kind: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=f"got {kind} .* would run outside the step: enter an lp.Step"):
        lp.step(function)


@pytest.mark.parametrize("kind", [staticmethod, classmethod])
def test_the_decorators_of_methods_come_above(kind: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match=f"write @{kind.__name__} above @lp.step"):
        lp.step(kind(lambda: None))


@pytest.mark.parametrize("thing", [None, 3, "advance", [], property(lambda self: None)])
def test_what_is_not_called_is_refused(thing: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected a function, got .*: write @lp.step without parentheses"):
        lp.step(thing)
    with pytest.raises(TypeError):
        lp.step()  # type: ignore[call-arg]


def test_a_coroutine_may_enter_a_step(machine: Machine) -> None:
    """Tasks that take turns inside their steps, as they should not: still nothing is lost, and nothing out of order."""
    streams = machine.streams(("nonblocking",) * 3)
    kept = arrays(machine, 3)
    machine.machine.background()

    async def work(i: int) -> None:
        step = lp.Step()
        for value in range(6):
            with step:
                kept[i].fill(value, streams[i])
                if value % 2:
                    await asyncio.sleep(0)
                kept[i].fill(10 * value + i, streams[i])

    async def main() -> None:
        await asyncio.gather(*(work(i) for i in range(3)))

    asyncio.run(main())
    assert [kept[i].to_numpy(streams[i])[0] for i in range(3)] == [50, 51, 52]


def test_the_report_of_a_function(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    @lp.step
    def work(count: int) -> None:
        for value in range(count):
            array.fill(value, stream)

    assert work.report().runs == 0
    for count in (2, 2, 3):
        work(count)
    report = work.report()
    assert (report.runs, report.commands, report.submissions, report.direct) == (3, 7, 3, 0)
    assert report.causes == ["the first one, of 2 commands", "3 commands, expected 2"]
    assert str(report).startswith("3 runs: 7 commands in 3 submissions, 0 at once")


def test_the_report_of_all_threads_and_of_those_that_have_ended(machine: Machine, stream: lp.Stream) -> None:
    array, *others = arrays(machine, 5)

    @lp.step
    def work(into: lp.Array) -> None:
        into.fill(1, stream)
        into.to_numpy(stream)
        into.fill(2, stream)

    machine.machine.background()
    work(array)
    at_once(work, others)
    for _ in range(150):  # more than are added up at a time
        apart(work, array)
    report = work.report()
    # Events are the core's own: whether a read needs one depends on what was read before. Threads that read at once may
    # have an event submitted alone.
    assert (report.runs, report.commands - report.events) == (155, 155 * 3)
    assert 2 * 155 <= report.submissions <= 2 * 155 + 20
    assert 155 <= sum(report.early.values()) <= 155 + 20
    assert len(report.causes) <= 16


def test_the_report_of_a_method(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    class Scene:
        @lp.step
        def advance(self, value: int) -> int:
            array.fill(value, stream)
            return value

    first, other = Scene(), Scene()
    assert (first.advance(1), other.advance(2)) == (1, 2)
    assert first.advance.report().runs == Scene.advance.report().runs == 2


def test_a_report_where_steps_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAUNCHPATH_STEPS", "0")
    work = lp.step(lambda: None)
    work()
    assert not work.report().on


def test_freeze_belongs_to_another_object(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    @lp.step
    def work() -> None:
        array.fill(1, stream)

    for name in ("freeze", "launch"):
        with pytest.raises(AttributeError, match=r"function 'work' has no attribute .*: freeze a Step .*`with step:`"):
            getattr(work, name)
    step = lp.Step()
    with step:  # as the message says
        work()
    step.freeze().launch()
    assert calls(machine)["fill"] == 2

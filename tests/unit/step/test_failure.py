"""Steps whose commands the driver refuses, or that fail when they run."""

from collections.abc import Callable
from typing import Any

import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays, calls
from tests.simulated import Machine
from tests.standin.client import on_thread
from tests.unit.support.blocks import Keeper
from tests.unit.support.staged import add, ints

pytestmark = pytest.mark.machine(check=False)  # what follows a failed command is no race


def refused(machine: Machine, step: lp.Step, body: Callable[[], Any], call: str = "fill", nth: int = 1) -> Any:
    """Run a body in a step whose nth call of that name fails; return the error."""
    machine.machine.fail(call, nth)
    with pytest.raises(lp.DriverError, match=f"{call} failed: SIM_INJECTED") as caught, step:
        body()
    return caught.value


@pytest.fixture
def fill(machine: Machine, stream: lp.Stream) -> Callable[[], None]:
    """A command."""
    (a,) = arrays(machine, 1)
    return lambda: a.fill(1, stream) and None


@pytest.mark.parametrize(("call", "place"), [
    ("launch", "a launch of mix"), ("copy", "a copy, a fill or an event"), ("fill", "a copy, a fill or an event"),
])  # fmt: skip
def test_a_refused_command_is_raised_when_the_step_is_left(
    machine: Machine, stream: lp.Stream, call: str, place: str
) -> None:
    a, b, c = arrays(machine, 3)
    mix, step = machine.kernel()[1, 1, stream], lp.Step()
    for array in (a, b, c):
        array.fill(0, stream)

    def body() -> None:
        a.fill(1, stream)
        c.copy_from(a, stream)
        mix(b, a, 16, 2)
        b.fill(4, stream)

    machine.machine.fail(call, 1)
    calls(machine)
    with pytest.raises(lp.DriverError, match=f"{call} failed") as caught, step:
        body()
        assert calls(machine) == {}
    (note,) = caught.value.__notes__
    assert note == f"in a step, at {place}: the commands before it were submitted, those after it were not"
    submitted = calls(machine)
    expected: dict[str, dict[str, int]] = {
        "fill": {"fill": 1},
        "copy": {"fill": 1, "copy": 1},
        "launch": {"fill": 1, "copy": 1, "launch": 1},
    }
    assert {name: submitted[name] for name in ("fill", "copy", "launch") if name in submitted} == expected[call]
    with step:  # once
        body()
    assert calls(machine)["fill"] == 2
    assert b.to_numpy(stream).tolist() == [4] * 16


def test_a_step_that_was_refused_in_a_run_goes_on_in_the_next(machine: Machine, fill: Callable[[], None]) -> None:
    step = lp.Step()
    for run in range(6):
        calls(machine)
        if run % 2:
            refused(machine, step, lambda: [fill() for _ in range(5)], nth=3)
            assert calls(machine)["fill"] == 3
        else:
            with step:
                for _ in range(5):
                    fill()
            assert calls(machine)["fill"] == 5


def test_an_event_behind_a_refused_command_is_not_waited_for_for_ever(
    machine: Machine, array: lp.Array, fill: Callable[[], None]
) -> None:
    stream, other = machine.streams(("nonblocking", "nonblocking"))
    events = [lp.Event(), lp.Event()]

    def body() -> None:
        array.fill(1, stream)
        stream.record(events[0])
        other.wait(events[0])
        array.fill(2, other)
        other.record(events[1])

    refused(machine, lp.Step(), body)
    for event in events:  # it orders what waits for it, and the host hears of the failure
        with pytest.raises(lp.LaunchpathError):
            event.synchronize()
    machine.device.synchronize()
    array.fill(3, other)
    assert array.to_numpy(other).tolist() == [3] * 16


def test_a_refusal_that_another_thread_caused_is_the_step_s(
    machine: Machine, stream: lp.Stream, array: lp.Array
) -> None:
    raised: list[BaseException] = []

    def look() -> None:
        try:
            stream.query()
        except BaseException as error:
            raised.append(error)

    refused(machine, lp.Step(), lambda: (array.fill(1, stream), on_thread(look).join()))
    assert raised == []


def test_an_exception_of_the_body_stays_visible(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    def body() -> None:
        array.fill(1, stream)
        raise KeyError("my own")

    assert repr(refused(machine, lp.Step(), body).__context__) == "KeyError('my own')"


def entered_with_a_refusal(machine: Machine) -> tuple[lp.Step, lp.Array, lp.Stream]:
    """Enter a step with a fill that the driver will refuse; give the step, the array and the stream."""
    (stream,) = machine.streams(("nonblocking",))
    (a,) = arrays(machine, 1)
    step = lp.Step()
    step.__enter__()
    a.fill(1, stream)
    machine.machine.fail("fill")
    return step, a, stream


def test_a_step_that_is_dropped_with_a_refused_command_leaves_nothing_to_the_next(machine: Machine) -> None:
    step, a, stream = entered_with_a_refusal(machine)
    del step
    with lp.Step():
        a.fill(2, stream)
    assert a.to_numpy(stream).tolist() == [2] * 16


def test_a_refusal_that_a_dropped_step_has_raised_hides_none_of_the_next_step(machine: Machine) -> None:
    step, a, stream = entered_with_a_refusal(machine)
    with pytest.raises(lp.DriverError):
        machine.device.synchronize()
    with pytest.raises(lp.DriverError):
        a.fill(2, stream)
    del step
    refused(machine, lp.Step(), lambda: (machine.machine.fail("fill"), a.fill(3, stream)))


@pytest.mark.parametrize("waiter", [False, True], ids=["the program's thread waits", "a waiter waits"])
def test_nothing_is_read_as_if_a_refused_command_had_run(
    machine: Machine, stream: lp.Stream, array: lp.Array, waiter: bool
) -> None:
    array.fill(0, stream)
    if not waiter:  # a wait for nothing but what was left out needs none
        stream.synchronize()
    read = []
    refused(machine, lp.Step(), lambda: (array.fill(1, stream), read.append(array.to_numpy(stream).tolist())))
    assert read == []
    assert array.to_numpy(stream).tolist() == [0] * 16


def looks(machine: Machine, stream: lp.Stream) -> dict[str, Callable[[], Any]]:
    """Ways to find that all of a stream's work is over."""
    return {
        "stream": stream.synchronize,
        "device": machine.device.synchronize,
        "query": stream.query,
    }


@pytest.mark.parametrize("way", ["stream", "device", "query"])
def test_a_look_in_the_step_at_a_queue_that_was_left_out_raises(
    machine: Machine, stream: lp.Stream, fill: Callable[[], None], way: str
) -> None:
    went_on = []
    refused(machine, lp.Step(), lambda: (fill(), looks(machine, stream)[way](), went_on.append(way)))
    assert went_on == []
    looks(machine, stream)[way]()  # it was told of


def test_an_event_that_another_thread_makes_behind_a_refused_command_fails_until_the_step_is_left(
    machine: Machine, stream: lp.Stream, array: lp.Array
) -> None:
    during, after = lp.Event(), lp.Event()
    raised: list[BaseException] = []

    def record() -> None:
        stream.record(during)
        try:
            during.synchronize()
        except lp.DriverError as error:
            raised.append(error)

    refused(
        machine, lp.Step(), lambda: (array.fill(1, stream), on_thread(stream.query).join(), on_thread(record).join())
    )
    assert len(raised) == 1
    with pytest.raises(lp.LaunchpathError):
        during.synchronize()
    stream.record(after)
    after.synchronize()
    assert stream.query()


def block_is_uploaded(machine: Machine, body: Callable[[], None]) -> None:
    (stream,) = machine.streams(("nonblocking",))
    keeper = Keeper(machine)
    refused(machine, lp.Step(), lambda: (body(), keeper.kernel[1, 1, stream](*keeper.arguments(5))))
    keeper.kernel[1, 1, stream](*keeper.arguments(5))
    stream.synchronize()
    assert keeper.seen == keeper.expected(5)


def test_a_block_of_arguments_behind_a_refused_command_is_uploaded_again(
    machine: Machine, fill: Callable[[], None]
) -> None:
    block_is_uploaded(machine, fill)


def test_a_block_of_arguments_behind_a_command_that_is_known_to_be_refused_is_uploaded_again(
    machine: Machine, fill: Callable[[], None]
) -> None:
    def fill_and_hear() -> None:
        fill()
        with pytest.raises(lp.DriverError):
            machine.device.synchronize()

    block_is_uploaded(machine, fill_and_hear)


@pytest.mark.parametrize("kind", [lp.Out, lp.InOut])
def test_host_arrays_of_a_launch_that_was_left_out_stay_as_they_are(
    machine: Machine, stream: lp.Stream, fill: Callable[[], None], kind: Any
) -> None:
    kernel, x, y = add(machine), lp.In(ints(8, 1)), kind(ints(8))
    refused(machine, lp.Step(), lambda: (fill(), kernel[1, 1, stream](x, y, 10, 8)))
    with pytest.raises(lp.LaunchpathError):
        y.get()
    assert y.array.tolist() == ints(8).tolist()
    kernel[1, 1, stream](x, y, 10, 8)
    assert y.get().tolist() == (ints(8, 1) + 10).tolist()


def test_the_result_of_a_launch_that_was_left_out_is_an_error(
    machine: Machine, stream: lp.Stream, fill: Callable[[], None]
) -> None:
    (b,) = arrays(machine, 1)
    returning, results = machine.kernel().returning(dst=16)[1, 1, stream], []
    b.fill(1, stream)
    refused(machine, lp.Step(), lambda: (fill(), results.append(returning(b, 16, 4))))
    with pytest.raises(lp.LaunchpathError):
        results[0].get()


def test_a_command_that_fails_when_it_runs(machine: Machine, stream: lp.Stream) -> None:
    """As without a step: the next call that synchronizes the stream raises."""
    a, b = arrays(machine, 2)
    number = len(machine.machine.queues) - 1
    step = lp.Step()
    with step:
        a.fill(1, stream)
        b.fill(1, stream)
    stream.synchronize()
    machine.machine.fail_command(0, number, 4)
    with step:
        a.fill(2, stream)
        b.fill(2, stream)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    with step:
        a.fill(3, stream)
        b.fill(3, stream)
    assert a.to_numpy(stream).tolist() == [3] * 16


def test_arguments_are_refused_at_their_launch(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    mix, step = machine.kernel()[1, 1, stream], lp.Step()
    with step:
        mix(a, b, 16, 1)
        with pytest.raises(lp.SignatureError):
            mix(a, b, 16)
        with pytest.raises(lp.LaunchpathError):
            mix(a, b, "16", 1)
        b.free()
        with pytest.raises(lp.FreedError):
            mix(a, b, 16, 1)
        with pytest.raises(lp.FreedError):
            b.fill(1, stream)
    assert step.report().commands == 1
    machine.device.synchronize()


def test_a_refusal_is_raised_in_a_step_within_another_step(machine: Machine, fill: Callable[[], None]) -> None:
    outer, inner = lp.Step(), lp.Step()
    machine.machine.fail("fill", 1)
    with pytest.raises(lp.DriverError), outer:
        with inner:
            fill()
        assert calls(machine).get("fill", 0) == 0
    with inner, outer:
        fill()


def test_without_a_step_the_same_is_raised_at_once(
    machine: Machine, fill: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAUNCHPATH_STEPS", "0")
    step = lp.Step()
    machine.machine.fail("fill")
    with step:
        with pytest.raises(lp.DriverError):
            fill()
        fill()
    assert (step.report().commands, step.report().direct) == (0, 1)
    assert _core.entered() == []

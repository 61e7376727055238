"""Captures that end otherwise than by `end_capture`, and launches of executables that the driver refuses."""

import contextlib
import gc
from collections.abc import Callable

import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.standin.client import on_thread
from tests.threads import apart


def capture_and_fail(machine: Machine, array: lp.Array, kind: str = "nonblocking") -> None:
    """An exception leaves the code between begin and end, and the stream is dropped with its frame."""
    stream = lp.Stream(blocking=kind == "blocking", device=machine.device)
    stream.begin_capture()
    array.fill(1, stream)
    raise ValueError("in the middle")


@pytest.mark.parametrize("kind", ["nonblocking", "blocking"])
def test_a_capture_ends_with_its_stream(machine: Machine, kind: str) -> None:
    (array,) = arrays(machine, 1)
    for _ in range(3):
        with contextlib.suppress(ValueError):  # `pytest.raises` would keep the frame, and the stream with it
            capture_and_fail(machine, array, kind)
        gc.collect()
        (other,) = machine.streams((kind,))
        other.begin_capture()
        array.fill(2, other)
        assert len(other.end_capture()) == 1
        with lp.Step():
            array.fill(3, other)
        other.synchronize()


def test_a_stream_that_is_dropped_on_another_thread(machine: Machine, array: lp.Array) -> None:
    streams = [lp.Stream(blocking=False, device=machine.device)]
    streams[0].begin_capture()
    array.fill(1, streams[0])
    on_thread(streams.clear).join()
    (other,) = machine.streams(("nonblocking",))
    array.fill(2, other)  # runs: nothing is captured any more
    other.synchronize()
    other.begin_capture()
    array.fill(2, other)
    assert len(other.end_capture()) == 1


def test_the_next_capture_finds_that_out_by_itself(machine: Machine) -> None:
    streams = [lp.Stream(blocking=False, device=machine.device)]
    (other,) = machine.streams(("nonblocking",))
    streams[0].begin_capture()
    on_thread(streams.clear).join()
    other.begin_capture()
    assert len(other.end_capture()) == 0


def test_a_stream_that_is_dropped_after_its_capture_was_ended(machine: Machine) -> None:
    (array,) = arrays(machine, 1)
    stream = lp.Stream(blocking=False, device=machine.device)
    stream.begin_capture()
    array.fill(1, stream)
    with contextlib.suppress(lp.LaunchpathError):
        stream.query()
    del stream
    (other,) = machine.streams(("nonblocking",))
    other.begin_capture()
    assert len(other.end_capture()) == 0


def test_the_stream_that_is_captured_is_named(machine: Machine) -> None:
    stream, other = machine.streams(("nonblocking", "nonblocking"))
    stream.begin_capture()
    with pytest.raises(
        lp.LaunchpathError, match=r"got one that captures <.*Stream.*>: call end_capture\(\) of that stream first"
    ):
        other.begin_capture()
    stream.end_capture()
    with lp.Step(), pytest.raises(lp.LaunchpathError, match="in no step, got one that is"):
        other.begin_capture()


def test_a_stream_that_another_thread_captures(machine: Machine) -> None:
    """A thread that ends leaves its capture. To wait for the stream ends it."""
    (stream,) = machine.streams(("nonblocking",))
    apart(stream.begin_capture)
    with pytest.raises(lp.LaunchpathError, match=r"got one that another thread captures: .* synchronize\(\)"):
        stream.begin_capture()
    stream.synchronize()
    stream.begin_capture()
    assert len(stream.end_capture()) == 0


def test_a_stream_that_is_dropped_in_the_captures_of_two_threads(machine: Machine) -> None:
    """The second one may begin once the first was ended early. Both threads are free then."""
    streams = [lp.Stream(blocking=False, device=machine.device)]
    (other,) = machine.streams(("nonblocking",))
    streams[0].begin_capture()
    streams[0].synchronize()

    def elsewhere() -> None:
        streams[0].begin_capture()
        streams.clear()
        other.begin_capture()
        assert len(other.end_capture()) == 0

    apart(elsewhere)
    other.begin_capture()
    assert len(other.end_capture()) == 0


# -- after something has ended a capture, until its thread ends it


def test_a_capture_that_was_ended_early_goes_on_for_its_thread(machine: Machine) -> None:
    """What the thread submits to the stream is refused, and does not count as complete."""
    stream, side = machine.streams(("nonblocking", "nonblocking"))
    (array,) = arrays(machine, 1)
    event = side.record()
    stream.begin_capture()
    array.fill(1, stream)
    stream.synchronize()
    for submit in (
        lambda: array.fill(2, stream),
        stream.record,
        lambda: stream.record(timing=True),
        lambda: stream.wait(event),
        lambda: stream.host_function(print),
        stream.hold,
    ):
        with pytest.raises(lp.LaunchpathError, match=r"part of a capture .*: end the capture with end_capture\(\)"):
            submit()
    assert stream.capturing
    assert not apart(lambda: stream.capturing)  # what other threads submit runs
    with pytest.raises(lp.LaunchpathError, match="ended before"):
        stream.end_capture()
    assert not stream.capturing
    array.fill(3, stream)
    assert array.to_numpy(stream).tolist() == [3] * 16


@pytest.mark.machine(check=False)  # nobody put anything into the stream, and it is waited for all the same
@pytest.mark.parametrize("kind", ["nonblocking", "blocking"])
def test_other_streams_go_on_behind_a_stream_whose_capture_its_handle_ended(machine: Machine, kind: str) -> None:
    """The legacy stream waits for what foreign code may have put into a blocking one."""
    stream, legacy, other = machine.streams((kind, "legacy", "blocking"))
    a, b = arrays(machine, 2)
    stream.begin_capture()
    a.fill(1, stream)
    assert stream.handle
    b.fill(2, legacy)
    b.fill(3, other)
    assert b.to_numpy(other).tolist() == [3] * 16
    with pytest.raises(lp.LaunchpathError, match="ended before"):
        stream.end_capture()


@pytest.mark.machine(check=False)  # "always" waits for more than is needed
@pytest.mark.parametrize("name", ["clocks", "nonempty", "always"])
def test_other_streams_wait_for_what_another_thread_submits_to_a_captured_stream(
    machine: Machine, ordering: Callable[[str], None], name: str
) -> None:
    ordering(name)
    stream, legacy, side = machine.streams(("blocking", "legacy", "nonblocking"))
    a, b, c = arrays(machine, 3)
    machine.device.synchronize()
    stream.begin_capture()
    a.fill(1, stream)

    def elsewhere() -> lp.Event:
        a.fill(7, stream)
        return stream.record()

    event = apart(elsewhere)
    side.wait(event)
    b.copy_from(a, side)
    c.copy_from(a, legacy)
    assert b.to_numpy(side).tolist() == c.to_numpy(legacy).tolist() == [7] * 16
    with pytest.raises(lp.LaunchpathError, match="another thread used one of its streams"):
        stream.end_capture()


def test_a_step_inside_of_a_capture_has_no_run_to_freeze(machine: Machine) -> None:
    (stream,), (array,) = machine.streams(("nonblocking",)), arrays(machine, 1)
    step = lp.Step()
    stream.begin_capture()
    with step:
        array.fill(1, stream)
    stream.end_capture()
    with pytest.raises(lp.LaunchpathError, match="only inside of another step or a capture"):
        step.freeze()


@pytest.mark.machine(check=False)  # "always" waits for more than is needed
@pytest.mark.parametrize("name", ["clocks", "nonempty", "always"])
def test_the_legacy_stream_goes_on_beside_a_capture(
    machine: Machine, ordering: Callable[[str], None], name: str
) -> None:
    ordering(name)
    stream, legacy = machine.streams(("blocking", "legacy"))
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    stream.begin_capture()
    a.fill(2, stream)
    on_thread(lambda: b.fill(3, legacy)).join()
    on_thread(lambda: a.fill(4, legacy)).join()
    a.fill(5, stream)
    assert len(stream.end_capture()) == 2


@pytest.mark.machine(check=False)
def test_a_refused_launch_of_an_executable_keeps_no_event(machine: Machine) -> None:
    """The machine reports events that are left at its end. Launches after it come after the commands that were accepted."""
    stream, side = machine.streams(("nonblocking", "nonblocking"))
    a, b = arrays(machine, 2)
    stream.begin_capture()
    a.fill(1, stream)
    b.fill(2, stream)
    executable = stream.end_capture().instantiate()
    for target in (stream, side, stream):
        machine.machine.fail("fill", 2)
        with pytest.raises(lp.DriverError, match="fill failed"):
            executable.launch(target)
    executable.launch(side)
    machine.machine.run()
    assert b.to_numpy(side).tolist() == [2] * 16
    assert _core.entered() == []

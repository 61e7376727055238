"""The layer that has commands timed: it knows each launch by name, number and stream, and goes on and off at any time."""

import pytest

import launchpath as lp
from launchpath import _core
from tests.fixtures import arrays
from tests.simulated import Machine


def test_commands_are_timed_with_their_names(machine: Machine, stream: lp.Stream) -> None:
    a, b = arrays(machine, 2)
    a.fill(1, stream)
    direct = _core.calls_driver_directly(stream)  # not where this process has had steps
    _core.time_commands(machine.device)
    a.fill(2, stream)
    machine.kernel()[1, 1, stream](a, b, 16, 5)
    b.copy_from(a, stream)
    last = stream.submitted[0]
    stream.synchronize()
    _core.time_commands(machine.device, False)
    a.fill(3, stream)
    stream.synchronize()
    times = _core.command_times(machine.device)
    assert [(call, name, number) for call, name, number, *_ in times] == [
        ("fill", "", last - 2),
        ("launch", "mix", last - 1),
        ("copy", "", last),
    ]
    ended = 0
    for *_, queued, submitted, started, finished in times:
        assert submitted is None  # the simulated library does not tell
        assert queued <= started <= finished
        assert ended <= started
        ended = finished
    assert _core.command_times(machine.device) == []
    assert _core.calls_driver_directly(stream) == direct


def test_what_is_under_way_is_kept_until_it_is_complete(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    _core.time_commands(machine.device)
    with stream.hold():
        array.fill(1, stream)
        assert _core.command_times(machine.device) == []
    stream.synchronize()
    assert [call for call, *_ in _core.command_times(machine.device)] == ["fill"]
    _core.time_commands(machine.device, False)


def test_a_command_that_is_refused_leaves_no_times(machine: Machine, stream: lp.Stream, array: lp.Array) -> None:
    _core.time_commands(machine.device)
    machine.machine.fail("fill", 1, -6)
    with pytest.raises(lp.DriverError):
        array.fill(1, stream)
    stream.synchronize()
    assert _core.command_times(machine.device) == []
    _core.time_commands(machine.device, False)


def test_times_that_nobody_takes_are_released_with_the_device(
    machine: Machine, stream: lp.Stream, array: lp.Array
) -> None:
    """The machine reports events that are left."""
    _core.time_commands(machine.device)
    for value in range(5):
        array.fill(value, stream)
    stream.synchronize()


@pytest.mark.parametrize("log_first", [True, False])
def test_over_and_under_the_log(
    machine: Machine, stream: lp.Stream, array: lp.Array, log_first: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    for each in (_core.log_driver_calls, _core.time_commands)[:: 1 if log_first else -1]:
        each(machine.device)
    capfd.readouterr()
    array.fill(1, stream)
    stream.synchronize()
    text = capfd.readouterr().err
    assert ("fill_timed(" in text) is log_first  # the layer below is called with what the layer above asks for
    assert ("simulated.fill(" in text) is not log_first
    assert [call for call, *_ in _core.command_times(machine.device)] == ["fill"]
    _core.log_driver_calls(machine.device, False)
    _core.time_commands(machine.device, False)


def test_the_clocks_pair(machine: Machine) -> None:
    pair = _core.clock_pair(machine.device)
    assert pair is not None
    assert pair[0] == pair[1]

"""Copies of rows: a command of the driver's where it has one, else a command for each row."""

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine

HEIGHT, WIDTH = 9, 16


def _table(machine: Machine) -> lp.Array:
    return lp.asarray(np.arange(HEIGHT * WIDTH, dtype=np.uint8).reshape(HEIGHT, WIDTH), device=machine.device)


def _copied(machine: Machine, to_pitch: int, source_pitch: int, width: int, rows: int) -> np.ndarray:
    """Copy on a stream from the fourth byte of a table, into zeros; return the bytes."""
    (stream,), table = machine.streams(("nonblocking",)), _table(machine)
    to = lp.zeros(256, "uint8", stream=stream)
    table.device.synchronize()
    machine.machine.reset_calls()
    _core.copy_rows(stream, to.pointer_on(stream), to_pitch, table.pointer_on(stream) + 3, source_pitch, width, rows)
    return to.to_numpy(stream)


def _expected(to_pitch: int, source_pitch: int, width: int, rows: int) -> np.ndarray:
    source, to = np.arange(HEIGHT * WIDTH, dtype=np.uint8)[3:], np.zeros(256, np.uint8)
    for row in range(rows):
        to[row * to_pitch : row * to_pitch + width] = source[row * source_pitch : row * source_pitch + width]
    return to


@pytest.mark.parametrize(
    ("case", "calls"),
    [
        ((20, WIDTH, 5, 7), {"copy_rows": 1}),
        ((5, WIDTH, 5, 7), {"copy_rows": 1}),
        ((5, 5, 5, 7), {"copy": 1}),  # it is contiguous
        ((20, WIDTH, 5, 1), {"copy": 1}),
        ((20, 0, 5, 4), {"copy": 4}),  # the same row each time
        ((20, 2, 5, 4), {"copy": 4}),
        ((20, WIDTH, 0, 4), {}),
        ((20, WIDTH, 5, 0), {}),
    ],
)
def test_rows(machine: Machine, case: tuple[int, ...], calls: dict[str, int]) -> None:
    copied = _copied(machine, *case)
    counts = machine.machine.calls
    counts["copy"] -= 1  # that of the test, back to the host
    assert {call: counts[call] for call in ("copy", "copy_rows") if counts[call]} == calls
    np.testing.assert_array_equal(copied, _expected(*case))


def test_rows_backwards(machine: Machine) -> None:
    (stream,), table = machine.streams(("nonblocking",)), _table(machine)
    to = lp.zeros((HEIGHT, WIDTH), "uint8", stream=stream)
    table.device.synchronize()
    last = table.pointer_on(stream) + (HEIGHT - 1) * WIDTH
    _core.copy_rows(stream, to.pointer_on(stream), WIDTH, last, -WIDTH, WIDTH, HEIGHT)
    np.testing.assert_array_equal(to.to_numpy(stream), table.to_numpy()[::-1])


def test_many_rows_are_looked_at_in_pieces(machine: Machine, stream: lp.Stream) -> None:
    source, to = lp.asarray([7], "uint8", stream=stream), lp.zeros(3000, "uint8", stream=stream)
    machine.machine.reset_calls()
    _core.copy_rows(stream, to.pointer_on(stream), 3, source.pointer_on(stream), 0, 1, 1000)
    assert machine.machine.calls["copy"] == 1000
    assert to.to_numpy(stream)[::3].tolist() == [7] * 1000


def test_rows_are_ordered_and_judged(machine: Machine) -> None:
    """The machine reports a race for bytes of a row, and none for those between rows."""
    (first, second), table = machine.streams(("nonblocking", "nonblocking")), _table(machine)
    to = lp.zeros(256, "uint8", stream=first)
    table.device.synchronize()
    at, source = to.pointer_on(first), table.pointer_on(first)
    _core.copy_rows(first, at, 20, source, WIDTH, 5, 4)
    _core.copy_rows(second, at + 5, 20, source, WIDTH, 15, 4)
    assert not machine.machine.reports
    _core.copy_rows(second, at + 4, 20, source, WIDTH, 1, 2)
    assert {report.kind for report in machine.machine.reports} == {"race"}
    machine.device.synchronize()
    machine.machine.clear()


def test_rows_that_are_refused_can_be_copied_again(machine: Machine) -> None:
    for case, call in (((20, WIDTH, 5, 7), "copy_rows"), ((20, 0, 5, 4), "copy")):
        machine.machine.fail(call, 1, -9001)
        with pytest.raises(lp.DriverError, match=call):
            _copied(machine, *case)
        np.testing.assert_array_equal(_copied(machine, *case), _expected(*case))


def test_a_closed_device() -> None:
    with Machine(check=False) as other:
        (stream,) = other.streams(("nonblocking",))
        pointer = lp.zeros(64, "uint8", stream=stream).pointer
    for pitch in (0, 20):
        with pytest.raises(lp.LaunchpathError, match="closed"):
            _core.copy_rows(stream, pointer, 20, pointer, pitch, 5, 2)


def test_the_times_and_the_log_of_rows(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    _core.time_commands(machine.device)
    _core.log_driver_calls(machine.device)
    _copied(machine, 20, WIDTH, 5, 7)
    assert "copy_rows" in [call for call, *_ in _core.command_times(machine.device)]
    assert "simulated.copy_rows(" in capfd.readouterr().err
    _core.log_driver_calls(machine.device, False)
    _core.time_commands(machine.device, False)

"""Reading an array without naming a stream: it waits for the device's work on whatever stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import arrays, calls
from tests.simulated import Machine


def _copied(array: lp.Array) -> Any:
    out = np.zeros(array.shape, array.dtype)
    array.copy_to(out)
    return out


READERS: dict[str, Callable[[lp.Array], Any]] = {
    "to_numpy": lp.Array.to_numpy,
    "asarray": np.asarray,
    "asarray of another dtype": lambda array: np.asarray(array, "f8"),
    "copy_to": _copied,
    "dlpack": lambda array: np.array(np.from_dlpack(array)),
    "lp.asarray of another dtype": lambda array: lp.asarray(array, "i8", array.device).to_numpy(),
}


@pytest.mark.parametrize("kind", ["nonblocking", "blocking"])
@pytest.mark.parametrize("reader", READERS)
def test_what_reads_waits_for_work_on_any_stream(machine: Machine, reader: str, kind: str) -> None:
    (a,), (stream,) = arrays(machine, 1), machine.streams((kind,))
    for value in (7, 8):  # a race is reported when the machine is closed, whatever ran first
        a.fill(value, stream)
        assert READERS[reader](a).tolist() == [value] * 16


def test_what_reads_inside_with_stream_waits_for_other_streams_too(machine: Machine) -> None:
    (a,), (stream, other) = arrays(machine, 1), machine.streams(("nonblocking", "nonblocking"))
    a.fill(7, other)
    with stream:
        assert np.asarray(a).tolist() == [7] * 16


def test_a_stream_that_is_named_is_waited_for_alone(machine: Machine) -> None:
    (a, b), (stream, other) = arrays(machine, 2), machine.streams(("nonblocking", "nonblocking"))
    with other.hold():
        b.fill(1, other)
        a.fill(7, stream)
        assert a.to_numpy(stream).tolist() == [7] * 16
        assert not other.query()


def test_streams_that_wait_for_each_other_cost_nothing(machine: Machine) -> None:
    (a,), (blocking,) = arrays(machine, 1), machine.streams(("blocking",))
    a.fill(1, blocking)
    calls(machine)
    a.to_numpy()
    assert "queue_finish" not in calls(machine)


def test_what_failed_on_another_stream_is_told(machine: Machine) -> None:
    (a,), (stream,) = arrays(machine, 1), machine.streams(("nonblocking",))
    machine.machine.fail_command(0, 1, 1)
    a.fill(7, stream)
    with pytest.raises(lp.AsynchronousError):
        a.to_numpy()
    a.fill(8, stream)
    assert a.to_numpy().tolist() == [8] * 16

"""Reading an array without naming a stream: it waits for the device's work on whatever stream."""

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


def _shortened(array: lp.Array) -> str:
    with np.printoptions(threshold=4, edgeitems=3):
        first, last = repr(array).partition("[")[2].rstrip("]>").split("...")
    return first + 10 * " 8" + last if " 8 " in first else first + 10 * " 7" + last


READERS: dict[str, Callable[[lp.Array], Any]] = {
    "to_numpy": lp.Array.to_numpy,
    "asarray": np.asarray,
    "asarray of another dtype": lambda array: np.asarray(array, "f8"),
    "copy_to": _copied,
    "dlpack": lambda array: np.array(np.from_dlpack(array)),
    "repr": lambda array: np.fromstring(repr(array).partition("[")[2].rstrip("]>"), "u4", sep=" "),
    "corners": lambda array: np.fromstring(_shortened(array), "u4", sep=" "),
    "item": lambda array: np.full(16, array[3].item()),
    "float": lambda array: np.full(16, float(array[3])),
    "format": lambda array: np.full(16, int(f"{array[3]:4d}")),
    "tolist": lambda array: np.array(array.tolist()),
    "out": lambda array: array.to_numpy(out=np.zeros(16, "u4")),
    "astype": lambda array: array.astype("f8").to_numpy(),
    "iteration": lambda array: np.array([int(part) for part in array]),
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


@pytest.mark.parametrize("handed_out", [False, True])
def test_a_stream_that_was_dropped_is_waited_for_too(machine: Machine, handed_out: bool) -> None:
    (a,), stream = arrays(machine, 1), lp.Stream(blocking=False, device=machine.device)
    if handed_out:
        assert stream.handle
    a.fill(7, stream)
    del stream
    assert a.to_numpy().tolist() == [7] * 16


def test_messages_of_errors_do_not_wait(machine: Machine) -> None:
    (a, b), (stream,) = arrays(machine, 2), machine.streams(("nonblocking",))
    a.fill(7, stream)
    calls(machine)
    for use in (
        lambda: machine.kernel()[1, 16](b, b, a, 1),
        lambda: machine.kernel()[1, 16](b, [a], 16, 1),
        lambda: lp.zeros([a]),  # type: ignore[list-item]
        lambda: lp.In(a),  # type: ignore[arg-type]
    ):
        with pytest.raises(lp.LaunchpathError, match=r"<Array \(16,\) uint32 on 'Simulated'>"):
            use()
    assert not calls(machine)
    assert not stream.query()


def test_streams_that_wait_for_each_other_cost_nothing(machine: Machine) -> None:
    (a,), (blocking,) = arrays(machine, 1), machine.streams(("blocking",))
    a.fill(1, blocking)
    calls(machine)
    a.to_numpy()
    assert "queue_finish" not in calls(machine)


def test_what_failed_on_another_stream_is_reported(machine: Machine) -> None:
    (a,), (stream,) = arrays(machine, 1), machine.streams(("nonblocking",))
    machine.machine.fail_command(0, 1, 1)
    a.fill(7, stream)
    with pytest.raises(lp.AsynchronousError):
        a.to_numpy()
    a.fill(8, stream)
    assert a.to_numpy().tolist() == [8] * 16

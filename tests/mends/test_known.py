"""Uploads that are left out, on the simulated driver: only where the bytes are in the memory for certain."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.threads import apart

VALUES = np.arange(16, dtype=np.uint32)
LEFT_OUT, SENT = (True, ""), (False, "")


def send(array: Any, values: np.ndarray[Any, Any] = VALUES, stream: Any = None, **flags: Any) -> Any:
    flags = {"offset": 0, "at_once": True, "whole": True, **flags}
    return _core.upload_unless_same(array, values, stream, flags["offset"], flags["at_once"], flags["whole"])


def copies(machine: Machine) -> int:
    count = machine.machine.calls.get("copy", 0)
    machine.machine.reset_calls()
    return int(count)


def test_the_same_bytes_are_left_out(machine: Machine, kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    copies(machine)
    assert [send(pair[0]) for _ in range(3)] == [SENT, LEFT_OUT, LEFT_OUT]
    assert copies(machine) == 1
    assert pair[0].to_numpy().tolist() == VALUES.tolist()


def test_other_bytes_are_sent(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    assert [send(pair[0], VALUES + i) for i in (0, 1, 0)] == [SENT] * 3
    assert pair[0].to_numpy().tolist() == VALUES.tolist()


def test_the_host_may_change_its_memory_in_between(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    values = VALUES.copy()
    assert send(pair[0], values) == SENT
    values[3] = 99
    assert send(pair[0], values) == SENT
    assert send(pair[0], values) == LEFT_OUT
    assert pair[0].to_numpy()[3] == 99


def test_each_array_and_each_part_is_known_by_itself(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    first, second = pair[0][:8], pair[0][8:]
    for place in (first, second, pair[1][:8]):
        assert send(place, VALUES[:8]) == SENT
    for place in (first, second, pair[1][:8]):
        assert send(place, VALUES[:8]) == LEFT_OUT
    assert send(pair[0][4:12], VALUES[:8]) == SENT  # over a half of both
    for place in (first, second):
        left_out, reason = send(place, VALUES[:8])
        assert (left_out, reason) == (False, "a copy may have written there")


def test_a_kernel_that_reads_lets_it_be_known(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    send(pair[0])
    kernel[1, 1](pair[1], pair[0], 16, 1)
    assert send(pair[0]) == LEFT_OUT


WRITES: dict[str, tuple[Callable[[Any, Any, Any], object], str]] = {
    "a kernel": (lambda k, a, b: k[1, 1](a, b, 16, 1), "mix may have written there: its parameter is not a pointer to const"),
    "a kernel, to another part": (
        lambda k, a, b: k[1, 1](a[15:], b, 1, 1), "mix may have written there: its parameter is not a pointer to const"),
    "a fill": (lambda _, a, b: a.fill(3), "a fill may have written there"),
    "a fill of a part": (lambda _, a, b: a[3:4].fill(3), "a fill may have written there"),
    "a copy": (lambda _, a, b: a.copy_from(b), "a copy may have written there"),
    "an upload that is not watched": (lambda _, a, b: a.copy_from(VALUES), "a copy may have written there"),
    "an assignment": (lambda _, a, b: a.__setitem__(slice(2, 4), 7), "a fill may have written there"),
    "its address": (lambda _, a, b: a.pointer, "its address was handed out, so that a kernel or other code may write there unseen"),
    "packed bytes": (
        lambda k, a, b: k[1, 1].packed(
            np.array([a.bare_address, b.bare_address, 16 | 1 << 32], np.uint64).tobytes()),
        "mix may have written there: its parameter is not a pointer to const"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRITES)
def test_what_may_write_has_it_sent_again(machine: Machine, kernel: lp.Kernel, pair: list[lp.Array], what: str) -> None:
    write, reason = WRITES[what]
    send(pair[0])
    assert send(pair[0]) == LEFT_OUT
    write(kernel, *pair)
    assert send(pair[0]) == (False, reason)
    assert pair[0].to_numpy().tolist() == VALUES.tolist()
    assert send(pair[0]) == (LEFT_OUT if what != "its address" else (False, reason))


def test_what_writes_elsewhere_does_not(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    send(pair[0][:8], VALUES[:8])
    pair[0][8:].fill(3)
    pair[1].copy_from(pair[0])
    assert send(pair[0][:8], VALUES[:8]) == LEFT_OUT


def test_a_kernel_that_was_made_before_is_not_known_to_read(machine: Machine, pair: list[lp.Array]) -> None:
    machine.machine.automatic = True
    before = machine.kernel()
    _core.watch_writes()
    try:
        send(pair[0])
        before[1, 1](pair[1], pair[0], 16, 1)
        assert send(pair[0]) == (False, "mix may have written there: its parameter is not a pointer to const")
    finally:
        _core.watch_writes(False)


def test_kept_back_commands_count_at_their_call(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    step = lp.Step()
    for _ in range(3):
        with step:
            send(pair[0])
            kernel[1, 1](pair[0], pair[1], 16, 1)
            assert send(pair[0])[1].startswith("mix may have written")
            assert send(pair[0]) == LEFT_OUT
    assert pair[0].to_numpy().tolist() == VALUES.tolist()


def test_a_graph_may_write_everywhere(
    machine: Machine, kernel: lp.Kernel, stream: lp.Stream, pair: list[lp.Array]
) -> None:
    step = lp.Step()
    with step:
        kernel[1, 1, stream](pair[0], pair[1], 16, 1)
    frozen = step.freeze()
    send(pair[0], stream=stream)
    frozen.launch()
    assert send(pair[0], stream=stream) == (False, "a graph or a frozen step may have written there")
    del frozen, step


def test_another_stream_has_it_sent_again(machine: Machine, kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    first, second = machine.streams(("nonblocking", "nonblocking"))
    send(pair[0], stream=first)
    first.synchronize()
    assert send(pair[0], stream=second) == (False, "it was last sent on another stream")
    assert send(pair[0], stream=second) == LEFT_OUT


def test_other_memory_at_the_same_address(machine: Machine, kernel: lp.Kernel) -> None:
    """The first array's memory comes back for the second one, and something has written there in between."""
    array = lp.empty(16, "uint32", machine.device)
    address = array.bare_address
    send(array)
    del array
    between = lp.empty(4, "float32", machine.device)
    assert between.bare_address == address
    del between
    array = lp.empty(16, "uint32", machine.device)
    assert array.bare_address == address
    assert send(array) == SENT


def test_a_pinned_source_is_read_later(machine: Machine, kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    pinned = lp.pinned_empty(16, "uint32", machine.device)
    pinned[:] = VALUES
    send(pair[0], pinned, at_once=True)
    assert send(pair[0], pinned, at_once=True) == LEFT_OUT
    assert send(pair[0], pinned, at_once=False) == (
        False, "it comes from a pinned array, which is read when the copy runs")  # fmt: skip


def test_what_is_not_plain_is_left_to_the_caller(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    assert send(pair[0], VALUES.astype(np.float32)) is None
    assert send(pair[0], VALUES[:8]) is None
    assert send(pair[0], VALUES.view(np.uint8), whole=False) == SENT
    assert send(pair[0], VALUES.view(np.uint8)[:8], whole=False, offset=8) == SENT
    with pytest.raises(lp.ArgumentValueError, match="expected at most 56 bytes, got 64"):
        send(pair[0], VALUES.view(np.uint8), whole=False, offset=8)


def test_a_failure_forgets_everything(
    machine: Machine, kernel: lp.Kernel, stream: lp.Stream, pair: list[lp.Array]
) -> None:
    send(pair[0], stream=stream)
    machine.machine.fail("copy")
    with pytest.raises(lp.DriverError):
        send(pair[0], VALUES + 1, stream=stream)
    assert send(pair[0], stream=stream) == SENT


def test_the_oldest_of_many_uploads_is_forgotten(machine: Machine, kernel: lp.Kernel) -> None:
    array = lp.empty(300, "uint32", machine.device)
    for i in range(300):
        send(array[i : i + 1], VALUES[:1])
    assert send(array[299:300], VALUES[:1]) == LEFT_OUT
    assert send(array[0:1], VALUES[:1]) == SENT


def test_threads_know_of_each_other(kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    send(pair[0])
    assert apart(send, pair[0]) == LEFT_OUT
    apart(lambda: pair[0].fill(1))
    assert send(pair[0])[1] == "a fill may have written there"


def test_without_the_watch_nothing_is_in_the_way(machine: Machine, stream: lp.Stream) -> None:
    direct = _core.calls_driver_directly(stream)  # a step of another test may have left its layer
    _core.watch_writes()
    assert not _core.calls_driver_directly(stream)
    _core.watch_writes(False)
    assert _core.calls_driver_directly(stream) is direct


def test_the_layer_stays_over_those_of_steps(machine: Machine, kernel: lp.Kernel, pair: list[lp.Array]) -> None:
    """A device that is opened after the first step, and a step after the layer: commands are seen in the program's order."""
    with lp.Step():
        send(pair[0])
        pair[0].fill(1)
        assert send(pair[0])[1] == "a fill may have written there"
    assert pair[0].to_numpy().tolist() == VALUES.tolist()

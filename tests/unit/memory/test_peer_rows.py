"""Assignment between arrays of two devices: rows from device to device, ordered on both sides; what is refused."""

import gc
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.unit.memory.peers import Pair, pair

__all__ = ["pair"]

ROWS, COLUMNS = 6, 8
TABLE = np.arange(ROWS * COLUMNS, dtype=np.uint32).reshape(ROWS, COLUMNS)

# key, the value's shape, and the commands of the driver's, if it copies rows and if it does not
KEYS: dict[str, tuple[Any, tuple[int, ...], int, int]] = {
    "columns": (np.s_[:, 2:5], (6, 3), 1, 6),
    "a column": (np.s_[:, 3], (6,), 1, 6),
    "every second row": (np.s_[::2], (3, 8), 1, 3),
    "every second element": (np.s_[::2, ::2], (3, 4), 12, 12),
    "backwards": (np.s_[::-1], (6, 8), 6, 6),
    "contiguous rows": (np.s_[1:4], (3, 8), 1, 1),
    "all": (np.s_[...], (6, 8), 1, 1),
    "repeated row": (np.s_[:, :], (8,), 6, 6),
    "repeated column": (np.s_[:, 1:4], (6, 1), 18, 18),
    "one element": (np.s_[2, 3], (), 1, 1),
    "nothing": (np.s_[3:3], (0, 8), 0, 0),
}


def _values(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(100, 100 + int(np.prod(shape)), dtype=np.uint32).reshape(shape)


def _assign(machine: Machine, key: Any, shape: tuple[int, ...]) -> None:
    first, second = machine.devices
    to, value = lp.asarray(TABLE, device=first), lp.asarray(_values(shape), device=second)
    machine.machine.reset_calls()
    to[key] = value
    expected = TABLE.copy()
    expected[key] = _values(shape)
    np.testing.assert_array_equal(to.to_numpy(first.legacy_stream), expected)


@pytest.mark.parametrize("key_name", KEYS)
def test_every_key_that_a_single_device_takes(pair: Pair, key_name: str) -> None:
    key, shape, commands, _ = KEYS[key_name]
    _assign(pair.machine, key, shape)
    assert pair.machine.machine.calls["copy_peer"] == commands


@pytest.mark.parametrize("key_name", KEYS)
@pytest.mark.machine(devices=2, peers="copies")
def test_drivers_that_copy_no_rows(machine: Machine, key_name: str) -> None:
    key, shape, _, commands = KEYS[key_name]
    _assign(machine, key, shape)
    assert machine.machine.calls["copy_peer"] == commands


@pytest.mark.parametrize("key_name", KEYS)
@pytest.mark.machine(devices=2)
def test_devices_that_copy_nothing_from_each_other(machine: Machine, key_name: str) -> None:
    key, shape, *_ = KEYS[key_name]
    _assign(machine, key, shape)
    assert machine.machine.calls["copy_peer"] == 0


@pytest.mark.parametrize("current", [0, 1], ids=["target's", "source's"])
@pytest.mark.parametrize("kind", ["legacy", "blocking", "nonblocking"])
@pytest.mark.parametrize("key_name", ["columns", "backwards"])
def test_rows_are_ordered_on_both_sides(pair: Pair, key_name: str, kind: str, current: int) -> None:
    """With the current stream and the other device's legacy one; the machine reports every two accesses without order."""
    key, shape, *_ = KEYS[key_name]
    streams = [device.legacy_stream for device in pair.machine.devices]
    streams[current] = pair.stream(kind, pair.machine.devices[current])
    to, value = (lp.empty(s, "uint32", stream=t) for s, t in zip(((ROWS, COLUMNS), shape), streams, strict=True))
    value.copy_from(_values(shape), streams[1])
    to.fill(7, streams[0])
    with streams[current]:
        to[key] = value
    value.fill(9, streams[1])
    expected = np.full((ROWS, COLUMNS), 7, np.uint32)
    expected[key] = _values(shape)
    np.testing.assert_array_equal(to.to_numpy(streams[0]), expected)
    assert (value.to_numpy(streams[1]) == 9).all()


def test_a_copy_of_rows_does_not_block(pair: Pair) -> None:
    to, value = lp.asarray(TABLE, device=pair.first), lp.zeros((ROWS, 3), "uint32", pair.second)
    pair.second.synchronize()
    with pair.second.legacy_stream.hold():
        value.fill(5)
        to[:, 2:5] = value
        assert not pair.first.legacy_stream.query()
    assert to.to_numpy()[:, 2:5].tolist() == [[5] * 3] * ROWS


def test_memory_that_rows_use_is_not_freed(pair: Pair) -> None:
    to, value = lp.zeros((ROWS, COLUMNS), "uint32", pair.first), lp.zeros((ROWS, 3), "uint32", pair.second)
    for device in pair.machine.devices:
        device.synchronize()
    with pair.first.legacy_stream.hold():
        to[::2, 2:5] = value[::1][:3]
        del to, value
        gc.collect()
        for device in pair.machine.devices:
            device.trim_memory()
            assert device.memory_info()["waiting"]


def test_full_takes_an_array_of_another_device(pair: Pair) -> None:
    value = lp.asarray(_values((COLUMNS,)), device=pair.second)
    array = lp.full((3, COLUMNS), value, "uint32", pair.first)
    assert array.to_numpy().tolist() == [_values((COLUMNS,)).tolist()] * 3


@pytest.mark.machine(devices=2, peers="access")
def test_what_is_refused(machine: Machine) -> None:
    to = lp.zeros((ROWS, COLUMNS), "uint32", machine.devices[0])
    machine.machine.reset_calls()
    with pytest.raises(lp.ArgumentValueError, match=r"got an array of float32: convert it with astype"):
        to[:, 2:5] = lp.zeros((ROWS, 3), "float32", machine.devices[1])
    with pytest.raises(lp.ArgumentValueError, match=r"expected values of shape \(6, 3\)"):
        to[:, 2:5] = lp.zeros((ROWS, 2), "uint32", machine.devices[1])
    freed = lp.zeros((ROWS, 3), "uint32", machine.devices[1])
    freed.free()
    with pytest.raises(lp.FreedError):
        to[:, 2:5] = freed
    many = lp.empty((1 << 17, 2), "uint8", machine.devices[0])
    with pytest.raises(lp.ArgumentValueError, match="at most 65,536 pieces"):
        many[:, 0] = lp.empty(1 << 17, "uint8", machine.devices[1])
    assert machine.machine.calls["copy_peer"] == 0


@pytest.mark.parametrize("nth", [1, 3])
@pytest.mark.machine(devices=2, peers="copies")
def test_a_row_that_is_refused(machine: Machine, nth: int) -> None:
    """Those before it have been accepted: what the other stream gets then still comes after them."""
    to, value = lp.asarray(TABLE, device=machine.devices[0]), lp.asarray(_values((ROWS, 3)), device=machine.devices[1])
    machine.machine.fail("copy_peer", nth)
    with pytest.raises(lp.DriverError, match="copy_peer"):
        to[:, 2:5] = value
    value.fill(1)  # the machine would report it
    to[:, 2:5] = lp.asarray(_values((ROWS, 3)), device=machine.devices[1])
    assert to.to_numpy()[:, 2:5].tolist() == _values((ROWS, 3)).tolist()


@pytest.mark.machine(devices=2, peers="copies")
def test_many_rows_are_submitted_in_pieces(machine: Machine) -> None:
    to, value = lp.zeros((1000, 4), "uint8", machine.devices[0]), lp.zeros((1000, 1), "uint8", machine.devices[1])
    value.fill(3)
    to[:, 1:2] = value
    assert to.to_numpy().tolist() == [[0, 3, 0, 0]] * 1000


def test_the_times_and_the_log(pair: Pair, capfd: pytest.CaptureFixture[str]) -> None:
    to, value = lp.asarray(TABLE, device=pair.first), lp.zeros((ROWS, 3), "uint32", pair.second)
    _core.time_commands(pair.first)
    _core.log_driver_calls(pair.first)
    to[:, 2:5] = value
    pair.first.synchronize()
    assert [call for call, *_ in _core.command_times(pair.first)] == ["copy_peer"]
    assert "simulated.copy_peer(" in capfd.readouterr().err
    _core.log_driver_calls(pair.first, False)
    _core.time_commands(pair.first, False)

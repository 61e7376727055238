"""Copies between devices: commands of one stream, ordered with a stream of the other device; and what frees memory."""

import gc

import pytest

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.unit.memory.peers import N, Pair, copy_between, pair, ramp

__all__ = ["pair"]

KINDS = ("legacy", "blocking", "nonblocking")


def _test_copy(pair: Pair, kinds: tuple[str, str], named: int) -> None:
    """Write the source, copy, write the source again and read the target, without a wait that is not the copy's own."""
    source, to = pair.arrays
    streams = [pair.stream(kind, device) for kind, device in zip(kinds, pair.machine.devices, strict=True)]
    with streams[1 - named]:
        source.copy_from(ramp(), streams[0])
        to.fill(7, streams[1])
        assert copy_between(source, to, streams[named])
        source.fill(9, streams[0])
        seen = lp.empty(N, "uint32", to.device)
        to.copy_to(seen, streams[1])
    assert seen.to_numpy(streams[1]).tolist() == ramp().tolist()
    assert pair.read(0) == [9] * N


@pytest.mark.parametrize("named", [0, 1], ids=["source's", "target's"])
@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("first", KINDS)
def test_a_copy_is_ordered_on_both_sides(pair: Pair, first: str, second: str, named: int) -> None:
    """The machine reports every two accesses that nothing orders, whatever its schedule was."""
    _test_copy(pair, (first, second), named)


def test_a_copy_without_a_stream_is_the_sources(pair: Pair) -> None:
    source, to = pair.arrays
    pair.machine.machine.clear()
    assert copy_between(source, to, None)
    (entry,) = [entry for entry in pair.machine.machine.log if entry[3] == "copy_peer"]
    assert entry[:2] == (0, 0)
    stream = pair.stream("nonblocking", source.device)
    with stream:
        assert copy_between(source, to, None)
    assert [entry[:2] for entry in pair.machine.machine.log if entry[3] == "copy_peer"][1] == (0, 1)


def test_without_waits_the_machine_reports_a_race() -> None:
    """What the tests above rely on: the driver's copy alone is ordered with nothing of the other device."""
    with Machine(devices=2, peers="access", share_context=True, check=False) as machine:
        pair = Pair(machine)
        streams = [pair.stream("nonblocking", device) for device in machine.devices]
        pair.arrays[0].fill(1, streams[0])
        _core.copy_bytes(streams[1], pair.arrays[1].pointer, pair.arrays[0].pointer, 4 * N)
        assert [report.kind for report in machine.machine.reports] == ["race"]
        pair.arrays.clear()


def test_a_copy_does_not_block(pair: Pair) -> None:
    source, to = pair.arrays
    streams = [pair.stream("nonblocking", device) for device in pair.machine.devices]
    with streams[0].hold():
        source.fill(3, streams[0])
        with streams[0]:
            copy_between(source, to, streams[1])
        assert not streams[1].query()
    assert to.to_numpy(streams[1]).tolist() == [3] * N


def test_work_on_other_streams_of_either_device_is_not_waited_for(pair: Pair) -> None:
    source, to = pair.arrays
    busy = [pair.stream("nonblocking", device) for device in pair.machine.devices]
    holds = [stream.hold() for stream in busy]
    others = [lp.zeros(N, "uint32", stream=stream) for stream in busy]
    copy_between(source, to, None)
    pair.second.legacy_stream.synchronize()
    pair.first.legacy_stream.synchronize()
    for hold in holds:
        hold.release()
    del others


def test_a_copy_is_ordered_behind_what_its_memory_awaits(pair: Pair) -> None:
    """Both arrays are made of memory that earlier commands of other streams still use."""
    streams = [pair.stream("nonblocking", device) for device in pair.machine.devices]
    arrays = []
    for stream in streams:
        before = lp.empty(4096, "uint8", stream=stream)
        before.fill(1, stream)
        del before
        arrays.append(lp.empty(4096, "uint8", stream=stream))
    assert copy_between(arrays[0], arrays[1], pair.second.legacy_stream)
    pair.second.legacy_stream.synchronize()


@pytest.mark.parametrize("named", [0, 1])
def test_memory_that_a_copy_uses_is_not_freed(pair: Pair, named: int) -> None:
    """The machine reports memory that is freed in use, and uses of freed memory."""
    streams = [pair.stream("nonblocking", device) for device in pair.machine.devices]
    with streams[named].hold():
        source, to = (lp.empty(1000, "uint32", device) for device in pair.machine.devices)
        with streams[1 - named]:
            copy_between(source, to, streams[named])
        del source, to
        gc.collect()
        for device in pair.machine.devices:
            device.trim_memory()
            assert device.memory_info()["waiting"] >= 4000
        again = [lp.zeros(1000, "uint32", device) for device in pair.machine.devices]
    assert [array.to_numpy().any() for array in again] == [False, False]


def test_a_copy_that_is_refused_can_be_repeated(pair: Pair) -> None:
    source, to = pair.arrays
    source.copy_from(ramp())
    copy_between(to, source, None)
    source.copy_from(ramp())
    for call in ("copy_peer", "marker"):
        pair.machine.machine.fail(call, 1, -9001)
        try:
            copy_between(source, to, None)
        except lp.DriverError:
            assert copy_between(source, to, None)
    assert pair.read(1) == ramp().tolist()


def test_a_copy_that_was_accepted_does_not_raise(pair: Pair) -> None:
    """Where the other stream cannot be made to wait, the caller waits."""
    source, to = pair.arrays
    first, second = (pair.stream("nonblocking", device) for device in pair.machine.devices)
    pair.machine.machine.fail("marker", 1, -9001)  # the first one: `first` is idle
    with first:
        assert copy_between(source, to, second)
    assert second.query()
    source.fill(9, first)
    first.synchronize()
    second.synchronize()


def test_the_memory_must_be_of_the_streams_devices(pair: Pair) -> None:
    source, to = pair.arrays
    with Machine() as other:
        stream = other.device.legacy_stream
        with pytest.raises(lp.ArgumentValueError, match="expected a stream of 'Simulated' or 'Simulated 1'"):
            copy_between(source, to, stream)
        stranger = lp.zeros(N, "uint32", other.device)
        assert not copy_between(source, stranger, None)
        del stranger, stream


def test_freed_arrays_are_refused(pair: Pair) -> None:
    source, to = pair.arrays
    source.free()
    with pytest.raises(lp.FreedError):
        copy_between(source, to, None)


def test_no_bytes(pair: Pair) -> None:
    source, to = (lp.empty(0, "uint32", device) for device in pair.machine.devices)
    pair.machine.machine.reset_calls()
    assert copy_between(source, to, None)
    assert not pair.machine.machine.calls["copy_peer"]


@pytest.mark.machine(devices=2)
def test_devices_without_copies_say_so(machine: Machine) -> None:
    pair = Pair(machine)
    assert not copy_between(*pair.arrays, None)
    assert not pair.first.can_access_peer(pair.second)
    with pytest.raises(lp.LaunchpathError, match="cannot access the memory of 'Simulated 1': copy arrays"):
        pair.first.enable_peer(pair.second)


@pytest.mark.machine(devices=2, peers="copies")
def test_copies_without_access(machine: Machine) -> None:
    pair = Pair(machine)
    pair.arrays[0].fill(3)
    assert copy_between(*pair.arrays, None)
    assert pair.read(1) == [3] * N
    assert not pair.first.can_access_peer(pair.second)
    assert not machine.machine.calls["peer_enable"]


def test_access_is_enabled_for_copies_once(pair: Pair) -> None:
    for _ in range(3):
        assert copy_between(*pair.arrays, None)
    assert pair.machine.machine.calls["peer_enable"] == 2


def test_copies_go_on_where_access_is_refused(pair: Pair) -> None:
    pair.machine.machine.fail("peer_enable", 1, -9001)
    pair.arrays[0].fill(3)
    assert copy_between(*pair.arrays, None)
    assert copy_between(*pair.arrays, None)
    assert pair.read(1) == [3] * N


def test_the_times_of_copies_between_devices(pair: Pair) -> None:
    device = pair.arrays[0].device
    _core.time_commands(device)
    copy_between(*pair.arrays, None)
    device.synchronize()
    ((call, label, _, _, _, started, ended),) = _core.command_times(device)
    assert (call, label) == ("copy_peer", "")
    assert started <= ended


def test_the_log_of_copies_between_devices(pair: Pair, capfd: pytest.CaptureFixture[str]) -> None:
    for device in pair.machine.devices:
        _core.log_driver_calls(device)
    copy_between(*pair.arrays, None)
    text = capfd.readouterr().err
    assert "simulated.peer_get(" in text
    assert "simulated.peer_enable(" in text
    assert "simulated.copy_peer(" in text
    for device in pair.machine.devices:
        _core.log_driver_calls(device, False)

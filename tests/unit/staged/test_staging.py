"""The pinned memory that host arrays go by, on the simulated driver: its bound, and its next use."""

import gc

import numpy as np
import pytest

import launchpath as lp
from launchpath._memory.copies import staging
from tests.fixtures import calls, kinds
from tests.simulated import Machine
from tests.unit.support import streams
from tests.unit.support.staged import add, ints, stream_number

kind = streams.kind


BUSY = {"allocate", "free", "queue_finish", "event_wait"}


def test_uploads_that_nobody_waits_for_take_no_more_memory(
    machine: Machine, stream: lp.Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "_PATIENCE", 60)
    machine.machine.background()
    x, y, kernel = lp.In(host := ints()), lp.Out(np.zeros(8, "i4")), add(machine)
    for turn in range(300):
        host[:] = turn
        kernel[1, 1, stream](x, y, 1, 8)
    assert x._thread_places.by_device[machine.device].staging.most == 64
    assert y.get().tolist() == [300] * 8
    calls(machine)
    for _ in range(16):
        kernel[1, 1, stream](x, y, 1, 8)
    counts = calls(machine)
    assert (counts.pop("copy"), counts.pop("launch")) == (16, 16)
    assert not set(counts) & BUSY
    stream.synchronize()


def test_then_the_oldest_is_waited_for(machine: Machine, stream: lp.Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "_PATIENCE", 60)
    machine.machine.background()
    n = 1 << 20
    x, kernel = lp.In(host := ints(n)), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(7)]
    for turn, y in enumerate(outs):
        host[:8] = turn
        kernel[1, 1, stream](x, y, 0, 8)
        assert len(x._thread_places.by_device[machine.device].staging.pieces) <= 2
    assert [y.get()[0] for y in outs] == list(range(7))


def test_a_stream_that_is_held_back_slows_its_host_only_at_the_bound(machine: Machine, stream: lp.Stream) -> None:
    x, kernel = lp.In(host := ints()), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(140)]
    with stream.hold():
        for turn, y in enumerate(outs):
            host[:] = turn
            kernel[1, 1, stream](x, y, 0, 8)
            assert x._thread_places.by_device[machine.device].staging.most == (
                64 if turn < 64 else 128 if turn < 128 else 192
            )
    assert [y.get()[0] for y in outs] == list(range(140))


def test_wrappers_for_a_single_call(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    kernel, host = add(machine), np.zeros(8, "i4")
    with stream.hold():
        for _ in range(10):
            kernel[1, 1, stream](lp.In(ints()), lp.InOut(host), 2, 8)
    gc.collect()
    stream.synchronize()
    assert machine.device.memory_info()["in_use"] == 0
    for _ in range(3):  # memory is used again
        kernel[1, 1, stream](lp.In(ints()), lp.InOut(host), 2, 8)
        stream.synchronize()
    calls(machine)
    kernel[1, 1, stream](lp.In(ints()), lp.InOut(host), 2, 8)
    assert calls(machine) == {"copy": 2, "launch": 1}
    assert not host.any()


@pytest.mark.machine(check=False)
@pytest.mark.parametrize("n", [8, 1 << 20])
def test_a_failure_that_staging_comes_upon_is_reported_by_the_next_synchronize(
    machine: Machine, stream: lp.Stream, n: int
) -> None:
    """When it asks how far the uploads are, and when it waits for one."""
    x, kernel = lp.In(ints(n)), add(machine)
    y = lp.empty(8, "int32", machine.device)
    machine.machine.fail_command(0, stream_number(machine), 2)
    for _ in range(80 if n == 8 else 5):
        kernel[1, 1, stream](x, y, 1, 8)
        machine.machine.run()
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    kernel[1, 1, stream](x, y, 1, 8)
    assert y.to_numpy(stream).tolist() == list(range(1, 9))
    assert "race" not in kinds(machine)

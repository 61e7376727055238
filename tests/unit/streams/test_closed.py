"""A device that was closed: whatever is used of it is refused, and nothing crashes."""

import pytest

import launchpath as lp
from tests.fixtures import arrays
from tests.simulated import Machine

CLOSED = "the device was closed"


@pytest.mark.machine(check=False)
def test_nothing_of_it_can_be_used(machine: Machine) -> None:
    device, mix = machine.device, machine.kernel()
    stream, (a, b) = lp.Stream(device=device), arrays(machine, 2)
    legacy, event = device.legacy_stream, stream.record()
    kept = [mix[1, 1], mix[1, 1, stream]]
    for launcher in kept:
        launcher(a, b, 16, 0)
    del legacy
    device.close()
    for use in (
        *(lambda launcher=launcher: launcher(a, b, 16, 0) for launcher in kept),
        lambda: mix[1, 1](a, b, 16, 0),
        lambda: mix[1, 1, stream](a, b, 16, 0),
        lambda: mix[1, 1].packed(bytes(24)),
        lambda: mix.returning("dst")[1, 1](b, 16, 0),
        machine.kernel,
        lambda: device.legacy_stream,
        lambda: device.per_thread_stream,
        lambda: lp.Stream(device=device),
        lambda: lp.empty(4, device=device),
        lambda: a.fill(1),
        lambda: a.fill(1, stream),
        lambda: a.to_numpy(stream),
        lambda: a.copy_to(b, stream),
        lambda: b.copy_from([1] * 16, stream),
        stream.record,
        stream.query,
        stream.synchronize,
        stream.hold,
        lambda: stream.handle,
        lambda: stream.wait(event),
        lambda: stream.host_function(print),
        device.synchronize,
    ):
        with pytest.raises(lp.LaunchpathError, match=CLOSED):
            use()
    with stream, pytest.raises(lp.LaunchpathError, match=CLOSED):
        kept[0](a, b, 16, 0)
    assert event.query()
    a.free()
    device.close()  # again: nothing happens


@pytest.mark.machine(check=False)
def test_what_dies_later_does_no_harm(machine: Machine) -> None:
    device = machine.device
    stream, (a,) = lp.Stream(device=device), arrays(machine, 1)
    launcher = machine.kernel()[1, 1]
    device.close()
    del stream, a, device, launcher

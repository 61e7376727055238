"""In, Out and InOut when a launch is refused or fails, on the simulated driver: which values are the newer ones."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.fixtures import kinds
from tests.simulated import Machine
from tests.unit.support import streams
from tests.unit.support.staged import ADD, ROWS, add, ints, stream_number

kind = streams.kind


def test_a_launch_that_is_refused_leaves_the_host_array(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y, kernel = lp.Out(host := ints()), add(machine)
    with pytest.raises(lp.SignatureError):
        kernel[1, 1, stream](None, y, "1", 8)
    assert y.get().tolist() == list(range(8))
    machine.machine.fail("launch")
    with pytest.raises(lp.DriverError):
        kernel[1, 1, stream](None, y, 1, 8)
    assert y.get().tolist() == list(range(8))
    kernel[1, 1, stream](lp.In(host), y, 1, 8)
    with pytest.raises(lp.SignatureError):
        kernel[1, 1, stream](None, y, "1", 8)
    assert y.get().tolist() == list(range(1, 9))


def onto(machine: Machine) -> lp.Kernel:
    """Make the same kernel with y before x."""
    x, y, *rest = ADD.parameters
    swapped = replace(ADD, parameters=(replace(y, offset=0), replace(x, offset=8), *rest))
    rows = [("pointer", 0, 8, False, (3, 4)), ("pointer", 8, 8, True, (3, 4)), *ROWS[2:]]

    def run(call: Any) -> None:
        y, x, value, n = call.args
        call.view(y, n, "i4")[:] = call.view(x, n, "i4") + value

    machine.device.driver_device.implement("onto", run, rows)
    return machine.kernel("onto", swapped)


@pytest.mark.parametrize("wrap", [lp.Out, lp.InOut])
@pytest.mark.parametrize("then", ["nothing", "another launch", "a synchronize"])
def test_what_its_stream_got_besides_makes_a_refused_launch_none(
    machine: Machine, stream: lp.Stream, wrap: Any, then: str
) -> None:
    """Uploads for arguments behind it, other launches, and what others may have submitted, who have the handle."""
    assert stream.handle
    kernel, y, x, other = onto(machine), wrap(host := ints()), lp.In(ints(8, 100)), lp.InOut(ints())
    for turn in range(2):
        with pytest.raises(lp.SignatureError):
            kernel[1, 1, stream](y, x, "1", 8)
        if then == "another launch":
            add(machine)[1, 1, stream](None, other, 1, 8)
        elif then == "a synchronize":
            stream.synchronize()
        host[:] = 7 + turn
        if turn == 0:
            assert y.get().tolist() == [7] * 8
    if wrap is lp.InOut:
        add(machine)[1, 1, stream](None, y, 1, 8)
        assert y.get().tolist() == [9] * 8
    kernel[1, 1, stream](y, x, 1, 8)
    assert y.get().tolist() == list(range(101, 109))


def test_inout_is_uploaded_again_after_a_refused_launch(machine: Machine, stream: lp.Stream) -> None:
    y, kernel = lp.InOut(host := ints()), add(machine)
    for call in "launch", "copy":
        machine.machine.fail(call)
        with pytest.raises(lp.DriverError):
            kernel[1, 1, stream](None, y, 1, 8)
        host[:] = 7
        kernel[1, 1, stream](None, y, 1, 8)
        assert y.get().tolist() == [8] * 8
    kernel[1, 1, stream](None, y, 1, 8)
    with pytest.raises(lp.SignatureError):
        kernel[1, 1, stream](None, y, "1", 8)
    kernel[1, 1, stream](None, y, 1, 8)
    assert y.get().tolist() == [10] * 8


@pytest.mark.parametrize("nth", range(1, 9))
def test_any_driver_call_fails(machine: Machine, stream: lp.Stream, nth: int) -> None:
    x, y, kernel = lp.In(ints()), lp.InOut(np.zeros(8, "i4")), add(machine)
    machine.machine.fail_after(nth)
    for _ in range(2):
        try:
            kernel[1, 1, stream](x, y, 1, 8)
            y.get()
        except lp.DriverError:
            pass
    machine.machine.clear_faults()
    with suppress(lp.DriverError):
        stream.synchronize()  # tells of what failed behind a command that had been accepted
    kernel[1, 1, stream](x, y, 1, 8)
    assert y.get().tolist() == list(range(1, 9))


@pytest.mark.machine(check=False)
def test_a_launch_that_failed_is_reported_by_get(machine: Machine, stream: lp.Stream) -> None:
    y, kernel = lp.InOut(host := ints()), add(machine)
    machine.machine.fail_command(0, stream_number(machine), 2)
    kernel[1, 1, stream](None, y, 1, 8)
    with pytest.raises(lp.AsynchronousError):
        y.get()
    assert host.tolist() == list(range(8))
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    host[:] = 5
    kernel[1, 1, stream](None, y, 1, 8)  # from the host's values again
    assert y.get().tolist() == [6] * 8
    assert "race" not in kinds(machine)


@pytest.mark.machine(check=False)
@pytest.mark.parametrize("wrap", [lp.Out, lp.InOut])
def test_a_failure_that_a_synchronize_reported_is_reported_by_get_as_well(
    machine: Machine, stream: lp.Stream, wrap: Any
) -> None:
    y, kernel = wrap(host := ints()), add(machine)
    machine.machine.fail_command(0, stream_number(machine), 2 if wrap is lp.InOut else 1)
    kernel[1, 1, stream](None, y, 1, 8)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    with pytest.raises(lp.AsynchronousError):
        y.get()
    assert host.tolist() == list(range(8))

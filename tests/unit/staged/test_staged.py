"""In, Out and InOut on the simulated driver: which values arrive, and what is asked of it."""

import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.fixtures import calls
from tests.simulated import Machine
from tests.unit.support import streams
from tests.unit.support.kernels import signature
from tests.unit.support.staged import ADD, add, ints, stream_number

kind = streams.kind


def test_values_go_in_and_come_out(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y = lp.Out(host := np.zeros(8, "i4"))
    add(machine)[1, 1, stream](lp.In(ints()), y, 10, 8)
    assert not host.any()
    assert y.get() is host is y.array
    assert host.tolist() == list(range(10, 18))


def test_nothing_is_waited_for_until_it_is_read(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.automatic = False
    x, y, kernel = lp.In(ints()), lp.Out(np.zeros(8, "i4")), add(machine)
    for _ in range(60):
        kernel[1, 1, stream](x, y, 10, 8)
    assert not stream.query()
    machine.machine.automatic = True
    assert np.asarray(y).tolist() == list(range(10, 18))


def test_in_takes_the_values_at_the_call(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    x, kernel = lp.In(host := ints()), add(machine)
    outs = [lp.Out(np.zeros(8, "i4")) for _ in range(40)]
    for turn, y in enumerate(outs):
        host[:] = turn
        kernel[1, 1, stream](x, y, 0, 8)
    host[:] = -1
    assert [y.get()[3] for y in outs] == list(range(40))


def test_the_current_stream_and_names(machine: Machine, stream: lp.Stream) -> None:
    y = lp.Out(np.zeros(8, "i4"))
    with stream:
        add(machine)[1, 1](n=8, y=y, x=lp.In(ints()), value=1)
    assert machine.machine.queues[stream_number(machine)].number == 2
    assert y.get().tolist() == list(range(1, 9))


def test_out_before_any_launch_is_the_host_array(machine: Machine) -> None:
    y = lp.Out(host := ints())
    calls(machine)
    assert y.get() is host
    assert np.asarray(y) is host
    assert calls(machine) == {}


@pytest.mark.parametrize("wrap", [lp.In, lp.InOut, lp.Out])
def test_no_elements(machine: Machine, stream: lp.Stream, wrap: Any) -> None:
    for shape in (0,), (3, 0), (0, 5):
        y = wrap(host := np.zeros(shape, "i4"))
        x, y = (y, None) if wrap is lp.In else (lp.In(host), y)
        add(machine)[1, 1, stream](x, y, 1, 0)
        if wrap is not lp.In:
            assert y.get() is host
    stream.synchronize()


def test_the_same_array_twice(machine: Machine, stream: lp.Stream) -> None:
    x = lp.In(host := ints())
    y = lp.InOut(host)
    add(machine)[1, 1, stream](x, y, 1, 8)
    assert y.get().tolist() == list(range(1, 9))
    add(machine)[1, 1, stream](None, y, 1, 8)
    assert y.get().tolist() == list(range(2, 10))


def test_a_repeated_launch_is_a_copy_and_the_launch(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    x, y, kernel = lp.In(ints()), lp.Out(np.zeros(8, "i4")), add(machine)
    for _ in range(3):
        kernel[1, 1, stream](x, y, 1, 8)
        y.get()
    calls(machine)
    kernel[1, 1, stream](x, y, 1, 8)
    assert calls(machine) == {"copy": 1, "launch": 1}
    y.get()
    counts = calls(machine)
    assert counts.pop("copy") == 1
    assert not set(counts) - {"marker", "event_wait", "event_query"}, "the download, and waiting for it"
    y.get()
    np.asarray(y)
    assert calls(machine) == {}


def test_out_costs_the_launch_alone(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y, kernel = lp.Out(np.zeros(8, "i4")), add(machine)
    kernel[1, 1, stream](None, y, 1, 8)
    calls(machine)
    for _ in range(10):
        kernel[1, 1, stream](None, y, 1, 8)
    assert calls(machine) == {"launch": 10}
    stream.synchronize()


def test_inout_uploads_what_the_host_was_handed(machine: Machine, kind: str) -> None:
    (stream,) = machine.streams((kind,))
    y, kernel = lp.InOut(host := ints()), add(machine)
    for turn in range(4):
        kernel[1, 1, stream](None, y, 1, 8)
        if turn > 2:
            counts = calls(machine)
            assert counts == {"copy": 1, "launch": 1}
        kernel[1, 1, stream](None, y, 1, 8)
        host[:] = -5  # lost: the device's values are newer
        calls(machine)
        kernel[1, 1, stream](None, y, 1, 8)
        assert calls(machine) == {"launch": 1}
        assert y.get().tolist() == [3 + turn + i for i in range(8)]
        host[:] = np.arange(8) + turn + 1  # seen by the next launch
        y.get()
        calls(machine)
    stream.synchronize()


@pytest.mark.parametrize("size", [64, 20_000])
def test_beside_arguments_that_go_by_a_block(machine: Machine, size: int) -> None:
    layout = signature(f"struct{size}", "const pointer:int32", "pointer:int32", block=True)

    def run(call: Any) -> None:
        x, y = struct.unpack_from("QQ", call.bytes(call.args[0], layout.size), layout.parameters[1].offset)
        call.view(y, 8, "i4")[:] = call.view(x, 8, "i4") + call.bytes(call.args[0], 1)[0]

    machine.device.driver_device.implement("keep", run, [("pointer", 0, 8, True)])
    kernel = lp.Kernel(machine.device.driver_device.build("").kernel("keep"), machine.device, layout)
    (stream,) = machine.streams(("nonblocking",))
    x, y = lp.In(host := ints()), lp.Out(np.zeros(8, "i4"))
    for value in 1, 1, 2, 1:
        host[:] = 10 * value
        kernel[1, 1, stream](bytes([value]) * size, x, y)
        assert y.get().tolist() == [11 * value] * 8
    counts = kernel.argument_counts()
    assert (counts["uploads"], counts["skipped"]) == (2, 2)


def test_in_of_a_parameter_that_is_not_const_is_refused(machine: Machine) -> None:
    """What the kernel writes there would be lost."""
    with pytest.raises(lp.SignatureError, match=r"add: parameter 1 \(int \*y\) is not const, .*: use launchpath.InOut"):
        add(machine)[1, 1](None, lp.In(ints()), 1, 8)
    assert machine.machine.calls["launch"] == 0


def test_in_of_a_parameter_whose_declaration_nobody_knows(machine: Machine) -> None:
    """Binaries tell no types."""
    parameters = (
        *ADD.parameters[:1],
        replace(ADD.parameters[1], name="arg1", ctype="void *", pointee=None),
        *ADD.parameters[2:],
    )
    add(machine)
    kernel = machine.kernel("add", replace(ADD, parameters=parameters))
    kernel[1, 1](None, lp.In(host := ints()), 1, 8)
    machine.device.synchronize()
    assert host.tolist() == list(range(8))


@pytest.mark.parametrize("dtype", ["bool", "f2", "c8", "V7", "M8[s]", [("a", "i4"), ("b", "f8")]])
def test_any_bytes_for_an_untyped_pointer(machine: Machine, dtype: Any) -> None:
    seen: list[bytes] = []
    parameter = Parameter("x", "const void *", "pointer", 8, 8, 0, None, True)
    layout = Signature("look", (parameter,), 8, 0, None, False)
    host = np.frombuffer(bytes(range(96)) * np.dtype(dtype).itemsize, dtype)[:5]
    nbytes = host.nbytes
    machine.device.driver_device.implement(
        "look", lambda call: seen.append(bytes(call.bytes(call.args[0], nbytes))), [("pointer", 0, 8, True)]
    )
    machine.kernel("look", layout)[1, 1](lp.In(host))
    machine.device.synchronize()
    assert seen == [host.tobytes()]


def test_an_array_without_axes(machine: Machine) -> None:
    y = lp.InOut(np.array(41, "i4"))
    add(machine)[1, 1](None, y, 1, 1)
    assert int(y.get()) == 42
    assert struct.pack("i", 42) == y.array.tobytes()


def test_as_an_array_of_numpy(machine: Machine) -> None:
    y = lp.Out(host := np.zeros(8, "i4"))
    add(machine)[1, 1](lp.In(ints()), y, 1, 8)
    assert np.asarray(y, "f8").tolist() == list(range(1, 9))
    assert np.asarray(y) is host
    copied = np.array(y)
    copied[:] = 0
    assert host[0] == 1
    assert (y.__array__(copy=True) is not host) and y.__array__(copy=False) is host
    with pytest.raises(ValueError, match="copying"):
        y.__array__("f8", copy=False)
    assert repr(y) == "<Out (8,) int32>"

"""Argument blocks on the simulated driver: what is uploaded, what is not, and that a kernel sees its own bytes only."""

import struct
from collections.abc import Callable
from typing import Any

import pytest

import launchpath as lp
from tests.simulated import Machine
from tests.unit.support.blocks import SIZE, Keeper, calls
from tests.unit.support.kernels import signature
from tests.unit.support.streams import KINDS, each

stream = each(*KINDS, "per-thread")


@pytest.mark.parametrize("plain", [True, False])
def test_the_arguments_arrive(machine: Machine, stream: lp.Stream, plain: bool) -> None:
    keeper = Keeper(machine, plain=plain)
    for value in 1, 2, 2, 1:
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 2, 1)


@pytest.mark.parametrize("plain", [True, False])
def test_the_same_arguments_ask_for_the_launch_alone(machine: Machine, stream: lp.Stream, plain: bool) -> None:
    keeper = Keeper(machine, plain=plain)
    launch = keeper.kernel[1, 1, stream]
    launch(*keeper.arguments(1))
    calls(machine)
    for _ in range(10):
        launch(*keeper.arguments(1))
    assert calls(machine) == {"launch": 10}
    stream.synchronize()
    assert keeper.seen == keeper.expected(*[1] * 11)
    assert keeper.kernel.argument_counts()["skipped"] == 10
    assert keeper.kernel.argument_counts()["uploads"] == 1


def test_other_arguments_are_an_upload_each(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    for value in range(200):
        launch(*keeper.arguments(value))
        stream.synchronize() if value % 8 == 0 else None
    stream.synchronize()
    calls(machine)
    for value in range(8):
        launch(*keeper.arguments(value))
    counts = calls(machine)
    assert (counts.pop("launch"), counts.pop("copy")) == (8, 8)
    assert not set(counts) & {"allocate", "free", "queue_finish", "event_wait"}


def test_the_same_object_is_looked_for_where_it_was(machine: Machine, stream: lp.Stream) -> None:
    """Bytes do not change, but what a slot holds does, and other arguments do."""
    keeper = Keeper(machine)
    launch, other = keeper.kernel[1, 1, stream], keeper.kernel[1, 1, stream]
    kept = keeper.arguments(1)[0]
    wanted = []
    for turn in range(20):
        for value in 1, 1, 2:  # the object beside another int
            launch(kept, value, -1)
            wanted.append((kept, value))
        for value in range(turn % 6):  # over the slots, in turn, by another launcher
            other(bytes([value]) * SIZE, 2, -1)
            wanted.append((bytes([value]) * SIZE, 2))
    stream.synchronize()
    assert keeper.seen == wanted


@pytest.mark.parametrize("size", [255, 256, 9997, 20001])
def test_a_long_argument_is_packed_in_its_place(machine: Machine, stream: lp.Stream, size: int) -> None:
    """Between others, the padding before and behind it included, and whatever its size."""
    seen: list[bytes] = []
    layout = signature("float32", "int64", f"struct{size}", "float32", "float64", block=True)
    device = machine.device
    device.driver_device.implement("keep", _keep_all(seen, layout.size), [("pointer", 0, 8, True)])
    launch = lp.Kernel(device.driver_device.build("").kernel("keep"), device, layout)[1, 1, stream]
    kept, wanted = (bytes(range(256)) * 100)[:size], []
    for first, last in (1, 2), (1, 2), (3, 2), (3, 4), (1, 2):
        launch(float(first), -1, kept, float(last), 0.5)
        packed = bytearray(layout.size)
        parts = struct.pack("f", first), b"\xff" * 8, kept, struct.pack("f", last), struct.pack("d", 0.5)
        for parameter, part in zip(layout.parameters, parts, strict=True):
            packed[parameter.offset : parameter.offset + parameter.size] = part
        wanted.append(bytes(packed))
    stream.synchronize()
    assert seen == wanted


def _keep_all(seen: list[bytes], whole: int) -> Callable[[Any], None]:
    def run(call: Any) -> None:
        seen.append(bytes(call.bytes(call.args[0], whole)))

    return run


@pytest.mark.parametrize("at", [0, 7, SIZE // 2, SIZE - 1])
def test_a_byte_makes_them_others(machine: Machine, stream: lp.Stream, at: int) -> None:
    keeper = Keeper(machine)
    same, other = bytes(SIZE), bytearray(SIZE)
    other[at] = 1
    for data in same, bytes(other), same:
        keeper.kernel[1, 1, stream](data, 0, 0)
    stream.synchronize()
    assert [argument for argument, _ in keeper.seen] == [same, bytes(other), same]
    assert keeper.kernel.argument_counts()["uploads"] == 2


def test_a_bit_of_the_last_argument_makes_them_others(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    for last in 1, 1 | 1 << 62, 1, 1 | 1 << 62:
        keeper.kernel[1, 1, stream](bytes(SIZE), 0, last)
    stream.synchronize()
    assert keeper.kernel.argument_counts()["uploads"] == 2


def test_a_kernel_that_may_write_to_its_arguments_gets_them_each_time(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine, writes_block=True)
    for value in 1, 1, 2, 1, 2, 2:
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 1, 2, 1, 2, 2)
    counts = keeper.kernel.argument_counts()
    assert (counts["uploads"], counts["skipped"]) == (6, 0)


def test_an_upload_for_every_launch_can_be_asked_for(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    launch(*keeper.arguments(1))
    assert lp.skip_uploads(False) is True
    try:
        calls(machine)
        for _ in range(5):
            launch(*keeper.arguments(1))
        assert calls(machine)["copy"] == 5
    finally:
        assert lp.skip_uploads(True) is False
    launch(*keeper.arguments(1))
    assert calls(machine) == {"launch": 1}
    stream.synchronize()
    assert keeper.seen == keeper.expected(*[1] * 7)


@pytest.mark.parametrize("size", [16, 8 * 1279 - 16, 8 * 1279 - 8, 100_000])
@pytest.mark.parametrize("plain", [True, False])
def test_any_size(machine: Machine, stream: lp.Stream, size: int, plain: bool) -> None:
    """On the stack, and in memory of its own behind that; packed by the caller, too."""
    keeper = Keeper(machine, size=size, plain=plain)
    launch = keeper.kernel[1, 1, stream]
    for value in 1, 2, 2, 1:
        launch(*keeper.arguments(value))
    data, value, _ = keeper.arguments(1)
    packed = bytearray(keeper.signature.size)
    packed[:size] = data
    struct.pack_into("i", packed, keeper.signature.parameters[1].offset, value)
    launch.packed(bytes(packed))
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 2, 1, 1)
    assert keeper.kernel.argument_counts()["uploads"] == 2


def test_alternating_arguments_are_uploaded_once(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    for value in 1, 2, 3, 4:
        launch(*keeper.arguments(value))
    calls(machine)
    for value in [1, 2, 3, 4] * 3:
        launch(*keeper.arguments(value))
    assert calls(machine) == {"launch": 12}
    for value in 5, 2, 3, 4:  # the one that was used longest ago makes room
        launch(*keeper.arguments(value))
    assert calls(machine)["copy"] == 1
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 3, 4, *[1, 2, 3, 4] * 3, 5, 2, 3, 4)


def test_a_failed_upload_is_repeated(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    launch(*keeper.arguments(1))
    machine.machine.fail("copy")
    with pytest.raises(lp.DriverError):
        launch(*keeper.arguments(2))
    launch(*keeper.arguments(2))
    launch(*keeper.arguments(1))
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 1)


def test_a_failed_launch_leaves_what_was_uploaded(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    machine.machine.fail("launch")
    with pytest.raises(lp.DriverError):
        launch(*keeper.arguments(1))
    calls(machine)
    launch(*keeper.arguments(1))
    assert calls(machine) == {"launch": 1}
    stream.synchronize()
    assert keeper.seen == keeper.expected(1)


@pytest.mark.parametrize("number", [1, 2])
def test_a_command_that_fails_empties_the_slots(machine: Machine, number: int) -> None:
    """It may have been the upload (command 1), of which nothing else would tell."""
    stream = lp.Stream(blocking=False, device=machine.device)
    machine.machine.fail_command(0, 1, number)
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    launch(*keeper.arguments(1))
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    launch(*keeper.arguments(1))
    stream.synchronize()
    assert keeper.seen[-1:] == keeper.expected(1)
    assert keeper.kernel.argument_counts()["uploads"] == 2


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("size", [12, 4092, 20_004])
def test_padding_makes_no_difference(machine: Machine, stream: lp.Stream, size: int, plain: bool) -> None:
    """Where the arguments are packed there is what other launches left."""
    layout = signature(f"struct{size}", "int64" if plain else "pointer", block=True)
    assert layout.parameters[1].offset == size + 4
    machine.device.driver_device.implement("pad", lambda call: None, [("pointer", 0, 8, True)])
    kernel = lp.Kernel(machine.device.driver_device.build("").kernel("pad"), machine.device, layout)
    other = Keeper(machine, size=size + 12, plain=plain)
    launch, launch_other = kernel[1, 1, stream], other.kernel[1, 1, stream]
    for value in range(1, 6):
        launch(bytes(size), 0 if plain else None)
        launch_other(*other.arguments(value))
    stream.synchronize()
    assert kernel.argument_counts()["uploads"] == 1


def test_named_arguments_and_errors_are_as_always(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    struct_, number, last = keeper.arguments(3)
    launch(c=last, a=struct_, b=number)
    with pytest.raises(lp.SignatureError, match="expected a struct of 4096 bytes"):
        launch(b"short", number, last)
    with pytest.raises(lp.SignatureError, match="expected 3 arguments, got 1"):
        launch(struct_)
    stream.synchronize()
    assert keeper.seen == keeper.expected(3)

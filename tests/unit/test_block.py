"""Argument blocks on the simulated driver: what is uploaded, what is not, and that a kernel sees its own bytes only."""

from __future__ import annotations

import gc
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import launchpath as lp
from launchpath import _core
from launchpath.compiler import Signature
from tests.simulated import Machine

from .kernels import signature

SIZE = 4096


class Keeper:
    """A kernel whose arguments go by a block: a struct, an int and a wider one. `seen` is what its launches read.

    With ``writes_block`` they write over them, too. A ``plain`` launch is packed in a straight line; else the last
    parameter is a pointer, and null, which takes a closer look.
    """

    def __init__(
        self, machine: Machine, size: int = SIZE, device: lp.Device | None = None, plain: bool = True, **more: Any
    ) -> None:
        self.size, self.seen, self.last = size, [], 0 if plain else None
        self.signature = signature(f"struct{size}", "int32", "int64" if plain else "pointer", block=True, **more)
        device = device or machine.device
        row = ("pointer", 0, 8, not self.signature.writes_block)
        device.driver.implement("keep", _keep(self.seen, self.signature), [row])
        self.kernel = lp.Kernel(device.driver.build("").kernel("keep"), device, self.signature)

    def arguments(self, value: int) -> tuple[bytes, int, int | None]:
        return bytes([value % 256]) * self.size, value, self.last

    def expected(self, *values: int) -> list[tuple[bytes, int]]:
        return [self.arguments(value)[:2] for value in values]


def _keep(seen: list[Any], made: Signature) -> Callable[[Any], None]:
    """Make the kernel, which the machine keeps: it holds nothing of launchpath's."""
    size, at, whole = made.parameters[0].size, made.parameters[1].offset, made.size

    def run(call: Any) -> None:
        block = call.bytes(call.args[0], whole)
        seen.append((bytes(block[:size]), *struct.unpack_from("i", block, at)))
        if made.writes_block:
            block[:] = b"\xff" * whole

    return run


def calls(machine: Machine, *names: str) -> dict[str, int]:
    """Count the driver's calls since the last time, launches left out."""
    made = {name: n for name, n in machine.machine.calls.items() if n and (not names or name in names)}
    machine.machine.reset_calls()
    made.pop("queue_flush", None)
    return made


KINDS = ["legacy", "blocking", "nonblocking"]


@pytest.fixture(params=[*KINDS, "per-thread"])
def stream(machine: Machine, request: pytest.FixtureRequest) -> Iterator[lp.Stream]:
    made = machine.streams(tuple(KINDS))
    if request.param == "per-thread":
        made.append(machine.device.per_thread_stream)
        del machine.device._per_thread.stream  # it goes with the test, not with the thread
    yield made.pop() if request.param == "per-thread" else made[KINDS.index(request.param)]
    request.node.funcargs.pop("stream")  # the machine closes next


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


def test_other_arguments_are_one_upload_each(machine: Machine, stream: lp.Stream) -> None:
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
    made = calls(machine)
    assert (made.pop("launch"), made.pop("copy")) == (8, 8)
    assert not set(made) & {"allocate", "free", "queue_finish", "event_wait"}


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
    made = signature("float32", "int64", f"struct{size}", "float32", "float64", block=True)
    device = machine.device
    device.driver.implement("keep", _keep_all(seen, made.size), [("pointer", 0, 8, True)])
    launch = lp.Kernel(device.driver.build("").kernel("keep"), device, made)[1, 1, stream]
    kept, wanted = (bytes(range(256)) * 100)[:size], []
    for first, last in (1, 2), (1, 2), (3, 2), (3, 4), (1, 2):
        launch(float(first), -1, kept, float(last), 0.5)
        packed = bytearray(made.size)
        parts = struct.pack("f", first), b"\xff" * 8, kept, struct.pack("f", last), struct.pack("d", 0.5)
        for one, part in zip(made.parameters, parts, strict=True):
            packed[one.offset : one.offset + one.size] = part
        wanted.append(bytes(packed))
    stream.synchronize()
    assert seen == wanted


def _keep_all(seen: list[bytes], whole: int) -> Callable[[Any], None]:
    def run(call: Any) -> None:
        seen.append(bytes(call.bytes(call.args[0], whole)))

    return run


@pytest.mark.parametrize("at", [0, 7, SIZE // 2, SIZE - 1])
def test_one_byte_makes_them_others(machine: Machine, stream: lp.Stream, at: int) -> None:
    keeper = Keeper(machine)
    same, other = bytes(SIZE), bytearray(SIZE)
    other[at] = 1
    for given in same, bytes(other), same:
        keeper.kernel[1, 1, stream](given, 0, 0)
    stream.synchronize()
    assert [one for one, _ in keeper.seen] == [same, bytes(other), same]
    assert keeper.kernel.argument_counts()["uploads"] == 2


def test_one_bit_of_the_last_argument_makes_them_others(machine: Machine, stream: lp.Stream) -> None:
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


def test_uploads_can_be_made_for_every_launch(machine: Machine, stream: lp.Stream) -> None:
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
    given, value, _ = keeper.arguments(1)
    packed = bytearray(keeper.signature.size)
    packed[:size] = given
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


def test_two_streams_share_a_kernel_and_no_block(machine: Machine) -> None:
    """One stream's launch is held back while the other's uploads other arguments."""
    keeper = Keeper(machine)
    one, other = lp.Stream(blocking=False, device=machine.device), lp.Stream(blocking=False, device=machine.device)
    hold = one.hold()
    keeper.kernel[1, 1, one](*keeper.arguments(1))
    for value in 2, 3, 4, 5, 6, 7:
        keeper.kernel[1, 1, other](*keeper.arguments(value))
    other.synchronize()
    hold.release()
    one.synchronize()
    assert keeper.seen == keeper.expected(2, 3, 4, 5, 6, 7, 1)


def test_what_is_staged_stays_until_it_is_uploaded(machine: Machine, stream: lp.Stream) -> None:
    """A stream that is held back: none of many uploads reads what a later one wrote."""
    keeper = Keeper(machine)
    with stream.hold():
        for value in range(40):
            keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))
    assert keeper.kernel.argument_counts()["waits"] == 0


def test_who_never_synchronizes_needs_little_staging_memory(machine: Machine, stream: lp.Stream) -> None:
    """Markers among the uploads tell how far the device is."""
    keeper = Keeper(machine)
    for value in range(200):
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
        machine.machine.run()
    counts = keeper.kernel.argument_counts()
    assert (counts["slots"], counts["waits"]) == (4, 0)
    assert counts["growths"] <= counts["slots"] + 4
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(200))


def test_staging_is_bounded_then_the_oldest_is_waited_for(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    keeper = Keeper(machine, size=256 << 10)
    for value in range(40):
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))
    assert keeper.kernel.argument_counts()["growths"] <= 4 + 16


def test_more_than_the_bound_on_a_stream_that_is_held_back(machine: Machine, stream: lp.Stream) -> None:
    """Whoever launches holds it: the wait for the oldest upload ends, and the memory grows by the bound."""
    keeper = Keeper(machine, size=256 << 10)
    with stream.hold():
        for value in range(40):
            keeper.kernel[1, 1, stream](*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(*range(40))
    assert keeper.kernel.argument_counts()["waits"] == 2
    for value in range(40):
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
        stream.synchronize()
    assert keeper.kernel.argument_counts()["waits"] == 2


def test_a_failed_upload_is_made_again(machine: Machine, stream: lp.Stream) -> None:
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


@pytest.mark.parametrize("nth", range(1, 5))
def test_no_memory_for_a_block(machine: Machine, stream: lp.Stream, nth: int) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    machine.machine.fail("allocate", nth)
    for value in 1, 2, 3:
        try:
            launch(*keeper.arguments(value))
        except lp.LaunchpathError:
            launch(*keeper.arguments(value))
    stream.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 3)


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


def test_a_dropped_stream_gives_its_block_back(machine: Machine) -> None:
    keeper = Keeper(machine)
    before = machine.device.memory_info()["in_use"]
    stream = lp.Stream(blocking=False, device=machine.device)
    hold = stream.hold()
    keeper.kernel[1, 1, stream](*keeper.arguments(1))
    assert machine.device.memory_info()["in_use"] > before
    del stream
    gc.collect()
    others = [lp.empty(SIZE * 2, "uint8", machine.device) for _ in range(20)]  # they must not get the block's memory
    for other in others:
        other.fill(255)
    hold.release()
    machine.device.synchronize()
    del others, other, hold
    assert keeper.seen == keeper.expected(1)
    assert machine.device.memory_info()["in_use"] == before


def test_a_dropped_kernel_gives_its_blocks_back(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    hold = stream.hold()
    keeper.kernel[1, 1, stream](*keeper.arguments(1))
    seen, expected = keeper.seen, keeper.expected(1)
    keeper.kernel = None
    gc.collect()
    others = [lp.empty(SIZE * 2, "uint8", machine.device) for _ in range(20)]
    hold.release()
    machine.device.synchronize()
    assert seen == expected
    del others


@pytest.mark.machine(devices=2)
def test_each_device_has_its_own(machine: Machine) -> None:
    keepers = [Keeper(machine, device=device) for device in machine.devices]
    streams = [lp.Stream(blocking=False, device=device) for device in machine.devices]
    with streams[0].hold():
        for value in 1, 2, 1:
            for keeper, stream in zip(keepers, streams, strict=True):
                keeper.kernel[1, 1, stream](*keeper.arguments(value))
        streams[1].synchronize()
        assert [keeper.seen for keeper in keepers] == [[], keepers[1].expected(1, 2, 1)]
    streams[0].synchronize()
    assert keepers[0].seen == keepers[0].expected(1, 2, 1)
    for keeper in keepers:
        assert keeper.kernel.argument_counts()["uploads"] == 2
        keeper.kernel = None


def test_a_thread_may_end_before_its_launch(machine: Machine) -> None:
    """Its default stream goes with it, and the block with that."""
    keeper, holds = Keeper(machine), []

    def work() -> None:
        stream = machine.device.per_thread_stream
        holds.append(stream.hold())
        for value in 1, 2, 1:
            keeper.kernel[1, 1, stream](*keeper.arguments(value))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    gc.collect()
    others = [lp.empty(SIZE + 16, "uint8", machine.device) for _ in range(20)]
    for other in others:
        other.fill(255, machine.streams(("nonblocking",))[0])
    holds.pop().release()
    machine.device.synchronize()
    assert keeper.seen == keeper.expected(1, 2, 1)
    del others, other


def test_threads_share_a_kernel_and_a_stream(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    keeper = Keeper(machine, size=256)
    launch, wrong = keeper.kernel[1, 1, stream], []

    def work(first: int) -> None:
        try:
            for turn in range(60):
                launch(*keeper.arguments(first + turn % 3))
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(10 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stream.synchronize()
    assert not wrong
    wanted = Counter({one: 20 for first in range(0, 40, 10) for one in keeper.expected(first, first + 1, first + 2)})
    assert Counter(keeper.seen) == wanted


@pytest.mark.parametrize("plain", [True, False])
def test_the_current_stream_has_its_own_block(machine: Machine, plain: bool) -> None:
    keeper = Keeper(machine, plain=plain)
    streams = [lp.Stream(blocking=False, device=machine.device) for _ in range(3)]
    launch = keeper.kernel[1, 1]
    for _ in range(2):
        for stream in streams:
            with stream:
                launch(*keeper.arguments(1))
    machine.device.synchronize()
    assert keeper.seen == keeper.expected(*[1] * 6)
    counts = keeper.kernel.argument_counts()
    assert (counts["uploads"], counts["skipped"], counts["slots"]) == (3, 3, 3)


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("size", [12, 4092, 20_004])
def test_padding_makes_no_difference(machine: Machine, stream: lp.Stream, size: int, plain: bool) -> None:
    """Where the arguments are packed there is what other launches left."""
    made = signature(f"struct{size}", "int64" if plain else "pointer", block=True)
    assert made.parameters[1].offset == size + 4
    machine.device.driver.implement("pad", lambda call: None, [("pointer", 0, 8, True)])
    kernel = lp.Kernel(machine.device.driver.build("").kernel("pad"), machine.device, made)
    other = Keeper(machine, size=size + 12, plain=plain)
    launch, launch_other = kernel[1, 1, stream], other.kernel[1, 1, stream]
    for value in range(1, 6):
        launch(bytes(size), 0 if plain else None)
        launch_other(*other.arguments(value))
    stream.synchronize()
    assert kernel.argument_counts()["uploads"] == 1


def test_what_all_blocks_did_is_added_up(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    before = _core.argument_counts()
    for value in 1, 1, 2:
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
    after = _core.argument_counts()
    more = {name: after[name] - before[name] for name in after}
    assert more["uploads"] == 2
    assert more["skipped"] == 1
    assert more["bytes"] == 2 * keeper.signature.size
    assert (more["slots"], more["growths"]) == (2, 3)
    assert more == keeper.kernel.argument_counts()
    stream.synchronize()
    keeper.kernel = None
    gc.collect()
    assert _core.argument_counts() == after


def test_a_kernels_counts_are_those_of_streams_that_are_gone_as_well(machine: Machine) -> None:
    keeper = Keeper(machine)
    for _ in range(3):
        stream = lp.Stream(blocking=False, device=machine.device)
        for value in 1, 1, 2:
            keeper.kernel[1, 1, stream](*keeper.arguments(value))
        stream.synchronize()
        del stream
    counts = keeper.kernel.argument_counts()
    assert (counts["uploads"], counts["skipped"], counts["slots"]) == (6, 3, 6)


def test_a_kernel_that_is_dropped_needs_no_collector(machine: Machine, stream: lp.Stream) -> None:
    keeper, before = Keeper(machine), machine.device.memory_info()["in_use"]
    gc.disable()
    try:
        keeper.kernel[1, 1, stream](*keeper.arguments(1))
        stream.synchronize()
        keeper.kernel = None
        assert machine.device.memory_info()["in_use"] == before
    finally:
        gc.enable()


def test_a_hundred_kernels_of_256_bytes_take_less_than_128_kib(machine: Machine) -> None:
    stream = lp.Stream(blocking=False, device=machine.device)
    before = machine.device.memory_info()["in_use"]
    keepers = [Keeper(machine, size=236) for _ in range(100)]
    assert keepers[0].signature.size == 248
    for keeper in keepers:
        keeper.kernel[1, 1, stream](*keeper.arguments(1))
    stream.synchronize()
    assert machine.device.memory_info()["in_use"] - before <= 128 << 10


def test_named_arguments_and_errors_are_as_always(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    launch = keeper.kernel[1, 1, stream]
    struct_, number, last = keeper.arguments(3)
    launch(c=last, a=struct_, b=number)
    with pytest.raises(lp.SignatureError, match="wants a struct of 4096 bytes"):
        launch(b"short", number, last)
    with pytest.raises(lp.SignatureError, match="takes 3 arguments, given 1"):
        launch(struct_)
    stream.synchronize()
    assert keeper.seen == keeper.expected(3)


def test_counts_can_be_asked_while_streams_come_and_go(machine: Machine) -> None:
    keeper, done = Keeper(machine, size=64), threading.Event()
    wrong: list[str] = []

    def ask(count: Any) -> None:
        while not done.is_set():
            try:
                count()
            except RuntimeError as error:
                wrong.append(str(error))
                return

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [
        threading.Thread(target=ask, args=(one,)) for one in (keeper.kernel.argument_counts, _core.argument_counts)
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in range(40):
            streams = [lp.Stream(blocking=False, device=machine.device) for _ in range(20)]
            for stream in streams:
                keeper.kernel[1, 1, stream](*keeper.arguments(1))
            machine.device.synchronize()
            if wrong:
                break
    finally:
        done.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(before)
    del streams, stream, threads, ask
    assert not wrong

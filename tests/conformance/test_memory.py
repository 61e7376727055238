"""Memory: the pool behind arrays, its limits, and what it says when there is no room."""

import threading

import pytest

import launchpath as lp
from tests.threads import at_once

from .calls import returns_at_once

SLAB = 2 << 20  # bytes that small allocations share
SIZE = 123_400  # bytes; a size class that no other test uses


@pytest.fixture(autouse=True)
def trimmed(device):
    device.synchronize()
    device.trim_memory()
    yield
    device.set_memory_limit(None)


def test_memory_info_counts_arrays_and_bytes(device):
    before = device.memory_info()
    arrays = [lp.empty(SIZE, "uint8", device) for _ in range(3)]
    during = device.memory_info()
    assert during["arrays"] == before["arrays"] + 3
    assert during["in_use"] - before["in_use"] >= 3 * SIZE
    assert 0 < during["free"] <= during["total"]
    assert during["total"] <= device.info["total_memory"]
    del arrays
    assert device.memory_info()["arrays"] == before["arrays"]
    assert device.memory_info()["in_use"] == before["in_use"]


def test_slices_are_not_counted_twice(device):
    array = lp.empty(SIZE, "uint8", device)
    before = device.memory_info()
    part = array[100:]
    assert device.memory_info()["in_use"] == before["in_use"]
    del array
    assert device.memory_info()["in_use"] == before["in_use"]
    assert len(part) == SIZE - 100


def test_freed_memory_is_used_again(device):
    array = lp.empty(SIZE, "uint8", device)
    pointer = array.pointer
    array.free()
    assert device.memory_info()["pooled"] >= SIZE
    assert lp.empty(SIZE, "uint8", device).pointer == pointer


def test_freed_memory_waits_for_work_in_flight(device, nonblocking):
    with nonblocking.hold() as hold:
        array = lp.empty(SIZE, "uint8", device)
        pointer = array.pointer
        before = device.memory_info()["waiting"]
        array.free()
        assert device.memory_info()["waiting"] >= before + SIZE
        assert lp.empty(SIZE, "uint8", device).pointer != pointer
        hold.release()
        nonblocking.synchronize()
    assert device.memory_info()["waiting"] == before
    held = [lp.empty(SIZE, "uint8", device) for _ in range(2)]
    assert pointer in [array.pointer for array in held]


def test_memory_freed_on_an_idle_device_does_not_wait_for_later_work(device, nonblocking):
    array = lp.empty(SIZE, "uint8", device)
    address = array.bare_address
    array.free()
    with nonblocking.hold():
        assert lp.empty(SIZE, "uint8", device).bare_address == address


@pytest.mark.parametrize("blocking", [True, False])
def test_a_stream_gets_its_own_memory_back_at_once(device, native, side, blocking):
    if native and not blocking:
        pytest.skip(
            "once an address was handed out, code of others may use memory in the legacy stream, which is shared"
        )
    stream = lp.Stream(blocking, device=device)
    device.synchronize()  # an address that was handed out may be used by whatever is not known to be over
    with stream.hold():
        array = lp.empty(SIZE, "uint8", stream=stream)
        array.fill(1, stream)
        pointer = array.pointer_on(stream)
        array.free()
        elsewhere = lp.empty(SIZE, "uint8", stream=side)
        again = lp.empty(SIZE, "uint8", stream=stream)
        pointers = elsewhere.pointer_on(side), again.pointer_on(stream)  # an array's text would wait for the hold
        assert pointers[0] != pointer == pointers[1]
        again.fill(2, stream)
    assert (again.to_numpy(stream) == 2).all()


def test_a_stream_gets_its_memory_back_only_if_no_other_uses_it(device, nonblocking, side):
    with nonblocking.hold(), side.hold():
        array = lp.empty(SIZE, "uint8", stream=nonblocking)
        pointer = array.pointer
        array.fill(1, side)
        array.free()
        assert lp.empty(SIZE, "uint8", stream=nonblocking).pointer_on(nonblocking) != pointer


def test_allocating_in_a_loop_on_a_held_stream_stays_small(device, nonblocking):
    def kept():
        info = device.memory_info()
        return info["waiting"] + info["pooled"]

    device.trim_memory()
    before = kept()  # the rest of slabs that arrays of other tests have
    with nonblocking.hold():
        for i in range(50):
            lp.zeros(SIZE, "uint8", stream=nonblocking).fill(i, nonblocking)
        assert kept() - before < 5 * SIZE + SLAB


def test_trim_gives_the_pool_back(device):
    device.trim_memory()
    before = device.memory_info()["pooled"]  # the rest of slabs that arrays of other tests have
    lp.empty(3 * SLAB, "uint8", device).free()
    assert device.memory_info()["pooled"] >= before + 3 * SLAB
    device.trim_memory()
    assert device.memory_info()["pooled"] <= before


def test_a_limit_is_kept_and_says_what_is_held(device):
    device.set_memory_limit(device.memory_info()["in_use"] + 3 * SIZE)
    held = [lp.empty(SIZE, "uint8", device)]
    with pytest.raises(lp.OutOfMemoryError, match=r"requested 1,234,000 bytes while \d+ arrays hold [\d,]+") as raised:
        lp.empty(10 * SIZE, "uint8", device)
    assert device.name in str(raised.value)
    assert "limit" in str(raised.value)
    held.append(lp.empty(SIZE, "uint8", device))
    device.set_memory_limit(None)
    held.append(lp.empty(10 * SIZE, "uint8", device))


def test_a_limit_counts_what_waits_and_waits_for_it(device, nonblocking):
    hold = nonblocking.hold()
    first = lp.empty(SIZE, "uint8", device)
    device.set_memory_limit(device.memory_info()["in_use"] + 1000)
    first.free()
    releaser = threading.Timer(0.05, hold.release)
    releaser.start()
    assert lp.empty(2000, "uint8", device).size == 2000
    releaser.join()


def test_a_limit_makes_room_from_the_pool(device):
    device.set_memory_limit(device.memory_info()["in_use"] + 2 * SIZE)
    lp.empty(SIZE, "uint8", device).free()
    assert lp.empty(SIZE + SIZE // 2, "uint8", device).size == SIZE + SIZE // 2


def test_a_negative_limit_is_refused(device):
    with pytest.raises(lp.ArgumentValueError, match="-1"):
        device.set_memory_limit(-1)


@pytest.mark.parametrize("size", [1 << 50, 1 << 62])
def test_more_than_the_device_has_is_an_error_that_says_so(device, size):
    with pytest.raises(lp.OutOfMemoryError, match=f"requested {size:,} bytes") as raised:
        lp.empty(size, "uint8", device)
    assert isinstance(raised.value, MemoryError)
    assert lp.zeros(10, "uint8", device).to_numpy().sum() == 0


def test_more_than_the_device_gives_at_once_is_an_error_that_says_how_much(device):
    most = device.info["max_allocation"]
    with pytest.raises(lp.OutOfMemoryError, match=rf"the device gives {most:,} at once \(max_allocation\)"):
        lp.empty(1 << 60, "uint8", device)


def test_a_size_beyond_64_bits_is_an_error(device):
    with pytest.raises((lp.OutOfMemoryError, lp.ArgumentValueError)):
        lp.empty((1 << 40, 1 << 40), "uint8", device)


def test_threads_that_allocate_and_free_do_not_share_memory(device):
    wrong = []

    def work(value):
        stream = lp.Stream(blocking=False, device=device)
        for _ in range(60):
            array = lp.empty(SIZE, "uint8", stream=stream)
            array.fill(value, stream)
            if not (array.to_numpy(stream) == value).all():
                wrong.append(value)

    at_once(work, range(6))
    assert not wrong


def test_memory_on_the_wrong_streams_device_is_refused(device, nonblocking):
    other = next((candidate for candidate in lp.devices() if candidate is not device), None)
    if other is None:
        pytest.skip("one device only")
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of .*, got a stream of"):
        lp.empty(3, "uint8", other, stream=nonblocking)


def test_allocating_does_not_wait_for_held_work(device, nonblocking):
    with nonblocking.hold():
        assert returns_at_once(lp.empty, SIZE, "uint8", device).nbytes == SIZE

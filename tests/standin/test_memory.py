"""Memory of the stand-in: poison, misuse, copies that block and those that do not, pools."""

import ctypes
import struct
import threading
from collections.abc import Callable

import pytest

from .client import NON_BLOCKING, soon
from .control import Control

POOL = struct.pack("iiiiQQ56x", 1, 0, 1, 0, 0, 0)


def pool_of(cuda: Control) -> int:
    return cuda.out("cuMemPoolCreate", POOL)


def _release_soon(release: Callable[[], None]) -> threading.Event:
    """Release a held stream in a moment; the event says that it has been."""
    released = threading.Event()
    threading.Timer(0.05, lambda: (released.set(), release())).start()
    return released


def test_new_memory_is_poison(cuda):
    assert ctypes.string_at(cuda.allocate(100), 100) == b"\xcd" * 100
    assert ctypes.string_at(cuda.pinned(100), 100) == b"\xcd" * 100


def test_freed_memory_is_poison_and_not_reused(cuda):
    first = cuda.allocate(64)
    cuda("cuMemFree_v2", first)
    assert ctypes.string_at(first, 64) == b"\xdd" * 64
    assert cuda.allocate(64) != first
    assert cuda.live("memory") == 1


def test_freeing_what_is_not_there(cuda):
    address, pinned = cuda.allocate(64), cuda.pinned(64)
    assert cuda.code("cuMemFree_v2", address + 8) == 1
    assert cuda.code("cuMemFree_v2", pinned) == 1
    assert cuda.code("cuMemFreeHost", address) == 1
    assert cuda.code("cuMemFree_v2", 0) == 0
    cuda("cuMemFree_v2", address)
    assert cuda.code("cuMemFree_v2", address) == 1
    assert "freed twice" in cuda.reports()[0]


def test_writing_where_nobody_may(cuda):
    freed, short = cuda.allocate(64), cuda.allocate(10)
    cuda("cuMemFree_v2", freed)
    ctypes.memset(freed + 5, 1, 1)
    ctypes.memset(short + 10, 1, 1)
    reports = cuda.reports()
    assert len(reports) == 2
    assert any("freed memory was written" in line for line in reports)
    assert any("written past the end" in line for line in reports)


def test_freeing_waits_for_all_work(cuda):
    stream, address = cuda.stream(NON_BLOCKING), cuda.allocate(4)
    release = cuda.hold(stream)
    released = _release_soon(release)
    cuda("cuMemFree_v2", address)
    assert released.is_set()
    assert cuda.is_over(stream)


def test_memory_is_limited(cuda):
    cuda.option("memory", 1 << 20)
    address = cuda.allocate(1 << 19)
    assert cuda.code("cuMemAlloc_v2", ctypes.byref(ctypes.c_uint64()), (1 << 19) + 1) == 2
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    cuda("cuMemFree_v2", address)
    cuda("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    assert total.value == 1 << 20
    assert free.value == (1 << 20) - 64  # the module's global


def test_reading_to_pageable_memory_blocks(cuda):
    stream, device = cuda.stream(), cuda.allocate(16)
    out = ctypes.create_string_buffer(16)
    release = cuda.hold(stream)
    cuda("cuMemsetD8Async", device, 7, 16, stream)
    released = _release_soon(release)
    cuda("cuMemcpyAsync", ctypes.addressof(out), device, 16, stream)
    assert released.is_set()
    assert out.raw == b"\x07" * 16


def test_reading_to_pinned_memory_does_not_block(cuda):
    stream, device, pinned = cuda.stream(), cuda.allocate(16), cuda.pinned(16)
    release = cuda.hold(stream)
    cuda("cuMemsetD8Async", device, 7, 16, stream)
    cuda("cuMemcpyAsync", pinned, device, 16, stream)
    assert ctypes.string_at(pinned, 16) == b"\xcd" * 16
    release()
    cuda("cuStreamSynchronize", stream)
    assert ctypes.string_at(pinned, 16) == b"\x07" * 16


@pytest.mark.parametrize("pinned", [False, True])
def test_only_pageable_memory_is_staged(cuda, pinned):
    stream, device = cuda.stream(), cuda.allocate(4)
    source = cuda.word() if pinned else ctypes.c_uint32()
    source.value = 1
    release = cuda.hold(stream)
    cuda("cuMemcpyAsync", device, ctypes.addressof(source), 4, stream)
    source.value = 2
    release()
    assert cuda.read(device) == [2 if pinned else 1]


def test_copies_are_checked(cuda):
    device, stream = cuda.allocate(16), cuda.stream()
    assert cuda.code("cuMemcpyAsync", device + 8, device, 16, stream) == 1
    assert cuda.code("cuMemsetD32Async", device + 2, 0, 1, stream) == 1
    assert cuda.code("cuMemsetD8Async", device, 0, 17, stream) == 1
    assert len(cuda.reports()) == 2
    cuda("cuMemFree_v2", device)
    assert cuda.code("cuMemsetD8Async", device, 0, 1, stream) == 1
    assert "freed memory was used" in cuda.reports()[0]


@pytest.mark.parametrize(
    ("name", "value", "count", "bytes_"),
    [("8", 1, 3, "010101"), ("16", 0x201, 2, "01020102"), ("32", 0x4030201, 1, "01020304")],
)
def test_fills(cuda, name, value, count, bytes_):
    device = cuda.allocate(8)
    cuda(f"cuMemsetD{name}Async", device, value, count, 0)
    cuda("cuCtxSynchronize")
    assert ctypes.string_at(device, 8).hex() == bytes_.ljust(16, "x").replace("x", "") + "cd" * (8 - len(bytes_) // 2)


def test_a_pool_frees_in_order(cuda):
    stream, pool = cuda.stream(), pool_of(cuda)
    address = cuda.out("cuMemAllocFromPoolAsync", 64, pool, stream)
    cuda("cuStreamSynchronize", stream)
    release = cuda.hold(stream)
    cuda("cuMemsetD8Async", address, 1, 64, stream)
    cuda("cuMemFreeAsync", address, stream)
    assert ctypes.string_at(address, 64) == b"\xcd" * 64
    assert cuda.code("cuMemFreeAsync", address, stream) == 1
    release()
    cuda("cuStreamSynchronize", stream)
    assert ctypes.string_at(address, 64) == b"\xdd" * 64
    assert cuda.live("memory") == 0
    assert "freed twice" in cuda.reports()[0]


def test_a_pools_memory_is_used_in_order(cuda):
    stream, other, pool = cuda.stream(NON_BLOCKING), cuda.stream(NON_BLOCKING), pool_of(cuda)
    release = cuda.hold(stream)
    address = cuda.out("cuMemAllocFromPoolAsync", 64, pool, stream)
    cuda("cuMemsetD8Async", address, 1, 64, other)  # nothing orders it after the allocation
    assert cuda.code("cuStreamSynchronize", other) == 700
    assert "before its allocation" in cuda.reports()[0]
    release()


def test_a_pool_keeps_and_trims(cuda):
    stream, pool = cuda.stream(), pool_of(cuda)

    def reserved():
        return cuda_out(cuda, pool, 5)

    threshold = ctypes.c_uint64(1 << 40)
    cuda("cuMemPoolSetAttribute", pool, 4, ctypes.byref(threshold))
    address = cuda.out("cuMemAllocFromPoolAsync", 1 << 16, pool, stream)
    cuda("cuMemFreeAsync", address, stream)
    cuda("cuStreamSynchronize", stream)
    assert (reserved(), cuda_out(cuda, pool, 7)) == (1 << 16, 0)
    cuda("cuMemPoolTrimTo", pool, 1 << 10)
    assert reserved() == 1 << 10
    threshold.value = 0
    cuda("cuMemPoolSetAttribute", pool, 4, ctypes.byref(threshold))
    cuda("cuStreamSynchronize", stream)
    assert reserved() == 0
    cuda("cuMemPoolDestroy", pool)
    assert cuda.live("pools") == 0


def cuda_out(cuda, pool, which):
    value = ctypes.c_uint64()
    cuda("cuMemPoolGetAttribute", pool, which, ctypes.byref(value))
    return value.value


def test_a_pool_is_asked_for_properly(cuda):
    for wrong in (b"\0" * 88, POOL[:12] + b"\x07" + POOL[13:], POOL[:-1] + b"\x01"):
        assert cuda.code("cuMemPoolCreate", ctypes.byref(ctypes.c_uint64()), wrong) == 1


def test_what_a_pointer_is(cuda):
    cuda.current(cuda.retain(1))
    device, pinned, out = cuda.allocate(64), cuda.pinned(64), ctypes.c_uint64()
    facts = {}
    for name, address in (("device", device), ("pinned", pinned)):
        for which in (2, 9, 11, 12):
            out.value = 0
            cuda("cuPointerGetAttribute", ctypes.byref(out), which, address + 4)
            facts[name, which] = out.value
    assert [facts["device", which] for which in (2, 9, 11, 12)] == [2, 1, device, 64]
    assert [facts["pinned", which] for which in (2, 9, 11, 12)] == [1, 1, pinned, 64]
    assert cuda.code("cuPointerGetAttribute", ctypes.byref(out), 9, ctypes.addressof(out)) == 1
    cuda.current(cuda.context)


def test_what_is_left_can_be_counted(cuda):
    cuda.stream(), cuda.event(), cuda.allocate(8), cuda.pinned(8), pool_of(cuda)
    names = ("streams", "events", "memory", "bytes", "pinned", "pools", "modules", "contexts")
    assert [cuda.live(name) for name in names] == [1, 1, 1, 8, 1, 1, 1, 1]
    with pytest.raises(ValueError, match="shoes"):
        cuda.live("shoes")


def test_a_context_has_several_users(cuda):
    address = cuda.allocate(8)
    cuda.retain(0)
    cuda("cuDevicePrimaryCtxRelease_v2", 0)
    cuda("cuMemsetD8Async", address, 0, 8, 0)
    cuda("cuDevicePrimaryCtxRelease_v2", 0)
    assert cuda.code("cuMemAlloc_v2", ctypes.byref(ctypes.c_uint64()), 8) == 709
    assert (cuda.live("memory"), cuda.live("modules")) == (0, 0)
    assert soon(lambda: cuda.pending == 0)

"""Contexts, flags, limits and the identity of devices."""

import numpy as np
import pytest

from tests.threads import apart

from .calls import fails, ok


@pytest.fixture(autouse=True)
def empty_stack(hip):
    """Begin and end without contexts on the thread's stack."""
    yield
    while hip.hipCtxPopCurrent()[0] == 0:
        pass


def test_contexts_are_current_in_the_order_of_a_stack_until_they_are_destroyed(hip):
    number = ok(hip.hipGetDevice())
    primary = ok(hip.hipCtxGetCurrent())
    fails(hip.hipCtxPopCurrent(), "hipErrorInvalidContext")
    first = ok(hip.hipCtxCreate(hip.hipDeviceScheduleSpin, number))
    second = ok(hip.hipCtxCreate(0, 0))
    assert len({int(primary), int(first), int(second)}) == 3
    assert ok(hip.hipCtxGetDevice()) == ok(hip.hipGetDevice()) == 0
    assert int(ok(hip.hipCtxPopCurrent())) == int(second)
    assert int(ok(hip.hipCtxGetCurrent())) == int(first)
    assert ok(hip.hipCtxGetDevice()) == number
    assert ok(hip.hipCtxGetFlags()) == hip.hipDeviceScheduleSpin
    ok(hip.hipCtxPushCurrent(second))
    ok(hip.hipCtxSetCurrent(first))
    ok(hip.hipCtxSynchronize())
    assert ok(hip.hipCtxGetApiVersion(first)) == 4 == ok(hip.hipCtxGetApiVersion(None))
    ok(hip.hipCtxDestroy(first))
    for call in (hip.hipCtxPushCurrent, hip.hipCtxSetCurrent, hip.hipCtxGetApiVersion):
        fails(call(first), "hipErrorInvalidContext")
    fails(hip.hipCtxDestroy(first), "hipErrorInvalidValue")
    fails(hip.hipCtxDestroy(primary), "hipErrorInvalidValue")
    ok(hip.hipCtxDestroy(second))
    ok(hip.hipCtxSetCurrent(None))


def test_contexts_that_cannot_be_created(hip):
    fails(hip.hipCtxCreate(0x1000, 0), "hipErrorInvalidValue")
    fails(hip.hipCtxCreate(0, 1000), "hipErrorInvalidValue")


def test_a_context_that_another_thread_destroys_is_no_longer_current(hip):
    context = ok(hip.hipCtxCreate(0, 0))
    apart(lambda: ok(hip.hipCtxDestroy(context)))
    assert int(ok(hip.hipCtxGetCurrent())) != int(context)
    fails(hip.hipCtxPopCurrent(), "hipErrorInvalidContext")


def test_the_primary_context(hip):
    number = ok(hip.hipGetDevice())
    context = ok(hip.hipDevicePrimaryCtxRetain(number))
    assert int(context) == int(ok(hip.hipCtxGetCurrent()))
    flags, active = ok(hip.hipDevicePrimaryCtxGetState(number))
    assert (flags, active) == (ok(hip.hipGetDeviceFlags()), 1)
    fails(hip.hipDevicePrimaryCtxSetFlags(number, hip.hipDeviceScheduleYield), "hipErrorContextAlreadyInUse")
    fails(hip.hipDevicePrimaryCtxSetFlags(number, 0x1000), "hipErrorInvalidValue")
    ok(hip.hipDevicePrimaryCtxSetFlags(number, flags))
    ok(hip.hipDevicePrimaryCtxRelease(number))
    fails(hip.hipDevicePrimaryCtxRelease(number), "hipErrorInvalidContext")
    for call in (
        hip.hipDevicePrimaryCtxRetain, hip.hipDevicePrimaryCtxRelease, hip.hipDevicePrimaryCtxReset,
        hip.hipDevicePrimaryCtxGetState,
    ):  # fmt: skip
        fails(call(1000), "hipErrorInvalidDevice")


def test_hints_are_checked(hip):
    for name in ("Ctx", "Device"):
        ok(getattr(hip, f"hip{name}SetCacheConfig")(hip.hipFuncCache_t.hipFuncCachePreferL1))
        fails(getattr(hip, f"hip{name}SetCacheConfig")(99), "hipErrorInvalidValue")
        assert ok(getattr(hip, f"hip{name}GetCacheConfig")()) == hip.hipFuncCache_t.hipFuncCachePreferNone
        ok(getattr(hip, f"hip{name}SetSharedMemConfig")(hip.hipSharedMemConfig.hipSharedMemBankSizeEightByte))
        fails(getattr(hip, f"hip{name}SetSharedMemConfig")(99), "hipErrorInvalidValue")
        banks = ok(getattr(hip, f"hip{name}GetSharedMemConfig")())
        assert banks == hip.hipSharedMemConfig.hipSharedMemBankSizeFourByte


def test_flags_and_limits(hip):
    ok(hip.hipSetDeviceFlags(hip.hipDeviceScheduleYield | hip.hipDeviceMapHost))
    assert ok(hip.hipGetDeviceFlags()) == hip.hipDeviceScheduleYield | hip.hipDeviceMapHost
    ok(hip.hipSetDeviceFlags(0))
    fails(hip.hipSetDeviceFlags(7), "hipErrorInvalidValue")
    fails(hip.hipDeviceGetLimit(hip.hipLimit_t.hipLimitStackSize), "hipErrorUnsupportedLimit")
    fails(hip.hipDeviceSetLimit(hip.hipLimit_t.hipLimitStackSize, 1024), "hipErrorUnsupportedLimit")
    fails(hip.hipDeviceGetLimit(77777), "hipErrorInvalidValue")
    fails(hip.hipDeviceSetLimit(77777, 0), "hipErrorInvalidValue")
    fails(hip.hipProfilerStart(), "hipErrorNotSupported")
    fails(hip.hipProfilerStop(), "hipErrorNotSupported")


def test_uuids_are_stable_and_differ(hip):
    uuids = [ok(hip.hipDeviceGetUuid(number)).bytes for number in range(ok(hip.hipGetDeviceCount()))]
    assert len(set(uuids)) == len(uuids)
    assert uuids == [ok(hip.hipDeviceGetUuid(number)).bytes for number in range(len(uuids))]
    assert all(len(each) == 16 and any(each) for each in uuids)
    fails(hip.hipDeviceGetUuid(1000), "hipErrorInvalidDevice")


def test_places_on_the_bus(hip, device, monkeypatch):
    number = ok(hip.hipGetDevice())
    if not device.info.get("pci_bus"):
        fails(hip.hipDeviceGetPCIBusId(64, number), "hipErrorNotSupported")
        monkeypatch.setitem(device.info, "pci_bus", "0000:C1:00.0")
    bus = ok(hip.hipDeviceGetPCIBusId(64, number))
    assert ok(hip.hipDeviceGetByPCIBusId(bus)) == number
    assert ok(hip.hipDeviceGetByPCIBusId(bus.decode().lower())) == number
    assert ok(hip.hipDeviceGetPCIBusId(5, number)) == bus[:4]
    fails(hip.hipDeviceGetPCIBusId(0, number), "hipErrorInvalidValue")
    fails(hip.hipDeviceGetPCIBusId(64, 1000), "hipErrorInvalidDevice")
    fails(hip.hipDeviceGetByPCIBusId(b"fffe:1f:1f.7"), "hipErrorInvalidDevice")
    fails(hip.hipDeviceGetByPCIBusId(b"nowhere"), "hipErrorInvalidValue")


def test_the_device_that_fits_best(hip):
    for number in range(ok(hip.hipGetDeviceCount())):
        wanted = ok(hip.hipGetDeviceProperties(number))
        best = ok(hip.hipGetDeviceProperties(ok(hip.hipChooseDevice(wanted))))
        assert best.totalGlobalMem >= wanted.totalGlobalMem and best.maxThreadsPerBlock >= wanted.maxThreadsPerBlock
    assert ok(hip.hipChooseDevice(hip.hipDeviceProp_t())) == 0


def test_peers(hip):
    number = ok(hip.hipGetDevice())
    kinds = hip.hipDeviceP2PAttr
    fails(hip.hipDeviceDisablePeerAccess(number), "hipErrorPeerAccessNotEnabled")
    fails(hip.hipDeviceDisablePeerAccess(1000), "hipErrorInvalidDevice")
    fails(hip.hipDeviceGetP2PAttribute(kinds.hipDevP2PAttrAccessSupported, number, number), "hipErrorInvalidDevice")
    context = ok(hip.hipCtxGetCurrent())
    fails(hip.hipCtxEnablePeerAccess(context, 0), "hipErrorInvalidDevice")
    fails(hip.hipCtxDisablePeerAccess(context), "hipErrorPeerAccessNotEnabled")
    fails(hip.hipCtxEnablePeerAccess(None, 0), "hipErrorInvalidValue")


def test_two_devices(hip, two_devices):
    from launchpath.hip._devices.current import number_of

    numbers = [number_of(device) for device in two_devices]
    kinds = hip.hipDeviceP2PAttr
    reach = ok(hip.hipDeviceCanAccessPeer(*numbers))
    assert ok(hip.hipDeviceGetP2PAttribute(kinds.hipDevP2PAttrAccessSupported, *numbers)) == reach
    assert ok(hip.hipDeviceGetP2PAttribute(kinds.hipDevP2PAttrPerformanceRank, *numbers)) == 0
    fails(hip.hipDeviceGetP2PAttribute(99, *numbers), "hipErrorInvalidValue")
    ok(hip.hipSetDevice(numbers[0]))
    context = ok(hip.hipDevicePrimaryCtxRetain(numbers[1]))
    if reach:
        ok(hip.hipCtxEnablePeerAccess(context, 0))
        fails(hip.hipDeviceEnablePeerAccess(numbers[1], 0), "hipErrorPeerAccessAlreadyEnabled")
        ok(hip.hipCtxDisablePeerAccess(context))
    else:
        fails(hip.hipCtxEnablePeerAccess(context, 0), "hipErrorInvalidDevice")
    fails(hip.hipDeviceDisablePeerAccess(numbers[1]), "hipErrorPeerAccessNotEnabled")
    ok(hip.hipDevicePrimaryCtxRelease(numbers[1]))


def test_a_stream_of_a_device(hip):
    stream = ok(hip.hipStreamCreate())
    assert ok(hip.hipGetStreamDeviceId(stream)) == ok(hip.hipGetDevice())
    ok(hip.hipStreamDestroy(stream))
    fails(hip.hipGetStreamDeviceId(stream), "hipErrorInvalidHandle")


@pytest.mark.parametrize("primary", [False, True])
def test_a_reset_frees_what_the_device_has_and_nothing_else(hip, two_devices, primary):
    from launchpath.hip._devices.current import number_of

    number, other = (number_of(device) for device in two_devices)
    ok(hip.hipSetDevice(other))
    kept = ok(hip.hipMalloc(64))
    ok(hip.hipSetDevice(number))
    memory, stream = ok(hip.hipMalloc(64)), ok(hip.hipStreamCreate())
    array = ok(hip.hipMallocArray(ok(hip.hipCreateChannelDesc(8, 0, 0, 0, 1)), 4, 0, 0))
    ok(hip.hipMemsetAsync(memory, 1, 64, stream))
    ok(hip.hipDevicePrimaryCtxReset(number) if primary else hip.hipDeviceReset())
    fails(hip.hipFree(memory), "hipErrorInvalidDevicePointer")
    fails(hip.hipStreamQuery(stream), "hipErrorContextIsDestroyed")
    fails(hip.hipFreeArray(array), "hipErrorInvalidValue")
    ok(hip.hipMemset(kept, 3, 64))
    result = np.zeros(64, "u1")
    ok(hip.hipMemcpyDtoH(result, kept, 64))
    assert (result == 3).all()
    ok(hip.hipFree(kept))
    ok(hip.hipFree(ok(hip.hipMalloc(64))))

"""Memory with flags, registered memory, pools, advice, and attributes of addresses."""

import ctypes

import numpy as np
import pytest

from .calls import fails, ok

pytestmark = pytest.mark.usefixtures("balance")


@pytest.mark.parametrize("name", ["hipHostMalloc", "hipHostAlloc"])
def test_flags_of_the_hosts_memory(hip, name):
    call = getattr(hip, name)
    for flags in (hip.hipHostMallocPortable | hip.hipHostMallocMapped, hip.hipHostMallocNonCoherent):
        memory = ok(call(64, flags))
        assert ok(hip.hipHostGetFlags(memory)) == flags & 0xFFFFFFFF
        ok(hip.hipHostFree(memory))
    fails(call(64, 0x100), "hipErrorInvalidValue")
    fails(call(64, hip.hipHostMallocCoherent | hip.hipHostMallocNonCoherent), "hipErrorInvalidValue")


def test_memory_with_flags(hip, device):
    for flag in (hip.hipDeviceMallocFinegrained, 3):  # hipDeviceMallocUncached
        fine = hip.hipExtMallocWithFlags(64, flag)
        if device.info.get("host_accessible"):
            ok(hip.hipFree(ok(fine)))
        else:
            fails(fine, "hipErrorNotSupported")
    plain = ok(hip.hipExtMallocWithFlags(64, hip.hipDeviceMallocDefault))
    ok(hip.hipMemset(plain, 1, 64))
    ok(hip.hipFree(plain))
    signal = ok(hip.hipExtMallocWithFlags(8, hip.hipMallocSignalMemory))
    assert ok(hip.hipPointerGetAttributes(signal)).type == hip.hipMemoryType.hipMemoryTypeHost
    fails(hip.hipHostFree(signal), "hipErrorInvalidValue")
    ok(hip.hipFree(signal))
    fails(hip.hipExtMallocWithFlags(16, hip.hipMallocSignalMemory), "hipErrorInvalidValue")
    fails(hip.hipExtMallocWithFlags(16, 64), "hipErrorInvalidValue")
    fails(hip.hipExtMallocWithFlags(1 << 60, 0), "hipErrorOutOfMemory")


def test_slices(hip):
    pitched = ok(hip.hipMalloc3D(hip.hipExtent(width=100, height=5, depth=3)))
    assert pitched.pitch >= 100 and (pitched.xsize, pitched.ysize) == (100, 5)
    assert ok(hip.hipMemPtrGetInfo(pitched.ptr)) == 15 * pitched.pitch
    ok(hip.hipMemset3D(pitched, 4, hip.hipExtent(width=100, height=5, depth=3)))
    result = np.zeros((3, 5, 100), "u1")
    for index in range(3):
        source = int(pitched.ptr) + 5 * index * pitched.pitch
        ok(hip.hipMemcpy2D(result[index], 100, source, pitched.pitch, 100, 5, hip.hipMemcpyKind.hipMemcpyDefault))
    assert (result == 4).all()
    ok(hip.hipFree(pitched.ptr))
    fails(hip.hipMalloc3D(hip.hipExtent(width=1 << 40, height=1 << 20, depth=1)), "hipErrorOutOfMemory")


def test_host_memory_is_registered_once_and_then_copied_without_a_wait(hip, device, made):
    data = np.zeros(100, "u1")
    ok(hip.hipHostRegister(data, 100, hip.hipHostRegisterPortable))
    assert ok(hip.hipHostGetFlags(data)) == hip.hipHostRegisterPortable
    assert ok(hip.hipPointerGetAttributes(data)).type == hip.hipMemoryType.hipMemoryTypeHost
    reached = hip.hipHostGetDevicePointer(data, 0)
    if device.info["kind"] == "cpu":
        assert int(ok(reached)) == data.ctypes.data
    else:
        fails(reached, "hipErrorNotSupported")
    fails(hip.hipHostRegister(data, 100, 0), "hipErrorHostMemoryAlreadyRegistered")
    fails(hip.hipHostRegister(data.ctypes.data - 8, 16, 0), "hipErrorHostMemoryAlreadyRegistered")
    fails(hip.hipHostFree(data), "hipErrorInvalidValue")
    fails(hip.hipHostUnregister(data.ctypes.data + 1), "hipErrorHostMemoryNotRegistered")
    memory, stream = made(hip.hipMalloc(100)), made(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
    from launchpath.hip._streams.streams import stream_of

    ok(hip.hipMemset(memory, 5, 100))
    ok(hip.hipDeviceSynchronize())
    with stream_of(stream).hold():  # the copy does not wait: it would never come back
        ok(hip.hipMemcpyAsync(data, memory, 100, hip.hipMemcpyKind.hipMemcpyDeviceToHost, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert (data == 5).all()
    ok(hip.hipHostUnregister(data))
    fails(hip.hipHostUnregister(data), "hipErrorHostMemoryNotRegistered")
    fails(hip.hipHostRegister(None, 100, 0), "hipErrorInvalidValue")
    fails(hip.hipHostRegister(data, 0, 0), "hipErrorInvalidValue")
    fails(hip.hipHostRegister(data, 100, 0x40), "hipErrorInvalidValue")
    fails(hip.hipHostRegister(data, 100, hip.hipHostRegisterIoMemory), "hipErrorNotSupported")


@pytest.mark.parametrize("offset", [0, 64])
def test_memory_that_was_registered_and_freed_without_a_word(hip, offset):
    """Its addresses may be those of later memory, of which nothing may be taken for the old."""
    place = int(ok(hip.hipMalloc(4096)))
    ok(hip.hipFree(place))
    ok(hip.hipHostRegister(place + offset, 64, 0))
    memory = ok(hip.hipMalloc(4096))
    if int(memory) != place:
        ok(hip.hipHostUnregister(place + offset))
        ok(hip.hipFree(memory))
        pytest.skip("the pool gave other memory")
    assert ok(hip.hipPointerGetAttributes(place + 70)).type == hip.hipMemoryType.hipMemoryTypeDevice
    fails(hip.hipHostUnregister(place + offset), "hipErrorHostMemoryNotRegistered")
    ok(hip.hipMemset(memory, 1, 4096))
    ok(hip.hipFree(memory))
    fails(hip.hipMemset(memory, 1, 4096), "hipErrorInvalidValue")


def properties(hip, number, most=0):
    result = hip.hipMemPoolProps()
    result.allocType = hip.hipMemAllocationType.hipMemAllocationTypePinned
    result.location.type, result.location.id = hip.hipMemLocationType.hipMemLocationTypeDevice, number
    result.maxSize = most
    return result


def attribute(hip, pool, name, kind=ctypes.c_uint64):
    value = kind()
    ok(hip.hipMemPoolGetAttribute(pool, getattr(hip.hipMemPoolAttr, f"hipMemPool{name}"), value))
    return value.value


def test_a_pool_counts_its_memory(hip, made):
    number = ok(hip.hipGetDevice())
    pool, stream = ok(hip.hipMemPoolCreate(properties(hip, number, 1000))), made(hip.hipStreamCreate())
    first = ok(hip.hipMallocFromPoolAsync(600, pool, stream))
    fails(hip.hipMallocFromPoolAsync(500, pool, stream), "hipErrorOutOfMemory")
    second = ok(hip.hipMallocFromPoolAsync(400, pool, None))
    assert attribute(hip, pool, "AttrUsedMemCurrent") == attribute(hip, pool, "AttrReservedMemCurrent") == 1000
    ok(hip.hipFreeAsync(first, stream))
    assert (attribute(hip, pool, "AttrUsedMemCurrent"), attribute(hip, pool, "AttrUsedMemHigh")) == (400, 1000)
    zero = ctypes.c_uint64(0)
    ok(hip.hipMemPoolSetAttribute(pool, hip.hipMemPoolAttr.hipMemPoolAttrUsedMemHigh, zero))
    assert attribute(hip, pool, "AttrUsedMemHigh") == 400
    assert attribute(hip, pool, "AttrReservedMemHigh") >= 400
    handle = ctypes.c_uint64()
    kind = hip.hipPointer_attribute.HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE
    ok(hip.hipPointerGetAttribute(handle, kind, second))
    assert handle.value == int(pool)
    ok(hip.hipFree(second))
    ok(hip.hipMemPoolTrimTo(pool, 0))
    ok(hip.hipMemPoolDestroy(pool))
    for call in (hip.hipMemPoolDestroy, lambda each: hip.hipMemPoolTrimTo(each, 0)):
        fails(call(pool), "hipErrorInvalidValue")
    fails(hip.hipMallocFromPoolAsync(64, pool, stream), "hipErrorInvalidValue")
    ok(hip.hipStreamSynchronize(stream))


def test_attributes_of_pools(hip):
    kinds, pool = hip.hipMemPoolAttr, ok(hip.hipDeviceGetDefaultMemPool(ok(hip.hipGetDevice())))
    for name in ("ReuseFollowEventDependencies", "ReuseAllowOpportunistic", "ReuseAllowInternalDependencies"):
        assert attribute(hip, pool, name, ctypes.c_int) == 1
        for value in (0, 1):
            ok(hip.hipMemPoolSetAttribute(pool, getattr(kinds, f"hipMemPool{name}"), ctypes.c_int(value)))
            assert attribute(hip, pool, name, ctypes.c_int) == value
    assert attribute(hip, pool, "AttrReleaseThreshold") == 0
    for value in (2**64 - 1, 0):
        ok(hip.hipMemPoolSetAttribute(pool, kinds.hipMemPoolAttrReleaseThreshold, ctypes.c_uint64(value)))
        assert attribute(hip, pool, "AttrReleaseThreshold") == value
    ok(hip.hipMemPoolSetAttribute(pool, kinds.hipMemPoolAttrReservedMemHigh, ctypes.c_uint64(0)))
    assert attribute(hip, pool, "AttrReservedMemHigh") == attribute(hip, pool, "AttrReservedMemCurrent")
    wrong = hip.hipMemPoolSetAttribute(pool, kinds.hipMemPoolAttrReservedMemHigh, ctypes.c_uint64(1))
    fails(wrong, "hipErrorInvalidValue")
    wrong = hip.hipMemPoolSetAttribute(pool, kinds.hipMemPoolAttrUsedMemCurrent, ctypes.c_uint64(0))
    fails(wrong, "hipErrorInvalidValue")
    for call in (hip.hipMemPoolGetAttribute, hip.hipMemPoolSetAttribute):
        fails(call(pool, 99, ctypes.c_uint64()), "hipErrorInvalidValue")
        fails(call(777, kinds.hipMemPoolAttrUsedMemCurrent, ctypes.c_uint64()), "hipErrorInvalidValue")
        fails(call(pool, kinds.hipMemPoolAttrReleaseThreshold, ctypes.c_uint32()), "hipErrorInvalidValue")
        fails(call(pool, kinds.hipMemPoolAttrReleaseThreshold, None), "hipErrorInvalidValue")
    ok(hip.hipMemPoolTrimTo(pool, 0))
    assert attribute(hip, pool, "AttrReservedMemCurrent") >= attribute(hip, pool, "AttrUsedMemCurrent")


def test_a_device_allocates_from_the_pool_that_was_set_or_else_its_default(hip):
    number = ok(hip.hipGetDevice())
    default = ok(hip.hipDeviceGetDefaultMemPool(number))
    assert int(ok(hip.hipDeviceGetMemPool(number))) == int(default)
    before = attribute(hip, default, "AttrUsedMemCurrent")
    memory = ok(hip.hipMallocAsync(64, None))
    assert attribute(hip, default, "AttrUsedMemCurrent") == before + 64
    ok(hip.hipFreeAsync(memory, None))
    pool = ok(hip.hipMemPoolCreate(properties(hip, number)))
    ok(hip.hipDeviceSetMemPool(number, pool))
    assert int(ok(hip.hipDeviceGetMemPool(number))) == int(pool)
    memory = ok(hip.hipMallocAsync(64, None))
    assert attribute(hip, pool, "AttrUsedMemCurrent") == 64
    ok(hip.hipFreeAsync(memory, None))
    ok(hip.hipMemPoolDestroy(pool))
    assert int(ok(hip.hipDeviceGetMemPool(number))) == int(default)
    fails(hip.hipMemPoolDestroy(default), "hipErrorInvalidValue")
    fails(hip.hipDeviceSetMemPool(number, pool), "hipErrorInvalidValue")
    fails(hip.hipDeviceGetDefaultMemPool(1000), "hipErrorInvalidDevice")
    fails(hip.hipDeviceGetMemPool(1000), "hipErrorInvalidValue")
    fails(hip.hipDeviceSetMemPool(1000, default), "hipErrorInvalidDevice")
    ok(hip.hipDeviceSynchronize())


def test_pools_that_cannot_be_created(hip):
    fails(hip.hipMemPoolCreate(None), "hipErrorInvalidValue")
    fails(hip.hipMemPoolCreate(hip.hipMemPoolProps()), "hipErrorInvalidValue")
    fails(hip.hipMemPoolCreate(properties(hip, 1000)), "hipErrorInvalidValue")
    shared = properties(hip, 0)
    shared.handleTypes = hip.hipMemAllocationHandleType.hipMemHandleTypePosixFileDescriptor
    fails(hip.hipMemPoolCreate(shared), "hipErrorNotSupported")
    host = properties(hip, 0)
    host.location.type = hip.hipMemLocationType.hipMemLocationTypeHost
    fails(hip.hipMemPoolCreate(host), "hipErrorInvalidValue")


def test_access_to_pools(hip, made):
    flags, count = hip.hipMemAccessFlags, ok(hip.hipGetDeviceCount())
    number = ok(hip.hipGetDevice())
    pool, access = made(hip.hipMemPoolCreate(properties(hip, number))), hip.hipMemAccessDesc()
    access.location.type = hip.hipMemLocationType.hipMemLocationTypeDevice
    for other in range(count):
        access.location.id, access.flags = other, flags.hipMemAccessFlagsProtReadWrite
        result = hip.hipMemPoolSetAccess(pool, access, 1)
        if other == number or ok(hip.hipDeviceCanAccessPeer(other, number)):
            ok(result)
            assert ok(hip.hipMemPoolGetAccess(pool, access.location)) == flags.hipMemAccessFlagsProtReadWrite
        else:
            fails(result, "hipErrorInvalidDevice")
            assert ok(hip.hipMemPoolGetAccess(pool, access.location)) == flags.hipMemAccessFlagsProtNone
    access.location.id, access.flags = number, flags.hipMemAccessFlagsProtNone
    fails(hip.hipMemPoolSetAccess(pool, [access], 1), "hipErrorInvalidValue")
    fails(hip.hipMemPoolSetAccess(pool, [access], 0), "hipErrorInvalidValue")
    fails(hip.hipMemPoolSetAccess(99, access, 1), "hipErrorInvalidValue")
    access.location.id = 1000
    fails(hip.hipMemPoolGetAccess(pool, access.location), "hipErrorInvalidValue")


def test_an_address_within_memory_has_the_attributes_of_that_memory(hip, made):
    kinds, memory = hip.hipPointer_attribute, made(hip.hipMalloc(1000))
    inside = int(memory) + 24

    def value(name, kind):
        result = kind()
        ok(hip.hipPointerGetAttribute(result, getattr(kinds, f"HIP_POINTER_ATTRIBUTE_{name}"), inside))
        return result.value

    assert value("MEMORY_TYPE", ctypes.c_uint32) == hip.hipMemoryType.hipMemoryTypeDevice
    assert value("DEVICE_POINTER", ctypes.c_uint64) == inside
    assert value("HOST_POINTER", ctypes.c_uint64) == 0
    assert value("RANGE_START_ADDR", ctypes.c_uint64) == int(memory)
    assert value("RANGE_SIZE", ctypes.c_uint64) == value("RANGE_SIZE", ctypes.c_uint32) == 1000
    assert value("DEVICE_ORDINAL", ctypes.c_int) == ok(hip.hipGetDevice())
    assert value("IS_MANAGED", ctypes.c_bool) is False
    assert value("CONTEXT", ctypes.c_uint64) == int(ok(hip.hipCtxGetCurrent()))
    fails(
        hip.hipPointerGetAttribute(ctypes.c_uint64(), kinds.HIP_POINTER_ATTRIBUTE_P2P_TOKENS, inside),
        "hipErrorNotSupported",
    )
    fails(hip.hipPointerGetAttribute(ctypes.c_uint64(), 99, inside), "hipErrorInvalidValue")
    fails(hip.hipPointerGetAttribute(ctypes.c_uint64(), 2, np.zeros(1)), "hipErrorInvalidValue")
    fails(
        hip.hipPointerGetAttribute(ctypes.c_uint32(), kinds.HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, inside),
        "hipErrorInvalidValue",
    )
    synchronous = kinds.HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS
    ok(hip.hipPointerSetAttribute(ctypes.c_bool(False), synchronous, memory))
    fails(hip.hipPointerSetAttribute(ctypes.c_bool(True), synchronous, memory), "hipErrorNotSupported")
    fails(
        hip.hipPointerSetAttribute(ctypes.c_bool(), kinds.HIP_POINTER_ATTRIBUTE_MAPPED, memory), "hipErrorInvalidValue"
    )
    fails(hip.hipPointerSetAttribute(ctypes.c_bool(), synchronous, 16), "hipErrorInvalidValue")


@pytest.fixture
def managed(hip, device):
    if not device.info.get("managed_memory"):
        pytest.skip("no managed memory")
    memory = ok(hip.hipMallocManaged(4096, hip.hipMemAttachGlobal))
    yield memory
    ok(hip.hipFree(memory))


def test_advice_counts_for_its_range_until_it_is_taken_back(hip, managed):
    advice, kinds, number = hip.hipMemoryAdvise, hip.hipMemRangeAttribute, ok(hip.hipGetDevice())

    def attribute(name, first=0, count=4096, room=1):
        data = (ctypes.c_int * room)()
        kind = getattr(kinds, f"hipMemRangeAttribute{name}")
        ok(hip.hipMemRangeGetAttribute(data, 4 * room, kind, int(managed) + first, count))
        return list(data) if room > 1 else data[0]

    assert (attribute("ReadMostly"), attribute("PreferredLocation")) == (0, hip.hipInvalidDeviceId)
    ok(hip.hipMemAdvise(int(managed) + 1024, 1024, advice.hipMemAdviseSetReadMostly, number))
    assert (attribute("ReadMostly"), attribute("ReadMostly", 1024, 1024), attribute("ReadMostly", 1000, 48)) == (
        0,
        1,
        0,
    )
    ok(hip.hipMemAdvise(managed, 4096, advice.hipMemAdviseSetPreferredLocation, hip.hipCpuDeviceId))
    assert attribute("PreferredLocation", 100, 7) == hip.hipCpuDeviceId
    ok(hip.hipMemAdvise(managed, 2048, advice.hipMemAdviseUnsetPreferredLocation, number))
    assert attribute("PreferredLocation", 0, 2048) == attribute("PreferredLocation") == hip.hipInvalidDeviceId
    location = hip.hipMemLocation()
    location.type, location.id = hip.hipMemLocationType.hipMemLocationTypeDevice, number
    ok(hip.hipMemAdvise_v2(managed, 4096, advice.hipMemAdviseSetAccessedBy, location))
    assert attribute("AccessedBy", room=3) == [number, hip.hipInvalidDeviceId, hip.hipInvalidDeviceId]
    ok(hip.hipMemAdvise(managed, 4096, advice.hipMemAdviseUnsetAccessedBy, number))
    assert attribute("AccessedBy", room=2) == [hip.hipInvalidDeviceId] * 2
    ok(hip.hipMemPrefetchAsync(managed, 4096, hip.hipCpuDeviceId, None))
    assert attribute("LastPrefetchLocation") == hip.hipCpuDeviceId
    ok(hip.hipMemPrefetchAsync_v2(managed, 4096, location, 0, None))
    assert attribute("LastPrefetchLocation") == number


def test_coherence_is_noted_where_the_host_sees_memory_at_any_time(hip, device, managed):
    advice, number, mode = hip.hipMemoryAdvise, ok(hip.hipGetDevice()), ctypes.c_int(7)
    asked = hip.hipMemRangeAttribute.hipMemRangeAttributeCoherencyMode
    if not device.info.get("host_accessible"):
        fails(hip.hipMemAdvise(managed, 64, advice.hipMemAdviseSetCoarseGrain, number), "hipErrorNotSupported")
        fails(hip.hipMemRangeGetAttribute(mode, 4, asked, managed, 64), "hipErrorNotSupported")
        return
    for change, expected in ((None, 0), ("SetCoarseGrain", 1), ("UnsetCoarseGrain", 0)):
        if change is not None:
            ok(hip.hipMemAdvise(managed, 4096, getattr(advice, f"hipMemAdvise{change}"), number))
        ok(hip.hipMemRangeGetAttribute(mode, 4, asked, managed, 64))
        assert mode.value == expected


def test_advice_that_is_refused(hip, managed, made):
    advice, kinds, number = hip.hipMemoryAdvise, hip.hipMemRangeAttribute, ok(hip.hipGetDevice())
    data, location = ctypes.c_int(), hip.hipMemLocation()
    fails(hip.hipMemAdvise(managed, 4097, advice.hipMemAdviseSetReadMostly, number), "hipErrorInvalidValue")
    fails(hip.hipMemAdvise(managed, 0, advice.hipMemAdviseSetReadMostly, number), "hipErrorInvalidValue")
    fails(hip.hipMemAdvise(managed, 64, 55, number), "hipErrorInvalidValue")
    fails(hip.hipMemAdvise(managed, 64, advice.hipMemAdviseSetReadMostly, 1000), "hipErrorInvalidValue")
    fails(hip.hipMemAdvise_v2(managed, 64, advice.hipMemAdviseSetReadMostly, location), "hipErrorInvalidValue")
    fails(hip.hipMemPrefetchAsync(managed, 4097, number, None), "hipErrorInvalidValue")
    fails(hip.hipMemPrefetchAsync(managed, 64, number, 4321), "hipErrorInvalidValue")
    location.type = hip.hipMemLocationType.hipMemLocationTypeHost
    fails(hip.hipMemPrefetchAsync_v2(managed, 64, location, 1, None), "hipErrorInvalidValue")
    read = kinds.hipMemRangeAttributeReadMostly
    fails(hip.hipMemRangeGetAttribute(data, 2, read, managed, 64), "hipErrorInvalidValue")
    fails(hip.hipMemRangeGetAttribute(data, 4, 77, managed, 64), "hipErrorInvalidValue")
    memory = made(hip.hipMalloc(64))
    fails(hip.hipMemAdvise(memory, 64, advice.hipMemAdviseSetReadMostly, number), "hipErrorInvalidValue")
    fails(hip.hipMemRangeGetAttribute(data, 4, read, memory, 64), "hipErrorInvalidValue")
    fails(hip.hipStreamAttachMemAsync(None, memory, 0, hip.hipMemAttachGlobal), "hipErrorInvalidValue")


def test_memory_that_is_attached(hip, device, managed):
    result = hip.hipStreamAttachMemAsync(None, managed, 0, hip.hipMemAttachHost)
    if device.info.get("concurrent_managed_access"):
        ok(result)
    else:
        fails(result, "hipErrorNotSupported")
    fails(hip.hipStreamAttachMemAsync(None, managed, 0, 9), "hipErrorInvalidValue")
    fails(hip.hipStreamAttachMemAsync(None, managed, 64, hip.hipMemAttachGlobal), "hipErrorInvalidValue")


def test_pools_of_a_location(hip):
    number, location = ok(hip.hipGetDevice()), hip.hipMemLocation()
    location.type, location.id = hip.hipMemLocationType.hipMemLocationTypeDevice, number
    pinned = hip.hipMemAllocationType.hipMemAllocationTypePinned
    default = int(ok(hip.hipDeviceGetDefaultMemPool(number)))
    for call in (hip.hipMemGetDefaultMemPool, hip.hipMemGetMemPool):
        assert int(ok(call(location, pinned))) == default
        fails(call(location, hip.hipMemAllocationType.hipMemAllocationTypeInvalid), "hipErrorInvalidValue")
        fails(call(hip.hipMemLocation(), pinned), "hipErrorInvalidValue")


def test_a_pool_of_another_device(hip, two_devices, made):
    from launchpath.hip._devices.current import number_of

    first, second = (number_of(device) for device in two_devices)
    pool = ok(hip.hipDeviceGetDefaultMemPool(second))
    fails(hip.hipDeviceSetMemPool(first, pool), "hipErrorInvalidDevice")
    ok(hip.hipSetDevice(first))
    stream = made(hip.hipStreamCreate())
    fails(hip.hipMallocFromPoolAsync(64, pool, stream), "hipErrorInvalidValue")
    memory = made(hip.hipMallocFromPoolAsync(64, pool, None))
    assert ok(hip.hipPointerGetAttributes(memory)).device == second

"""Devices."""

import pytest

import launchpath as lp
from tests.threads import apart

from .calls import fails, ok


def test_devices_are_launchpaths_the_default_device_first(hip):
    assert ok(hip.hipGetDeviceCount()) == len(lp.devices())
    ok(hip.hipSetDevice(0))
    assert ok(hip.hipDeviceGetName(256, 0)) == lp.current_device().name.encode()


def test_each_thread_has_its_own_device(hip):
    last = ok(hip.hipGetDeviceCount()) - 1
    ok(hip.hipSetDevice(last))
    assert apart(lambda: ok(hip.hipGetDevice())) == 0
    assert ok(hip.hipGetDevice()) == last


@pytest.mark.parametrize("number", [-1, 1000])
def test_a_device_that_is_not_there(hip, number):
    for call in (
        hip.hipSetDevice, hip.hipGetDeviceProperties, hip.hipDeviceTotalMem, hip.hipDeviceGet,
        hip.hipDeviceComputeCapability,
    ):  # fmt: skip
        fails(call(number), "hipErrorInvalidDevice")


def test_a_devices_properties_are_those_of_its_info(hip, device):
    number = ok(hip.hipGetDevice())
    properties = ok(hip.hipGetDeviceProperties(number))
    info = device.info
    assert properties.name == device.name
    assert properties.maxThreadsPerBlock == info["max_threads_per_block"]
    assert tuple(properties.maxThreadsDim) == tuple(info["max_block"])
    assert properties.multiProcessorCount == info["compute_units"]
    assert properties.sharedMemPerBlock == info["shared_memory_per_block"]
    assert properties.totalGlobalMem == info["total_memory"] == ok(hip.hipDeviceTotalMem(number))
    assert properties.gcnArchName
    older = hip.hipDeviceProp_t()
    ok(hip.hipGetDeviceProperties(older, number))
    assert (older.name, older.warpSize) == (properties.name, properties.warpSize)


def test_attributes_are_the_properties(hip):
    kinds, number = hip.hipDeviceAttribute_t, ok(hip.hipGetDevice())
    properties = ok(hip.hipGetDeviceProperties(number))
    for name, expected in {
        "MaxThreadsPerBlock": properties.maxThreadsPerBlock,
        "MaxBlockDimY": properties.maxThreadsDim[1],
        "MaxGridDimX": properties.maxGridSize[0],
        "MultiprocessorCount": properties.multiProcessorCount,
        "WarpSize": properties.warpSize,
        "MaxSharedMemoryPerBlock": properties.sharedMemPerBlock,
    }.items():
        assert ok(hip.hipDeviceGetAttribute(getattr(kinds, f"hipDeviceAttribute{name}"), number)) == expected
    for kind in kinds:
        assert ok(hip.hipDeviceGetAttribute(kind, number)) >= 0
    fails(hip.hipDeviceGetAttribute(987654, number), "hipErrorInvalidValue")


def test_names_are_cut_to_the_buffer(hip):
    assert len(ok(hip.hipDeviceGetName(4, 0))) == 3


def test_flags_must_be_0(hip):
    ok(hip.hipInit(0))
    fails(hip.hipInit(1), "hipErrorInvalidValue")


def test_priorities_and_versions(hip, device):
    assert ok(hip.hipDeviceGetStreamPriorityRange()) == device.priorities
    assert ok(hip.hipDriverGetVersion()) == ok(hip.hipRuntimeGetVersion()) == hip.HIP_VERSION


def test_a_device_is_not_its_own_peer(hip):
    number = ok(hip.hipGetDevice())
    assert ok(hip.hipDeviceCanAccessPeer(number, number)) == 0
    fails(hip.hipDeviceEnablePeerAccess(number, 0), "hipErrorInvalidDevice")


def test_device_0_is_the_default_device_whatever_is_current(two_devices, monkeypatch):
    from launchpath.hip._devices import current

    monkeypatch.setattr(current, "_order", [])
    with two_devices[1]:
        first, *others = current.all_devices()
    assert first is lp.current_device()
    assert [first, *others] == [first, *(device for device in lp.devices() if device is not first)]


def test_atomics_between_host_and_device_are_native_where_they_share_memory(hip, device):
    attribute = hip.hipDeviceAttribute_t.hipDeviceAttributeHostNativeAtomicSupported
    expected = int(bool(device.info.get("host_accessible")))
    assert ok(hip.hipDeviceGetAttribute(attribute, ok(hip.hipGetDevice()))) == expected

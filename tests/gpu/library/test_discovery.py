"""Finding the library and its devices: what they say of themselves, and what is left out and why."""

import pytest

from tests.gpu.process import CONTROL, HEAD, run
from tests.standin.build import library
from tests.unit.streams.test_device_facts import check

FIND = HEAD + "from launchpath._drivers import gpu as drivers\n"


def test_a_device_says_what_it_is(gpu):
    info = gpu.device.info
    hip = gpu.driver == "hip"
    expected = {
        "name": "Stand-in GPU 0",
        "vendor": "Advanced Micro Devices, Inc." if hip else "NVIDIA Corporation",
        "platform": "HIP" if hip else "CUDA",
        "driver": gpu.driver,
        "kind": "gpu",
        "ordinal": 0,
        "pci_bus": "0000:01:00.0",
        "architecture": "sm_90",
        "compute_units": 132,
        "warp_size": 32,
        "max_threads_per_block": 1024,
        "max_block": (1024, 1024, 64),
        "max_grid": (2147483647, 65535, 65535),
        "shared_memory_per_block": 48 << 10,
        "shared_memory_optin": 227 << 10,
        "parameter_bytes": 4096 if hip else 32764,
        "total_memory": 1 << 30,
        "cooperative": True,
        "dialect": "cuda",  # HIP's too: this is its NVIDIA platform
        "extensions": [],
    }
    assert {key: info[key] for key in expected} == expected
    assert (not hip and info["version"] == "13.0") or (hip and info["version"].count(".") == 2)
    least, most = info["priorities"]
    assert least >= 0 > most
    check(gpu.device)


def test_an_amd_device_is_compiled_for_by_hiprtc():
    run("hip", """
    assert device.info["architecture"] == "gfx90a", device.info
    assert device.info["dialect"] == "hip"
    """, HIP_FORWARD_ARCH="gfx90a")  # fmt: skip


def test_all_devices_are_listed(gpu):
    assert [device.info["ordinal"] for device in gpu.devices] == [0, 1]
    assert gpu.devices[1].info["pci_bus"] == "0000:02:00.0"
    assert gpu.devices[0].name != gpu.devices[1].name


def test_a_loaded_library_stays(gpu):
    from launchpath import _core
    from launchpath._drivers.workarounds import in_force

    path = gpu.device.info["library"]
    _core.gpu_load(gpu.driver, path)  # again: nothing happens
    with pytest.raises(Exception, match="this process already uses"):
        _core.gpu_load(gpu.driver, "/nowhere/lib.so")
    drivers, skipped = _core.gpu_devices(gpu.driver, True, in_force(gpu.driver))
    assert drivers == [device.driver_device for device in gpu.devices]
    assert skipped == []


def test_what_cannot_be_used_is_reported(driver):
    """Bad libraries one after the other, then a good one, in one process."""
    needed = {"cuda": "cuEventRecord", "hip": "hipEventRecord"}[driver]
    variable = f"LAUNCHPATH_{driver.upper()}_LIBRARY"
    code = f"""
    def told(path):
        found, skipped = drivers.devices({driver!r}, {{{variable!r}: path}})
        assert found == []
        return skipped

    name = {driver.upper()!r}
    assert told("none") == [(name, "switched off by {variable}")]
    [(what, why)] = told("/nowhere/lib.so")
    assert what == name and "/nowhere/lib.so" in why and "(from {variable})" in why, why
    [(what, why)] = told({str(library("kernels"))!r})
    assert "expected a {driver.upper()} driver library" in why, why
    [(what, why)] = told({str(library(driver, (needed,)))!r})
    assert "is too old: it lacks {needed}" in why, why

    good = os.environ[{variable!r}]
    found, skipped = drivers.devices({driver!r}, {{{variable!r}: good}})
    assert len(found) == 2 and skipped == []
    again, _ = drivers.devices({driver!r}, {{{variable!r}: good}})
    assert again == found
    [(what, why)] = told("/nowhere/lib.so")
    assert "this process already uses" in why, why
    """
    run(driver, code, head=FIND)


def test_a_machine_without_the_library_says_nothing(driver):
    run(driver, f"""
    drivers._LINUX[{driver!r}] = ("libnowhere.so.1", "libnowhere.so")
    assert drivers.devices({driver!r}, {{}}) == ([], [])
    """, head=FIND)  # fmt: skip


def test_a_library_without_devices_is_reported(driver):
    out = run(driver, """
    assert devices() == []
    print(*lp.skipped_devices(), sep="\\n")
    """, head=HEAD, devices=0)  # fmt: skip
    [line] = [line for line in out.splitlines() if line.startswith(f"('{driver.upper()}',")]
    what = "AMD" if driver == "hip" else "NVIDIA"
    assert (f"finds no {what} GPU" in line and ("NO_DEVICE" in line or "NoDevice" in line)) or "finds no device" in line


def test_a_device_that_fails_to_describe_itself_is_left_out(driver):
    out = run(driver, f"""
    control.fail("cuDeviceGetName", 101, nth={3 if driver == "hip" else 2})  # HIP asks for all properties as well
    assert [device.info["ordinal"] for device in devices()] == [0]
    print(*lp.skipped_devices(), sep="\\n")
    """, head=HEAD + CONTROL)  # fmt: skip
    name = {"cuda": "cuDeviceGetName", "hip": "hipDeviceGetName"}[driver]
    [line] = [line for line in out.splitlines() if line.startswith(f"('{driver.upper()} device 1',")]
    assert f"{name} failed" in line


def test_older_libraries_take_fewer_parameters():
    out = run("cuda", "print(device.info['parameter_bytes'], device.info['version'])", version=12000)
    assert out.split() == ["4096", "12.0"]


def test_devices_are_described_without_opening_them(driver):
    run(driver, """
    found = devices()
    assert len(found) == 2
    for device in found:
        repr(device), device.info
    assert control.live("contexts") == 0
    one = lp.zeros(10, device=found[1])
    assert control.live("contexts") == (2 if one.device.info["driver"] == "hip" else 1)  # hipSetDevice opens what it goes back to
    assert control.live("pools") == 1
    """, head=HEAD + CONTROL)  # fmt: skip

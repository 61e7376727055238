"""Calls into a driver's compiler on other threads."""

import queue
import sys
import threading

import pytest

import launchpath as lp
from launchpath._programs.builds import building, preparation
from tests.standin.client import soon


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No thread waits for a build, and nothing is prepared."""
    monkeypatch.setattr(building, "_requests", queue.SimpleQueue())
    monkeypatch.setattr(building, "_free", [])
    monkeypatch.setattr(building, "_preparing", {})


def thread() -> int:
    return building.run(lambda _: threading.get_ident(), "x")


def test_a_thread_that_has_ended_a_build_does_the_next() -> None:
    first = thread()
    assert first != threading.get_ident()
    assert thread() == first
    with pytest.raises(ZeroDivisionError):
        building.run(lambda _: 1 // 0, "x")
    assert thread() == first


def test_builds_at_the_same_time_have_a_thread_each() -> None:
    both = threading.Barrier(2, timeout=60)
    results: list[int] = []

    def build(_at: object) -> int:
        both.wait()
        return threading.get_ident()

    callers = [threading.Thread(target=lambda: results.append(building.run(build, "x"))) for _ in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(set(results)) == 2


def test_a_thread_ends_if_there_is_nothing_to_build(monkeypatch) -> None:
    monkeypatch.setattr(building, "_STAY", 0.01)
    count = len(sys._current_frames())
    thread()
    assert soon(lambda: not building._free and len(sys._current_frames()) <= count)


def test_a_build_waits_for_what_prepares_and_is_on_its_thread() -> None:
    go, prepared = threading.Event(), []

    def prepare(_at: object) -> None:
        assert go.wait(60)
        prepared.append(threading.get_ident())
        raise RuntimeError("nobody's")

    with building.Preparing("device", prepare):
        assert not prepared, "beside it"
    threading.Timer(0.05, go.set).start()
    assert [thread()] == prepared
    with building.Preparing("device", prepare):
        pass
    assert thread() == prepared[0]
    assert len(prepared) == 1, "once"


@pytest.mark.skipif(
    not any(device.info["dialect"] == "spirv" for device in lp.devices()), reason="no device that takes SPIR-V"
)
def test_the_empty_kernel_is_valid() -> None:
    device = next(device for device in lp.devices() if device.info["dialect"] == "spirv")
    assert device.driver_device.load(preparation.empty_kernel()).kernels == ["k"]


@pytest.mark.skipif(not any("PoCL" in device.info["version"] for device in lp.devices()), reason="no PoCL")
def test_pocl_cannot_link_what_prepares_it() -> None:
    """Else it would be in PoCL's own cache, and prepare nothing the next time."""
    device = next(device for device in lp.devices() if "PoCL" in device.info["version"])
    with pytest.raises(lp.CompileError) as caught:
        device.driver_device.build(preparation.LACKING)
    assert "launchpath_nowhere" in caught.value.log

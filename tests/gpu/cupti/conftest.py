"""Traces that have their times from CUPTI: a stand-in of it beside that of CUDA."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from launchpath import _core
from launchpath._tracing.session import current_trace
from tests.gpu.standin import Standin
from tests.standin.build import library
from tests.standin.client import soon
from tests.standin.cupti_control import CuptiControl
from tests.tracing.conftest import path

__all__ = ["path"]

_loaded: list[Any] = []  # a process has one CUPTI


@pytest.fixture
def driver() -> str:
    """The only driver that has CUPTI."""
    return "cuda"


@pytest.fixture
def cupti(gpu: Standin, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CuptiControl]:
    """CUPTI, from which traces have the times of CUDA devices; at the end nothing is attached to it."""
    if not _loaded:
        control = CuptiControl(library("cupti"))
        _core.cupti_load(control.path)
        _loaded.append(control if control.calls() else None)
    control = _loaded[0]
    if control is None:
        pytest.skip("this process already uses another CUPTI: run these tests by themselves, `pytest tests/gpu/cupti`")
    monkeypatch.setenv("LAUNCHPATH_CUPTI_LIBRARY", control.path)
    control.reset()
    yield control
    trace = current_trace()
    if trace is not None:  # after a test that failed in it
        trace.stop(patience=0)
    control.reset()
    assert soon(lambda: not control.attached)
    assert soon(lambda: control.live("buffers") == 0)


@pytest.fixture
def launcher(gpu: Standin, cupti: CuptiControl) -> Any:
    """A kernel on a stream that has nothing to wait for."""
    kernel = gpu.kernel("nothing")[1, 1, gpu.stream()]
    gpu.device.synchronize()
    gpu.forget_calls()
    return kernel


@pytest.fixture
def peers(gpu: Standin) -> Iterator[None]:
    """Each device has access to the other device's memory, until the test ends."""
    for device, other in (gpu.devices, gpu.devices[::-1]):
        device.enable_peer(other)
    yield
    for device in gpu.devices:
        _core.forget_peers(device)

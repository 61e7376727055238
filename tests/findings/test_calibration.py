"""What steps cost on a device: measured once, kept on disk, and measured again where it cannot be read."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from launchpath._findings.simulation.calibration import Calibration
from launchpath._proof import calibration as measuring


class Stub:
    """A device, as far as the cache needs one."""

    name = "Stub 9000"

    def __init__(self, **facts: Any) -> None:
        self.info = {"name": self.name, "driver": "cuda", "platform": "CUDA", "version": "1", **facts}


VALUES = Calibration("Stub 9000", 4000.0, kept=200.0, submit=5000.0, node=100.0, gap=-200.0, pinned=20.0, pageable=6.0)


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """The devices that were measured, in the order in which they were."""
    devices: list[Any] = []
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(measuring, "_measured", lambda device: devices.append(device) or VALUES)
    measuring.calibration.cache_clear()
    yield devices
    measuring.calibration.cache_clear()


def files(tmp_path):
    return sorted(tmp_path.rglob("*.json"))


def test_a_device_is_measured_once(measured, tmp_path):
    device = Stub()
    assert measuring.calibration(device) == VALUES
    assert measuring.calibration(device) == VALUES
    measuring.calibration.cache_clear()  # another process
    assert measuring.calibration(device) == VALUES
    assert measured == [device]
    assert json.loads(files(tmp_path)[0].read_text()) == asdict(VALUES)


def test_another_version_of_the_driver_is_measured_anew(measured, tmp_path):
    devices = [Stub(), Stub(version="2"), Stub(platform="CUDA 2")]
    for device in devices:
        measuring.calibration(device)
    assert measured == devices
    assert len(files(tmp_path)) == 3


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"launch": "much"}', "\x00"])
def test_a_file_that_cannot_be_read_is_written_again(measured, tmp_path, text):
    device = Stub()
    measuring.calibration(device)
    files(tmp_path)[0].write_text(text)
    measuring.calibration.cache_clear()
    assert measuring.calibration(device) == VALUES
    assert len(measured) == 2
    assert json.loads(files(tmp_path)[0].read_text()) == asdict(VALUES)


def test_a_cache_that_cannot_be_written_is_no_error(measured, tmp_path):
    (tmp_path / "calibration").write_text("not a folder")
    assert measuring.calibration(Stub()) == VALUES


def test_the_device_of_a_trace_is_looked_for(measured, monkeypatch):
    here = [Stub(), Stub(platform="another")]
    monkeypatch.setattr(measuring, "devices", lambda: here)
    facts = {"name": "Stub 9000", "driver": "cuda", "platform": "another", "units": 4}
    assert measuring.calibration_of([facts]) == VALUES
    assert measured == here[1:]
    assert measuring.calibration_of([{**facts, "name": "not here"}]) is None
    assert measuring.calibration_of([]) is None
    assert measured == here[1:]


def test_a_real_device(device):
    """The orders of magnitude: to keep a launch back is cheaper than to make it, and no cost is negative."""
    measuring.calibration.cache_clear()
    found = measuring._measured(device)
    assert found.device == device.name
    assert 20 < found.launch < 1e6
    assert 0 < found.kept < 1e6
    assert found.submit >= 0 and found.node >= 0 and found.traced_launch >= 0 and found.traced_wait >= 0
    assert found.submit + 72 * found.node > 72 * 10
    assert abs(found.gap) < 1e7
    assert found.pinned > 0.01 and found.pageable > 0.01

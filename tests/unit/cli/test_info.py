"""``launchpath info`` without a file: what a report of a bug needs."""

import json
import os
import platform

import pytest
from click.testing import CliRunner

import launchpath as lp
from launchpath._cli import main
from launchpath._cli.shown import surroundings
from launchpath._compiler.rtc.library import library_file

pytestmark = pytest.mark.processes


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["info", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def data() -> dict:
    return json.loads(CliRunner().invoke(main, ["info", "--json", "-"], catch_exceptions=False).stdout)


def test_versions_and_system():
    shown = run()
    assert f"launchpath {lp.__version__}, in " in shown
    assert platform.python_version() in shown
    assert platform.platform() in shown
    assert f"numpy {__import__('numpy').__version__}" in shown


def test_devices():
    shown, about = run(), data()["devices"]
    assert [device["name"] for device in about["present"]] == [device.name for device in lp.devices()]
    for device in lp.devices():
        assert device.driver_version in shown
        assert device.platform in shown
        assert str(device.library) in shown
    assert len(about["skipped"]) == len(lp.skipped_devices())


def test_compilers():
    pytest.importorskip("ziglang")
    compilers = data()["compilers"]
    assert "clang version" in compilers["clang"]["version"]
    assert os.path.exists(compilers["libclang"]["library"])
    assert f"clang: {compilers['clang']['command']}, clang version" in run()


def test_a_library_that_the_environment_names(monkeypatch, tmp_path):
    path = tmp_path / "libnvrtc.so.13"
    path.touch()
    monkeypatch.setenv("LAUNCHPATH_NVRTC_LIBRARY", str(path))
    first = next(library_file.every())
    assert (first.dialect, first.path, first.major) == ("cuda", str(path), 13)
    assert str(path) in run()


def test_the_environment(monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", "77")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    monkeypatch.setenv("SOME_PASSWORD", "swordfish")
    shown = run()
    assert "LAUNCHPATH_COMPILE_TIMEOUT=77" in shown
    assert "CUDA_VISIBLE_DEVICES=0,1" in shown
    assert "swordfish" not in shown


def test_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("LAUNCHPATH_CACHE_LIMIT", "64")
    monkeypatch.delenv("LAUNCHPATH_CACHE", raising=False)
    (tmp_path / f"{'a' * 32}.lp").write_bytes(bytes(5000))
    (tmp_path / "precompiled").mkdir(mode=0o700)
    (tmp_path / "precompiled" / f"{'b' * 32}.lp").write_bytes(bytes(100))
    assert f"cache: {tmp_path}: 8 KiB of at most 64 MiB, and 4 KiB of precompiled headers" in run()
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    assert f"cache: {tmp_path} (off): " in run()
    assert data()["cache"] == {
        "folder": str(tmp_path), "on": False, "limit": 64 << 20, "size": 8192, "precompiled_headers": 4096,
    }  # fmt: skip


def test_what_is_wrong_does_not_hide_the_rest(monkeypatch):
    def broken():
        raise lp.LaunchpathError("expected a driver, got none")

    monkeypatch.setattr(surroundings, "_devices", broken)
    monkeypatch.setattr(surroundings, "_clang", broken)
    monkeypatch.setenv("LAUNCHPATH_CACHE_LIMIT", "many")
    shown = run()
    assert "  LaunchpathError: expected a driver, got none" in shown
    assert "clang: LaunchpathError: expected a driver, got none" in shown
    assert "cache: ArgumentValueError: LAUNCHPATH_CACHE_LIMIT: expected a number of MiB" in shown
    assert platform.python_version() in shown


def test_lines_of_devices():
    device = {"name": "card", "kind": "gpu", "driver": "cuda", "driver_version": "13.0", "platform": "CUDA"}
    about = {"present": [device], "skipped": [{"what": "HIP", "why": "no library"}]}
    assert [*surroundings._lines_of_devices(about)] == [
        "0: card (gpu), cuda 13.0, CUDA",
        "   no library",
        "skipped: HIP: no library",
    ]
    assert [*surroundings._lines_of_devices({"present": [], "skipped": []})] == ["none"]

"""What the environment says about the cache."""

import sys

import pytest

from launchpath._compiler.cache.cache import default, settings
from launchpath.errors import ArgumentValueError
from tests.unit.support.cache_on_disk import MIB, cache, folder, fresh_warnings

__all__ = ["cache", "folder", "fresh_warnings"]


def test_default_is_in_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    disk_cache = default()
    assert disk_cache is not None
    if sys.platform.startswith("linux"):
        assert disk_cache.folder == str(tmp_path / "launchpath")
    assert disk_cache.limit == 512 * MIB
    assert not (tmp_path / "launchpath").exists()  # looking makes nothing


@pytest.mark.parametrize(("value", "on"), [(None, True), ("", True), ("1", True), ("yes", True), ("0", False)])
def test_the_switch(monkeypatch, tmp_path, value, on):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path))
    if value is not None:
        monkeypatch.setenv("LAUNCHPATH_CACHE", value)
    assert (default() is not None) is on
    assert settings().on is on


def test_the_folder_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in (str(tmp_path / "x"), "x", "~/x", "y/../x/"):
        monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", name)
        assert default().folder == str(tmp_path / "x")
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", "")
    assert default().folder == str(tmp_path / ".cache" / "launchpath")


@pytest.mark.parametrize(("value", "size"), [("", 512 * MIB), ("1", MIB), ("0.5", MIB // 2), (" 2 ", 2 * MIB)])
def test_the_limit_can_be_set(monkeypatch, tmp_path, value, size):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("LAUNCHPATH_CACHE_LIMIT", value)
    assert default().limit == size


def test_a_limit_of_nothing_is_no_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("LAUNCHPATH_CACHE_LIMIT", "0")
    assert default() is None


@pytest.mark.parametrize("value", ["-1", "much", "1 GiB", "nan", "inf", "-inf", "1e999"])
def test_a_limit_that_is_no_number(monkeypatch, tmp_path, value):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("LAUNCHPATH_CACHE_LIMIT", value)
    with pytest.raises(ArgumentValueError, match=f"LAUNCHPATH_CACHE_LIMIT: expected a number of MiB, got '{value}'"):
        default()
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    assert default() is None


@pytest.mark.parametrize("named", [None, "~", "~nobody-of-that-name/cache"])
def test_no_home_directory(monkeypatch, named):
    import pwd

    def unknown(_):
        raise KeyError("uid not found")

    if named is not None:
        monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", named)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.warns(RuntimeWarning, match="neither a home directory nor another folder"):
        assert default() is None
    assert default() is None


def test_a_folder_relative_to_a_missing_folder(monkeypatch, tmp_path):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", "cache")
    with pytest.warns(RuntimeWarning, match="neither"):
        assert default() is None

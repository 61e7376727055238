"""Disks that are full, and files that may not grow: really, not by replaced functions."""

import os
import subprocess

import pytest

from launchpath._compiler.cache.cache import Cache, Entry, key
from launchpath._compiler.cache.folder import TALLY
from tests.faults.processes import bare

BIG = Entry({}, {"binary": bytes(200_000)})
SMALL = Entry({}, {"binary": b"small"})


@pytest.fixture
def disk(tmp_path):
    """A disk of 256 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=256k,mode=700", "none", str(place)]
    if os.getuid() != 0 or subprocess.run(["mount", *options], capture_output=True, check=False).returncode != 0:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.fixture(autouse=True)
def fresh_warnings(monkeypatch):
    monkeypatch.setattr("launchpath._compiler.cache.cache._untold", ["a warning"])


def test_a_full_disk(disk):
    cache = Cache(str(disk / "cache"), 64 << 20)
    cache.put(key("small"), SMALL)
    (disk / "other").write_bytes(bytes(100_000))
    with pytest.warns(RuntimeWarning, match="No space left on device") as warned:
        for name in "abc":
            cache.put(key(name), BIG)
            cache.put(key("small"), BIG)
    assert len(warned) == 1
    assert cache.get(key("small")) == SMALL
    assert {file.name for file in (disk / "cache").iterdir()} == {f"{key('small')}.lp", TALLY}
    (disk / "other").unlink()
    cache.put(key("a"), BIG)
    assert cache.get(key("a")) == BIG
    # With not one byte left, entries are still read, and can be cleared.
    with pytest.raises(OSError), open(disk / "other", "wb", buffering=0) as file:
        while True:
            file.write(bytes(512))
    cache.put(key("b"), SMALL)
    assert cache.get(key("a")) == BIG
    assert cache.clear()[0] >= 2


def test_a_disk_that_is_only_for_reading(disk):
    cache = Cache(str(disk / "cache"), 64 << 20)
    cache.put(key("small"), SMALL)
    os.utime(disk / "cache" / f"{key('small')}.lp", (0, 0))  # so that a hit would be noted
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    assert cache.get(key("small")) == SMALL
    with pytest.warns(RuntimeWarning, match="Read-only file system") as warned:
        cache.put(key("a"), SMALL)
        cache.put(key("b"), SMALL)
    assert len(warned) == 1
    assert len(cache.entries()) == 1


def test_a_quota(tmp_path):
    """Files of this process may not grow beyond 64 KiB."""
    out = bare(f"""
        import resource, warnings
        from launchpath._compiler.cache.cache import Cache, Entry, key
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        cache = Cache({str(tmp_path)!r}, 64 << 20)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for name in "abc":
                cache.put(key(name), Entry({{}}, {{"binary": bytes(200_000)}}))
            cache.put(key("small"), Entry({{}}, {{"binary": b"small"}}))
        print([cache.get(key(name)) for name in "abc"], cache.get(key("small")).blobs["binary"].decode(), len(told))
        """)  # fmt: skip
    assert out.split() == ["[None,", "None,", "None]", "small", "1"]
    assert {file.name for file in tmp_path.iterdir()} == {f"{key('small')}.lp", TALLY}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be a user that there is not")
@pytest.mark.parametrize("home", ["", "/nonexistent", "/dev/null", "relative", None])
def test_no_home_directory(tmp_path, home):
    """As a container's user without an entry in the system's list has it."""
    out = bare(f"""
        import os, pwd, sys, warnings
        import platformdirs  # now, while this user may read it
        from launchpath._compiler.cache.cache import Entry, default, key
        home = {home!r}
        os.environ.pop("HOME", None)
        os.environ.pop("XDG_CACHE_HOME", None)
        os.chdir({str(tmp_path)!r})
        if home is not None:
            os.environ["HOME"] = home
        os.setgroups([]); os.setgid(54321); os.setuid(54321)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for _ in range(2):
                cache = default()
                if cache is not None:
                    assert cache.get(key("a")) is None
                    cache.put(key("a"), Entry({{}}, {{}}))
                    assert cache.get(key("a")) is None
        print(len(told))
        """, LAUNCHPATH_CACHE_DIR="")  # fmt: skip
    assert int(out) == 1
    assert not list(tmp_path.iterdir())

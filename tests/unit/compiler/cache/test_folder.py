"""The cache's folder: the user's alone, and whatever is wrong with it stops nothing."""

import errno
import os
import warnings

import pytest

from launchpath._compiler.cache.cache import Cache, key
from launchpath._compiler.cache.folder import TALLY
from launchpath.errors import LaunchpathError
from tests.unit.support.cache_on_disk import ENTRY, KEY, MIB, cache, file_of, folder, fresh_warnings, mode, put

__all__ = ["cache", "folder", "fresh_warnings"]

# --- whose the folder is


def test_folder_and_files_are_the_users_alone(cache, folder):
    before = os.umask(0)
    try:
        cache.put(KEY, ENTRY)
    finally:
        os.umask(before)
    assert mode(folder) == mode(folder.parent) == 0o700
    assert [mode(file) for file in folder.iterdir()] == [0o600, 0o600]
    assert {file.name for file in folder.iterdir()} == {f"{KEY}.lp", TALLY}


def test_a_folder_that_others_can_read_will_do(cache, folder):
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY
    assert mode(file_of(cache)) == 0o600


@pytest.mark.parametrize("bits", [0o777, 0o770, 0o1777, 0o702])
def test_a_folder_that_others_can_write_to_is_not_used(cache, folder, bits):
    cache.put(KEY, ENTRY)
    folder.chmod(bits)
    with pytest.warns(RuntimeWarning, match="other users can write to it.*chmod go-w.*LAUNCHPATH_CACHE_DIR"):
        assert cache.get(KEY) is None
    cache.put(key("two"), ENTRY)  # no further warning
    for call in (cache.entries, cache.size, cache.clear):
        with pytest.raises(LaunchpathError, match="other users can write to it"):
            call()
    folder.chmod(0o700)
    assert cache.get(KEY) == ENTRY
    assert cache.get(key("two")) is None


def test_a_folder_of_another_user_is_not_used(cache, folder, monkeypatch):
    cache.put(KEY, ENTRY)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.warns(RuntimeWarning, match=f"another user .uid {os.getuid()}; this process has uid 12345"):
        cache.put(key("two"), ENTRY)
    assert cache.get(KEY) is None
    monkeypatch.undo()
    assert len(cache.entries()) == 1


def test_ones_own_link_to_a_folder_will_do(tmp_path):
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "link").symlink_to("real")
    cache = Cache(str(tmp_path / "link"), MIB)
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY
    assert (tmp_path / "real" / f"{KEY}.lp").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make what another user owns")
def test_another_users_link_to_a_folder_is_not_followed(tmp_path):
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "link").symlink_to("real")
    os.chown(tmp_path / "link", 12345, 12345, follow_symlinks=False)
    cache = Cache(str(tmp_path / "link"), MIB)
    with pytest.warns(RuntimeWarning, match="a link that belongs to another user"):
        cache.put(KEY, ENTRY)
    assert cache.get(KEY) is None
    assert not list((tmp_path / "real").iterdir())


# --- when it cannot be written


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EMFILE, errno.EIO])
@pytest.mark.parametrize("call", ["open", "write", "mkdir", "replace", "close"])
def test_every_call_of_put_may_fail(cache, folder, monkeypatch, call, code):
    real = getattr(os, call)

    def fail(*args, **kwargs):
        if call == "open" and not args[1] & os.O_CREAT:
            return real(*args, **kwargs)
        if call == "close":
            real(*args, **kwargs)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    with pytest.warns(
        RuntimeWarning, match=f"the cache does not keep programs in .*{os.strerror(code)}.*LAUNCHPATH_CACHE=0"
    ) as warned:
        cache.put(KEY, ENTRY)
        cache.put(KEY, ENTRY)
    assert len(warned) == 1
    monkeypatch.undo()
    assert cache.get(KEY) is None
    assert not folder.exists() or {file.name for file in folder.iterdir()} <= {TALLY}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO, errno.ESTALE])
@pytest.mark.parametrize("call", ["open", "fstat", "read", "utime"])
def test_every_call_of_get_may_fail(cache, monkeypatch, call, code):
    put(cache, KEY, age=3600)

    def fail(*_args, **_kwargs):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    entry = cache.get(KEY)
    assert entry is None if call != "utime" else entry is not None
    monkeypatch.undo()
    assert cache.get(KEY) is not None


def test_no_memory_is_no_hit(cache, monkeypatch):
    cache.put(KEY, ENTRY)

    def fail(*_args):
        raise MemoryError

    monkeypatch.setattr(os, "read", fail)
    assert cache.get(KEY) is None


def test_writes_and_reads_in_pieces(cache, monkeypatch):
    """As signals make them."""
    read, write = os.read, os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:7]))
    cache.put(KEY, ENTRY)
    monkeypatch.setattr(os, "read", lambda file, count: read(file, min(count, 11)))
    assert cache.get(KEY) == ENTRY


@pytest.mark.parametrize("place", ["file", "file/below", "dangling", "loop", "/proc/nothing/here", "/dev/null"])
def test_a_folder_that_cannot_be(tmp_path, place):
    (tmp_path / "file").write_text("a file")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    cache = Cache(str(tmp_path / place), MIB)
    assert cache.get(KEY) is None
    with pytest.warns(RuntimeWarning, match="does not keep programs"):
        cache.put(KEY, ENTRY)
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) is None
    assert (tmp_path / "file").read_text() == "a file"


def test_a_warning_that_is_an_error_stops_nothing(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(warnings, "showwarning", lambda message, *_args: shown.append(str(message)))
    (tmp_path / "file").write_text("")
    Cache(str(tmp_path / "file"), MIB).put(KEY, ENTRY)  # the fixture makes errors of warnings
    assert len(shown) == 1


def test_an_interrupt_leaves_nothing_behind(cache, folder, monkeypatch):
    def interrupt(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.put(KEY, ENTRY)
    assert {file.name for file in folder.iterdir()} == {TALLY}


def test_the_folder_may_go_at_any_time(cache, folder, monkeypatch):
    cache.put(KEY, ENTRY)
    write, gone = os.write, []

    def clear_first(file, data):
        if not gone:
            gone.append(cache.clear())
        return write(file, data)

    monkeypatch.setattr(os, "write", clear_first)
    cache.put(KEY, ENTRY)  # the half written one is cleared away: put does it again
    assert cache.get(KEY) == ENTRY
    assert gone[0][0] == 1

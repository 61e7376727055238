"""The cache on disk: what is put is got, and never for longer than it is true."""

import os
from pathlib import Path

import pytest

from launchpath._compiler.cache.cache import Cache, Entry, digest, key
from launchpath._compiler.cache.folder import TALLY
from launchpath.errors import ArgumentValueError
from tests.unit.support.cache_on_disk import ENTRY, KEY, MIB, cache, file_of, folder, fresh_warnings

__all__ = ["cache", "folder", "fresh_warnings"]

# --- put and get


def test_put_and_get(cache):
    assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY
    assert cache.get(key("other")) is None
    other = Entry({}, {"binary": b"other"})
    cache.put(KEY, other)
    assert cache.get(KEY) == other
    assert Cache(cache.folder, 1).get(KEY) == other


def test_a_large_entry(cache):
    entry = Entry({"log": "x" * 100_000}, {"binary": os.urandom(5 * MIB)})
    cache.put(KEY, entry)
    assert cache.get(KEY) == entry


def test_a_file_that_got_another_name_is_no_hit(cache):
    cache.put(KEY, ENTRY)
    other = key("other")
    os.rename(file_of(cache), file_of(cache, other))
    assert cache.get(other) is None


@pytest.mark.parametrize(
    "bad", ["", "..", "../../etc/passwd", "A" * 64, "0" * 15, "0" * 200, "0" * 32 + "\n", "\0" * 32]
)
def test_keys_are_checked(cache, bad):
    for call in (cache.get, lambda bad: cache.put(bad, ENTRY)):
        with pytest.raises(ArgumentValueError, match="is not a key"):
            call(bad)


def test_changed_headers_are_no_hit(cache, tmp_path):
    header = tmp_path / "a.h"
    header.write_text("int a;")
    entry = Entry({"files": {str(header): digest(str(header)), str(tmp_path / "b.h"): None}}, {})
    cache.put(KEY, entry)
    assert cache.get(KEY) == entry
    header.write_text("int b;")
    assert cache.get(KEY) is None
    header.unlink()
    assert cache.get(KEY) is None
    header.write_text("int a;")
    assert cache.get(KEY) == entry
    (tmp_path / "b.h").write_text("")
    assert cache.get(KEY) is None


def test_files_that_are_no_files_are_no_hit(cache):
    cache.put(KEY, Entry({"files": ["a.h"]}, {}))
    assert cache.get(KEY) is None


# --- entries that are not as they were written


def test_cut_short_is_no_hit_and_is_replaced(cache):
    cache.put(KEY, ENTRY)
    whole = file_of(cache).read_bytes()
    for length in range(len(whole)):
        file_of(cache).write_bytes(whole[:length])
        assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY


def test_a_wrong_bit_is_no_hit_and_is_replaced(cache):
    cache.put(KEY, ENTRY)
    whole = file_of(cache).read_bytes()
    for at in range(0, 8 * len(whole), 3):
        data = bytearray(whole)
        data[at // 8] ^= 1 << at % 8
        file_of(cache).write_bytes(data)
        assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def link_to_an_entry(path: Path) -> None:
    target = path.with_name(f"{key('two')}.lp")
    path.rename(target)
    path.symlink_to(target.name)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"something else"),
        lambda path: path.write_bytes(path.read_bytes().replace(b"\n\1\0\0\0", b"\n\0\0\0\0")),
        lambda path: path.write_bytes(path.read_bytes().replace(b"\n\1\0\0\0", b"\n\2\0\0\0")),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), os.mkfifo(path)),
        lambda path: (path.unlink(), loop(path)),
        link_to_an_entry,
    ],
    ids=["foreign", "older", "newer", "folder", "fifo", "loop", "link"],
)
def test_what_is_no_entry_is_no_hit_and_is_replaced(cache, spoil):
    cache.put(KEY, ENTRY)
    spoil(file_of(cache))
    assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY
    assert file_of(cache).is_file() and not file_of(cache).is_symlink()


def test_what_a_link_points_to_is_not_written_to(cache, tmp_path):
    cache.put(KEY, ENTRY)
    (tmp_path / "precious").write_text("precious")
    file_of(cache).unlink()
    file_of(cache).symlink_to(tmp_path / "precious")
    (Path(cache.folder) / TALLY).unlink()
    (Path(cache.folder) / TALLY).symlink_to(tmp_path / "precious")
    cache.put(KEY, ENTRY)
    assert (tmp_path / "precious").read_text() == "precious"
    assert cache.get(KEY) == ENTRY

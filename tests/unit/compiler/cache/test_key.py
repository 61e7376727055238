"""Keys of the cache, and digests of files."""

import itertools
import os

import pytest

from launchpath._compiler.cache.fingerprint import digest, key, unchanged


def test_keys_are_the_same_in_every_process():
    assert key("source", b"options", "") == "f34bbed25afa3aa618463dc75b9356111b3e6d66095a6b7c65dd47497436f0bb"
    assert len(key("x" * 100_000)) == 64


def test_other_parts_are_another_key():
    pieces = ["", "a", "b", "ab", "1:", "s1:a", b"", b"a", b"ab", b"b1:a", "\udcff", "ÿ"]
    sequences = [parts for length in range(4) for parts in itertools.product(pieces, repeat=length)]
    assert len({key(*parts) for parts in sequences}) == len(sequences)


def test_digests_are_of_content(tmp_path):
    first, other = tmp_path / "one.h", tmp_path / "other.h"
    first.write_bytes(b"int a;")
    other.write_bytes(b"int a;")
    assert digest(str(first)) == digest(str(other))
    before = digest(str(first))
    first.write_bytes(b"int b;")
    assert digest(str(first)) != before


@pytest.mark.parametrize("make", ["missing", "folder", "fifo"])
def test_what_has_no_digest(tmp_path, make):
    path = tmp_path / "a.h"
    {"missing": lambda: None, "folder": path.mkdir, "fifo": lambda: os.mkfifo(path)}[make]()
    with pytest.raises(OSError):
        digest(str(path))
    assert not unchanged({str(path): "0" * 64})


def test_unchanged(tmp_path):
    header, absent = tmp_path / "a.h", tmp_path / "first" / "a.h"
    header.write_text("int a;")
    files = {str(header): digest(str(header)), str(absent): None}
    assert unchanged(files)
    assert unchanged({})
    os.utime(header, (0, 0))  # the time says nothing
    assert unchanged(files)
    header.write_text("int b;")
    assert not unchanged(files)
    header.write_text("int a;")
    assert unchanged(files)
    absent.parent.mkdir()
    assert unchanged(files)
    absent.write_text("")  # now it would be found first
    assert not unchanged(files)
    absent.unlink()
    header.unlink()
    assert not unchanged(files)


def test_a_file_where_a_folder_was_is_a_file_that_is_not_there(tmp_path):
    (tmp_path / "first").write_text("")
    assert unchanged({str(tmp_path / "first" / "a.h"): None})


@pytest.mark.parametrize("files", [None, [], "a.h", {"a\0.h": "0"}, {"a" * 5000: "0"}, {"/": "0"}, {"/": None}])
def test_nonsense_is_a_change(files):
    assert not unchanged(files)

"""What the cache holds: its limit, what goes first, looking and clearing."""

import errno
import logging
import os
import re
import time

import pytest

from launchpath._compiler.cache.cache import BLOCK, Cache, Entry, key
from launchpath._compiler.cache.folder import TALLY
from launchpath.errors import LaunchpathError
from tests.threads import at_once
from tests.unit.support.cache_on_disk import ENTRY, KEY, cache, file_of, folder, fresh_warnings, put

__all__ = ["cache", "folder", "fresh_warnings"]

# --- the limit


def test_the_limit_holds_and_the_last_used_stay(folder):
    cache = Cache(str(folder), 64 * BLOCK)
    for i in range(200):
        put(cache, key(str(i)), age=1000 - i)
        assert cache.size() <= cache.limit
        cache.get(key("0"))  # now the last used one
    kept = {entry.key for entry in cache.entries()}
    assert len(kept) >= 48
    assert kept == {key("0"), *(key(str(i)) for i in range(201 - len(kept), 200))}


def test_removals_are_logged(folder, caplog):
    cache = Cache(str(folder), 16 * BLOCK)
    with caplog.at_level(logging.INFO, "launchpath"):
        for i in range(40):
            put(cache, key(str(i)), age=1000 - i)
    (line, *_) = [record.getMessage() for record in caplog.records if record.name == "launchpath"]
    assert re.fullmatch(rf"removed [1-9]\d* old files from the cache {re.escape(str(folder))}, to keep its limit", line)


def test_sweeps_are_rare(folder, monkeypatch):
    cache, swept = Cache(str(folder), 256 * BLOCK), []
    sweep = Cache._sweep
    monkeypatch.setattr(Cache, "_sweep", lambda self: (swept.append(1), sweep(self)))
    for i in range(160):
        put(Cache(str(folder), cache.limit), key(str(i)))  # as so many processes would
    assert len(swept) == 10
    assert len(cache.entries()) == 160


def test_a_lost_tally_is_no_loss(folder):
    cache = Cache(str(folder), 64 * BLOCK)
    for i in range(300):
        put(cache, key(str(i)))
        if i % 50 == 0:
            (folder / TALLY).unlink(missing_ok=True)
    assert cache.size() <= cache.limit


def test_an_entry_that_is_too_large_is_not_kept(folder):
    cache = Cache(str(folder), 64 * BLOCK)
    put(cache, KEY)
    put(cache, key("large"), size=33 * BLOCK)
    assert [entry.key for entry in cache.entries()] == [KEY]
    Cache(str(folder), 0).put(key("none"), ENTRY)
    assert [entry.key for entry in cache.entries()] == [KEY]


def test_a_hit_is_noted_at_most_once_a_minute(cache):
    for age, noted in ((30, False), (90, True), (-90, True)):  # the last: a clock that was wrong
        put(cache, KEY, age=age)
        before = os.stat(file_of(cache)).st_mtime
        assert cache.get(KEY)
        assert (os.stat(file_of(cache)).st_mtime != before) is noted
        assert abs(os.stat(file_of(cache)).st_mtime - time.time()) < 60


def test_what_killed_writers_left_goes_after_a_while(folder):
    cache = Cache(str(folder), 32 * BLOCK)
    put(cache, KEY)
    old, new = (folder / f".{KEY}.lp.123.{digit * 16}.tmp" for digit in "01")
    for file in (old, new):
        file.write_bytes(b"half an entry")
    os.utime(old, (time.time() - 7200,) * 2)
    for _ in range(3):
        put(cache, KEY)
    assert not old.exists()
    assert new.exists()
    assert cache.get(KEY)
    assert cache.clear()[0] == 1
    assert not new.exists()


def test_a_sweep_that_fails_is_no_failure(folder, monkeypatch):
    cache = Cache(str(folder), 8 * BLOCK)

    def fail(*_args, **_kwargs):
        raise PermissionError(errno.EACCES, "no")

    for call in ("unlink", "scandir"):
        monkeypatch.setattr(os, call, fail)
        for i in range(10):
            put(cache, key(str(i)))
        assert cache.get(key("9"))
        monkeypatch.undo()


# --- attached files


def attach(cache, name, data, age=0.0):
    cache.put(key(name), Entry({}, {}), data)
    for file in (file_of(cache, key(name)), file_of(cache, key(name)).with_suffix(".attached")):
        os.utime(file, (time.time() - age,) * 2)


def attached(cache, name):
    entry = cache.get(key(name))
    file = None if entry is None else cache.attached(key(name), entry)
    if file is None:
        return None
    with open(file, "rb") as opened:
        return opened.read()


def test_an_attached_file_is_a_file_as_it_was_put(cache):
    attach(cache, "1", b"all of it")
    assert attached(cache, "1") == b"all of it"
    assert file_of(cache, key("1")).with_suffix(".attached").read_bytes() == b"all of it"
    assert cache.size() == 2 * BLOCK
    assert len(cache.entries()) == 1
    put(cache, key("2"))
    assert attached(cache, "2") is None
    attach(cache, "1", b"another")
    assert attached(cache, "1") == b"another"


@pytest.mark.parametrize("left", [None, b"", b"all of i", b"all of it."], ids=["none", "empty", "cut", "longer"])
def test_an_attached_file_of_another_length_is_none(cache, left):
    attach(cache, "1", b"all of it")
    file = file_of(cache, key("1")).with_suffix(".attached")
    file.unlink() if left is None else file.write_bytes(left)
    assert attached(cache, "1") is None


def test_what_is_open_stays_as_it_is(cache):
    attach(cache, "1", b"all of it")
    opened = cache.attached(key("1"), cache.get(key("1")))
    attach(cache, "1", b"other")
    assert cache.clear() == (1, 2 * BLOCK)
    with open(opened, "rb") as file:
        assert file.read() == b"all of it"


def test_attached_files_count_and_go_by_their_last_use(folder):
    cache = Cache(str(folder), 64 * BLOCK)
    for i in range(40):
        attach(cache, str(i), bytes(3 * BLOCK), age=1000 - i)
        assert cache.size() <= cache.limit
    assert attached(cache, "39") == bytes(3 * BLOCK)
    assert attached(cache, "0") is None
    cache.put(key("large"), Entry({}, {}), bytes(40 * BLOCK))
    assert cache.get(key("large")) is None


# --- looking and clearing


def test_entries_and_size(cache):
    assert (cache.entries(), cache.size()) == ([], 0)
    put(cache, key("old"), age=500)
    put(cache, key("new"), size=2 * BLOCK)
    new, old = cache.entries()
    assert [new.key, old.key] == [key("new"), key("old")]
    assert new.meta["kernels"] == [key("new")]
    assert (new.size, old.size, cache.size()) == (3 * BLOCK, BLOCK, 4 * BLOCK)
    assert old.used == pytest.approx(time.time() - 500, abs=60)


def test_entries_with_a_long_index_and_with_none(cache):
    cache.put(KEY, Entry({"log": "x" * 100_000}, {}))
    for name, data in (("short", b"\x93launch"), ("foreign", b"\0" * 100), ("empty", b"")):
        file_of(cache, key(name)).write_bytes(data)
    metas = {entry.key: entry.meta for entry in cache.entries()}
    assert len(metas[KEY]["log"]) == 100_000
    assert [metas[key(name)] for name in ("short", "foreign", "empty")] == [None] * 3


def test_clear_touches_nothing_else(cache, folder):
    assert cache.clear() == (0, 0)
    put(cache, key("one"))
    put(cache, key("two"), size=BLOCK)
    others = [folder / "notes.txt", folder / f"{KEY}.txt", folder / "short.lp", folder / f"x{KEY}.lp"]
    for file in others:
        file.write_text("mine")
    (folder / f"{key('three')}.lp").mkdir()
    assert cache.clear() == (2, 3 * BLOCK)
    assert (cache.entries(), cache.size()) == ([], 0)
    assert {file.name for file in folder.iterdir()} == {file.name for file in others} | {f"{key('three')}.lp"}


def test_clear_of_what_is_old(cache):
    put(cache, key("old"), age=5000)
    put(cache, key("new"), age=3000)
    assert cache.clear(older_than=6000) == (0, 0)
    assert cache.clear(older_than=4000) == (1, BLOCK)
    assert [entry.key for entry in cache.entries()] == [key("new")]


def test_clear_says_why_it_cannot(cache, monkeypatch):
    cache.put(KEY, ENTRY)

    def fail(*_args, **_kwargs):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "unlink", fail)
    with pytest.raises(LaunchpathError, match=r"cannot remove entries from .*: Read-only file system"):
        cache.clear()


def test_threads(folder):
    """Putting, getting and clearing at once: whole entries or none, and no error."""
    cache, wrong, end = Cache(str(folder), 64 * BLOCK), [], time.monotonic() + 0.7

    def work(number):
        step = number
        while time.monotonic() < end:
            step += 1
            name = key(str(step % 40))
            if (entry := cache.get(name)) is not None and entry.blobs["binary"] != name.encode() * 50:
                wrong.append(entry)
            cache.put(name, Entry({}, {"binary": name.encode() * 50}))
            if number == 0 and step % 30 == 0:
                cache.clear()

    at_once(work, range(6))
    assert wrong == []
    assert cache.size() <= cache.limit

"""``launchpath cache``: what is kept is shown and cleared, and what cannot be is said."""

import json
import os
import time
from datetime import datetime
from pathlib import Path

import pytest

from launchpath._cli.cache import NARROW, SHOWN, WIDTH
from launchpath._compiler.cache.cache import BLOCK, Cache, Entry, default, key
from launchpath._compiler.clang import precompiled_store
from tests.command import run, succeeded
from tests.unit.support.cache_on_disk import file_of, folder, fresh_warnings

__all__ = ["folder", "fresh_warnings"]

COMMANDS = [("cache",), ("cache", "clear")]


@pytest.fixture
def cache(monkeypatch, folder) -> Cache:
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(folder))
    disk_cache = default()
    assert disk_cache is not None
    return disk_cache


@pytest.fixture
def filled(cache) -> Cache:
    """Two entries, last used 10 days and 1 day ago, and one that cannot be read, used now."""
    old = Entry({"kernels": ["fill", "ns::sum<float, 64>"], "source": "a.hip", "device": {"name": "Old GPU"}}, {})
    new = Entry(
        {"kernels": ["step"], "source": "[b].hip", "options": "-DN=1", "device": "New GPU"},
        {"binary": bytes(2 * BLOCK)},
    )
    for days, entry in ((10, old), (1, new)):
        cache.put(key(str(days)), entry)
        os.utime(file_of(cache, key(str(days))), (time.time() - days * 86400,) * 2)
    file_of(cache, key("bad")).write_bytes(b"something else")
    return cache


def test_the_path(cache, folder):
    done = run("cache", "path")
    assert (done.exit_code, done.output) == (0, f"{folder}\n")
    assert not folder.exists()


def test_an_empty_cache(cache, folder):
    done = succeeded("cache")
    assert str(folder) in done.output
    assert "entries: 0, 0 B of at most 512 MiB" in done.output
    data = json.loads(run("cache", "--json", "-").stdout)
    assert data == {"folder": str(folder), "on": True, "limit": 512 << 20, "size": 0, "oldest": None, "newest": None,
                    "entries": []}  # fmt: skip
    assert run("cache", "clear").output == f"removed 0 entries, 0 B, from {folder}\n"


def test_entries_are_listed(filled):
    done = succeeded("cache")
    assert "entries: 3, 20 KiB of at most 512 MiB" in done.output
    rows = [[cell.strip() for cell in line.split("|")] for line in done.output.splitlines() if "|" in line]
    assert rows[0] == ["Kernels", "Source", "Options", "Device", "Size", "Last use", "Key"]
    assert rows[1][0].startswith("(cannot be read")
    assert [row[6] for row in rows[1:]] == [key(which)[:8] for which in ("bad", "1", "10")]
    assert rows[2][:5] == ["step", "[b].hip", "-DN=1", "New GPU", "12 KiB"]
    assert rows[3][:5] == ["fill, ns::sum<float, 64>", "a.hip", "", "Old GPU", "4 KiB"]
    used = datetime.fromisoformat(rows[3][5])
    assert abs(used.timestamp() - (time.time() - 10 * 86400)) < 120
    assert rows[3][5] in done.output.split("(oldest)")[0]


def test_entries_as_json(filled, tmp_path):
    done = run("cache", "--json", tmp_path / "cache.json")
    assert "Kernels" in done.stdout
    data = json.loads((tmp_path / "cache.json").read_text())
    assert data["size"] == 5 * BLOCK == sum(entry["size"] for entry in data["entries"])
    assert [entry["readable"] for entry in data["entries"]] == [False, True, True]
    assert data["entries"][2] == {
        "key": key("10"),
        "readable": True,
        "kernels": ["fill", "ns::sum<float, 64>"],
        "source": "a.hip",
        "options": "",
        "device": "Old GPU",
        "size": BLOCK,
        "last_use": data["oldest"],
    }
    assert data["newest"] == data["entries"][0]["last_use"]
    assert abs(datetime.fromisoformat(data["newest"]).timestamp() - time.time()) < 60
    assert json.loads(run("cache", "--json", "-").stdout) == data


MANY = [f"kernel_{n}" for n in range(58)]


@pytest.mark.parametrize(
    ("kernels", "shown"),
    [(MANY, "kernel_0, kernel_1, kernel_2, kernel_3, ... (58)"), (["a" * 48], "a" * 48), (["a" * 49], "a" * 45 + "..."),
     (["a" * 50, "b"], "a" * 36 + "..., ... (2)"), (["a" * 20, "b" * 26], "a" * 20 + ", " + "b" * 26),
     (["a" * 20, "b" * 27], "a" * 20 + ", ... (2)")],
)  # fmt: skip
def test_many_kernels_are_cut_but_not_in_json(cache, kernels, shown):
    cache.put(key("many"), Entry({"kernels": kernels}, {}))
    row = run("cache").output.splitlines()[-1].split("|")
    assert row[0].strip() == shown
    assert len(shown) <= WIDTH
    assert json.loads(run("cache", "--json", "-").stdout)["entries"][0]["kernels"] == kernels


def test_meta_of_other_kinds_is_shown_all_the_same(cache):
    cache.put(key("odd"), Entry({"kernels": 1, "source": None, "device": {"name": 2}}, {}))
    cache.put(key("none"), Entry({}, {}))
    succeeded("cache")


def test_clear(filled, folder):
    assert run("cache", "clear", "--older-than", "20").output == f"removed 0 entries, 0 B, from {folder}\n"
    assert run("cache", "clear", "--older-than", "1.5").output == f"removed 1 entry, 4 KiB, from {folder}\n"
    data = json.loads(run("cache", "clear", "--json", "-").stdout)
    assert data == {"folder": str(folder), "entries": 2, "size": 4 * BLOCK}
    assert filled.entries() == []


def test_off_is_printed_and_it_can_be_cleared(filled, monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    assert "the cache is off: LAUNCHPATH_CACHE is 0" in run("cache").output
    assert json.loads(run("cache", "--json", "-").stdout)["on"] is False
    succeeded("cache", "clear")
    assert filled.entries() == []


@pytest.mark.parametrize(
    "args",
    [("clear", "--older-than", "-1"), ("clear", "--older-than", "soon"), ("nothing",), ("--json", "-", "clear"),
     ("--json", "/no/such/folder/x.json"), ("path", "--json", "-")],
)  # fmt: skip
def test_misuse_is_2(filled, args):
    assert run("cache", *args).exit_code == 2
    assert len(filled.entries()) == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_is_not_private_is_1(filled, folder, command):
    folder.chmod(0o777)
    done = run(*command)
    assert done.exit_code == 1
    assert "other users can write to it" in done.output
    assert "LAUNCHPATH_CACHE_DIR" in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("command", [*COMMANDS, ("cache", "path")])
def test_settings_that_cannot_be_are_1(monkeypatch, folder, command):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(folder))
    monkeypatch.setenv("LAUNCHPATH_CACHE_LIMIT", "much")
    done = run(*command)
    assert done.exit_code == 1
    assert "LAUNCHPATH_CACHE_LIMIT: expected a number of MiB, got 'much'" in done.output
    monkeypatch.setenv("LAUNCHPATH_CACHE_LIMIT", "")
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", "~nobody-of-that-name")
    done = run(*command)
    assert done.exit_code == 1
    assert "neither a home directory" in done.output


def test_help():
    assert "cache" in run("--help").output
    output = run("cache", "--help").output
    assert all(word in output for word in ("clear", "path", "--json"))


def test_precompiled_headers_are_cleared_as_well(cache, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = tmp_path / "headers.pch"
    file.write_bytes(b"headers")
    precompiled_store.keep(("kind",), str(file), {"macros": ["A"]})
    path, meta = precompiled_store.fetch(("kind",))
    assert Path(path).read_bytes() == b"headers"
    assert meta["macros"] == ["A"]
    assert precompiled_store.fetch(("other",)) is None
    run("cache", "clear")
    assert precompiled_store.fetch(("kind",)) is None


def test_the_entries_that_were_used_last_are_shown_and_read(cache, monkeypatch):
    for number in range(SHOWN + 5):
        cache.put(key(str(number)), Entry({"kernels": [f"k{number}"], "source": "s"}, {}))
        os.utime(file_of(cache, key(str(number))), (time.time() - number * 3600,) * 2)
    read = []
    monkeypatch.setattr(Cache, "_meta", lambda self, name, meta=Cache._meta: read.append(name) or meta(self, name))
    lines = run("cache").output.splitlines()
    assert lines[1].startswith(f"entries: {SHOWN + 5}, ")
    assert lines[-1] == "... and 5 more, used before: --all shows them"
    assert [line.split()[0] for line in lines if " | s " in line] == [f"k{number}" for number in range(SHOWN)]
    assert len(read) == SHOWN
    every = run("cache", "--all").output.splitlines()
    assert [line.split()[0] for line in every if " | s " in line] == [f"k{number}" for number in range(SHOWN + 5)]
    assert len(json.loads(run("cache", "--json", "-").stdout)["entries"]) == SHOWN + 5
    assert run("cache", "--all", "path").exit_code == 2


def test_long_texts_are_cut_and_odd_characters_escaped(cache):
    source, options, device = "/folder" * 30 + "/kernels.cu", "-DA=1 " * 30, "A device's name" * 5
    cache.put(key("long"), Entry({"kernels": ["k\x1b[2J"], "source": source, "options": options, "device": device}, {}))
    row = [cell.strip() for cell in run("cache").output.splitlines()[-1].split("|")]
    assert row[0] == "k\\x1b[2J"
    assert row[1] == "..." + source[3 - NARROW :] and row[1].endswith("/kernels.cu")
    assert row[2].startswith("-DA=1") and row[2].endswith("...")
    assert max(map(len, row[1:4])) <= NARROW
    data = json.loads(run("cache", "--json", "-").stdout)["entries"][0]
    assert (data["source"], data["options"], data["device"]) == (source, options, device)

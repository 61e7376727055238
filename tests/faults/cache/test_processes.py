"""Processes that share a cache, and are killed while they do."""

import os
import signal
import tempfile
import time
from pathlib import Path

import pytest

from launchpath._compiler.cache.cache import BLOCK, Cache, Entry, key
from tests.faults.processes import end, start

HEAD = (
    "import os, sys, time, warnings\nfrom launchpath._compiler.cache.cache import BLOCK, Cache, Entry, default, key\n"
)

BUSY = """
cache, seed, wrong, hits = Cache(sys.argv[1], 64 * BLOCK), os.getpid(), 0, 0
print("ready", flush=True)
until = time.monotonic() + SECONDS
while time.monotonic() < until:
    seed = seed * 1103515245 + 12345 & 0x7FFFFFFF
    name = key(str(seed >> 8 & 63))
    found = cache.get(name)
    hits += found is not None
    wrong += found is not None and found.blobs["binary"] != name.encode() * 100
    cache.put(name, Entry({}, {"binary": name.encode() * 100}))
print(hits, wrong, flush=True)
"""


def begin(code, *args, **environment):
    """Start a process whose code finds `args` in ``sys.argv``."""
    head = f"import sys\nsys.argv[1:] = {[str(arg) for arg in args]!r}\n" + HEAD
    return start(code, head=head, **environment)


def wait_until_ready(processes):
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.stderr.read()


def test_eight_processes_at_once(tmp_path):
    code = BUSY.replace("SECONDS", "1")
    processes = [begin(code, tmp_path / "cache") for _ in range(8)]
    cache = Cache(str(tmp_path / "cache"), 64 * BLOCK)
    wait_until_ready(processes[:1])
    largest = 0
    while any(process.poll() is None for process in processes):
        largest = max(largest, cache.size())
        cache.entries()
        cache.clear(older_than=3600)
        time.sleep(0.05)
    results = [end(process).split()[-2:] for process in processes]
    assert all(int(hits) > 0 and wrong == "0" for hits, wrong in results), results
    # Whoever was about to put one while another looked, and what is half written, comes on top.
    assert 0 < largest <= cache.limit + 2 * 8 * 2 * BLOCK
    assert not [file for file in os.listdir(cache.folder) if file.endswith(".tmp")]


def test_clear_while_others_read_and_write(tmp_path):
    code = BUSY.replace("SECONDS", "0.5")
    processes = [begin(code, tmp_path / "cache") for _ in range(2)]
    cache, cleared = Cache(str(tmp_path / "cache"), 64 * BLOCK), 0
    wait_until_ready(processes)
    while any(process.poll() is None for process in processes):
        cleared += cache.clear()[0]
        time.sleep(0.01)
    assert [end(process).split()[-1] for process in processes] == ["0", "0"]
    assert cleared > 0


def test_killed_writers_leave_whole_entries_or_none(tmp_path):
    code = BUSY.replace("SECONDS", "60").replace("* 100", "* 20_000")
    code = code.replace("64 * BLOCK", "16_000 * BLOCK")
    cache = Cache(str(tmp_path / "cache"), 16_000 * BLOCK)
    processes = [begin(code, cache.folder) for _ in range(3)]
    wait_until_ready(processes)
    time.sleep(0.2)
    for process in processes:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    entries = cache.entries()
    assert entries
    for entry in entries:
        stored = cache.get(entry.key)
        assert stored is not None
        assert stored.blobs["binary"] == entry.key.encode() * 20_000
    # What they left goes with a sweep, an hour later.
    leftover = f".{key('x')}.lp.1.{'0' * 16}.tmp"
    for name in [leftover, *[file for file in os.listdir(cache.folder) if file.endswith(".tmp")]]:
        path = os.path.join(cache.folder, name)
        with open(path, "ab"):
            os.utime(path, (0, 0))
    Cache(cache.folder, 16 * BLOCK).put(key("next"), Entry({}, {}))
    assert not [file for file in os.listdir(cache.folder) if file.endswith(".tmp")]


def test_a_forked_process_goes_on(tmp_path):
    """It inherits the cache and the locks that there are not."""
    out = end(
        begin(
            """
            import textwrap
            cache = Cache(sys.argv[1], 1 << 20)
            cache.put(key("parent"), Entry({}, {"binary": b"1"}))
            child = os.fork()
            if not child:
                assert cache.get(key("parent")).blobs == {"binary": b"1"}
                cache.put(key("child"), Entry({}, {"binary": b"2"}))
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
            print(cache.get(key("child")).blobs["binary"].decode())
            """,
            tmp_path,
        )
    )
    assert out.split() == ["2"]


def test_a_process_that_closed_all_descriptors(tmp_path):
    out = end(
        begin(
            """
            cache = Cache(sys.argv[1], 1 << 20)
            cache.put(key("a"), Entry({}, {"binary": b"1"}))
            os.closerange(3, 1000)
            other = os.open("/", os.O_RDONLY)
            cache.put(key("b"), Entry({}, {"binary": b"2"}))
            print(cache.get(key("a")).blobs, cache.get(key("b")).blobs)
            """,
            tmp_path / "cache",
        )
    )
    assert out.split() == ["{'binary':", "b'1'}", "{'binary':", "b'2'}"]


@pytest.fixture
def shared():
    """A folder that other users can reach; pytest's own are closed to them."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("of", ["entry", "folder", "above"])
def test_another_user(shared, of):
    """What root has made private is neither read nor written by another user, who goes on without."""
    folder = shared / "cache"
    cache = Cache(str(folder), 1 << 20)
    cache.put(key("a"), Entry({}, {"binary": b"1"}))
    shared.chmod(0o700 if of == "above" else 0o755)
    folder.chmod(0o755)
    if of == "entry":  # as after `sudo -E`: the folder is the user's, an entry is root's
        os.chown(folder, 65534, 65534)
    out = end(
        begin(
            """
            cache = Cache(sys.argv[1], 1 << 20)
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                before = cache.get(key("a"))
                cache.put(key("a"), Entry({}, {"binary": b"2"}))
                cache.put(key("a"), Entry({}, {"binary": b"2"}))
                after = cache.get(key("a"))
            print(before, after and after.blobs["binary"], len(told))
            for one in told: print(one.message)
            """,
            folder,
        )
    )
    if of == "entry":
        assert out.split() == ["None", "b'2'", "0"]
    else:
        assert out.split()[:3] == ["None", "None", "1"]
        assert {"folder": "another user (uid 0", "above": "Permission denied"}[of] in out
        assert cache.get(key("a")).blobs == {"binary": b"1"}

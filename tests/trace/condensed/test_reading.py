"""From files to blobs: files that change while they are read, and where slots are missing."""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from launchpath._trace import format
from launchpath._trace.condensed import reading
from launchpath._trace.condensed.blob import Blob
from launchpath._trace.condensed.condense import condensed_file
from launchpath._trace.condensed.library import Condenser
from launchpath._trace.condensed.packing import pack
from launchpath._trace.files.file import TraceFile
from launchpath._trace.labels import Labels
from launchpath.errors import TraceFileError
from tests.trace.builder import FACTS, Builder, call, clocks, command
from tests.trace.condensed import random_slots

SLOTS = 1 << 17


def large(path: Path) -> Path:
    rings = [b"".join(call(4, 10 * n, 10 * n + 5) for n in range(1000)) for _ in range(2)]
    built = Builder().meta(**FACTS).slots(*clocks(), ring=9)
    for place in range(SLOTS // 2000):
        for ring, data in enumerate(rings):
            built.slots(data, ring=ring, first=1000 * place)
    return built.write(path)


def blob(path: Path) -> Blob:
    with TraceFile(path) as file:
        return reading.blob_of(file, Labels(file.meta, file.names, file.threads, file.mangled))


def test_a_file_that_is_cut_off_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read = large(tmp_path / "t"), Condenser.read
    whole = blob(path)

    def cut(self: Condenser, *arguments: object) -> None:
        os.truncate(path, path.stat().st_size // 2)
        read(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Condenser, "read", cut)
    half = blob(path)
    assert half.counts["slots"] == whole.counts["slots"]
    assert 0.4 < half.kinds[0] / half.counts["slots"] < 0.6  # they read as slots of no kind
    assert half.kinds[format.CALL] + half.kinds[0] == whole.kinds[format.CALL]
    with TraceFile(path) as file:
        os.truncate(path, 0)
        assert reading.blob_of(file, Labels({}, {})).kinds[0] > 0


@pytest.mark.processes
def test_a_file_that_is_cut_off_while_it_is_read(tmp_path: Path) -> None:
    """A process that has mapped it would be ended by SIGBUS."""
    path = large(tmp_path / "t")
    size = path.stat().st_size
    program = f"""
from launchpath._trace.condensed.condense import condensed_file
print("ready", flush=True)
for _ in range(30):
    try:
        condensed_file({str(path)!r})
    except Exception as error:
        assert type(error).__name__ == "TraceFileError", error
print("done", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        draw = random.Random(1)
        while process.poll() is None:
            os.truncate(path, draw.randrange(size))
            time.sleep(0.001)
            os.truncate(path, size)
        assert process.stdout.read() == "done\n"
    assert process.returncode == 0


def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path, stop = large(tmp_path / "t"), threading.Event()
    whole = pack(condensed_file(path))

    def grow() -> None:
        with path.open("ab") as file:
            while not stop.is_set():
                file.write(bytes(4096))

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        for _ in range(5):
            assert pack(condensed_file(path)) == whole
    finally:
        stop.set()
        writer.join()


def test_a_disk_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = large(tmp_path / "t")
    monkeypatch.setattr(TraceFile, "descriptor", property(lambda self: -1))
    with pytest.raises(TraceFileError, match="Bad file descriptor"):
        blob(path)


def test_a_command_in_two_parts(tmp_path: Path) -> None:
    """Its detail is in the next part of what is read, in the next block, or behind a gap."""
    first, second = (command(1, 10, (20, 30), 40)[at : at + 64] for at in (0, 64))
    for before in (1023, 1024):
        built = Builder().slots(*clocks(), ring=9).slots(*[call(4, 1, 2)] * before, first, second)
        assert blob(built.write(tmp_path / "t")).counts["halves"] == 0
    apart = Builder().slots(*clocks(), ring=9).slots(first)
    assert blob(apart.slots(second, first=1).write(tmp_path / "t")).counts["halves"] == 0
    gap = Builder().slots(*clocks(), ring=9).slots(first)
    assert blob(gap.slots(second, first=2).write(tmp_path / "t")).counts["halves"] == 2


@pytest.mark.parametrize("seed", range(5))
def test_blocks_of_any_size_give_the_same(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    slots = random_slots.slots(draw, 300)
    slots = [data[at : at + 64] for data in slots for at in range(0, len(data), 64)]
    found = set()
    for size in (len(slots), 1, 7, 100):
        built = Builder().meta(**FACTS).slots(*clocks(), ring=9)
        places = list(range(0, len(slots), size))
        draw.shuffle(places)
        for place in places:
            built.slots(*slots[place : place + size], first=place)
        found.add(pack(condensed_file(built.write(tmp_path / "t"))))
    assert len(found) == 1


def test_a_time_before_the_clock_began(tmp_path: Path) -> None:
    """Such slots, which damaged files have, were read for ever."""
    built = Builder().meta(**FACTS).slots(*clocks(), call(4, 0, 1)).slots(call(4, 0, 1), call(4, 9, 12), ring=1)
    assert blob(built.write(tmp_path / "t")).kinds[format.CALL] == 3

"""Reading a file that a thread writes meanwhile, as the core does: rings that are drained to blocks."""

import mmap
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

from launchpath._trace import format
from launchpath._trace.files.file import TraceFile
from tests.patience import PATIENCE

CAPACITY = 63
RING_AT = format.PAGE
FIRST_BLOCK = RING_AT + 2 * format.PAGE  # the ring has a page for itself, and one for its slots
BLOCKS = 400


class Writer:
    """A thread that writes slots, and drains its ring when it is full, with a hole before every third block."""

    def __init__(self, path: Path) -> None:
        self.size = FIRST_BLOCK + 2 * BLOCKS * format.PAGE
        path.write_bytes(b"")
        with path.open("r+b") as file:
            file.truncate(self.size)
            self.memory = mmap.mmap(file.fileno(), self.size)
        self.head = self.tail = 0
        self.at = FIRST_BLOCK
        self.put(0, self.block(format.HEADER, format.PAGE))
        self.put(RING_AT, self.block(format.RING, FIRST_BLOCK - RING_AT, thread=7, capacity=CAPACITY))
        self.thread = threading.Thread(target=self.run)

    def block(self, kind: int, size: int, **fields: int) -> bytes:
        head = numpy.zeros(1, format.BLOCK)
        for name, value in {
            "magic": format.MAGIC,
            "kind": kind,
            "version": format.VERSION,
            "size": size,
            **fields,
        }.items():
            head[name] = value
        return head.tobytes()

    def put(self, at: int, data: bytes) -> None:
        self.memory[at : at + len(data)] = data

    def run(self) -> None:
        slot = numpy.zeros(1, format.CALL_SLOT)
        for block in range(BLOCKS):
            for _ in range(CAPACITY):
                slot["kind"], slot["correlation"] = format.CALL, self.head
                self.put(RING_AT + format.RING_SLOTS + self.head % CAPACITY * format.SLOT, slot.tobytes())
                self.head += 1
                self.put(RING_AT + format.RING_HEAD, self.head.to_bytes(8, "little"))
            self.drain(block)

    def drain(self, block: int) -> None:
        self.at += format.PAGE if block % 3 == 0 else 0
        begin = self.tail % CAPACITY
        ring = self.memory[RING_AT + format.RING_SLOTS : RING_AT + format.RING_SLOTS + CAPACITY * format.SLOT]
        self.put(self.at + format.SLOT, ring[begin * format.SLOT :] + ring[: begin * format.SLOT])
        head = self.block(format.SLOTS, format.PAGE, thread=7, first=self.tail, count=CAPACITY)
        self.put(self.at + 4, head[4:])
        self.put(self.at, head[:4])  # the magic number last: until then it is a hole
        self.at += format.PAGE
        self.tail += CAPACITY
        self.put(RING_AT + format.RING_TAIL, self.tail.to_bytes(8, "little"))


@pytest.fixture
def often() -> Iterator[None]:
    """Let threads take turns often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def read(path: Path) -> tuple[list[int], int]:
    with TraceFile(path) as file:
        numbers = [number for chunk in file.chunks() for number in chunk.slots_of(format.CALL)["correlation"].tolist()]
        return numbers, file.lost


def test_every_slot_is_read_once_at_any_moment(tmp_path: Path, often: None) -> None:
    writer = Writer(tmp_path / "t")
    writer.thread.start()
    lengths = []
    while writer.thread.is_alive():
        numbers, lost = read(tmp_path / "t")
        assert numbers == list(range(len(numbers)))
        assert lost == 0
        lengths.append(len(numbers))
    writer.thread.join(PATIENCE)
    assert lengths == sorted(lengths)
    assert read(tmp_path / "t") == (list(range(BLOCKS * CAPACITY)), 0)

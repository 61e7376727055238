"""Files of condensed traces: what is written is read back, and damage is told."""

import random
import zlib
from pathlib import Path

import msgpack
import pytest

from launchpath._trace.condensed.condense import condensed_file
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.condensed.packing import MAGIC, is_condensed, pack, read, unpack, write
from launchpath.errors import TraceFileError
from tests.sample import amount
from tests.trace.condensed import random_slots


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("files")
    result = condensed_file(random_slots.write(folder / "a", 1, wild=0.2))
    result.merge(condensed_file(random_slots.write(folder / "b", 2)))
    return pack(result)


def test_it_is_read_back_as_it_was(packed: bytes) -> None:
    assert pack(unpack(packed, "it")) == packed
    assert pack(unpack(pack(Condensed()), "it")) == pack(Condensed())


@pytest.mark.parametrize("number", [0, 1 << 63, (1 << 64) - 1, 1 << 64, 1 << 191, 10**400, -(1 << 63), -(1 << 70)])
def test_integers_of_any_size(number: int) -> None:
    result = Condensed(slots=number, not_traced={"f": number}, begin=number)
    again = unpack(pack(result), "it")
    assert (again.slots, again.not_traced, again.begin) == (number, {"f": number}, number)


def test_damage_of_any_byte_is_told(packed: bytes) -> None:
    draw = random.Random(3)
    for _ in range(amount(300, 5000)):
        damaged = bytearray(packed)
        for _ in range(draw.choice([1, 1, 1, 2, 50])):
            damaged[draw.randrange(len(damaged))] ^= draw.randrange(1, 256)
        if damaged != packed:
            with pytest.raises(TraceFileError):
                unpack(bytes(damaged), "it")


def test_a_file_that_is_cut_off_is_told(packed: bytes) -> None:
    draw = random.Random(4)
    for length in [*range(40), *(draw.randrange(len(packed)) for _ in range(amount(50, 1000)))]:
        with pytest.raises(TraceFileError):
            unpack(packed[:length], "it")


def whole(payload: bytes) -> bytes:
    """A file whose sum is right."""
    return MAGIC + zlib.crc32(payload).to_bytes(4, "little") + payload


def test_wrong_content_with_a_right_sum_is_read_or_told(packed: bytes) -> None:
    draw, payload, count = random.Random(5), packed[len(MAGIC) + 4 :], 0
    for _ in range(amount(300, 5000)):
        damaged = bytearray(payload)
        for _ in range(draw.choice([1, 1, 2, 5])):
            damaged[draw.randrange(len(damaged))] = draw.choice([0, 0xC0, 0x90, 0xA0, 0xCF, draw.randrange(256)])
        try:
            result = unpack(whole(bytes(damaged)), "it")
        except TraceFileError:
            continue
        count += isinstance(result.slots, int)
    assert count > 10


@pytest.mark.parametrize(
    "value",
    [None, 5, [], {}, {"tables": {}}, b"", msgpack.ExtType(7, b"x"), [[]] * 100],
    ids=lambda value: str(value)[:9],
)
def test_messages_that_are_none(value: object) -> None:
    with pytest.raises(TraceFileError, match="damaged"):
        unpack(whole(msgpack.packb(value)), "it")


def test_files(tmp_path: Path, packed: bytes) -> None:
    path = tmp_path / "a.lpsum"
    write(unpack(packed, "it"), path)
    assert path.read_bytes() == packed and is_condensed(path) and pack(read(path)) == packed
    assert [each.name for each in tmp_path.iterdir()] == ["a.lpsum"]
    (tmp_path / "b").write_bytes(b"LPSUM 1\n" + packed[8:])
    with pytest.raises(TraceFileError, match="LPSUM 2"):
        read(tmp_path / "b")
    with pytest.raises(TraceFileError, match="No such file"):
        read(tmp_path / "c")
    assert is_condensed(tmp_path / "b")  # of another version: no trace with records
    assert not is_condensed(tmp_path / "c") and not is_condensed("\0")

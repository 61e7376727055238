"""Crafted binaries and saved programs: what is read of a small file takes little time and memory."""

import json
import os
import resource
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from launchpath._compiler.binary import bundle, compressed, cubin, fatbin, hsaco, ptx
from launchpath._compiler.cache.entry import Entry
from launchpath._compiler.image import from_entry
from launchpath._programs.program_file import read_file
from launchpath.errors import ArgumentValueError
from tests.unit.support import binaries

SECONDS = 5.0  # of the processor
MEMORY = 256 << 20  # bytes
MIB = 1 << 20
PTX_HEAD = b".version 8.0\n.target sm_80\n.address_size 64\n"


@pytest.fixture(autouse=True)
def limits() -> Iterator[None]:
    begun, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert time.process_time() - begun < SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MEMORY


def elf(section: bytes, sections: int, strings: bytes, machine: int = 190, header: int = 64) -> bytes:
    """A file of so many equal sections, whose names are in the last one but one."""
    data = strings + bytes(-len(strings) % 8)
    names = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64, len(strings), 0, 0, 1, 0)
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 2, machine, 1, 0, 0, 64 + len(data), 0, 64, 0, 0, header, sections + 1, sections
    )  # fmt: skip
    return head + data + section * sections + names


def test_a_bundle_whose_binaries_all_are_the_whole_file() -> None:
    names = [f"hip-amdgcn--gfx{number}".encode() for number in range(20_000)]
    size = 32 + sum(24 + len(name) for name in names)
    parts = b"".join(struct.pack("<QQQ", 0, size, len(name)) + name for name in names)
    with pytest.raises(ArgumentValueError, match="its binaries overlap"):
        bundle.parts(bundle.MAGIC + struct.pack("<Q", len(names)) + parts, "x")


@pytest.fixture(scope="module")
def packed() -> bytes:
    """Half a gigabyte of zeros, in 2 MB."""
    packer = zlib.compressobj(1)
    return b"".join(packer.compress(bytes(MIB)) for _ in range(512)) + packer.flush()


@pytest.mark.parametrize("size", [1 << 10, 1 << 30, 1 << 62])
def test_a_compressed_bundle_of_gigabytes(packed: bytes, size: int) -> None:
    data = struct.pack("<4sHHIIQ", b"CCOB", 2, 0, 0, size & 0xFFFFFFFF, 0) + packed
    with pytest.raises(ArgumentValueError, match=r"x is damaged|it does not decompress"):
        bundle.unpacked(data, "x")


def test_a_part_of_zstandard_of_gigabytes() -> None:
    module = pytest.importorskip("backports.zstd")
    packed = module.compress(bytes(64 * MIB))
    with pytest.raises(ArgumentValueError, match="as its uncompressed size"):
        compressed.zstd(packed, 1 << 40, "x")
    assert len(compressed.zstd(packed, MIB, "x")) == MIB + 1


def test_lz4_of_gigabytes_and_runs() -> None:
    assert compressed.lz4(b"\x1fa\x01\x00\x10" + b"\x50bcdef", 41, "x") == b"a" * 36 + b"bcdef"
    assert compressed.lz4(b"\x2fab\x02\x00\x00\x10c", 22, "x") == b"ab" * 10 + b"a" * 1 + b"c"
    with pytest.raises(ArgumentValueError, match="as its uncompressed size"):
        compressed.lz4(b"\x1fa\x01\x00" + b"\xff" * MIB, 1 << 40, "x")
    with pytest.raises(ArgumentValueError, match="cannot be read"):
        compressed.lz4(b"\x1fa\x01\x00" + b"\xff" * MIB, 8 * MIB, "x")


@pytest.mark.parametrize("read", [cubin.read, hsaco.read])
def test_sections_that_all_are_the_whole_file(read: Callable[[bytes, str], object]) -> None:
    strings = b"\0.nv.info.k\0" + bytes(MIB)
    section = struct.pack("<IIQQQQIIQQ", 1, 1, 0, 0, 64, MIB, 0, 0, 1, 0)
    with pytest.raises(ArgumentValueError, match="its sections are larger than the file"):
        read(elf(section, 10_000, strings), "x")


def test_sections_whose_names_all_are_the_whole_file() -> None:
    section = struct.pack("<IIQQQQIIQQ", 1, 1, 0, 0, 64, 0, 0, 0, 1, 0)
    with pytest.raises(ArgumentValueError, match="its sections are larger than the file"):
        cubin.read(elf(section, 10_000, b"\0" + b"n" * MIB + b"\0"), "x")


def test_headers_of_no_bytes() -> None:
    section = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 1 << 62, 0, 0, 0, 0)
    data = bytearray(elf(section, 2, b"\0", header=0))
    data[60:62] = b"\0\0"  # then the first section has the number of sections
    with pytest.raises(ArgumentValueError, match="headers of 0 bytes"):
        cubin.read(bytes(data), "x")


@pytest.mark.parametrize(
    "text",
    [b"/*", b".entry a(", b".entry a ", b"\n.global ", b"\n", b".entry a .x 1 1,", b"\n.global .a 1", b" ", b".maxntid 9 ",
     b"\n.version", b"\n.global .b8 a[9][9]"],
)  # fmt: skip
def test_ptx_that_begins_much_and_ends_nothing(text: bytes) -> None:
    assert ptx.read(PTX_HEAD + text * (MIB // len(text)), "x").kernels == []


def test_ptx_with_numbers_of_many_digits() -> None:
    number = b"9" * 5000
    for text in (b".entry k(.param .b8 p[%s]) {}", b".entry k(.param .align %s .b8 p[1]) {}"):
        with pytest.raises(ArgumentValueError, match="cannot be read"):
            ptx.read(PTX_HEAD + text % number, "x")
    assert ptx.read(PTX_HEAD + b".global .b8 p[%s];" % number, "x").globals == []
    assert ptx.read(PTX_HEAD + b".entry k() .maxntid %s { }" % number, "x").kernels[0].entry == "k"


def test_a_fat_binary_of_many_parts() -> None:
    data = binaries.fatbin(*[("ptx", 80, binaries.PTX, 0, 0)] * 300)
    assert len(fatbin.parts(data, "x")) == 300


META = {
    "kind": "binary", "device": {}, "entries": [], "globals_size": 8, "symbols": [], "relocations": [], "users": [],
    "log": "",
}  # fmt: skip


@pytest.mark.parametrize(
    "odd",
    [
        {"device": {"name": 5}}, {"device": {"platform": {"a": 1}}}, {"device": [["name", [1]]]}, {"log": None},
        {"globals_size": 1e300}, {"globals_size": 1 << 60}, {"globals_size": True}, {"users": [1]},
        {"symbols": [["g", 0, 4, "object", [1]]]}, {"symbols": [["g", 0, 4, "float32", [2]]]},
        {"symbols": [["g", 0, 4, "float32", [-1]]]}, {"symbols": [["g", 0, 4, ["x"], []]]}, {"templates": {"t": [1]}},
        {"symbols": [["g", 1.5, 4, "float32", []]]}, {"checks": [["read", "4", "", []]]}, {"relocations": [[0.5, 0]]},
    ],
)  # fmt: skip
def test_a_saved_program_with_odd_facts(odd: dict[str, object]) -> None:
    blobs = {"code": b"", "initial": bytes(8)}
    assert from_entry(Entry.decode(Entry(META, blobs).encode())).globals_size == 8
    data = Entry(json.loads(json.dumps({**META, **odd})), blobs).encode()
    with pytest.raises(ArgumentValueError, match="x has no program that this version"):
        from_entry(Entry.decode(data, "x"), "x")


@pytest.mark.parametrize("path", ["/dev/zero", "sparse"])
def test_files_that_are_no_programs_are_not_read(tmp_path: Path, path: str) -> None:
    sparse = tmp_path / "sparse"
    sparse.touch()
    os.truncate(sparse, 1 << 40)
    with pytest.raises(ArgumentValueError, match="expected (the file of a program|a file of at most 4294967296 bytes)"):
        read_file(tmp_path / path)


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_names_that_no_file_has(path: str) -> None:
    with pytest.raises(ArgumentValueError, match="expected a path"):
        read_file(path)

"""Reading fat binaries."""

import pytest

from launchpath._compiler.binary import compressed, fatbin
from launchpath.errors import ArgumentValueError
from tests.unit.support import binaries
from tests.unit.support.binaries import PTX

LZ4, ZSTD = 0x2000, 0x8000


def lz4(data: bytes) -> bytes:
    """Compress: the first 8 bytes as they are, then copies where they repeat (none: all literals)."""
    length = len(data)
    more = b"" if length < 15 else b"\xff" * ((length - 15) // 255) + bytes([(length - 15) % 255])
    return bytes([min(length, 15) << 4]) + more + data


@pytest.mark.parametrize(("flags", "data", "size"), [(0, PTX, 0), (LZ4, lz4(PTX), len(PTX)), (0, PTX + b"\0\0\0", 0)])
def test_ptx(flags, data, size):
    binary = fatbin.read(binaries.fatbin(("ptx", 80, data, flags, size)), "x.fatbin", "sm_90")
    assert (binary.kind, binary.code.rstrip(b"\0")) == ("ptx", PTX)


def test_zstandard(monkeypatch):
    with pytest.raises(ArgumentValueError, match="x.fatbin is damaged: |is compressed by Zstandard"):
        fatbin.read(binaries.fatbin(("ptx", 80, b"nonsense", ZSTD, 100)), "x.fatbin", "sm_90")
    monkeypatch.setattr(compressed, "_zstd", lambda: lambda data, size: PTX if data == b"packed" else b"")
    binary = fatbin.read(binaries.fatbin(("ptx", 80, b"packed", ZSTD, len(PTX))), "x.fatbin", "sm_90")
    assert binary.code == PTX
    monkeypatch.setattr(compressed, "_zstd", lambda: None)
    with pytest.raises(ArgumentValueError, match="compressed by Zstandard.*pip install backports.zstd"):
        fatbin.read(binaries.fatbin(("ptx", 80, b"packed", ZSTD, len(PTX))), "x.fatbin", "sm_90")


def test_the_nearest_is_taken():
    parts = [("cubin", 80, b"", 0, 0), ("ptx", 70, PTX, 0, 0), ("ptx", 80, PTX, 0, 0), ("cubin", 90, b"", 0, 0)]
    contents = fatbin.parts(binaries.fatbin(*parts), "x")
    assert [(part.kind, part.compute) for part in contents] == [("cubin", 80), ("ptx", 70), ("ptx", 80), ("cubin", 90)]
    chosen = {device: fatbin._chosen(contents, device) for device in ("sm_75", "sm_86", "sm_90", "sm_100", "sm_60")}
    assert {device: part and (part.kind, part.compute) for device, part in chosen.items()} == {
        "sm_75": ("ptx", 70), "sm_86": ("cubin", 80), "sm_90": ("cubin", 90), "sm_100": ("ptx", 80), "sm_60": None,
    }  # fmt: skip


def test_nothing_for_the_device():
    data = binaries.fatbin(("cubin", 80, b"", 0, 0), ("ptx", 90, PTX, 0, 0))
    with pytest.raises(ArgumentValueError, match="x.fatbin: expected code for sm_75, got code for sm_80, compute_90"):
        fatbin.read(data, "x.fatbin", "sm_75")
    with pytest.raises(ArgumentValueError, match="got no code for a GPU"):
        fatbin.read(binaries.fatbin(), "x.fatbin", "sm_75")


def test_damaged():
    data = binaries.fatbin(("ptx", 80, PTX, 0, 0))
    for end in (5, 15, 20, 100, len(data) - 1):
        with pytest.raises(ArgumentValueError, match="x.fatbin"):
            fatbin.read(data[:end], "x.fatbin", "sm_90")
    with pytest.raises(ArgumentValueError, match="one of its parts is longer than the file"):
        fatbin.read(data[:24] + b"\xff\xff\xff" + data[27:], "x.fatbin", "sm_90")


@pytest.mark.parametrize("data", [b"\x10", b"\x14a\x09\x00", b"\x14a\x00\x00", b"\xf0", b"\x20ab"])
def test_damaged_compression(data):
    with pytest.raises(ArgumentValueError, match="x is damaged"):
        compressed.lz4(data, 100, "x")


def test_lz4_copies_what_was_just_written():
    assert compressed.lz4(b"\x14a\x01\x00\x10b", 10, "x") == b"a" * 9 + b"b"

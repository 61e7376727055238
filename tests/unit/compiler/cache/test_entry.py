"""The file format of the cache and of saved programs: what is written is read, and nothing else is."""

import json
import struct

import pytest

from launchpath._compiler.cache import entry as module
from launchpath._compiler.cache.entry import FORMAT, MAGIC, Entry, index_end, is_entry, meta_of
from launchpath._compiler.cache.fingerprint import fingerprint
from launchpath.errors import ArgumentValueError, LaunchpathError

SMALL = Entry({"kernels": ["k"], "n": 1}, {"binary": b"\x00\xff\x7f", "empty": b"", "image": b"xyz"})
WHOLE = SMALL.encode()


def file_with(index: bytes, blobs: bytes = b"", version: int = FORMAT) -> bytes:
    """A file with this index, whose header and checksum are right."""
    data = struct.pack("<12sIQQ", MAGIC, version, len(index), 32 + len(index) + len(blobs) + 32) + index + blobs
    return data + fingerprint(data)


@pytest.mark.parametrize(
    "entry",
    [
        SMALL,
        Entry({}, {}),
        Entry({"a": None, "b": [1, 2.5, True, {"c": "ä\n\x00"}]}, {"": b"no name", "ä/..": b"odd name"}),
        Entry({"files": {"/tmp/not-utf8-\udcff.h": "0"}}, {"binary": bytes(range(256)) * 999}),
    ],
)
def test_what_is_written_is_read(entry):
    data = entry.encode()
    assert Entry.decode(data) == entry
    assert is_entry(data)
    assert meta_of(data[: index_end(data[:32])]) == entry.meta


def test_views_of_bytes_are_blobs_too():
    assert Entry.decode(Entry({}, {"a": memoryview(b"abc")}).encode()).blobs == {"a": b"abc"}


def test_what_is_no_json_cannot_be_written():
    for value in ({1, 2}, b"bytes", float("nan")):
        with pytest.raises((TypeError, ValueError)):
            Entry({"value": value}, {}).encode()


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_cut_short(length):
    with pytest.raises(ArgumentValueError, match=r"^x\.lp is (truncated|empty)") as raised:
        Entry.decode(WHOLE[:length], "x.lp")
    assert isinstance(raised.value, LaunchpathError)


@pytest.mark.parametrize("at", range(len(WHOLE)))
def test_a_wrong_bit(at):
    for bit in range(8):
        data = bytearray(WHOLE)
        data[at] ^= 1 << bit
        with pytest.raises(ArgumentValueError, match=r"^x\.lp ?(is|: expected)"):
            Entry.decode(bytes(data), "x.lp")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\x7fELF" + bytes(100), "not a program that launchpath saved"),
        (b"__global__ void k() {}", "not a program that launchpath saved"),
        (WHOLE.replace(b"\n", b"\r\n", 1), "not a program that launchpath saved"),
        (WHOLE + b"\n", "damaged: 1 bytes follow its end"),
        (WHOLE[:-1] + b"?", "checksum"),
        (file_with(b"{}", version=FORMAT + 1), f"format {FORMAT}, got format {FORMAT + 1}.*later launchpath"),
        (file_with(b"{}", version=0), "format 0.*compile it again from its source$"),
        (WHOLE[:16] + struct.pack("<QQ", 1 << 63, len(WHOLE)) + WHOLE[32:], "header is inconsistent"),
        (WHOLE[:24] + struct.pack("<Q", 40) + WHOLE[32:], "header is inconsistent"),
    ],
)
def test_what_is_wrong_is_named(data, says):
    with pytest.raises(ArgumentValueError, match=f"^the program.*{says}"):
        Entry.decode(data, "the program")


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b'{"meta": {}}',
        b'{"meta": [], "blobs": []}',
        b'{"meta": {}, "blobs": {}}',
        b'{"meta": {}, "blobs": [["a"]]}',
        b'{"meta": {}, "blobs": [["a", -1], ["b", 1]]}',
        b'{"meta": {}, "blobs": [["a", true]]}',
        b'{"meta": {}, "blobs": [["a", 0], ["a", 0]]}',
        b'{"meta": {}, "blobs": [["a", 1]]}',
        b'{"meta": {}, "blobs": [["a", 1e9]]}',
        b'{"meta": {}, "blobs": [["a", 99999999999999999999]]}',
        b'{"meta": {"n": ' + b"9" * 5000 + b'}, "blobs": []}',
        b"[" * 100_000,
    ],
)
def test_an_invented_index_is_an_error_too(index):
    with pytest.raises(ArgumentValueError, match="malformed"):
        Entry.decode(file_with(index))


def test_reading_the_meta_alone():
    end = index_end(WHOLE)
    for length in range(32, end):
        with pytest.raises(ArgumentValueError, match="truncated"):
            meta_of(WHOLE[:length])
    for length in range(32):
        with pytest.raises(ArgumentValueError):
            index_end(WHOLE[:length])
    assert meta_of(WHOLE[:end]) == SMALL.meta


def test_reading_runs_nothing():
    """Neither pickle nor marshal nor eval: the format is JSON and bytes."""
    used = vars(module)
    assert not {"pickle", "marshal", "shelve", "eval", "exec"} & used.keys()
    text = json.dumps({"meta": {"__class__": "os.system", "__reduce__": ["echo"]}, "blobs": []}).encode()
    assert Entry.decode(file_with(text)).meta == {"__class__": "os.system", "__reduce__": ["echo"]}

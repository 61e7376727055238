"""The numbers of a blob in Python are those in C."""

import ctypes
import re
from pathlib import Path

import numpy

from launchpath._trace import format as trace_format
from launchpath._trace.condensed import format, library
from launchpath._trace.condensed.turns import PART_NAMES, WINDOW_TYPE

FOLDER = Path(trace_format.__file__).parents[1] / "_core" / "trace" / "condense"


def text(name: str) -> str:
    return re.sub(r"/\*.*?\*/", "", (FOLDER / name).read_text(), flags=re.DOTALL)


def number(file: str, name: str) -> int:
    match = re.search(rf"\b{name} = (.*?)[,}}\n]", text(file))
    assert match, name
    return int(eval(match[1], {"TURN_PARTS": format.PARTS}))


def names(file: str, enum: str) -> list[str]:
    match = re.search(rf"enum {enum} {{(.*?)}}", text(file), re.DOTALL)
    assert match, enum
    return [name.partition("=")[0].strip() for name in match[1].split(",") if name.strip()]


def test_tables() -> None:
    in_c = names("cell.h", "cell_table")
    assert in_c[-1] == "TABLES"
    assert [f"TABLE_{table.name}" for table in format.Table] == in_c[:-1]
    assert [int(table) for table in format.Table] == list(range(1, len(in_c)))


def test_words() -> None:
    for name in ("HEAD", "KINDS", "CELL", "ROW", "WINDOW", "VERSION"):
        assert getattr(format, name) == number("blob.h", f"BLOB_{name}"), name
    magic = re.search(r"BLOB_MAGIC (0x\w+)u", text("blob.h"))
    assert magic and int(magic[1], 16) == format.MAGIC and format.MAGIC.to_bytes(8, "little") == b"LPCONDEN"
    assert number("cell.h", "IN_OCTAVE") == format.IN_OCTAVE and format.OTHERS == (1 << 64) - 1
    assert number("cell.h", "OCTAVES") * format.IN_OCTAVE <= 1 << 13  # places have 16 bits, and readers as many buckets


def test_counts() -> None:
    """In the order in which the blob has them, from word 5 on."""
    written = {
        int(place): name
        for place, name in re.findall(r"words\[(\d+)\] = (?:\(uint64_t\))?(?:of->)?(\w+)", text("blob.h"))
    }
    assert [written[5 + place] for place in range(len(format.COUNTS))] == list(format.COUNTS)
    assert 5 + len(format.COUNTS) == format.KINDS


def test_parts_of_turns() -> None:
    assert [f"PART_{name.upper()}" for name in PART_NAMES] == names("turns.h", "turn_part")
    assert len(PART_NAMES) == format.PARTS == number("turns.h", "TURN_PARTS")
    order = re.findall(r"to\[(\d)\] = window->(\w+)", text("blob.h"))
    assert [name for _, name in order] == list(WINDOW_TYPE.names or ())[:6] and [
        int(place) for place, _ in order
    ] == list(range(6))


def test_directions_and_classes() -> None:
    for place, name in enumerate(("NO_DIRECTION", "TO_DEVICE", "TO_HOST", "ON_DEVICE", "FILLED")):
        assert number("condense.h", name) == place
    assert len(format.DIRECTIONS) == 5 and len(format.GAP_CLASSES) == number("condense.h", "GAP_CLASSES")


def test_what_the_library_takes() -> None:
    """Its two structs, as C lays them out."""

    class Piece(ctypes.Structure):
        _fields_ = [(name, ctypes.c_uint64) for name in ("slots", "count", "follows", "offset")]

    class Source(ctypes.Structure):
        _fields_ = [
            ("ring", ctypes.c_uint32), ("thread", ctypes.c_uint32), ("pieces", ctypes.c_void_p),
            ("n_pieces", ctypes.c_uint64), ("place", ctypes.c_uint64), ("next", ctypes.c_uint64),
            ("has_times", ctypes.c_int), ("file", ctypes.c_int), ("more", ctypes.c_void_p), ("held", ctypes.c_void_p),
            ("first_held", ctypes.c_uint64), ("n_held", ctypes.c_uint64), ("room", ctypes.c_uint64),
        ]  # fmt: skip

    body = re.search(r"typedef struct {(.*?)} read_piece;", text("read.h"), re.DOTALL)
    assert body and re.findall(r"(\w+);", body[1]) == [name for name, _ in Piece._fields_]
    body = re.search(r"struct read_source {(.*?)};", text("read.h"), re.DOTALL)
    fields = [name for line in (body[1] if body else "").split(";") for name in declared(line)]
    assert fields == [name for name, _ in Source._fields_]
    for own, struct in ((library.PIECE, Piece), (library.SOURCE, Source)):
        assert own.itemsize == ctypes.sizeof(struct)
        assert own.fields
        assert {name: place for name, (_, place) in own.fields.items()} == {
            name: getattr(struct, name).offset for name, _ in struct._fields_
        }
    assert numpy.dtype("u8").itemsize == ctypes.sizeof(ctypes.c_void_p)


def declared(line: str) -> list[str]:
    pointer = re.search(r"\(\*(\w+)\)", line)
    return [pointer[1]] if pointer else re.findall(r"(\w+)(?=,|$)", line.strip())

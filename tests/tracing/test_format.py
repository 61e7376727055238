"""The slots and counters in C are those of the format."""

import re
from pathlib import Path

import pytest

from launchpath import _core
from launchpath._drivers import call_names
from launchpath._trace import format

CORE = Path(format.__file__).parents[1] / "_core"
FOLDER = CORE / "trace" / "records"
SIZES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "int32_t": 4, "uint64_t": 8}


def struct(name: str, file: str = "slot.h") -> dict[str, int]:
    """Give the fields of a struct in C, with their offsets."""
    text = re.sub(r"/\*.*?\*/", "", (FOLDER / file).read_text(), flags=re.DOTALL)
    match = re.search(rf"typedef struct {{([^{{}}]*)}} {name};", text)
    assert match is not None
    fields, at = {}, 0
    for declaration in filter(None, map(str.strip, match[1].split(";"))):
        kind, names = declaration.split(maxsplit=1)
        for field in names.split(","):
            word, _, count = field.strip().rstrip("]").partition("[")
            size = SIZES.get(kind, 24)  # the union of a detail has 24 bytes, and begins at a multiple of 8
            at += -at % min(size, 8)
            fields[word] = at
            at += size * int(count or 1)
    return fields | {"": at}


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("command_slot", format.COMMAND_SLOT),
        ("detail_slot", format.DETAIL_SLOT),
        ("call_slot", format.CALL_SLOT),
        ("times_slot", format.TIMES_SLOT),
        ("clock_slot", format.HOST_CLOCK_SLOT),
        ("device_clock_slot", format.DEVICE_CLOCK_SLOT),
        ("stream_slot", format.STREAM_SLOT),
        ("range_slot", format.RANGE_SLOT),
        ("evidence_slot", format.EVIDENCE_SLOT),
        ("thread_slot", format.THREAD_SLOT),
        ("delays_slot", format.DELAYS_SLOT),
    ],
)
def test_slots(name: str, layout: object) -> None:
    own = struct(name)
    assert own[""] == format.SLOT
    fields = layout.fields  # type: ignore[attr-defined]
    for field, (_, offset) in fields.items():
        if name == "detail_slot" and field in ("grid", "block", "bytes", "to", "source"):
            assert offset == own["of"] + {**struct("detail_launch"), **struct("detail_copy")}[field]
        else:
            assert offset == own[field], field


def test_counters_and_blocks() -> None:
    counters = struct("trace_counts", "store.h")
    assert [name for name in counters if name] == list(format.COUNTERS)
    block = struct("store_block", "store.h")
    for field, (_, offset) in format.BLOCK.fields.items():  # type: ignore[union-attr]
        assert block[field] == offset


def test_kinds_and_flags() -> None:
    text = (FOLDER / "slot.h").read_text() + (CORE / "driver" / "command.pxi").read_text()
    numbers = {name: int(value) for name, value in re.findall(r"(SLOT_\w+|COMMAND_\w+|EVIDENCE_\w+) = (\d+)", text)}
    assert numbers.keys() >= {"COMMAND_MARKER", "COMMAND_KINDS"}  # which have no record of a command
    numbers = {name: value for name, value in numbers.items() if name not in ("COMMAND_MARKER", "COMMAND_KINDS")}
    assert len(numbers) >= 28
    for name, value in numbers.items():
        own = {"COMMAND_ROWS": "COPY_ROWS", "COMMAND_PEER": "COPY_PEER"}.get(name, name.split("_", 1)[1])
        assert getattr(format, own) == value, name


def test_names_of_calls() -> None:
    entries, api = _core.trace_entry_names()
    assert len(set(entries)) == len(entries)
    assert entries[0] == api[0] == ""
    text = (CORE / "layers" / "entries.pxi").read_text()
    numbered = re.findall(r"^    ENTRY_(\w+)", text, re.MULTILINE)
    assert [name.lower() for name in numbered if name != "NONE"] == entries[1:]
    commands = set(format.COMMAND_NAMES.values())
    for names in call_names().values():
        assert set(names) <= set(entries) | commands

"""Traces as someone may craft them: whole structures with sizes, counts, numbers and texts that are not true."""

import functools
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy

from launchpath._trace import format
from tests.fuzz.damage import damaged, damaged_json
from tests.trace.builder import FACTS, Builder, clocks, command, range_, stream, times
from tests.trace.program import write

_SIZES = (0, 1, 63, 64, 65, 4096, 1 << 20, 1 << 22, 1 << 30, 1 << 40, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
_TEXTS = (
    b"", b"saxpy", b"=1+1", b"+x", b"-x", b"@x", b"'=x", b"<script>alert(1)</script>", b"a\0b", b"\x1b[2J\x1b]0;t\x07",
    b"\xff\xfe", b"\xed\xa0\x80", "\u202eabc\u2066".encode(), b'",\r\n"=x', b"\r\n=x", b"&amp;", "é😀".encode(), b"%s%n{0}",
)  # fmt: skip
_DEEP = ("[" * 200_000, '{"a":' * 50_000, "[" * 900 + "]" * 900, "[[]," * 30_000 + "[]" + "]" * 30_000)
_ODD_JSON = (
    "NaN", "Infinity", "-1e999", "9" * 5000, "1" + "0" * 400, '"' + "x" * 100_000 + '"', r'"\ud800\u0000\u001b"',
    "[" + ",".join(["{}"] * 20_000) + "]", "{" + ",".join(f'"{n}":{n}' for n in range(20_000)) + "}",
)  # fmt: skip
_FEW, _MANY = 400, 60_000  # slots; the second makes 3.8 MB


def trace(random: Random, heavy: bool = False) -> bytes:
    """Make the bytes of a file. `heavy`: of megabytes, with all slots of few kinds."""
    if heavy:
        return joined(random.choice(_HEAVY)(random, _MANY))
    draw = random.random()
    if draw < 0.25:
        return damaged(random, _valid(random.randrange(4)), 6)
    if draw < 0.4:
        return joined(random.choice(_HEAVY)(random, _FEW))
    parts = [block(format.HEADER, numpy.array([_number(random) for _ in range(18)], "<u8").tobytes())]
    for _ in range(random.randint(1, 8)):
        parts.append(random.choice(_PARTS)(random))
    return joined(parts)


def joined(parts: list[bytes]) -> bytes:
    return b"".join(parts)


def block(kind: int, data: bytes, **fields: int) -> bytes:
    """Give a block, whatever its fields say."""
    whole = -(-(format.SLOT + len(data)) // format.PAGE) * format.PAGE
    head = numpy.zeros(1, format.BLOCK)
    for name, value in {
        "magic": format.MAGIC,
        "kind": kind,
        "version": format.VERSION,
        "size": whole,
        **fields,
    }.items():
        head[name] = value
    return (head.tobytes() + data).ljust(whole, b"\0")


def _number(random: Random) -> int:
    number = random.choice(
        (random.choice(_SIZES), random.choice(_SIZES), random.getrandbits(64), random.randrange(300))
    )
    return max(number + random.choice((0, 0, 0, -1, 1)), 0) & ((1 << 64) - 1)


@functools.cache
def _valid(seed: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "t", seed, 20)
        return (Path(folder) / "t").read_bytes()


def _slots(random: Random, count: int | None = None) -> bytes:
    """Give slots of any kinds, with any numbers in them."""
    count = random.randrange(_FEW) if count is None else count
    data = numpy.frombuffer(random.randbytes(count * format.SLOT), "u1").reshape(-1, format.SLOT).copy()
    kinds = random.choice(([1, 2], [*format.LAYOUTS], [*format.LAYOUTS, 0, 77, 255], [5], [9, 10, 11]))
    data[:, 0] = random.choices(kinds, k=count)
    mask = numpy.frombuffer(random.randbytes(format.SLOT), "u1") < random.choice((30, 128, 250))
    mask[0] = True
    data[:, ~mask] = 0
    for start in range(0, count, 2):  # commands in pairs
        if data[start, 0] == 1 and start + 1 < count:
            data[start + 1, 0] = 2
    for _ in range(random.randrange(20) if count else 0):
        size, at = random.choice((1, 2, 4, 8)), random.randrange(count)
        place = random.randrange(1, format.SLOT // size) * size
        value = (_number(random) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        data[at, place : place + size] = numpy.frombuffer(value, "u1")
    return data.tobytes()


def _a_slots_block(random: Random) -> bytes:
    data = _slots(random)
    lie = random.random() < 0.5
    return block(
        format.SLOTS, data, ring=random.randrange(3), thread=random.getrandbits(32), first=_number(random) if lie else 0,
        count=_number(random) if lie else len(data) // format.SLOT, **_lies(random),
    )  # fmt: skip


def _a_ring(random: Random) -> bytes:
    data = bytearray(format.PAGE - format.SLOT) + _slots(random)
    capacity = random.choice(
        (_number(random), 1 << random.randrange(63), max((len(data) - format.PAGE) // format.SLOT, 1))
    )
    for at in (64, 128):
        data[at - format.SLOT : at - format.SLOT + 8] = random.choice(
            (_number(random), len(data) // format.SLOT)
        ).to_bytes(8, "little")
    data[192 - format.SLOT : 320 - format.SLOT] = _slots(random, 2)
    return block(
        format.RING, bytes(data), ring=random.getrandbits(random.choice((2, 32))), capacity=capacity, **_lies(random)
    )


def _a_names_block(random: Random) -> bytes:
    data = b""
    for _ in range(random.randrange(20)):
        text = random.choice(
            (random.choice(_TEXTS), random.randbytes(random.randrange(3000)), b"x" * random.choice((4096, 70_000)))
        )
        size = _number(random) & 0xFFFFFFFF if random.random() < 0.1 else len(text)
        number = random.choice((random.randrange(30), random.getrandbits(32)))
        data += numpy.array([number, size], "<u4").tobytes() + text.ljust(-(-len(text) // 8) * 8, b"\0")
    return block(format.NAMES, data, count=_number(random), **_lies(random))


def _a_meta_block(random: Random) -> bytes:
    draw = random.random()
    if draw < 0.3:
        text = random.choice(_DEEP)
        text = random.choice((text, f'{{"process": {text}}}'))
    elif draw < 0.6:
        key = random.choice([*FACTS, "clock", "times"])
        text = f'{{"{key}": {random.choice(_ODD_JSON)}}}'
        if random.random() < 0.5:
            text = f'{{"process": {{"{random.choice(["pid", "rank", "host", "argv"])}": {random.choice(_ODD_JSON)}}}}}'
    else:
        facts = {**FACTS, "times": {"0": "cupti"}, "clock": {"ticks_per_second": 3}}
        for _ in range(random.randint(1, 5)):
            facts = damaged_json(random, facts)
        text = json.dumps(facts)
    data = text.encode("utf-8", "surrogatepass")
    return block(format.META, data, count=random.choice((len(data), len(data), _number(random))), **_lies(random))


def _any_block(random: Random) -> bytes:
    return block(
        random.choice((format.HEADER, 0, 77, 65535)), _slots(random, 3), count=_number(random), **_lies(random)
    )


def _lies(random: Random) -> dict[str, int]:
    """Fields of a block that are not true."""
    lies = {"size": _number(random), "version": random.randrange(3), "magic": random.getrandbits(32)}
    return {name: value for name, value in lies.items() if random.random() < 0.08}


_PARTS: tuple[Callable[[Random], bytes], ...] = (
    _a_slots_block, _a_slots_block, _a_slots_block, _a_ring, _a_names_block, _a_meta_block, _any_block,
)  # fmt: skip


# Files that are right, and have what makes readers slow or their outputs long. `count`: how many slots.


def _begin(*names: bytes) -> list[bytes]:
    texts = [
        numpy.array([number, len(name)], "<u4").tobytes() + name.ljust(-(-len(name) // 8) * 8, b"\0")
        for number, name in enumerate(names, 1)
    ]
    built = Builder().meta(**FACTS).slots(*clocks(), stream(1), ring=9)
    return [*built.parts, block(format.NAMES, b"".join(texts), count=len(texts))]


def _table(kind: int, count: int, **columns: object) -> bytes:
    slots = numpy.zeros(count, format.LAYOUTS[kind])
    slots["kind"] = kind
    for name, column in columns.items():
        slots[name] = column
    return slots.tobytes()


def _whole(data: bytes) -> bytes:
    return block(format.SLOTS, data, thread=11, count=len(data) // format.SLOT)


def _launches_with_a_long_name(random: Random, count: int) -> list[bytes]:
    row = command(1, 5000, (5010, 5020), 5030) + times(1, 5015, 6000, 7000)
    name = random.choice((b'"' * 4096, b"\x1b" * 3000, b"x" * 2_000_000 if count == _MANY else b"x" * 5000))
    return [*_begin(name), _whole(row + command(1, 5000, (5010, 5020), 5030) * (count // 2))]


def _ranges_that_overlap(random: Random, count: int) -> list[bytes]:
    begin = numpy.arange(count) * 3 + 9000
    return [*_begin(b"range"), _whole(_table(format.RANGE, count, name=1, begin=begin, end=begin + 9_000_000))]


def _ranges_in_one_another(random: Random, count: int) -> list[bytes]:
    number = numpy.arange(count)
    return [
        *_begin(b"range"),
        _whole(_table(format.RANGE, count, name=1, begin=number, end=2_000_000 - number, depth=number % 65536)),
    ]


def _ranges_of_many_domains(random: Random, count: int) -> list[bytes]:
    texts = [bytes([97 + n % 26]) * 4000 + b"%d" % n for n in range(300 if count == _MANY else 30)]
    number = numpy.arange(count)
    columns = {"domain": number % len(texts) + 1, "name": number // len(texts) + 1}
    return [*_begin(*texts), _whole(_table(format.RANGE, count, begin=100, end=number + 100, **columns))]


def _commands_that_overlap(random: Random, count: int) -> list[bytes]:
    number = numpy.arange(count // 3)
    rows = command(1, 5000, (5010, 5020), 5030)
    pairs = numpy.frombuffer(rows * len(number), "u1").reshape(-1, format.SLOT).copy()
    pairs[::2].view("<u8")[:, 1] = number
    return [
        *_begin(b"k"),
        _whole(
            pairs.tobytes()
            + _table(format.TIMES, len(number), correlation=number, command=1, name=1, started=number, ended=1 << 40)
        ),
    ]


def _many_devices(random: Random, count: int) -> list[bytes]:
    number = numpy.arange(count // 2)
    clock = _table(format.DEVICE_CLOCK, len(number), device=number % 65536, device_time=number * 7, monotonic=number)
    return [
        *_begin(b"k"),
        _whole(clock + _table(format.TIMES, len(number), device=number % 65536, started=5, ended=90, command=1)),
    ]


def _many_names(random: Random, count: int) -> list[bytes]:
    number = numpy.arange(count // 2)
    kind = random.choice((format.RANGE, format.TIMES))
    more = {"command": 1} if kind == format.TIMES else {"end": number}
    return [*_begin(b"k"), _whole(_table(kind, len(number), name=number * 40_000 % (1 << 32), **more))]


def _many_anchors(random: Random, count: int) -> list[bytes]:
    numbers = numpy.frombuffer(random.randbytes(count * 8), "<u8")
    clock = _table(format.HOST_CLOCK, count, ticks=numbers, monotonic=numbers[::-1], real=numbers)
    return [*_begin(b"k"), _whole(clock + range_(1, 5, 1 << 50))]


def _many_streams(random: Random, count: int) -> list[bytes]:
    number = numpy.arange(count // 2)
    slots = _table(format.STREAM, len(number), stream=number, device=number % 65536)
    return [
        *_begin(b"k"),
        _whole(slots + _table(format.TIMES, len(number), stream=number, command=1, correlation=number)),
    ]


def _many_rings(random: Random, count: int) -> list[bytes]:
    frame = bytearray(format.PAGE - format.SLOT)
    frame[128 : 128 + 2 * format.SLOT] = command(1, 5, (6, 0), 0)
    rings = [block(format.RING, bytes(frame), ring=n, thread=11, capacity=1 << 14) for n in range(count // format.SLOT)]
    return [*_begin(b"\x1b" * 1000), *rings, Builder().meta(threads={"11": "t" * 100_000}).parts[1]]


_HEAVY: tuple[Callable[[Random, int], list[bytes]], ...] = (
    _launches_with_a_long_name, _ranges_that_overlap, _ranges_in_one_another, _ranges_of_many_domains,
    _commands_that_overlap, _many_devices, _many_names, _many_anchors, _many_streams, _many_rings,
)  # fmt: skip
HEAVY = {function.__name__[1:]: function for function in _HEAVY}

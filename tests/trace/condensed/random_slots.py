"""Random slots of every kind, and trace files of them: what programs write, and what damaged files have."""

import random
from collections.abc import Callable
from pathlib import Path

from launchpath._trace import format
from tests.trace.builder import FACTS, Builder, clocks, slot

EDGES = (0, 1, 63, 64, 1 << 31, 1 << 32, 1 << 56, (1 << 61) - 1, 1 << 61, 1 << 62, 1 << 63, (1 << 64) - 1)
NAMES = {1: "saxpy", 2: "ns::reduce<float>", 3: "saxpy", 10: "step", 11: "io", 20: "solver"}
COSTS = (
    {"cuda": {"command": {"ns": 90, "ns_low": 80, "ns_high": 110}, "call": {"ns": 40, "ns_low": 30, "ns_high": 50}}},
    {"cuda": {"left_out": "it has ended in a signal"}, "opencl": {"left_out": "no device"}},
    {"cuda": {"left_out": "no device"}},
    {},
)


def value(draw: random.Random, most: int, wild: float) -> int:
    return draw.choice(EDGES) if draw.random() < wild else draw.randrange(most)


def slots(draw: random.Random, count: int, wild: float = 0.02, names: int = 4) -> list[bytes]:
    """Draw slots; a part of the values `wild` is at the edges of what numbers can be."""
    drawn, now, last = [], 2000, 0

    def some(most: int) -> int:
        return value(draw, most, wild)

    for _ in range(count):
        now += draw.randrange(1, 3000)
        kind = draw.choice([1, 1, 1, 1, 3, 4, 5, 5, 5, 6, 7, 8, 9, 10, 10, 11, 12, 12, 12, 12, 13, 14, 99])
        begin, end = (some(1) or now) * 3 % (1 << 64), (now + some(2000)) * 3 % (1 << 64)
        device, flags = draw.choice([0, 0, 0, 1, 255, 256, 9999]), draw.randrange(256)
        if kind in (format.COMMAND, format.CALL):
            last = some(count)
        if kind == format.COMMAND:
            drawn += _command(draw, some, (begin, end), last, flags, device, names)
        elif kind == format.TIMES:
            drawn.append(
                slot(
                    kind, flags=flags & 1, correlation=some(count), device=device, started=now, ended=now + some(4000) % (1 << 63),
                    enqueued=begin, name=draw.randrange(names), command=draw.randrange(7), stream=some(4) % (1 << 32),
                )
            )  # fmt: skip
        elif kind in (format.CALL, format.API):
            drawn.append(
                slot(
                    kind, flags=flags & 1, entry=draw.randrange(8), begin=begin, end=end, device=device,
                    correlation=last, parent=draw.randrange(2),
                )
            )  # fmt: skip
        elif kind in (format.RANGE_BEGIN, format.RANGE, format.MARK):
            drawn.append(
                slot(
                    kind, depth=draw.randrange(40), begin=begin, end=end, domain=draw.choice([0, 20]),
                    name=draw.choice([10, 11, 12]),
                )
            )  # fmt: skip
        elif kind == format.EVIDENCE:
            drawn.append(slot(kind, flags=flags, site=draw.randrange(3), correlation=last, content=draw.randrange(2)))
        elif kind == format.THREAD:
            drawn.append(slot(kind, begin=begin, end=end, processor=some(5000), runnable=some(500)))
        elif kind == format.HOST_CLOCK:
            drawn.append(slot(kind, ticks=now * 3, monotonic=now, real=some(1 << 60)))
        elif kind == format.DEVICE_CLOCK:
            drawn.append(slot(kind, device=device, device_time=now, monotonic=now, error=some(100)))
        else:
            drawn.append(slot(kind))
    return drawn


def _command(
    draw: random.Random, some: Callable[[int], int], times: tuple[int, int], correlation: int, flags: int, device: int, names: int
) -> list[bytes]:  # fmt: skip
    """Draw a command, mostly with its detail, and sometimes with evidence."""
    begin, end = times
    drawn = [
        slot(
            format.COMMAND, flags=flags, correlation=correlation, begin=begin, driver_begin=begin, driver_end=end, end=end,
            waited=some(100), stream=some(4) % (1 << 32), name=draw.randrange(names),
        )
    ]  # fmt: skip
    if draw.random() < 0.95:
        detail = {"bytes": some(1 << 20), "to": draw.randrange(2), "number": some(6)}
        drawn.append(slot(format.DETAIL, command=draw.randrange(7), device=device, **detail))
        if draw.random() < 0.3:
            drawn.append(slot(format.EVIDENCE, flags=9, site=draw.randrange(3), correlation=correlation, content=5))
    return drawn


def write(path: Path, seed: int, count: int = 60, wild: float = 0.02) -> Path:
    """Write a file of a process that differs from others in its host, rank, names and threads."""
    draw = random.Random(seed)
    facts = {
        **FACTS,
        "process": {"pid": draw.randrange(3), "rank": draw.choice([None, 0, 1]), "host": f"node{draw.randrange(3)}"},
        "cost": draw.choice(COSTS),
        "unseen": {"cuGraphAddNode": draw.choice([0, 3, 10**30])},
        "threads": {str(number): draw.choice(["", "MainThread", "worker"]) for number in range(3)},
    }
    built = Builder(state=draw.randrange(3), dropped=value(draw, 5, 0.2), waits=value(draw, 5, 0.2)).meta(**facts)
    built.names({number: name for number, name in NAMES.items() if draw.random() < 0.8})
    built.slots(*clocks(), ring=9, thread=99)
    for ring in range(draw.randrange(1, 4)):
        drawn = slots(draw, count, wild)
        half, gap = draw.randrange(len(drawn)), draw.choice([0, 0, 5])
        built.slots(*drawn[half:], ring=ring, thread=draw.randrange(5), first=half + gap)
        built.slots(*drawn[:half], ring=ring, thread=draw.randrange(5))
    return built.write(path)

"""The cases of ``bench memory``, and what must hold of them: of a run, and of the tables in docs/figures.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from launchpath._bench.measure import LAUNCHES
from launchpath._bench.result import Figure, Result, Row

SMALL, MEDIUM, TEMPORARY = 4 << 10, 1 << 20, 16 << 20  # bytes
LARGE = {"cpu": 64 << 20, "gpu": 256 << 20}  # bytes, by kind of device
TEMPORARIES = {"cpu": 24, "gpu": 3000}
WAITING = 10_000  # arrays
PEERS = ("cupy", "torch")
STREAMS = ("current", "blocking", "non-blocking")

ALLOCATE_US = 1.0
ALLOCATE_OVER_C = 0.5
WAITING_OVER_NONE = 1.5
IN_OVER_C, OUT_OVER_C = 0.5, 1.5  # microseconds
MEDIUM_IN_OVER_C = 1.0
C_OVER_IN, C_OVER_OUT, C_OVER_PINNED = 2.5, 1.5, 0.95
CUPY_OVER_NEW = 2.0
TEMPORARIES_OVER_TORCH = 1.0
BLOCKS_HELD = 1.0  # of memory, beyond the temporary that lives
POOL_US = 0.6  # on CPU devices

Case = Mapping[str, Any]
Key = tuple[str, Case]  # a row's subject and case


@dataclass(frozen=True)
class Amount:
    """How much is allocated and copied."""

    gpu: bool  # whether it is for a CUDA or HIP device
    large: int  # bytes of a large copy
    waiting: int  # arrays
    temporaries: int  # arrays

    @classmethod
    def of(cls, gpu: bool, launches: int = LAUNCHES) -> Amount:
        """Give the amount for a kind of device: all of it, or in proportion to fewer launches than a benchmark's."""
        kind = "gpu" if gpu else "cpu"

        def share(amount: int) -> int:
            return max(1, amount * min(launches, LAUNCHES) // LAUNCHES)

        large = max(2, share(LARGE[kind]) // MEDIUM) * MEDIUM
        return cls(gpu, large, share(WAITING), share(TEMPORARIES[kind]))


def allocating(stream: str = "current", waiting: int = 0) -> dict[str, Any]:
    """Give the case of an allocation and its drop."""
    case: dict[str, Any] = {"operation": "allocate", "bytes": SMALL, "stream": stream}
    return {**case, "waiting": waiting} if waiting else case


def pooled(nbytes: int) -> dict[str, Any]:
    """Give the case of the pool alone, without an array."""
    return {"operation": "pool", "bytes": nbytes}


def copying(operation: str, nbytes: int, pinned: bool = False, complete: bool = True) -> dict[str, Any]:
    """Give the case of a copy ``in``, ``out``, or out to a ``new`` array."""
    case: dict[str, Any] = {"operation": operation, "bytes": nbytes, "pinned": pinned}
    return {**case, "complete": True} if complete else case


def temporary(work: str, count: int) -> dict[str, Any]:
    """Give the case of temporaries with a ``fill`` or a ``kernel`` on each."""
    return {"operation": "temporaries", "bytes": TEMPORARY, "count": count, "work": work}


@dataclass(frozen=True)
class Required:
    """A figure of two rows, or of a single row, with what it must be."""

    words: str  # the figure, as the table of the page names it
    # the rows' subjects and cases; without `to` the figure is of `row` alone
    row: Key
    to: Key | None = None
    against: str = ""  # what the row is compared with, as a run's table has it
    kind: str = "ratio"  # as `Figure.kind`
    at_most: float | None = None
    at_least: float | None = None

    def figure(self, find: Callable[[Key], Row | None]) -> Figure | None:
        """Compute it from rows; None if a row is missing."""
        row, other = find(self.row), None if self.to is None else find(self.to)
        if row is None or (self.to is not None and other is None):
            return None
        value = self._value(row, other)
        if value is None:
            return None
        return Figure(row, self.against, value, self.kind, self.at_most, self.at_least)

    def _value(self, row: Row, other: Row | None) -> float | None:
        if other is not None:
            return row.minus(other) if self.kind == "us" else row.over(other)
        if self.kind == "blocks":
            return None if row.held is None else max(0.0, row.held / int(row.case["bytes"]) - 1)
        return row.us


def required(amount: Amount) -> list[Required]:
    """Give all figures that must hold on a kind of device."""
    return [*_allocations(amount), *_copies(amount), *_temporaries(amount)]


def _launchpath(case: Case) -> Key:
    return ("launchpath", case)


def _allocations(amount: Amount) -> list[Required]:
    figures = []
    for stream in STREAMS:
        case = allocating(stream)
        words = f"allocating and dropping 4 KiB, {stream} stream"
        figures.append(Required(words, _launchpath(case), None, "host time", "time", at_most=ALLOCATE_US))
        if amount.gpu:
            figures.append(
                Required("the same over C", _launchpath(case), ("c", case), "over c", at_most=ALLOCATE_OVER_C)
            )
    waiting = _launchpath(allocating("current", amount.waiting))
    words = f"the same on the current stream, with {amount.waiting:,} arrays that wait for work in flight, over none"
    figures.append(
        Required(words, waiting, _launchpath(allocating()), "over none that wait", at_most=WAITING_OVER_NONE)
    )
    if not amount.gpu:
        for nbytes in (SMALL, TEMPORARY):
            words = f"the pool's own time, {sized(nbytes)}"
            figures.append(Required(words, _launchpath(pooled(nbytes)), None, "host time", "time", at_most=POOL_US))
    return figures


def _copies(amount: Amount) -> list[Required]:
    if not amount.gpu:
        return []
    figures = []
    for pinned in (False, True):
        memory = "pinned" if pinned else "pageable"
        for operation, limit in (("in", IN_OVER_C), ("out", OUT_OVER_C)):
            case = copying(operation, SMALL, pinned, operation == "out")
            words = f"4 KiB {operation}, {memory} memory, over C"
            figures.append(Required(words, _launchpath(case), ("c", case), "over c", "us", at_most=limit))
    case = copying("in", MEDIUM, False, False)
    figures.append(Required("1 MiB in, over C", _launchpath(case), ("c", case), "over c", at_most=MEDIUM_IN_OVER_C))
    large = sized(amount.large)
    for operation, least in (("in", C_OVER_IN), ("out", C_OVER_OUT)):
        for pinned in (False, True):
            case = copying(operation, amount.large, pinned)
            words = f"C's {large} {operation}, {'pinned' if pinned else 'pageable'} memory, over launchpath's"
            at_least = C_OVER_PINNED if pinned else least
            figures.append(Required(words, ("c", case), _launchpath(case), "over launchpath", at_least=at_least))
    case = copying("new", amount.large)
    words = f"CuPy's `get()` of {large}, over launchpath's `to_numpy()`"
    figures.append(Required(words, ("cupy", case), _launchpath(case), "over launchpath", at_least=CUPY_OVER_NEW))
    return figures


def _temporaries(amount: Amount) -> list[Required]:
    figures = []
    for work in ("fill", "kernel") if amount.gpu else ("fill",):
        case = temporary(work, amount.temporaries)
        words = f"{amount.temporaries:,} temporaries of 16 MiB, a {work} on each: blocks held beyond the first"
        figures.append(Required(words, _launchpath(case), None, "held beyond the first", "blocks", at_most=BLOCKS_HELD))
        if work == "kernel":  # a fill takes the library's own time: C's is beside it
            to = ("torch", temporary("fill", amount.temporaries))
            words = "the same: host time over torch's with a fill"
            figures.append(Required(words, _launchpath(case), to, "over torch's fill", at_most=TEMPORARIES_OVER_TORCH))
    return figures


def rates(rows: Sequence[Row]) -> list[Figure]:
    """Give the rate of every large copy."""
    figures = []
    for row in rows:
        nbytes = int(row.case.get("bytes", 0))
        if nbytes >= 2 * MEDIUM and "pinned" in row.case:
            figures.append(Figure(row, "rate", nbytes / row.us / 1e3, "GB/s"))
    return figures


def add_figures(result: Result, amount: Amount) -> None:
    """Add all figures to a result: what must hold, rates, and the ratios to C that nothing is required of."""

    def find(key: Key) -> Row | None:
        return next((row for row in result.rows if (row.subject, row.case) == key), None)

    result.figures += [figure for each in required(amount) if (figure := each.figure(find)) is not None]
    result.figures += rates(result.rows)
    compared = {(figure.row.subject, str(figure.row.case)) for figure in result.figures if figure.kind != "GB/s"}
    for row in result.rows:
        c = find(("c", row.case))
        keys = {(subject, str(row.case)) for subject in ("launchpath", "c")}
        if row.subject == "launchpath" and c is not None and not keys & compared:
            result.compare(row, c, "over c")
        elif row.subject in PEERS and (row.subject, str(row.case)) not in compared:
            launchpath = find(_launchpath(row.case))
            if launchpath is not None:
                result.compare(row, launchpath, "over launchpath")


def sized(nbytes: int) -> str:
    """Write a number of bytes: ``4 KiB``."""
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if nbytes >= unit:
            return f"{nbytes / unit:.4g} {name}"
    return f"{nbytes} bytes"

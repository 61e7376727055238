"""Counting calls and their times by name."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

_T = TypeVar("_T")
_NAMES_MOST = 20  # that a message lists


class _Absent:
    """A name that a class does not have: it says what to use instead, and costs nothing where names are there."""

    def __init__(self, instead: str) -> None:
        self.instead = instead

    def __set_name__(self, kind: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, kind: type) -> Any:
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        text = f"{article} {kind.__name__} has no attribute {self.name!r}: use {self.instead}"
        raise AttributeError(text, name=self.name, obj=None)  # with an object Python would add a hint of its own


@dataclass(slots=True)
class Entry:
    """What a `Tally` knows of one name. `add` is all that the measured path pays.

    Attributes
    ----------
    name : str
    calls, failed : int
        How many, and how many of those failed.
    total, shortest, longest : int
        Nanoseconds; 0 while there are no calls.
    squares : float
        Sum of the squares of the times, for `deviation`. Tracing counts it, `add` does not.
    nested : int
        Nanoseconds of ``total`` that are inside other calls of the same table. Tracing counts it, `add` does not.
    """

    name: str
    calls: int = 0
    failed: int = 0
    total: int = 0
    shortest: int = 0
    longest: int = 0
    squares: float = 0.0
    nested: int = 0

    if not TYPE_CHECKING:
        mean, avg = _Absent("average, in nanoseconds"), _Absent("average, in nanoseconds")
        min, max = _Absent("shortest, in nanoseconds"), _Absent("longest, in nanoseconds")
        time, duration = _Absent("total, in nanoseconds"), _Absent("total, in nanoseconds")
        count, std = _Absent("calls"), _Absent("deviation, in nanoseconds")

    def __dir__(self) -> list[str]:
        return [name for name in super(Entry, self).__dir__() if hasattr(self, name)]

    def add(self, nanoseconds: int, failed: bool = False) -> None:
        """Count one call."""
        if nanoseconds < self.shortest or not self.calls:
            self.shortest = nanoseconds
        if nanoseconds > self.longest:  # noqa: PLR1730 (a call would cost more)
            self.longest = nanoseconds
        self.calls += 1
        self.total += nanoseconds
        if failed:
            self.failed += 1

    def merge(self, other: Entry) -> None:
        """Count all calls of another entry as well."""
        if other.calls:
            self.shortest = min(self.shortest, other.shortest) if self.calls else other.shortest
        self.longest = max(self.longest, other.longest)
        self.calls += other.calls
        self.failed += other.failed
        self.total += other.total
        self.squares += other.squares
        self.nested += other.nested

    @property
    def outermost(self) -> int:
        """Nanoseconds of calls that are in no other call of the table: only those may be added up."""
        return self.total - self.nested

    @property
    def average(self) -> float:
        """Nanoseconds a call; 0 if there are none."""
        return self.total / self.calls if self.calls else 0.0

    @property
    def deviation(self) -> float:
        """Standard deviation in nanoseconds; 0 if the squares were not counted."""
        if not self.squares:
            return 0.0
        return math.sqrt(max(self.squares / self.calls - self.average**2, 0.0))

    def as_json(self) -> dict[str, Any]:
        """Give the entry as JSON takes it, times in microseconds."""
        return {
            "name": self.name,
            "calls": self.calls,
            "failed": self.failed,
            "us": self.total / 1e3,
            "us_average": self.average / 1e3,
            "us_min": self.shortest / 1e3,
            "us_max": self.longest / 1e3,
        }


class Tally:
    """Calls and their times by name. One thread adds to it; `merge` brings several together.

    A loop gives the entries, in the order in which the names came; ``in`` and indices take names.

    Examples
    --------
    >>> tally = Tally()
    >>> tally.add("hipMalloc", 1500)
    >>> tally["hipMalloc"].calls
    1
    >>> [entry.name for entry in tally]
    ['hipMalloc']
    """

    if not TYPE_CHECKING:
        sort, sorted, by_total = _Absent("by_time()"), _Absent("by_time()"), _Absent("by_time()")
        names, to_pandas = _Absent("keys()"), _Absent("launchpath.read_trace(path).to_pandas()")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if hasattr(self, name)]

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: dict[str, Entry] = {}
        for entry in entries:
            self.entry(entry.name).merge(entry)

    def entry(self, name: str) -> Entry:
        """Give the entry of a name, a new one if need be: keep it where calls are many."""
        try:
            return self._entries[name]
        except KeyError:
            entry = self._entries[name] = Entry(name)
            return entry

    def add(self, name: str, nanoseconds: int, failed: bool = False) -> None:
        """Count one call of ``name``."""
        self.entry(name).add(nanoseconds, failed)

    def merge(self, other: Tally) -> None:
        """Count everything that another tally has as well."""
        for entry in other:
            self.entry(entry.name).merge(entry)

    def total(self) -> Entry:
        """Sum over all names, itself called ``Total``."""
        total = Entry("Total")
        for entry in self:
            total.merge(entry)
        return total

    def by_time(self) -> list[Entry]:
        """Give the entries, those that took longest first; equal ones by name."""
        return sorted(self, key=lambda entry: (-entry.total, entry.name))

    def as_json(self) -> list[dict[str, Any]]:
        """Give the entries as JSON takes them, in the table's order."""
        return [entry.as_json() for entry in self.by_time()]

    def keys(self) -> KeysView[str]:
        """Give the names."""
        return self._entries.keys()

    def values(self) -> ValuesView[Entry]:
        """Give the entries, as a loop over the tally does."""
        return self._entries.values()

    def items(self) -> ItemsView[str, Entry]:
        """Give pairs of a name and its entry."""
        return self._entries.items()

    def get(self, name: str, default: _T | None = None) -> Entry | _T | None:
        """Give the entry of a name, or ``default`` if there is none."""
        return self._entries.get(name, default)

    def __getitem__(self, name: str) -> Entry:
        """Give the entry of a name.

        Raises
        ------
        KeyError
            No call of that name was counted.
        """
        try:
            return self._entries[name]
        except KeyError:
            raise KeyError(self._absent(name)) from None

    def _absent(self, name: str) -> str:
        from launchpath._advice import did_you_mean  # noqa: PLC0415 (NumPy comes with it)
        from launchpath._shown import shown  # noqa: PLC0415

        if not self._entries:
            return f"expected a name in the table, got {shown(name)}: the table is empty"
        names = [repr(each) for each in list(self._entries)[:_NAMES_MOST]]
        others = len(self) - len(names)
        known = ", ".join(names) + (f" or one of {others} others" if others else "")
        hint = did_you_mean(name, self._entries) if isinstance(name, str) else ""
        return f"expected a name in the table ({known}), got {shown(name)}{hint}"

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<Tally of {len(self)} names: {self.total().calls} calls>"

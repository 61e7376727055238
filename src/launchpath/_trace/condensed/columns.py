"""Columns: a table of names and integers that merges with others of the same kind, in any order, to the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from launchpath._trace.condensed.buckets import Buckets


@dataclass(slots=True)
class Row:
    """What is known of a name. Times are nanoseconds.

    Attributes
    ----------
    calls, failed : int
        Those that succeeded, and those that did not and have no time.
    total, squares : int
        Sums of the times, and of their squares.
    shortest, longest : int
        0 while there are no calls.
    nested : int
        The part of `total` that is in other calls of the table.
    amount : int
        What else is summed up: bytes, for example.
    at : int
        When the longest began, nanoseconds since 1970.
    where : str
        The process of the longest, as "host:pid".
    buckets : Buckets
    """

    calls: int = 0
    failed: int = 0
    total: int = 0
    squares: int = 0
    nested: int = 0
    amount: int = 0
    shortest: int = 0
    longest: int = 0
    at: int = 0
    where: str = ""
    buckets: Buckets = field(default_factory=Buckets.empty)

    def merge(self, other: Row) -> None:
        """Count what another row has as well."""
        if other.calls:
            self.shortest = min(self.shortest, other.shortest) if self.calls else other.shortest
            # Of equal ones the first in time, then by the process's name: the order of merging must not matter.
            mine, its = (-self.longest, self.at, self.where), (-other.longest, other.at, other.where)
            if not self.calls or its < mine:
                self.longest, self.at, self.where = other.longest, other.at, other.where
        self.calls += other.calls
        self.failed += other.failed
        self.total += other.total
        self.squares += other.squares
        self.nested += other.nested
        self.amount += other.amount
        self.buckets.merge(other.buckets)


class Columns(dict[str, Row]):
    """Rows by name."""

    def add(self, name: str, row: Row) -> None:
        """Count a row under a name. The row is the table's from now on."""
        if name in self:
            self[name].merge(row)
        else:
            self[name] = row

    def merge(self, other: Columns) -> None:
        """Count everything that another table has as well. Its rows are this table's from now on."""
        for name, row in other.items():
            self.add(name, row)

    def in_order(self) -> Iterable[tuple[str, Row]]:
        """Give the rows by their names."""
        return sorted(self.items())

"""Outcomes: what all files sum up to, which of them could not be read, and what else happened."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from launchpath._report.console import printable
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.executors.inputs import LeftOut
from launchpath._trace.executors.part import Part

NAMED = 10  # files that are named; the others are counted


@dataclass
class Outcome:
    """What came of reading files.

    Attributes
    ----------
    condensed : Condensed
    left_out : list of LeftOut
        Files that could not be read, by their names.
    files : int
        How many were to be read.
    losses : list of str
        What happened to processes that were lost.
    repeated : int
        How many files were named more than once.
    """

    condensed: Condensed = field(default_factory=Condensed)
    left_out: list[LeftOut] = field(default_factory=list)
    files: int = 0
    losses: list[str] = field(default_factory=list)
    repeated: int = 0

    def add(self, part: Part) -> None:
        """Count a part. Its rows are the outcome's from now on."""
        self.condensed.merge(part.condensed)
        self.left_out += part.left_out

    def ordered(self) -> Outcome:
        """Bring everything into its order. Returns itself."""
        self.condensed.ordered()
        self.left_out.sort()
        return self

    @property
    def twice(self) -> int:
        """How many processes are there more than once: as a trace and as what was condensed of it, for example."""
        rows = Counter(
            (row["host"], row["pid"], os.path.basename(str(row["path"])))
            for row in self.condensed.processes
            if row["pid"] is not None
        )
        return sum(count - 1 for count in rows.values())

    def lines(self) -> Iterator[str]:
        """Say what is not as it should be, all printable."""
        if self.left_out:
            yield f"files that could not be read, and are left out: {len(self.left_out)} of {self.files}"
            for path, reason in self.left_out[:NAMED]:
                yield printable(f"  {path}: {reason}")
            if len(self.left_out) > NAMED:
                yield f"  {len(self.left_out) - NAMED} others"
        yield from self.losses[:NAMED]
        if len(self.losses) > NAMED:
            yield f"other processes that were lost, and whose files are read again: {len(self.losses) - NAMED}"
        if self.repeated:
            yield f"files that were named more than once, and are counted once: {self.repeated}"
        if self.twice:
            yield (
                f"processes that are there more than once, and are counted so: {self.twice}: "
                "name a trace, or what it was summed up to, not both"
            )

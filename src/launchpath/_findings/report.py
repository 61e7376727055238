"""The report of findings: what holds a program back, what does not, and what its traces cannot tell."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from launchpath._findings.finding import AT_MOST, Finding
from launchpath._findings.region_summary import RegionSummary

VERSION = 1  # of the JSON; docs/findings.md has its fields


@dataclass
class Report:
    """What holds a program back. ``print`` shows one screen of it, a notebook the page that `write_html` writes.

    Attributes
    ----------
    program : str
        The command, as a shell takes it; empty: not known.
    processes : int
        Processes with a trace that submit commands; if none does, all with a trace.
    length : float
        Nanoseconds of the longest of these.
    regions : list of RegionSummary
        The regions that repeat, the longest in all first.
    findings : list of Finding
        What holds the program back: what saves most of the whole program first.
    hidden : list of Finding
        What takes time and costs none, since something else takes longer meanwhile.
    not_said : list of str
        What the traces cannot tell, and why: a sentence each.
    tracing : str
        What the trace itself cost: a sentence.
    timeline : dict
        One typical repetition of the first region: ``us``, its length, and ``lanes``: for each thread and stream its
        ``name``, its ``kind`` (``thread`` or ``stream``), and its ``items`` with ``name``, ``begin`` and ``end`` in
        microseconds, ``role``, ``critical`` and ``site``. Empty: there is none.
    """

    program: str = ""
    processes: int = 0
    length: float = 0.0
    regions: list[RegionSummary] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    hidden: list[Finding] = field(default_factory=list)
    not_said: list[str] = field(default_factory=list)
    tracing: str = ""
    timeline: dict[str, Any] = field(default_factory=dict)

    def arrange(self) -> None:
        """Put findings in their order, those that are hidden with the hidden ones, and each sentence only once."""
        # What a mend saves at most comes behind what it saves.
        shown = [finding for finding in self.findings if not finding.hidden]
        self.hidden = [finding for finding in self.findings if finding.hidden] + self.hidden
        self.findings = sorted(shown, key=lambda each: (bool(each.evidence.get(AT_MOST)), -each.total))
        self.not_said = list(dict.fromkeys(self.not_said))

    def as_json(self) -> dict[str, Any]:
        """Give the report as JSON takes it, times in microseconds."""
        return {
            "version": VERSION,
            "program": self.program,
            "processes": self.processes,
            "us": self.length / 1e3,
            "regions": [region.as_json() for region in self.regions],
            "findings": [finding.as_json() for finding in self.findings],
            "hidden": [finding.as_json() for finding in self.hidden],
            "not_said": list(self.not_said),
            "tracing": self.tracing,
            "timeline": self.timeline,
        }

    def as_html(self) -> str:
        """Give the report as one page of HTML, which needs nothing else: no other file, no network, no script."""
        from launchpath._findings.shown.page import page  # noqa: PLC0415 (only where it is drawn)

        return page(self)

    def write_html(self, target: str | os.PathLike[str]) -> None:
        """Write the page of `as_html` to a file.

        Parameters
        ----------
        target : str or path-like
            The file.

        Raises
        ------
        OSError
            It cannot be written.
        """
        with open(target, "w", encoding="utf-8") as file:
            file.write(self.as_html())

    def __str__(self) -> str:
        from launchpath._findings.shown.screen import screen  # noqa: PLC0415 (only where it is drawn)

        return screen(self)

    def __repr__(self) -> str:
        counts = f"{len(self.findings)} findings, {len(self.hidden)} hidden, {len(self.not_said)} not said"
        return f"<Report: {self.program or 'a program'}: {counts}>"

    def _repr_html_(self) -> str:
        from launchpath._findings.shown.page import fragment  # noqa: PLC0415 (only where it is drawn)

        return fragment(self)

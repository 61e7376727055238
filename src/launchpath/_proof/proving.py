"""Proofs of findings: the program runs again, with delays or with a mend forced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from launchpath._findings.report import Report


def prove(report: Report, command: Sequence[str], trace_options: dict[str, Any]) -> None:
    """Run a program again, and add what that proves to the findings of a report.

    Parameters
    ----------
    report : Report
    command : sequence of str
        The program and its arguments.
    trace_options : dict
        The options of its trace.
    """
    report.not_said.append("Findings are not proved by running the program again yet.")

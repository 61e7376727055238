"""Findings of traces: what holds their program back."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from launchpath._findings.report import Report

Progress = Callable[[int, int], None]


def findings(paths: Sequence[str | os.PathLike[str]], progress: Progress | None = None) -> Report:
    """Find what holds a program back.

    Parameters
    ----------
    paths : sequence of path
        The traces of its processes.
    progress : callable, optional
        Called as ``progress(done, total)``, in slots of the files.
    """
    return Report(processes=len(paths), not_said=["Findings are not read from traces yet."])

"""A progress bar for commands that take long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

REFRESH = 0.2  # seconds


@contextmanager
def progress(task_name: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far something is, on standard error and only if that is a terminal.

    Gives what to call with how much is done, and of how much. It is drawn from those calls, not by a thread of its own,
    which would disturb what is measured between them.
    """
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield lambda done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(task_name, total=None)
        drawn = time.monotonic()

        def step(done: int, total: int) -> None:
            nonlocal drawn
            bar.update(task, completed=done, total=total)
            if time.monotonic() - drawn >= REFRESH:
                bar.refresh()
                drawn = time.monotonic()

        yield step

"""``launchpath run --fast``: this process becomes Python with the program, as if that had been started."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from launchpath._fast import environment


def command(words: Sequence[str]) -> list[str]:
    """Make Python's command line of the words behind ``--fast``: a file or ``-m module``, and the program's arguments.

    Raises
    ------
    ValueError
        They name no Python program.
    """
    words = list(words[1:]) if words[:1] == ["--"] else list(words)
    if words[:1] == ["-m"] and len(words) > 1:
        return [sys.executable, *words]
    if not words or words[0].startswith("-"):
        raise ValueError(f"--fast: expected a Python program or -m MODULE, got {' '.join(words) or 'nothing'}")
    if words[0].endswith((".cu", ".hip", ".cpp")):
        raise ValueError(
            f"--fast: expected a Python program, got {words[0]}: omit --fast, its launches are launchpath's"
        )
    return [sys.executable, *words]


def execute(words: Sequence[str]) -> None:
    """Become the program. Its arguments, `__main__`, exit code and signals are Python's own matter then.

    Raises
    ------
    ValueError
        The words name no Python program.
    """
    line = command(words)
    environment.hand_down()
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, line)

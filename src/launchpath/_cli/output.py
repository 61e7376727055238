"""Output of commands: tables and JSON."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from rich.table import Table

from launchpath._cli.failure import Failure
from launchpath._report.console import console, show

_NUMBERS = re.compile(r"(?<=\[)[\s\d.,e+-]+(?=\])")  # a list of nothing else goes on one line


class Output:
    """Where a command's results go: tables to standard output unless JSON goes there.

    Parameters
    ----------
    json_file : str or None
        As ``--json`` gives it.
    """

    def __init__(self, json_file: str | None) -> None:
        self.json_file = json_file
        self.console = console(stderr=json_file == "-")

    def print(self, what: str | Table) -> None:
        """Print text or a table."""
        if isinstance(what, Table):
            show(self.console, what)
        else:
            self.console.print(what)

    def json(self, data: Any) -> None:
        """Write the results, if that was asked for."""
        if self.json_file is None:
            return
        text = _NUMBERS.sub(lambda match: re.sub(r"\s+", " ", match[0]), json.dumps(data, indent=2)) + "\n"
        if self.json_file == "-":
            sys.stdout.write(text)
            return
        try:
            with open(self.json_file, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise Failure(f"cannot write {self.json_file}: {error.strerror}") from None

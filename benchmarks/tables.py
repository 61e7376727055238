"""Tables in Markdown, and the folder of the results that they are made from."""

from __future__ import annotations

from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def table(head: list[str], lines: list[list[str]]) -> str:
    """Write a table whose columns are numbers, except the first."""
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ruler, *lines])

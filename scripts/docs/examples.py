"""The examples of the reference: parts of the programs in examples/reference, each headed by the names that it shows.

    # %% launchpath.Stream.record, launchpath.Stream.wait

A part may use what those above it have. A name with a slash is a page, for HIP's functions.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "examples" / "reference"
HEAD = re.compile(r"(?m)^# %% (.+)\n")


@cache
def parts() -> dict[str, str]:
    """Return the code of each name."""
    result: dict[str, str] = {}
    for file in sorted(FOLDER.glob("*.py")):
        _, *pieces = HEAD.split(file.read_text(encoding="utf-8"))
        for names, code in zip(pieces[::2], pieces[1::2], strict=True):
            for name in names.split(", "):
                if name in result:
                    raise ValueError(f"expected one example of {name}, got another in {file.name}")
                result[name] = code.strip("\n")
    return result


def beginning(page: str) -> str:
    """Return what the examples of a page use: the beginning of its program, without its docstring; "" without one."""
    file = FOLDER / f"{page}.py"
    if not file.exists():
        return ""
    return HEAD.split(file.read_text(encoding="utf-8"))[0].split('"""\n', 1)[1].strip("\n")


def block(code: str) -> list[str]:
    """Return lines of reStructuredText that show code."""
    return ["", ".. code-block:: python", "", *(f"   {line}".rstrip() for line in code.splitlines()), ""]

"""Sites: source lines of calls, as "path:line function"."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

_SITE = re.compile(r"(?P<path>.*):(?P<line>\d+)(?: (?P<function>\S+))?", re.DOTALL)


class Site(NamedTuple):
    """A source line. The path may have spaces, a function has none."""

    path: str
    line: int
    function: str


def split_site(site: str) -> Site | None:
    """Split what a trace names a source line; None: it has no line."""
    match = _SITE.fullmatch(site)
    return Site(match["path"], int(match["line"]), match["function"] or "") if match else None


def short_site(site: str) -> str:
    """Leave out the folder and the function: "simulate.py:41". What has no line stays as it is."""
    parts = split_site(site)
    return f"{os.path.basename(parts.path)}:{parts.line}" if parts else site

"""Padding in the initial values of variables, which LLVM's text has as undefined."""

from __future__ import annotations

import re

_UNDEFINED = re.compile(r"(?<=[ ,{\[])undef(?=[ ,}\]])")


def zeroed(text: str) -> str:
    """Rewrite a module with zeros there."""
    return "\n".join(
        [_UNDEFINED.sub("zeroinitializer", line) if line.startswith("@") else line for line in text.split("\n")]
    )

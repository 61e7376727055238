"""Dynamic shared memory: an array whose size the launch gives."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORDS = (b"__shared__", b"HIP_DYNAMIC_SHARED")
_VARIABLE = (
    rb"(?:\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b)[^;{}]*?([A-Za-z_]\w*)\s*\[\s*\]"
    rb"|\bHIP_DYNAMIC_SHARED\s*\([^;{}]*?([A-Za-z_]\w*)\s*\)"
)
_DYNAMIC = rb"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b|\bHIP_DYNAMIC_SHARED\b"


def has_dynamic_shared(files: Mapping[str, bytes]) -> bool:
    """Whether files without host code have an array of dynamic shared memory: a kernel may reach it then."""
    return any(
        any(word in text for word in _WORDS) and re.search(_DYNAMIC, text) is not None for text in files.values()
    )


def used(text: bytes) -> str | None:
    """Find the first array of dynamic shared memory that a text without comments declares and names again."""
    for match in re.finditer(_VARIABLE, text):
        name = match[1] or match[2]
        if len(re.findall(rb"\b%s\b" % name, text)) > 1:
            return name.decode()
    return None

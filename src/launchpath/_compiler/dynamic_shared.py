"""Dynamic shared memory: an array whose size the launch gives."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORDS = (b"__shared__", b"HIP_DYNAMIC_SHARED")
_DYNAMIC = rb"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b|\bHIP_DYNAMIC_SHARED\b"


def has_dynamic_shared(files: Mapping[str, bytes]) -> bool:
    """Whether files without host code have an array of dynamic shared memory: a kernel may reach it then."""
    return any(
        any(word in text for word in _WORDS) and re.search(_DYNAMIC, text) is not None for text in files.values()
    )

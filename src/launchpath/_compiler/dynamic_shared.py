"""Dynamic shared memory: an array whose size the launch gives."""

from __future__ import annotations

import re
from collections.abc import Mapping

_DYNAMIC = re.compile(rb"\bextern\b[^;{}]*\b__shared__\b|\b__shared__\b[^;{}]*\bextern\b|\bHIP_DYNAMIC_SHARED\b")


def has_dynamic_shared(files: Mapping[str, bytes]) -> bool:
    """Whether files without host code have an array of dynamic shared memory: a kernel may reach it then."""
    return any(_DYNAMIC.search(text) for text in files.values())

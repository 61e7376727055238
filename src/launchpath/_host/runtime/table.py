"""The table of functions that compiled programs call, which the build makes of their headers: scripts/host_calls.py."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def read() -> dict[str, Any]:
    """Read the table: ``functions``, and ``numbers`` of CUDA's that are not HIP's."""
    content: dict[str, Any] = json.loads(Path(__file__).with_name("calls.json").read_text(encoding="utf-8"))
    return content

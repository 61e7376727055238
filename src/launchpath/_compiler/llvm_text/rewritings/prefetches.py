"""Prefetches in LLVM's text: SPIR-V has no such instruction, and no result depends on one."""

from __future__ import annotations

import re

_CALL = re.compile(r"^ *(?:tail )?call void @llvm\.prefetch\..*\n", re.MULTILINE)


def without_prefetches(text: str) -> str:
    """Rewrite a module without them."""
    return _CALL.sub("", text)

"""The most registers of a thread, in PTX: the driver assembles it, and does not know the compiler's options."""

from __future__ import annotations

import re

# A kernel's head ends where its body begins; declarations of other kernels, which end by a semicolon, have none.
_ENTRY = re.compile(rb"(\.entry\s+[\w$]+\s*(?:\([^)]*\))?(?:\s*\.[a-z]+[^{};]*)?)\s*(?=\{)")
_DIRECTIVE = re.compile(rb"\s*\.maxnreg\s+\d+")


def limited(ptx: bytes, registers: int) -> bytes:
    """Give PTX whose kernels take at most so many registers; a kernel's own limit, if it is lower, stays."""

    def limit(match: re.Match[bytes]) -> bytes:
        head = match[1]
        bound = re.search(rb"\.maxnreg\s+(\d+)", head)
        if bound is not None and int(bound[1]) <= registers:
            return head
        return _DIRECTIVE.sub(b"", head).rstrip() + b"\n.maxnreg %d\n" % registers

    return _ENTRY.sub(limit, ptx)

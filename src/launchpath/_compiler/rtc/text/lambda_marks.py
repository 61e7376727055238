"""Marks of lambdas within device code, which nvcc takes with an option of its own, and NVRTC does not take at all."""

from __future__ import annotations

import re

_MARKED = re.compile(rb"(?<=\])(?:\s*\b(?:__host__|__device__)\b)+(?=\s*[({])")
_WORD = re.compile(rb"__\w+__")


def unmarked(text: bytes) -> bytes:
    """Blank the marks of lambdas: a lambda in device code is device code without them. Every column stays."""
    return _MARKED.sub(lambda match: _WORD.sub(lambda word: b" " * len(word[0]), match[0]), text)

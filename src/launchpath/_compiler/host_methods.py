"""The methods of classes that only the host may call: kernels take such classes as bytes, without those."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import clang
from .active import Active
from .declaration import CLASSES, DEVICE_MARKS, DEVICE_WORDS, FUNCTIONS
from .extent import Extents

Cut = tuple[int, int, bytes]


def host_methods(cursor: Any, active: Active, extents: Extents) -> Iterator[Cut]:
    """Yield what to cut out of a class, and what stands there instead."""
    for child in cursor.get_children():
        if child._kind_id in CLASSES:
            yield from host_methods(child, active, extents)
        elif child._kind_id in FUNCTIONS and not _is_for_device(child):
            cut = _cut(child, active, extents)
            if cut is not None:
                yield cut


def _is_for_device(method: Any) -> bool:
    marks = {mark._kind_id for mark in method.get_children() if mark._kind_id >= clang.ATTRIBUTES}
    return not marks.isdisjoint(DEVICE_MARKS | {clang.GLOBAL_ATTRIBUTE})


def _cut(method: Any, active: Active, extents: Extents) -> Cut | None:
    """What to cut of one method: its body, or all of it if it copies or destroys."""
    start, end = clang.place(method.extent.start).offset, clang.place(method.extent.end).offset
    named = active.index(clang.place(method.location).offset)
    if extents.is_made_by_macro(named, method.spelling.partition("<")[0]):
        return None
    first = active.index(start)
    last = extents.last_of_function(max(first, active.index(end) - 1))
    tokens = active.tokens[first : last + 1]
    words = {token.text for token in tokens}
    if not tokens or words & DEVICE_WORDS or active.is_at(last - 1, b"default", b"delete"):
        return None
    replacement = b";"
    if method._kind_id == clang.DESTRUCTOR or (method._kind_id == clang.CONSTRUCTOR and clang.is_copy(method)):
        # What the host does when it copies one is not for kernels.
        if b"virtual" not in words:
            return tokens[0].start, tokens[-1].end, replacement
        replacement = b"=default;"
    body = active.body(last, named) if active.is_at(last, b"}") else None
    return (*body, replacement) if body is not None and body[1] - body[0] >= len(replacement) else None

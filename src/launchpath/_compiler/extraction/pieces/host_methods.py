"""The methods and friends of classes that only the host may call: kernels take such classes as bytes, without those."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ...source.active import Active
from .. import clang
from .declaration import CLASSES, DEVICE_MARKS, DEVICE_WORDS, FUNCTIONS
from .extent import Extents

Cut = tuple[int, int, bytes]


def host_marks(files: Iterable[Active]) -> frozenset[bytes]:
    """The words that mark functions of the host: ``__host__``, and macros that stand for it alone."""
    macros = {name.encode() for file in files for name, within in file.macros.items() if within == {"__host__"}}
    return frozenset(macros | {b"__host__"})


def host_methods(cursor: Any, active: Active, extents: Extents, marks: Collection[bytes]) -> Iterator[Cut]:
    """Yield the cuts in a class, with the text in their place. `marks` are those of `host_marks`."""
    for child in cursor.get_children():
        if child._kind_id in CLASSES:
            yield from host_methods(child, active, extents, marks)
        elif child._kind_id in FUNCTIONS and not _is_for_device(child):
            yield from _cuts(child, active, extents, marks)
        elif child._kind_id == clang.FRIEND:
            yield from _cut_friends(child, active, extents)


def _cut_friends(friend: Any, active: Active, extents: Extents) -> Iterator[Cut]:
    """Yield the cut of a friend that has types of the C++ library, as operators for streams do.

    Without the library's headers it is an error in the class, and Clang would lay the class out as if it were empty.
    """
    for function in friend.get_children():
        if function._kind_id not in FUNCTIONS or _is_for_device(function):
            continue
        named = active.index(clang.place(function.location).offset)
        if extents.is_made_by_macro(named, function.spelling.partition("<")[0]):
            return
        first = active.index(clang.extent(function)[0].offset)
        while first > 0 and not active.is_at(first - 1, b";", b"{", b"}", b":"):
            first -= 1
        last = extents.last_of_function(max(first, active.index(clang.extent(function)[1].offset) - 1))
        body = active.body(last, named) if active.is_at(last, b"}") else None
        words = {token.text for token in active.tokens[first : last + 1] if body is None or token.start < body[0]}
        if b"std" in words and not words & DEVICE_WORDS:
            yield active.tokens[first].start, active.tokens[last].end, b";"


def _is_for_device(method: Any) -> bool:
    marks = {mark._kind_id for mark in method.get_children() if mark._kind_id >= clang.ATTRIBUTES}
    return not marks.isdisjoint(DEVICE_MARKS | {clang.GLOBAL_ATTRIBUTE})


def _constructor(method: Any, text: bytes) -> bytes:
    """A constructor that nothing calls, for the text of one: a class without any is laid out otherwise as a base.

    A base's padding is used again unless it is a "POD for the purpose of layout" (Itanium C++ ABI).
    """
    name = method.semantic_parent.spelling.partition("<")[0].encode()
    room = len(text.partition(b"\n")[0])
    forms = (b"explicit %s(void (%s::*)(%s *));" % (name, name, name), b"%s(void(*)());" % name, b"%s(void*);" % name)
    return next((form for form in forms if len(form) <= room), b";")


def _cuts(method: Any, active: Active, extents: Extents, marks: Collection[bytes]) -> Iterator[Cut]:
    """Yield the cuts in a method: its body, or all of it if its parameters are of the C++ library.

    The marks of the host are cut too: NVRTC refuses declarations that have ``__host__``.
    """
    start, end = (place.offset for place in clang.extent(method))
    named = active.index(clang.place(method.location).offset)
    if extents.is_made_by_macro(named, method.spelling.partition("<")[0]):
        return
    first = active.index(start)
    while start == end and first > 0 and not active.is_at(first - 1, b";", b"{", b"}", b":"):
        first -= 1  # `f(auto x)`, of which the parser knows the name's place
    last = extents.last_of_function(max(first, active.index(end) - 1))
    while active.is_at(first - 1, b"]"):  # [[nodiscard]], which alone would be an error
        first = active.closing(first - 1)
    tokens = active.tokens[first : last + 1]
    body = active.body(last, named) if active.is_at(last, b"}") else None
    declared = {token.text for token in tokens if body is None or token.start < body[0]}
    if not tokens or declared & DEVICE_WORDS or active.is_at(last - 1, b"default", b"delete"):
        return
    # What the host does at the end of an object is not for kernels, but its class has a table of functions.
    replacement = b"=default;" if method._kind_id == clang.DESTRUCTOR and b"virtual" in declared else b";"
    if method._kind_id in (clang.METHOD, clang.CONSTRUCTOR) and b"std" in declared and b"virtual" not in declared:
        # Types of the C++ library that NVRTC lacks, and that Clang would read large headers for.
        start, end = tokens[0].start, tokens[-1].end
        is_method = method._kind_id == clang.METHOD
        yield start, end, b";" if is_method else _constructor(method, active.original[start:end])
        return
    if body is not None and body[1] - body[0] >= len(replacement):
        yield *body, replacement
    elif body is not None:
        return
    for token in tokens:
        if token.text in marks and (body is None or token.start < body[0]):
            yield token.start, token.end, b""

"""Explicit instantiations of host function templates: Clang would make device code of them.

A function template without a mark is for both sides here, and an explicit instantiation is a definition, which is made
for the device though no kernel needs it. Such templates get the host's mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...source.active import Active
from ...source.text import Token
from .bodies import behind_parameters, device_words, name

_HOST = b"__attribute__((host)) "
_TYPES = frozenset({b"class", b"struct", b"union", b"enum", b"using", b"concept"})
_MARKED = frozenset({b"__host__", b"host"})
_ENDS = frozenset({b";", b"{", b"}"})


def marked(texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Give the texts that change where templates get the host's mark, by path."""
    files = {path: Active(text) for path, text in texts.items() if b"template" in text}
    device = device_words(file.macros for file in files.values()) | _MARKED
    instantiated, of_device = set[bytes](), set[bytes]()
    for file in files.values():
        for head in _heads(file.tokens):
            is_device = any(token.text in device for token in head)
            if _is_template(head):
                of_device |= {name(head)} if is_device else set()
            elif not is_device and not any(token.text in _TYPES for token in head):
                instantiated.add(_instantiated(head))
    changed = {}
    for path, file in files.items():
        text, places = texts[path], [*_places(file.tokens, instantiated - of_device)]
        for place in reversed(places):
            text = text[:place] + _HOST + text[place:]
        if places:
            changed[path] = text
    return changed


def _heads(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield what begins with `template`, up to its body or end."""
    before, head = b";", list[Token]()
    for token in tokens:
        if head and token.text in _ENDS:
            yield head
            head = []
        elif head or (token.text == b"template" and before in _ENDS):
            head.append(token)
        before = token.text


def _places(tokens: Iterable[Token], names: set[bytes]) -> Iterator[int]:
    """Yield the places of marks: behind the parameters of the templates of some names."""
    for head in _heads(tokens):
        if _is_template(head) and name(head) in names:
            place = behind_parameters(head)
            if place < len(head) and not any(token.text in _TYPES for token in head[place:]):
                yield head[place].start


def _is_template(head: list[Token]) -> bool:
    return [token.text for token in head[1:2]] == [b"<"]


def _instantiated(head: list[Token]) -> bytes:
    """Give the name of the function that is instantiated; empty if it is not known."""
    depth, last = 0, b""
    for token in head:
        if token.text == b"(" and depth == 0:
            return last
        if token.text == b"<":
            depth += 1
        elif token.text in (b">", b">>"):
            depth -= len(token.text)
        elif depth == 0 and token.kind == "name":
            last = token.text
    return b""

"""Every change to the source's own text; none of them moves a line."""

from __future__ import annotations

import re

from . import shared
from .facts import Constant, Unit
from .text import Edit, Token, tokens
from .types import opencl_integers

_LONG_LITERAL = re.compile(rb"(?i)^(0x[0-9a-f']+|0b[01']+|[0-9']+)(u?)ll(u?)$")


def all_edits(unit: Unit, dialect: str) -> list[Edit]:
    """Make the list of changes for a dialect."""
    edits = shared.edits(unit, dialect) + _literals(unit) + _linkages(unit)
    edits += [Edit(start, end, b"") for start, end in unit.host]
    if dialect != "clc++":
        edits += _constants(unit, dialect) + _casts(unit)
        edits += [Edit(at, at, f"typedef {kind} {tag} {tag}; ".encode()) for at, kind, tag in unit.local_tags]
    return edits


def _literals(unit: Unit) -> list[Edit]:
    """``long long`` and its literals: OpenCL reserves the name for 128 bits, and its ``long`` has 64."""
    edits = []
    last: Token | None = None
    for token in tokens(unit.source):
        if token.text == b"long" and last is not None and last.text == b"long":
            edits.append(Edit(token.start, token.end, b""))
        elif token.kind == "number" and (match := _LONG_LITERAL.match(token.text)):
            edits.append(Edit(token.start, token.end, match[1] + match[2] + b"L" + match[3]))
        last = token
    return edits


def _linkages(unit: Unit) -> list[Edit]:
    """``extern "C"`` would give helpers the bare names of the device's own library, and C has none."""
    edits = []
    last: Token | None = None
    for token in tokens(unit.source):
        if last is not None and last.text == b"extern" and token.kind == "string":
            edits.append(Edit(last.start, token.end, b""))
        last = token
    for start, end in unit.linkages:
        found = [token for _, token in zip(range(3), tokens(unit.source[start:end]), strict=False)]
        if len(found) == 3 and found[0].text == b"extern" and found[2].text == b"{":
            edits.append(Edit(start + found[2].start, start + found[2].end, b""))
            edits.append(Edit(end - 1, end, b""))
    return edits


def _casts(unit: Unit) -> list[Edit]:
    """``float(x)`` and ``static_cast<float>(x)`` as C's casts."""
    edits = []
    for start, named in unit.casts:
        found = tokens(unit.source[start:])
        if not named:
            end = unit.source.index(b"(", start)
            edits += [Edit(start, start, b"("), Edit(end, end, b")")]
            continue
        depth = 0
        first = next(found)
        for token in found:
            depth += {b"<": 1, b">": -1}.get(token.text, 0)
            if token.text == b"<" and depth == 1:
                edits.append(Edit(start + first.start, start + token.end, b"("))
            elif depth == 0:
                edits.append(Edit(start + token.start, start + token.end, b")"))
                break
    return edits


def _constants(unit: Unit, dialect: str) -> list[Edit]:
    """OpenCL C before 2.0 keeps variables at file scope in constant memory, and has no static ones in functions."""
    edits: list[Edit] = []
    for constant in unit.constants:
        if not constant.constant and dialect == "clc":
            kind = "static variable in a function" if constant.local else "variable at file scope"
            message = f"'{constant.name}': a {kind} has to be constant on this device (OpenCL C only)"
            raise unit.error(constant.at, message)
        words = {token.text: token for token in tokens(unit.source[constant.start : constant.at])}
        for word in (b"static", b"__device__", b"extern"):
            if word in words and (dialect == "clc" or word == b"__device__"):
                start = constant.start
                edits.append(Edit(start + words[word].start, start + words[word].end, b""))
        if constant.local or dialect != "clc":
            continue
        if b"__constant__" not in words:
            edits.append(Edit(constant.start, constant.start, b"__constant "))
        edits += _constant_uses(unit, constant)
    # Several variables of one declaration ask for the same.
    return list(dict.fromkeys(edits))


def _constant_uses(unit: Unit, constant: Constant) -> list[Edit]:
    """Through a plain pointer goes every use but the plain read of a number: its address may be taken."""
    edits = []
    of = opencl_integers(constant.ctype)
    dimensions = of.count("[")
    pointer = of.replace("[", " (*)[", 1) if dimensions else f"{of} *"
    for use in constant.uses:
        if use.at is None:
            continue
        end = use.at + len(constant.name.encode())
        before = unit.source[: use.at].rstrip()
        taken = before.endswith(b"&") and not before.endswith(b"&&")
        subscripts, after = _subscripts(unit.source, end)
        if taken or constant.record or subscripts < dimensions or after == b".":
            edits.append(Edit(use.at, end, f"(*({pointer})(uintptr_t)&{constant.name})".encode()))
    return edits


def _subscripts(source: bytes, at: int) -> tuple[int, bytes]:
    """How many subscripts follow, and the token after them."""
    depth = count = 0
    for token in tokens(source[at : at + 4096]):
        if token.text == b"[":
            count += depth == 0
            depth += 1
        elif token.text == b"]":
            depth -= 1
        elif depth == 0:
            return count, token.text
    return count, b""

"""Kernels that become device functions, because entry points of our own call them with arguments from a block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from ..active import Active
from ..instance import Instance
from ..piece import NEVER, Piece
from ..signature import Signature
from ..unit import Unit

_MARK, _CALLED = b"__global__", b"__lp_here_"
# What only kernels, or their parameters, may have.
_WORDS = (b"__launch_bounds__", b"__grid_constant__", b"__cluster_dims__", b"__block_size__", b"__maxnreg__")
_WITHOUT_ARGUMENTS = b"__grid_constant__"

_WORD = re.compile(rb"[A-Za-z_]\w*")
_NO_VALUE = frozenset({b"*", b"&", b"(", b"[", b"=", b"."})
# Before an equals sign they write, doubled or not; operators' characters are tokens of their own.
_COMPOUND = frozenset({b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"^"})
_TAKES = frozenset({b"&", b")", b"sizeof", b"decltype"})
# What may write without saying so, or give the name to something else.
_HIDES = frozenset({b"const_cast", b"reinterpret_cast", b"asm", b"__asm__", b"__asm", b"volatile"})

# The same for all kernels of a program, where a macro of its own makes the marks.
REDEFINED = (
    f"#undef {_MARK.decode()}",
    f"#define {_MARK.decode()} {_CALLED.decode()}",
    *(
        line
        for word in map(bytes.decode, _WORDS)
        for line in (
            f"#undef {word}", f"#define {word}{'' if word.encode() == _WITHOUT_ARGUMENTS else '(...)'}"
        )
    ),
)  # fmt: skip


def wanted(instances: Iterable[Instance], signatures: Iterable[Signature]) -> set[str]:
    """The kernels, by their names without namespaces, that a launch cannot bring the arguments of."""
    return {
        plain(instance)
        for instance, signature in zip(instances, signatures, strict=True)
        if signature.block
    }  # fmt: skip


def called(instances: Iterable[Instance], names: set[str] | None) -> set[str]:
    """The entry points that have to be written, if the kernels of these names, or all, are device functions."""
    return {instance.entry for instance in instances if names is None or plain(instance) in names}


def others(unit: Unit, instances: Iterable[Instance]) -> set[str]:
    """The kernels of the unit that nobody asks for, and none of the same name, by their names without namespaces."""
    return {one.name.rpartition("::")[2] for one in unit.kernels.values()} - {plain(one) for one in instances}


def plain(instance: Instance) -> str:
    """A kernel's name without namespaces and arguments."""
    return instance.declaration.name.rpartition("::")[2]


def in_place(instances: Iterable[Instance], signatures: Iterable[Signature]) -> dict[str, set[int]]:
    """Which parameters may be read where they are, if nobody writes to them, by the kernels' names without namespaces.

    These compilers copy a parameter that comes from memory for each thread, even if it is only read. One that is const,
    or that all of the kernel's text only reads members of, can as well be a const reference: what the text does not
    show, a function that writes to one, the compiler then refuses. Pointers are left as they are: a reference of the
    user's own is one.
    """
    found: dict[str, set[int]] = {}
    overloaded = set()
    for instance, signature in zip(instances, signatures, strict=True):
        name = plain(instance)
        values = {i for i, parameter in enumerate(signature.parameters) if parameter.kind != "pointer"}
        found[name] = found.get(name, values) & values
        if instance.declaration.types is not None:  # it is chosen by its type
            overloaded.add(name)
    return {name: values for name, values in found.items() if name not in overloaded}


def unmark(
    unit: Unit, texts: Mapping[str, bytes], names: set[str], references: Mapping[str, set[int]]
) -> tuple[dict[str, bytes], bool]:
    """Make device functions of kernels, every line and column where it was.

    Parameters
    ----------
    unit : Unit
    texts : mapping of str to bytes
        The user's files, see `Unit.reduced`.
    names : set of str
        Kernels by their names without namespaces; all of such a name.
    references : mapping of str to set of int
        Their parameters that become references where they are const, see `in_place`.

    Returns
    -------
    dict of str to bytes
    bool
        Whether the mark of each of them was there to be changed, and not a macro's.
    """
    made, found = {}, set()
    read = {name: _read(unit, name, wanted) for name, wanted in references.items() if name in names}
    for path, text in texts.items():
        changed = bytearray(text)
        edits: list[tuple[int, bytes]] = []
        active = unit.files[path].active
        for piece in unit.files[path].pieces:
            if names.isdisjoint(piece.names):
                continue
            tokens = active.tokens[active.index(piece.start) : active.index(piece.end)]
            for token in tokens:
                if text[token.start : token.end] != token.text:
                    continue  # it is left out
                if token.text == _MARK:
                    changed[token.start : token.end] = _CALLED
                    found.add((path, piece.start))
                elif token.text in _WORDS:
                    end = token.end
                    at = active.index(token.start)
                    if token.text != _WITHOUT_ARGUMENTS and active.is_at(at + 1, b"("):
                        end = active.tokens[active.closing(at + 1)].end
                    changed[token.start : end] = bytes(
                        byte if byte in b"\r\n" else ord(" ") for byte in changed[token.start : end]
                    )
            for name in piece.names & read.keys():
                for number, at, const in _parameters(active, piece, name):
                    if number in read[name]:
                        edits.append((at, b"&" if const else b" const&"))
        for at, new in sorted(edits, reverse=True):  # columns behind it move; by value they do not
            changed[at : at + 1] = new
        made[path] = bytes(changed)
    kernels = [one for one in unit.kernels.values() if one.name.rpartition("::")[2] in names]
    whole = all(
        any(path == one.path and _holds(unit, path, start, one.line) for path, start in found) for one in kernels
    )
    return made, whole


def _holds(unit: Unit, path: str, start: int, line: int) -> bool:
    piece = unit.piece_at(path, line)
    return piece is not None and piece.start == start


def _read(unit: Unit, name: str, wanted: set[int]) -> set[int]:
    """Which of a kernel's parameters all of its definitions only read; a declaration alone says nothing."""
    left = set(wanted)
    for file in unit.files.values():
        for piece in file.pieces:
            if piece.keep != NEVER and name in piece.names and file.active.text[piece.end - 1 : piece.end] == b"}":
                left &= {
                    number
                    for number, at, const in _parameters(file.active, piece, name)
                    if const or _only_read(*_body(file.active, piece, at), file.active)
                }
    return left


def _opening(active: Active, piece: Piece, name: str) -> int | None:
    """Index of the parenthesis before a kernel's parameters."""
    for at in range(active.index(piece.start), active.index(piece.end) - 1):
        if active.is_at(at, name.encode()) and active.is_at(at + 1, b"("):
            return at + 1
    return None


def _body(active: Active, piece: Piece, gap: int) -> tuple[list[bytes], bytes]:
    """What follows a parameter's name, to the function's end, and the name."""
    at = active.index(gap + 1)
    return [token.text for token in active.tokens[at + 1 : active.index(piece.end)]], active.tokens[at].text


def _parameters(active: Active, piece: Piece, name: str) -> Iterator[tuple[int, int, bool]]:
    """A kernel's plain parameters: number, where the space before the name is, and whether they are const."""
    opened = _opening(active, piece, name)
    if opened is None:
        return
    tokens = active.tokens[opened + 1 : active.closing(opened)]
    number, depth, mine = 0, 0, 0
    for i in range(len(tokens) + 1):
        text = tokens[i].text if i < len(tokens) else b","
        depth += (text == b"<") - (text == b">")
        if text != b"," or (depth and i < len(tokens)):
            continue
        words = [token.text for token in tokens[mine:i]]
        if len(words) > 1 and not _NO_VALUE & set(words) and _WORD.fullmatch(words[-1]):
            gap = tokens[i - 1].start - 1
            if active.text[gap : gap + 1] == b" ":
                yield number, gap, b"const" in words[:-1]
        number, mine = number + 1, i + 1


def _only_read(body: list[bytes], name: bytes, active: Active) -> bool:
    """Whether a function's text shows that it reads members of a parameter, and does nothing else with it."""
    if not body or _HIDES & set(body) or any(word.decode(errors="replace") in active.macros for word in body):
        return False
    if any(one == b"*" and other == b")" for one, other in pairwise(body)):
        return False  # a cast to a pointer, which may be one to what is const
    for at, word in enumerate(body):
        before = body[max(0, at - 2) : at]
        if word != name or before[-1:] in ([b"."], [b":"]) or before == [b"-", b">"]:
            continue
        taken = before != [b"&", b"&"] and _TAKES & set(before[-1:])
        if taken or before in ([b"+", b"+"], [b"-", b"-"]) or body[at + 1 : at + 2] != [b"."]:
            return False
        end = at + 1
        while body[end : end + 1] in ([b"."], [b"["]):
            end = end + 2 if body[end] == b"." else _closed(body, end)
        first, second, third = [*body[end : end + 3], b"", b"", b""][:3]
        written = first == b"=" and second != b"="
        written |= first in _COMPOUND and (second == b"=" or (second == first and first in (b"+", b"-")))
        written |= first in (b"<", b">") and second == first and third == b"="
        if written or first == b"(" or (first, second) == (b"-", b">"):
            return False
    return True


def _closed(body: list[bytes], at: int) -> int:
    """Just behind what closes a bracket."""
    depth = 0
    for end in range(at, len(body)):
        depth += (body[end] == b"[") - (body[end] == b"]")
        if not depth:
            return end + 1
    return len(body)

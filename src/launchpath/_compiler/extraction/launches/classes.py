"""Kernels of class templates that host code launches, by Clang's notes about the instances of their bodies.

Clang's dump of its tree and its warnings about a kernel's use do not name the arguments of the class. So the body of
each such kernel is replaced by a call that Clang is told to warn of: it does in each instance, with a note that has the
instance's whole name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...kernels.instance import without_arguments
from ...messages.log import Message
from ...source.active import blank
from ..unit import ParsedUnit
from .warnings import normal_arguments

_FUNCTION = "__lp_launched_"
DECLARED = (
    f"template <unsigned long> __attribute__((host, device)) inline void {_FUNCTION}() "
    f'__attribute__((diagnose_if(true, "{_FUNCTION}", "warning"))) {{}}\n#line 1\n'
).encode()
MODE = ("-fsyntax-only", "-Wno-everything", "-Wuser-defined-warnings")
# The function's own name depends on the arguments of all templates around it, so Clang looks at it in each instance.
_CALL = f"{_FUNCTION}<sizeof(__PRETTY_FUNCTION__)>();".encode()
_NOTE = re.compile(r"in instantiation of (?:member function|function template specialization) '(.*)' requested here")


def marked(files: Mapping[str, bytes], bodies: Mapping[str, tuple[str, int, int]]) -> dict[str, bytes]:
    """Put the call in place of bodies.

    Parameters
    ----------
    files : mapping of str to bytes
    bodies : mapping of str to (str, int, int)
        By the kernels' names: the file, and what stands between the braces.
    """
    texts = {path: bytearray(text) for path, text in files.items()}
    for path, start, end in sorted(bodies.values(), reverse=True):
        blank(texts[path], start, end)
        texts[path][start:start] = _CALL
    return {path: bytes(text) for path, text in texts.items()}


def instances(messages: Iterable[Message], unit: ParsedUnit) -> list[str]:
    """Give the instances that Clang has warned of, in the order of their first uses."""
    names: dict[str, None] = {}
    is_next = False
    for message in messages:
        if message.level != "note":
            is_next = message.text.startswith(_FUNCTION)
        elif is_next and (match := _NOTE.search(message.text)) is not None:
            is_next = False
            name = match[1].replace("(anonymous namespace)::", "")
            if without_arguments(name) in unit.kernels:
                names[_written(name)] = None
    return list(names)


def _written(name: str) -> str:
    """A name with its arguments as they can be written."""
    text, rest = "", name
    while "<" in rest:
        before, _, rest = rest.partition("<")
        end = len(rest) - len(_behind(rest))
        text += f"{before}<{normal_arguments(rest[: end - 1])}>"
        rest = rest[end:]
    return text + rest


def _behind(text: str) -> str:
    """What follows a list of template arguments that has been opened before the text."""
    depth, inside = 1, 0
    for index, sign in enumerate(text):
        inside += (sign in "([{") - (sign in ")]}")
        if not inside:
            depth += (sign == "<") - (sign == ">")
        if not depth:
            return text[index + 1 :]
    return ""

"""Specializations of kernel templates, read from Clang's warnings about their use.

When host code is searched for launches, kernels are declared as deprecated: Clang warns at each use, and names the
instance. A dump of the syntax tree says more, but for the dump Clang reads all of a precompiled header: with the C++
library in it that is two thirds of the search. So the dump is for programs in which the warnings leave a question open.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from ...messages.log import Message
from ...source.text import separated
from .specialization import Specialization, without_suffix

MODE = ("-fsyntax-only", "-Wno-everything", "-Wdeprecated-declarations")

_WARNING = re.compile(r"'(?P<name>\w+)<(?P<arguments>.*)>' is deprecated\b")
_REQUEST = re.compile(
    r"in instantiation of function template specialization '(?P<name>[^<']+)<(?P<arguments>.*)>' requested here"
)
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
# The dump tells a discarded use from others, and explicit instantiations are no uses.
_OPEN_QUESTION = re.compile(rb"\bif\s+constexpr\b|\btemplate\s*(?!<)\S|\btemplate\s*<[^;{}()]*\bauto\b")
_NOT_PLAIN = re.compile(r"[('\"]")  # lambdas, unnamed types and namespaces, characters


def around(messages: Iterable[Message], name: str, arguments: str, mark: str) -> list[dict[str, list[str]]]:
    """For each launch of a kernel's instance, give the function templates in whose instances it stands.

    Clang's notes behind a warning name them. Each dict has the arguments of the templates, by their names, from the
    launch outwards. Lambdas of two instances of a template are of two types, which warnings describe by the same words.
    """
    launches: list[dict[str, list[str]]] = []
    templates: dict[str, list[str]] = {}  # Clang says them again only where they change
    instance, is_this, is_new = (name.rpartition("::")[2], arguments), False, True
    for message in messages:
        if message.level != "note":
            match = _WARNING.search(message.text)
            named = match and (match["name"].removeprefix(mark), normal_arguments(match["arguments"]))
            is_this = named == instance
            launches += [templates] if is_this else []
            is_new = True
        elif (match := _REQUEST.search(message.text)) is not None:
            if is_new:
                templates, is_new = {}, False
                launches[-1:] = [templates] if is_this else launches[-1:]
            function = match["name"].replace("(anonymous namespace)::", "")
            templates.setdefault(function, []).append(match["arguments"])
    return [each for number, each in enumerate(launches) if each not in launches[:number]]


def normal_arguments(arguments: str) -> str:
    """Template arguments without the suffixes of numbers."""
    return ", ".join(map(without_suffix, separated(arguments)))


def specializations(
    messages: Iterable[Message], templates: Collection[str], files: Mapping[str, bytes], mark: str
) -> list[Specialization] | None:
    """Give the specializations that are used, in the order of their uses; None if the dump has to be asked.

    Parameters
    ----------
    messages : iterable of Message
        Of a run of Clang with `MODE`.
    templates : collection of str
        The kernel templates, with their namespaces.
    files : mapping of str to bytes
        The program's files.
    mark : str
        What the templates' names begin with in `messages`.
    """
    names = {name.rpartition("::")[2]: name for name in templates}
    if len(names) < len(templates) or any(_OPEN_QUESTION.search(text) for text in files.values()):
        return None
    used: dict[tuple[str, str], None] = {}
    for message in messages:
        if message.level.endswith("error"):
            return None
        if message.level != "warning" or (match := _WARNING.search(message.text)) is None:
            continue
        name = names.get(match["name"].removeprefix(mark))
        if name is None:
            continue
        if _NOT_PLAIN.search(match["arguments"]):
            return None
        used[name, normal_arguments(match["arguments"])] = None
    unused = set(names.values()).difference(name for name, _ in used)
    if unused:
        text = b"\n".join(_COMMENT.sub(b" ", text) for text in files.values())
        if any(len(re.findall(rb"\b%s\b" % name.rpartition("::")[2].encode(), text)) > 1 for name in unused):
            return None
    return [Specialization(name, arguments, used=True) for name, arguments in used]

"""Specializations of kernel templates, read from Clang's warnings about their use.

When host code is searched for launches, kernels are declared as deprecated: Clang warns at each use, and names the
instance. A dump of the syntax tree says more, but for the dump Clang reads all of a precompiled header: with the C++
library in it that is two thirds of the search. So the dump is for programs in which the warnings leave a question open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from ...messages.log import Message
from ...source.text import Joined, separated
from .specialization import Specialization, without_suffix

MODE = ("-fsyntax-only", "-Wno-everything", "-Wdeprecated-declarations")

_WARNING = re.compile(r"'(?P<name>\w+)<(?P<arguments>.*)>' is deprecated\b")
_CONTEXT = re.compile(r"(?:in|while|during) ")  # notes about the instantiations that a use is in begin so
_FUNCTION = re.compile(r"in instantiation of function template specialization '(?P<instance>.*)' requested here")
# The dump tells a discarded use from others, explicit instantiations are no uses, and of a parameter `auto` the
# arguments' types count, which warnings do not write.
_OPEN_QUESTION = re.compile(rb"\bif\s+constexpr\b|\btemplate\s*(?!<)\S|\btemplate\s*<[^;{}()]*\bauto\b")
_NOT_PLAIN = re.compile(r"[('\"]")  # lambdas, unnamed types and namespaces, characters


def around(
    messages: Iterable[Message], name: str, arguments: str, mark: str, function: Callable[[Message], object]
) -> list[dict[str, list[str]]]:
    """Give the function templates in whose instances a kernel's instance is used, for each different place of a use.

    A lambda has another type in each instance of a template. Warnings describe all of them by the same words: only the
    notes behind a warning tell the instance.

    Parameters
    ----------
    messages : iterable of Message
        Of a run of Clang with `MODE`.
    name, arguments : str
        The kernel's instance.
    mark : str
        What the templates' names begin with in `messages`.
    function : callable
        Gives what stands for the function that a message is in.

    Returns
    -------
    list of dict
        {template: its arguments, of the innermost instance first}; empty for a use that is in no such instance.
    """
    uses: list[dict[str, list[str]]] = []
    templates: dict[str, list[str]] = {}
    instance, is_this, has_notes, within = (name.rpartition("::")[2], arguments), False, False, None
    for message in messages:
        if message.level != "note":
            # Clang leaves the notes out if they are those of the warning before: that was in the same function then.
            within, before = function(message), within
            if within is not before:
                templates = {}
            match = _WARNING.search(message.text)
            named = match and (match["name"].removeprefix(mark), normal_arguments(match["arguments"]))
            is_this, has_notes = named == instance, False
            if is_this:
                uses.append(templates)
        elif _CONTEXT.match(message.text):
            if not has_notes:
                templates, has_notes = {}, True
                if is_this:
                    uses[-1] = templates
            if (match := _FUNCTION.match(message.text)) is not None:
                template, its_arguments = _parts(match["instance"])
                templates.setdefault(template.replace("(anonymous namespace)::", ""), []).append(its_arguments)
    return [use for number, use in enumerate(uses) if use not in uses[:number]]


def _parts(instance: str) -> tuple[str, str]:
    """Give ``S<int>::run`` and ``float`` of ``S<int>::run<float>``."""
    depth = 0
    for index in range(len(instance) - 1, -1, -1):
        depth += (instance[index] == ">" and instance[index - 1] != "-") - (instance[index] == "<")
        if not depth:
            return instance[:index], instance[index + 1 : -1]
    return instance, ""


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
    if len(names) < len(templates):
        return None
    text = b"\n".join(map(_without_comments, files.values()))
    if _OPEN_QUESTION.search(text):
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
    if any(len(re.findall(rb"\b%s\b" % name.rpartition("::")[2].encode(), text)) > 1 for name in unused):
        return None
    return [Specialization(name, arguments, used=True) for name, arguments in used]


def _without_comments(source: bytes) -> bytes:
    joined = Joined(source)
    text = bytearray(joined.text)
    for kind, start, end in joined.literals():
        if kind == "comment":
            text[start:end] = b" " * (end - start)
    return bytes(text)

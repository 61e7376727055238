"""Which instances of a program's kernel templates its own host code launches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .log import Message
from .run import clang
from .unit import Unit

# Templates are renamed for the time of looking: Clang's filter takes every declaration whose name has this in it.
_MARK = "__lp_template_"
_INCLUDE = re.compile(rb"[ \t]*#[ \t]*include\b")
_UNNAMED = re.compile(r"\((?:lambda|anonymous|unnamed)[^)]*\)|\blambda at\b")


def launched(unit: Unit) -> tuple[list[str], list[Message]]:
    """Find the name expressions of the templates that host code launches or instantiates.

    Clang instantiates what the host code uses, template functions that launch others included, and goes on after
    errors: so much of the host code as it understands is enough.

    Returns
    -------
    list of str
        In the order of their instantiation.
    list of Message
        Warnings about those that cannot be named, such as templates over a lambda.
    """
    templates = [kernel.name for kernel in unit.kernels.values() if kernel.template]
    text = b"".join(file.active.text for file in unit.files.values())
    if not templates or not (unit.launches or re.search(rb"\btemplate\s*(?!<)\S[^;{]*;", text)):
        return [], []
    words = {name.rpartition("::")[2] for name in templates}
    pattern = re.compile(rb"\b(?:" + b"|".join(re.escape(word.encode()) for word in sorted(words)) + rb")\b")
    files = {path: _renamed(unit, path, pattern) for path in unit.files}
    mode = ["-fsyntax-only", "-w", "-ast-dump=json", f"-ast-dump-filter={_MARK}"]
    outcome = clang(unit.source, files, {"__LP_HOST__": None}, mode)
    names: dict[str, None] = {}
    warnings: list[Message] = []
    for template in _templates(outcome.output.decode(errors="replace")):
        word = template.get("name", "").removeprefix(_MARK)
        full = [name for name in templates if name.rpartition("::")[2] == word]
        if len(full) != 1:
            continue
        kernel = unit.kernels[full[0]]
        for arguments in _specializations(template, unit.enums):
            if arguments is None or _UNNAMED.search(arguments):
                said = f"kernel '{full[0]}' is launched with template arguments that have no name; it is left out"
                place = (unit.name_of(kernel.path), kernel.line, kernel.column)
                warnings.append(Message(*place, "warning", said))
            else:
                names[f"{full[0]}<{arguments}>".replace(_MARK, "")] = None
    return list(names), list(dict.fromkeys(warnings))


def _renamed(unit: Unit, path: str, pattern: re.Pattern[bytes]) -> bytes:
    active = unit.files[path].active
    lost = {message.line for message in unit.missing if message.file == unit.name_of(path)}
    lines = active.text.split(b"\n")
    for number, line in enumerate(lines):
        if _INCLUDE.match(line):
            if number + 1 in lost:
                lines[number] = b""
        else:
            lines[number] = pattern.sub(lambda match: _MARK.encode() + match[0], line)
    return b"\n".join(lines)


def _templates(text: str) -> Iterator[dict[str, Any]]:
    """Yield the function templates of a dump, which is a row of JSON objects with headlines between them."""
    decoder = json.JSONDecoder()
    at = 0
    while (at := text.find("{", at)) >= 0:
        try:
            found, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            at += 1
            continue
        if found.get("kind") == "FunctionTemplateDecl" and "previousDecl" not in found:
            yield found


def _specializations(template: dict[str, Any], enums: Mapping[str, str]) -> Iterator[str | None]:
    """Yield the arguments of each specialization; None where one cannot be written down."""
    inner = template.get("inner", [])
    parameters = [one for one in inner if one.get("kind", "").endswith("ParmDecl")]
    for one in inner:
        arguments = [part for part in one.get("inner", []) if part.get("kind") == "TemplateArgument"]
        if one.get("kind") == "FunctionDecl" and arguments and "mangledName" in one:
            written = [
                text
                for index, argument in enumerate(arguments)
                for text in _argument(argument, parameters[min(index, len(parameters) - 1)], enums)
            ]
            yield None if None in written else ", ".join(text for text in written if text is not None)


def _argument(argument: dict[str, Any], parameter: dict[str, Any], enums: Mapping[str, str]) -> Iterator[str | None]:
    if argument.get("isPack"):
        for one in argument.get("inner", []):
            if one.get("kind") == "TemplateArgument":
                yield from _argument(one, parameter, enums)
    elif "type" in argument:
        yield argument["type"]["qualType"].replace("(anonymous namespace)::", "")
    elif "value" in argument:
        of = parameter.get("type", {}).get("qualType", "")
        value = argument["value"]
        enum = enums.get(of.rpartition("::")[2])
        if of == "bool":
            yield "true" if value else "false"
        elif enum is not None:
            yield f"({enum}){value}"
        elif value < 0 and ("unsigned" in of or of.removeprefix("std::").startswith(("uint", "size_t"))):
            yield f"({of}){value}"  # Clang writes it with a sign
        else:
            yield str(value)
    elif "decl" in argument:
        yield f"&{argument['decl'].get('name')}" if argument["decl"].get("name") else None
    else:
        yield None

"""Pointers to functions, for devices that call functions by their names only, in LLVM's text.

Each function whose address is taken gets a number by its name, which is its address from then on. A call by a pointer
becomes a call of a function that chooses among those that the pointer may hold: all of that type. Tables of virtual
functions are data that holds such numbers. So a pointer means the same in all kernels of a module, and nothing on the
host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...cache.fingerprint import fingerprint
from ...source.text import closing, separated

_NAME = r'@(?:[\w.$-]+|"[^"]+")'
_TYPE = re.compile(
    r'(?:void|half|bfloat|float|double|i\d+|ptr(?: addrspace\(\d+\))?|<[^<>]*>|%(?:[\w.$-]+|"[^"]+")|\[.*\]|\{.*\})'
)
_DEFINITION = re.compile(rf"^define (?P<before>.*?)(?P<name>{_NAME})\(")
_CALL = re.compile(r"^(?P<head> *(?:%[\w.$-]+ = )?(?:tail |notail )?call )(?P<type>.*?) (?P<callee>%[\w.$-]+)\(")
# A pointer to a member function that is no virtual one is an address with the lowest bit clear.
_AS_NUMBER = re.compile(rf"ptrtoint \(ptr (?P<name>{_NAME}) to i64\)")
_MEMBER_CALL = re.compile(
    rf"^(?P<head> *(?:%[\w.$-]+ = )?(?:tail |notail )?call )(?P<type>.*?) inttoptr \(i64 {_AS_NUMBER.pattern} "
    r"to ptr(?: addrspace\(\d+\))?\)\("
)
_NAMED = re.compile(r'%(?:[\w.$:-]+|"[^"]+")')
_STRUCT = re.compile(rf"^({_NAMED.pattern}) = type (.*)$")
_SPACE = re.compile(r"\baddrspace\(\d+\)")
_MENTION = re.compile(
    rf"(?P<cast>addrspacecast \(ptr )?(?P<name>{_NAME})(?!\()(?(cast) to ptr addrspace\((?P<space>\d+)\)\))"
)
# Symbols that stand in tables for virtual functions without a body.
_NO_FUNCTION = ("@__cxa_pure_virtual", "@__cxa_deleted_virtual")
_TABLE = re.compile(r"^(@_ZTV\S* = )(?:linkonce_odr|weak_odr|dso_local|hidden| )*")
_OUT_OF_DATE = re.compile(r", comdat(?:\(\$[^)]*\))?")


@dataclass(frozen=True)
class _Function:
    """A function's name and type."""

    name: str
    returned: str
    parameters: tuple[str, ...]


def numbered(text: str) -> str | None:
    """Rewrite a module; None if it has calls by pointers for which there is no function."""
    lines = text.split("\n")
    functions = {function.name: function for function in map(_defined, lines) if function is not None}
    lines = [_by_name(line, functions) for line in lines]
    names = [name for name in dict.fromkeys(_mentioned(lines)) if name in functions]
    numbers = {name: _number(name) for name in names} | dict.fromkeys(_NO_FUNCTION, 0)
    structs = {match[1]: match[2] for match in map(_STRUCT.match, lines) if match is not None}
    choosers: dict[tuple[str, tuple[str, ...]], str] = {}
    texts: list[str] = []
    rewritten = []
    for unchanged in lines:
        line = unchanged if unchanged.startswith("@llvm.") else _with_numbers(unchanged, numbers, structs)
        match = _CALL.match(line)
        if match is None or match["type"].endswith("asm"):
            rewritten.append(line)
            continue
        end = closing(line, match.end() - 1)
        arguments = separated(line[match.end() : end])
        key = (_last_type(match["type"]), tuple(map(_first_type, arguments)))
        called = [functions[name] for name in names if (functions[name].returned, functions[name].parameters) == key]
        if not called:
            return None
        name = choosers.get(key, "")
        if not name:
            name = choosers[key] = f"@__lp_choose_{len(choosers)}"
            texts += _chooser(name, key, called, numbers)
        space = _SPACE.search(match["type"])
        pointer = f"ptr {space[0]}" if space else "ptr"
        rewritten.append(f"  %__lp_number_{len(rewritten)} = ptrtoint {pointer} {match['callee']} to i64")
        operands = ", ".join([f"i64 %__lp_number_{len(rewritten) - 1}", *arguments])
        rewritten.append(f"{match['head']}{_SPACE.sub('', match['type'])} {name}({operands}){line[end + 1 :]}")
    first = next((number for number, line in enumerate(rewritten) if line.startswith("define")), len(rewritten))
    return "\n".join([*rewritten[:first], *texts, *rewritten[first:]])


def _by_name(line: str, functions: dict[str, _Function]) -> str:
    """Call the function that a constant pointer to a member function holds by its name."""
    match = _MEMBER_CALL.match(line)
    if match is None or (function := functions.get(match["name"])) is None:
        return line
    end = closing(line, match.end() - 1)
    arguments = tuple(map(_first_type, separated(line[match.end() : end])))
    if (function.returned, function.parameters) != (_last_type(match["type"]), arguments):
        return line
    return f"{match['head']}{_SPACE.sub('', match['type'])} {match['name']}({line[match.end() :]}"


def _number(name: str) -> int:
    """The address of a function: the same in every module of a program.

    It is even: the lowest bit of a pointer to a member function says that the function is virtual.
    """
    return int.from_bytes(fingerprint(name.encode())[:6], "little") & ~15 | 16


def _mentioned(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith(("@llvm.", "define", "declare", "!", ";")):
            yield from (match["name"] for match in _MENTION.finditer(line))


def _with_numbers(line: str, numbers: dict[str, int], structs: dict[str, str]) -> str:
    names = {match["name"] for match in _MENTION.finditer(line)} & numbers.keys()
    if not names or line.startswith(("define", "declare")):
        return line
    line = _AS_NUMBER.sub(lambda match: str(numbers.get(match["name"], match[0])), line)
    name, is_global, rest = line.partition(" = ") if line.startswith("@") else ("", "", line)
    if name.startswith("@_ZTV"):  # the host does not see it, so it is no symbol of the program
        line = _OUT_OF_DATE.sub("", _TABLE.sub(r"\1internal ", line))
    others = {match["name"] for match in _MENTION.finditer(rest)} - numbers.keys()
    if is_global and not others:  # numbers alone: so the device's compiler sees no address in it
        while "%" in line and (expanded := _NAMED.sub(lambda match: structs.get(match[0], match[0]), line)) != line:
            line = expanded
        line = _MENTION.sub(lambda match: str(numbers.get(match["name"], match[0])), line)
        return re.sub(r"\bptr(?: addrspace\(\d+\))?", "i64", line).replace(" null", " 0")

    def number(match: re.Match[str]) -> str:
        if match["name"] not in numbers:
            return match[0]
        space = f" addrspace({match['space']})" if match["space"] else ""
        return f"inttoptr (i64 {numbers[match['name']]} to ptr{space})"

    return _MENTION.sub(number, line)


def _chooser(
    name: str, key: tuple[str, tuple[str, ...]], called: list[_Function], numbers: dict[str, int]
) -> list[str]:
    """Write the function that calls a function by its number."""
    returned, types = key
    parameters = [f"{type_} %a{number}" for number, type_ in enumerate(types)]
    cases = " ".join(f"i64 {numbers[function.name]}, label %f{numbers[function.name]}" for function in called)
    lines = [f"define internal spir_func {returned} {name}({', '.join(['i64 %n', *parameters])}) {{"]
    lines += [f"  switch i64 %n, label %none [ {cases} ]", "none:", "  unreachable"]
    for function in called:
        number = numbers[function.name]
        call = f"call spir_func {returned} {function.name}({', '.join(parameters)})"
        lines.append(f"f{number}:")
        lines += (
            [f"  {call}", "  ret void"]
            if returned == "void"
            else [f"  %r{number} = {call}", f"  ret {returned} %r{number}"]
        )
    return [*lines, "}", ""]


def _defined(line: str) -> _Function | None:
    match = _DEFINITION.match(line)
    if match is None:
        return None
    parameters = separated(line[match.end() : closing(line, match.end() - 1)])
    return _Function(match["name"], _last_type(match["before"]), tuple(map(_first_type, parameters)))


def _first_type(text: str) -> str:
    """The type of a parameter, with the type of a struct that is passed by value, or returned through it."""
    match = _TYPE.match(text)
    kind, align = re.search(r"\b(?:byval|sret)\([^)]*\)", text), re.search(r"\balign \d+", text)
    passed = " ".join(part[0] for part in (kind, align) if part is not None) if kind else ""
    return f"{match[0] if match else text} {passed}".rstrip()


def _last_type(text: str) -> str:
    """The type that ends a text, behind attributes."""
    candidates = [match[0] for start in range(len(text)) if (match := _TYPE.fullmatch(text.strip(), start)) is not None]
    return max(candidates, key=len, default=text)

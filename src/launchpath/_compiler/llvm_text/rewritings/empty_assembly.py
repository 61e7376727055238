"""Assembly without an instruction, by which programs hold back the compiler: it needs no assembler.

Clang's SPIR-V backend refuses all assembly.

- One that names memory becomes a fence, as `__threadfence_block`: lanes in step, which have no barrier, count on both.
- A value that goes through one goes through a volatile variable, so that no compiler joins what stands before it with
  what comes after it: a product and a sum stay two operations. Pointers go on as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...source.text import closing, separated

_CALL = re.compile(
    r" *(?:(?P<result>%\S+) = )?(?:\w+ )?call (?:(?:reassoc|nnan|ninf|nsz|arcp|contract|afn|fast) )*"
    r'(?P<type>[^"]+?) asm (?:[a-z]+ )*"(?:[ \t]|\\0A|\\09)*", "(?P<constraints>[^"]*)"(?=\()'
)
_TYPE = r"ptr(?: addrspace\(\d+\))?|<[^<>]*>|[\w.]+"
_ARGUMENT = re.compile(rf"(?P<type>{_TYPE}) (?:(?:noundef|nonnull|elementtype\(\S+\)) )*(?P<value>.+)")
_LABEL = re.compile(r"[^ ;]+:")
_FENCE = "@_Z21__spirv_MemoryBarrierii"


def without_empty_assembly(text: str) -> str:
    """Rewrite LLVM's text without the assembly that has no instruction."""
    lines: list[str] = []
    entry = 0
    for line in text.split("\n"):
        if line.startswith("define "):
            entry = len(lines) + 1
        elif entry == len(lines) and _LABEL.match(line):
            entry += 1
        match = _CALL.match(line) if " asm " in line else None
        if match is None:
            lines.append(line)
            continue
        arguments = separated(line[match.end() + 1 : closing(line, match.end())])
        instead = _Instead(match, arguments, f"%lp.asm.{len(lines)}")
        lines += instead.lines
        lines[entry:entry] = instead.variables
    declared = any(line.startswith("declare ") and f"{_FENCE}(" in line for line in lines)
    if not declared and any(f"{_FENCE}(" in line for line in lines):
        lines.append(f"declare spir_func void {_FENCE}(i32, i32)\n")
    return "\n".join(lines)


class _Instead:
    """What stands in place of one call of assembly."""

    def __init__(self, match: re.Match[str], arguments: list[str], name: str) -> None:
        self.lines: list[str] = []
        self.variables: list[str] = []  # lines for the beginning of the function
        self._name = name
        constraints = [part for part in match["constraints"].split(",") if part]
        if any(part == "~{memory}" or "*" in part for part in constraints):
            self._put(f"call spir_func void {_FENCE}(i32 2, i32 784)")
        if match["result"] is None:
            return
        tied = list(_tied(constraints, arguments))
        if not match["type"].startswith("{"):
            self._define(match["result"], match["type"], tied[0])
            return
        types = separated(match["type"].strip("{} "))
        whole = "poison"
        for number, type_ in enumerate(types):
            self._define(f"{name}.{number}", type_, tied[number])
            next_whole = match["result"] if number == len(types) - 1 else f"{name}.{number}.in"
            self._put(f"{next_whole} = insertvalue {match['type']} {whole}, {type_} {name}.{number}, {number}")
            whole = next_whole

    def _put(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _define(self, name: str, type_: str, argument: str) -> None:
        """Define a result as the argument that is in the same register; what is in no register before is zero."""
        match = _ARGUMENT.fullmatch(argument)
        argument_type, value = (match["type"], match["value"]) if match is not None else (type_, "zeroinitializer")
        if type_.startswith("ptr"):
            self._put(f"{name} = getelementptr i8, {type_} {value}, i64 0")
            return
        variable = f"{self._name}.kept{len(self.variables)}"
        if argument_type != type_:  # bool
            self._put(f"{variable}.wide = zext {argument_type} {value} to {type_}")
            value = f"{variable}.wide"
        self.variables.append(f"  {variable} = alloca {type_}")
        self._put(f"store volatile {type_} {value}, ptr {variable}")
        self._put(f"{name} = load volatile {type_}, ptr {variable}")


def _tied(constraints: list[str], arguments: list[str]) -> Iterator[str]:
    """Yield, for each result, the argument that is in the same register; empty if there is none."""
    outputs = [part for part in constraints if part.startswith("=")]
    inputs = [part for part in constraints if not part.startswith(("=", "~"))]
    values = arguments[len(arguments) - len(inputs) :]
    for number, output in enumerate(outputs):
        if "*" not in output:
            yield next((value for part, value in zip(inputs, values, strict=True) if part == str(number)), "")

"""Clang's own type of bfloat16 as integers of 16 bits, in LLVM's text: Intel's runtime lacks SPIR-V's type for it.

Arithmetic is float's, and each result is rounded to the nearest, as the hardware that has the type does it.
"""

from __future__ import annotations

import re

from ...source.text import separated

NAME = "bfloat"
_FLAGS = r"(?:(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast) )*"
_TYPE = r"(?:bfloat|<\d+ x bfloat>)"
_END = r"(?:, ![\w.]+ !\d+)*$"
_CONSTANT = re.compile(r"\b0xR([0-9A-Fa-f]{4})")
_BINARY = re.compile(rf"( *)(%\S+) = (f(?:add|sub|mul|div|rem)) ({_FLAGS})({_TYPE}) (.*?){_END}")
_NEGATION = re.compile(rf"( *)(%\S+) = fneg {_FLAGS}({_TYPE}) (.*?){_END}")
_COMPARISON = re.compile(rf"( *)(%\S+) = fcmp ({_FLAGS}\w+) ({_TYPE}) (.*?){_END}")
_CONVERSION = re.compile(
    rf"( *)(%\S+) = (fpext|fptrunc|[su]itofp|fpto[su]i) {_FLAGS}(?:nneg )?(<[^>]*>|\w+) (.*) to (<[^>]*>|\w+?){_END}"
)
_CALL = re.compile(
    rf"( *)(%\S+) = ((?:tail |musttail |notail )?call) {_FLAGS}(<[^>]*>|\w+) @(llvm\.[\w.]*bf16[\w.]*)\((.*)\)[^)]*$"
)
_DECLARATION = re.compile(r"declare .*@(llvm\.[\w.]*bf16[\w.]*)\(")
_CHOICE = re.compile(rf"(= (?:select|phi|(?:\w+ )?call) ){_FLAGS}")
_CLASSES = re.compile(r"nofpclass\([^)]*\) ")


def integers(text: str) -> str:
    """Rewrite LLVM's text without the type."""
    return "\n".join(_Lines(text).rewritten())


class _Lines:
    """The lines of LLVM's text, and the numbers of the values that are added."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.declared = {line for line in self.lines if line.startswith("declare ")}
        self.added = 0
        self.out: list[str] = []

    def rewritten(self) -> list[str]:
        for line in self.lines:
            if "bfloat" not in line and "bf16" not in line:
                self.out.append(line)
            elif (match := _DECLARATION.match(line)) is not None:
                self._declare(line, match[1])
            elif not self._is_arithmetic(line):
                self.out.append(_plain(_CLASSES.sub("", _CHOICE.sub(r"\1", line))))
        return self.out

    def _is_arithmetic(self, line: str) -> bool:
        """Write an instruction that computes with the type; False if it is none."""
        if match := _BINARY.match(line):
            indent, name, op, flags, type_, operands = match.groups()
            wide = ", ".join(self._widened(indent, type_, operand) for operand in separated(operands))
            self._narrow(indent, name, type_, self._add(indent, f"{op} {flags}{_wide(type_)} {wide}"))
        elif match := _NEGATION.match(line):
            indent, name, type_, operand = match.groups()
            self.out.append(f"{indent}{name} = xor {_plain(type_)} {_plain(operand)}, {_all(type_, 'i16', -32768)}")
        elif match := _COMPARISON.match(line):
            indent, name, predicate, type_, operands = match.groups()
            wide = ", ".join(self._widened(indent, type_, operand) for operand in separated(operands))
            self.out.append(f"{indent}{name} = fcmp {predicate} {_wide(type_)} {wide}")
        elif match := _CALL.match(line):
            self._call(*match.groups())
        elif (match := _CONVERSION.match(line)) and NAME in match[4] + match[6]:
            self._convert(*match.groups())
        else:
            return False
        return True

    def _convert(self, indent: str, name: str, op: str, type_: str, operand: str, to: str) -> None:
        if NAME in type_:
            value = self._widened(indent, type_, operand)
            same = op == "fpext" and to == _wide(type_)
            instruction = f"bitcast {to} {value} to {to}" if same else f"{op} {_wide(type_)} {value} to {to}"
            self.out.append(f"{indent}{name} = {instruction}")
        elif op == "fptrunc" and "float" in type_:
            self._narrow(indent, name, to, operand)
        else:
            double = _other(to, "double")
            value = (
                operand
                if type_ == double
                else self._add(indent, f"{'fpext' if op == 'fptrunc' else op} {type_} {operand} to {double}")
            )
            self._narrow(indent, name, to, self._odd(indent, to, value))

    def _call(self, indent: str, name: str, call: str, result: str, function: str, arguments: str) -> None:
        """Call the function for float in its place."""
        wide = []
        for argument in separated(arguments):
            match = re.fullmatch(rf"({_TYPE}) (?:\w+ )*(\S.*)", argument)
            wide.append(f"{_wide(match[1])} {self._widened(indent, match[1], match[2])}" if match else argument)
        called = f"{call} {_wide(result)} @{function.replace('bf16', 'f32')}({', '.join(wide)})"
        if NAME in result:
            self._narrow(indent, name, result, self._add(indent, called))
        else:
            self.out.append(f"{indent}{name} = {called}")

    def _declare(self, line: str, function: str) -> None:
        head = f"@{function.replace('bf16', 'f32')}("
        if not any(head in other for other in self.declared):
            self.declared.add(head)
            self.out.append(line.replace("bf16", "f32").replace(NAME, "float"))

    def _add(self, indent: str, instruction: str) -> str:
        self.added += 1
        self.out.append(f"{indent}%lp.bf.{self.added} = {instruction}")
        return f"%lp.bf.{self.added}"

    def _widened(self, indent: str, type_: str, operand: str) -> str:
        """The value as a float: the bits before 16 zeros."""
        bits = self._add(indent, f"zext {_plain(type_)} {_plain(operand)} to {_other(type_, 'i32')}")
        high = self._add(indent, f"shl {_other(type_, 'i32')} {bits}, {_all(type_, 'i32', 16)}")
        return self._add(indent, f"bitcast {_other(type_, 'i32')} {high} to {_wide(type_)}")

    def _narrow(self, indent: str, name: str, to: str, value: str) -> None:
        """Round a float to the nearest, and ties to even; what is no number stays none."""
        words, wide = _other(to, "i32"), _wide(to)
        bits = self._add(indent, f"bitcast {wide} {value} to {words}")
        high = self._add(indent, f"lshr {words} {bits}, {_all(to, 'i32', 16)}")
        odd = self._add(indent, f"and {words} {high}, {_all(to, 'i32', 1)}")
        up = self._add(indent, f"add {words} {odd}, {_all(to, 'i32', 0x7FFF)}")
        rounded = self._add(indent, f"add {words} {bits}, {up}")
        nearest = self._add(indent, f"lshr {words} {rounded}, {_all(to, 'i32', 16)}")
        none = self._add(indent, f"or {words} {high}, {_all(to, 'i32', 0x40)}")
        is_none = self._add(indent, f"fcmp uno {wide} {value}, zeroinitializer")
        chosen = self._add(indent, f"select {_other(to, 'i1')} {is_none}, {words} {none}, {words} {nearest}")
        self.out.append(f"{indent}{name} = trunc {words} {chosen} to {_plain(to)}")

    def _odd(self, indent: str, to: str, value: str) -> str:
        """Round a double to a float, to an odd last bit unless it is exact: rounding once more is then right."""
        double, wide = _other(to, "double"), _wide(to)
        words, long = _other(to, "i32"), _other(to, "i64")
        near = self._add(indent, f"fptrunc {double} {value} to {wide}")
        back = self._add(indent, f"fpext {wide} {near} to {double}")
        sizes = [self._add(indent, f"bitcast {double} {each} to {long}") for each in (back, value)]
        sizes = [self._add(indent, f"shl {long} {each}, {_all(to, 'i64', 1)}") for each in sizes]
        above = self._add(indent, f"icmp ugt {long} {', '.join(sizes)}")
        inexact = self._add(indent, f"fcmp one {double} {back}, {value}")
        bits = self._add(indent, f"bitcast {wide} {near} to {words}")
        both = self._add(indent, f"and {_other(to, 'i1')} {above}, {inexact}")
        step, odd_bit = (self._add(indent, f"zext {_other(to, 'i1')} {each} to {words}") for each in (both, inexact))
        down = self._add(indent, f"sub {words} {bits}, {step}")
        odd = self._add(indent, f"or {words} {down}, {odd_bit}")
        return self._add(indent, f"bitcast {words} {odd} to {wide}")


def _plain(text: str) -> str:
    """The text with the type's bits as integers."""
    return _CONSTANT.sub(lambda match: str(int(match[1], 16)), re.sub(r"\bbfloat\b", "i16", text))


def _other(type_: str, element: str) -> str:
    return type_.replace(NAME, element)


def _wide(type_: str) -> str:
    return _other(type_, "float")


def _all(type_: str, element: str, number: int) -> str:
    return f"splat ({element} {number})" if type_.startswith("<") else str(number)

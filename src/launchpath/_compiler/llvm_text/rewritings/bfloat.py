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
            at, name, op, flags, of, operands = match.groups()
            wide = ", ".join(self._widened(at, of, operand) for operand in separated(operands))
            self._narrow(at, name, of, self._add(at, f"{op} {flags}{_wide(of)} {wide}"))
        elif match := _NEGATION.match(line):
            at, name, of, operand = match.groups()
            self.out.append(f"{at}{name} = xor {_plain(of)} {_plain(operand)}, {_all(of, 'i16', -32768)}")
        elif match := _COMPARISON.match(line):
            at, name, how, of, operands = match.groups()
            wide = ", ".join(self._widened(at, of, operand) for operand in separated(operands))
            self.out.append(f"{at}{name} = fcmp {how} {_wide(of)} {wide}")
        elif match := _CALL.match(line):
            self._call(*match.groups())
        elif (match := _CONVERSION.match(line)) and NAME in match[4] + match[6]:
            self._convert(*match.groups())
        else:
            return False
        return True

    def _convert(self, at: str, name: str, op: str, of: str, operand: str, to: str) -> None:
        if NAME in of:
            value = self._widened(at, of, operand)
            same = op == "fpext" and to == _wide(of)
            self.out.append(
                f"{at}{name} = {f'bitcast {to} {value} to {to}' if same else f'{op} {_wide(of)} {value} to {to}'}"
            )
        elif op == "fptrunc" and "float" in of:
            self._narrow(at, name, to, operand)
        else:
            double = _other(to, "double")
            value = (
                operand
                if of == double
                else self._add(at, f"{'fpext' if op == 'fptrunc' else op} {of} {operand} to {double}")
            )
            self._narrow(at, name, to, self._odd(at, to, value))

    def _call(self, at: str, name: str, call: str, result: str, function: str, arguments: str) -> None:
        """Call the function for float in its place."""
        wide = []
        for argument in separated(arguments):
            match = re.fullmatch(rf"({_TYPE}) (?:\w+ )*(\S.*)", argument)
            wide.append(f"{_wide(match[1])} {self._widened(at, match[1], match[2])}" if match else argument)
        called = f"{call} {_wide(result)} @{function.replace('bf16', 'f32')}({', '.join(wide)})"
        if NAME in result:
            self._narrow(at, name, result, self._add(at, called))
        else:
            self.out.append(f"{at}{name} = {called}")

    def _declare(self, line: str, function: str) -> None:
        head = f"@{function.replace('bf16', 'f32')}("
        if not any(head in other for other in self.declared):
            self.declared.add(head)
            self.out.append(line.replace("bf16", "f32").replace(NAME, "float"))

    def _add(self, at: str, instruction: str) -> str:
        self.added += 1
        self.out.append(f"{at}%lp.bf.{self.added} = {instruction}")
        return f"%lp.bf.{self.added}"

    def _widened(self, at: str, of: str, operand: str) -> str:
        """The value as a float: the bits before 16 zeros."""
        bits = self._add(at, f"zext {_plain(of)} {_plain(operand)} to {_other(of, 'i32')}")
        high = self._add(at, f"shl {_other(of, 'i32')} {bits}, {_all(of, 'i32', 16)}")
        return self._add(at, f"bitcast {_other(of, 'i32')} {high} to {_wide(of)}")

    def _narrow(self, at: str, name: str, to: str, value: str) -> None:
        """Round a float to the nearest, and ties to even; what is no number stays none."""
        words, wide = _other(to, "i32"), _wide(to)
        bits = self._add(at, f"bitcast {wide} {value} to {words}")
        high = self._add(at, f"lshr {words} {bits}, {_all(to, 'i32', 16)}")
        odd = self._add(at, f"and {words} {high}, {_all(to, 'i32', 1)}")
        up = self._add(at, f"add {words} {odd}, {_all(to, 'i32', 0x7FFF)}")
        rounded = self._add(at, f"add {words} {bits}, {up}")
        nearest = self._add(at, f"lshr {words} {rounded}, {_all(to, 'i32', 16)}")
        none = self._add(at, f"or {words} {high}, {_all(to, 'i32', 0x40)}")
        is_none = self._add(at, f"fcmp uno {wide} {value}, zeroinitializer")
        chosen = self._add(at, f"select {_other(to, 'i1')} {is_none}, {words} {none}, {words} {nearest}")
        self.out.append(f"{at}{name} = trunc {words} {chosen} to {_plain(to)}")

    def _odd(self, at: str, to: str, value: str) -> str:
        """Round a double to a float, to an odd last bit unless it is exact: rounding once more is then right."""
        double, wide = _other(to, "double"), _wide(to)
        words, long = _other(to, "i32"), _other(to, "i64")
        near = self._add(at, f"fptrunc {double} {value} to {wide}")
        back = self._add(at, f"fpext {wide} {near} to {double}")
        sizes = [self._add(at, f"bitcast {double} {each} to {long}") for each in (back, value)]
        sizes = [self._add(at, f"shl {long} {each}, {_all(to, 'i64', 1)}") for each in sizes]
        above = self._add(at, f"icmp ugt {long} {', '.join(sizes)}")
        inexact = self._add(at, f"fcmp one {double} {back}, {value}")
        bits = self._add(at, f"bitcast {wide} {near} to {words}")
        both = self._add(at, f"and {_other(to, 'i1')} {above}, {inexact}")
        step, odd_bit = (self._add(at, f"zext {_other(to, 'i1')} {each} to {words}") for each in (both, inexact))
        down = self._add(at, f"sub {words} {bits}, {step}")
        odd = self._add(at, f"or {words} {down}, {odd_bit}")
        return self._add(at, f"bitcast {words} {odd} to {wide}")


def _plain(text: str) -> str:
    """The text with the type's bits as integers."""
    return _CONSTANT.sub(lambda match: str(int(match[1], 16)), re.sub(r"\bbfloat\b", "i16", text))


def _other(of: str, element: str) -> str:
    return of.replace(NAME, element)


def _wide(of: str) -> str:
    return _other(of, "float")


def _all(of: str, element: str, number: int) -> str:
    return f"splat ({element} {number})" if of.startswith("<") else str(number)

"""Statements as a tree of braces, in which each variable is declared as far inside as its uses allow."""

from __future__ import annotations

from dataclasses import dataclass

from .values import Variable


@dataclass(slots=True)
class Set:
    """A statement that gives a variable its value."""

    variable: Variable
    value: str


class Scope:
    """What stands between two braces: lines, settings of variables, further scopes."""

    def __init__(self, around: Scope | None = None) -> None:
        self.around = around
        self.items: list[str | Set | Scope] = []
        self.depth: int = 0 if around is None else around.depth + 1  # scopes around
        self.head: list[str] = []  # lines before all others
        self.declares: list[Variable] = []  # those to be declared at its beginning
        self.is_flat = False  # it is written without braces, as part of the scope around

    def inner(self) -> Scope:
        """Make a scope inside this one, without adding it."""
        return Scope(self)

    def lines(self, indent: str) -> list[str]:
        """Render the statements as lines of text."""
        lines = [_line(text, indent) for text in self.head]
        lines += [f"{indent}{variable.spelling} {variable.name};" for variable in self.declares]
        for item in self.items:
            if isinstance(item, Scope):
                lines += item.lines(indent if item.is_flat else indent + "  ")
            elif isinstance(item, Set):
                lines.append(f"{indent}{_setting(item)}")
            else:
                lines.append(_line(item, indent))
        return lines

    def leaves(self) -> bool:
        """Whether control never falls off the end of these braces."""
        last = self.items[-1] if self.items else ""
        if isinstance(last, Scope):
            return last.leaves()
        return isinstance(last, str) and (last.startswith(("return", "goto ")) or last in ("break;", "continue;"))


def _line(text: str, indent: str) -> str:
    return text if text.endswith(":;") else indent + text


def _setting(item: Set) -> str:
    variable = item.variable
    declaration = "" if variable.declared else f"{variable.spelling} "
    return f"{declaration}{variable.name} = {item.value};".replace("* ", "*", 1 if declaration.endswith("* ") else 0)


def place(variables: list[Variable]) -> None:
    """Decide where each variable is declared: with its only setting if every use is in those braces or further in.

    A phi's declaration stands apart: in the text its uses may come before its only setting, as in a loop that it enters
    undefined.
    """
    for variable in variables:
        scopes = [scope for scope in variable.scopes if isinstance(scope, Scope)]
        common = scopes[0]
        for scope in scopes[1:]:
            common = _common(common, scope)
        if variable.sets != 1 or variable.is_phi or common is not scopes[0]:
            variable.declared = True
            common.declares.append(variable)


def _common(first: Scope, second: Scope) -> Scope:
    while first is not second:
        if first.depth >= second.depth:
            assert first.around is not None
            first = first.around
        else:
            assert second.around is not None
            second = second.around
    return first

"""Templates of kernels as a source declares them: names and parameters, for messages and listings.

Only instances are in LLVM's text, so the names of templates that nothing instantiates come from the source's tokens.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...source.active import Active
from ...source.text import Token, separated

# By name: the parameters of a template, and where the name stands.
_Declarations = dict[str, tuple[tuple[str, ...] | None, int]]
_SCOPES = frozenset({b"namespace", b"class", b"struct"})
_ATTRIBUTES = frozenset({
    b"__launch_bounds__", b"__attribute__", b"__block_size__", b"__cluster_dims__", b"__maxnreg__", b"alignas",
})  # fmt: skip


def templates(files: Iterable[Active]) -> dict[str, tuple[str, ...]]:
    """Give the parameters of each template of kernels, as they are written, by name."""
    return {name: parameters for name, parameters in declared(files).items() if parameters is not None}


def declared(files: Iterable[Active]) -> dict[str, tuple[str, ...] | None]:
    """Give the kernels by name, with the parameters of each that is a template."""
    return {name: parameters for name, (parameters, _) in _declarations(files).items()}


def places(files: Iterable[Active]) -> dict[str, int]:
    """Give the offsets of the kernels' names."""
    return {name: offset for name, (_, offset) in _declarations(files).items()}


def _declarations(files: Iterable[Active]) -> _Declarations:
    declarations: _Declarations = {}
    for active in files:
        if b"__global__" in active.text:
            _Scan(active.tokens, active.text, declarations).run()
    return declarations


class _Scan:
    """The search in a file."""

    def __init__(self, tokens: list[Token], text: bytes, declarations: _Declarations) -> None:
        self.tokens, self.text, self.declarations = tokens, text, declarations

    def run(self) -> None:
        scopes: list[str] = []
        head = 0
        index = 0
        while index < len(self.tokens):
            sign = self.tokens[index].text
            if sign == b"{":
                scope = self._scope(head, index)
                if scope is None:
                    self._note(head, index, scopes)
                    index = self._behind(index)
                    head = index
                    continue
                scopes.append(scope)
            elif sign == b"}" and scopes:
                scopes.pop()
            elif sign == b";":
                self._note(head, index, scopes)
            if sign in (b"{", b"}", b";"):
                head = index + 1
            index += 1

    def _scope(self, head: int, brace: int) -> str | None:
        """Name the namespace or class whose brace stands at an index; None for any other brace."""
        words = [token.text for token in self.tokens[head:brace]]
        if words[:1] == [b"extern"]:
            return ""
        for place, word in enumerate(words):
            if word in _SCOPES and b"(" not in words[:place]:
                if b"(" in words[place:] and word != b"namespace":
                    return None
                names = [name for name in words[place + 1 :] if name[:1].isalpha() or name[:1] == b"_"]
                return names[0].decode() if names else ""
        return None

    def _behind(self, opened: int) -> int:
        depth = 0
        for index in range(opened, len(self.tokens)):
            depth += (self.tokens[index].text == b"{") - (self.tokens[index].text == b"}")
            if not depth:
                return index + 1
        return len(self.tokens)

    def _note(self, head: int, end: int, scopes: list[str]) -> None:
        """Note the template of kernels that is declared between two indexes, if one is."""
        words = [token.text for token in self.tokens[head:end]]
        if b"__global__" not in words:
            return
        if words[0] != b"template":
            if (opened := self._parameters(head + words.index(b"__global__") + 1, end)) is not None:
                self.declarations.setdefault(self._name(scopes, opened), (None, self.tokens[opened - 1].start))
            return
        close = self._angle(head + 1)
        if close is None or self.tokens[close - 1].start <= self.tokens[head + 1].end:
            return
        opened = self._parameters(close, end)
        if opened is None:
            return
        name = self._name(scopes, opened)
        inside = self.text[self.tokens[head + 1].end : self.tokens[close - 1].start].decode(errors="replace")
        parameters = tuple(" ".join(part.split()) for part in separated(inside))
        self.declarations.setdefault(name, (parameters, self.tokens[opened - 1].start))

    def _name(self, scopes: list[str], opened: int) -> str:
        return "::".join([*filter(None, scopes), self.tokens[opened - 1].text.decode(errors="replace")])

    def _angle(self, start: int) -> int | None:
        """Give the index behind the `>` that ends the `<` at an index."""
        if start >= len(self.tokens) or self.tokens[start].text != b"<":
            return None
        depth, inside = 0, 0
        for place in range(start, len(self.tokens)):
            sign = self.tokens[place].text
            inside += (sign in (b"(", b"[", b"{")) - (sign in (b")", b"]", b"}"))
            if not inside:
                depth += (sign == b"<") - (sign == b">")
                if not depth:
                    return place + 1
        return None

    def _parameters(self, start: int, end: int) -> int | None:
        """Give the index of the bracket that begins the kernel's parameters: that behind a name, and no attribute."""
        depth = 0
        for place in range(start, end):
            sign = self.tokens[place].text
            if sign == b"(" and not depth and self.tokens[place - 1].kind == "name":
                before = self.tokens[place - 1].text
                if before not in _ATTRIBUTES:
                    return place
            depth += (sign in (b"(", b"[")) - (sign in (b")", b"]"))
        return None

"""Where declarations begin and end in a file's text.

The parser skips the bodies of functions, and its extents lack semicolons, attributes and the text of macros. So
brackets are counted in the text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...source.active import Active


class Extents:
    """The extents of one file's declarations, by the indices of tokens.

    Parameters
    ----------
    active : Active
    unbalanced : mapping of bytes to int
        The macros that open or close braces, see `source.active.unbalanced`.
    statements : collection of bytes
        The macros whose uses are whole declarations.
    """

    def __init__(self, active: Active, unbalanced: Mapping[bytes, int], statements: Collection[bytes] = ()) -> None:
        self._active = active
        self._unbalanced = unbalanced
        self._statements = statements

    def first(self, index: int, edge: int) -> int:
        """The declaration's first token: attributes and ``template<>`` may stand before Clang's extent.

        Nothing before the offset `edge` is of the declaration.
        """
        tokens = self._active.tokens
        index = min(index, len(tokens) - 1)
        while index > 0 and tokens[index - 1].start >= edge and not self._ends_declaration(index - 1):
            index -= 1
        return index

    def _ends_declaration(self, index: int) -> bool:
        """Whether a declaration ends at a token, or a block begins there.

        Clang shows nothing of a template that is instantiated, and a macro that does so needs no semicolon after it.
        """
        return self._active.is_at(index, b";", b"}", b"{") or self._ends_statement(index)

    def _ends_statement(self, index: int) -> bool:
        """Whether the use of a macro ends at a token that stands for a whole declaration, with its semicolon."""
        active = self._active
        opened = active.opening(index) if active.is_at(index, b")") else index
        return active.tokens[index if opened == index else max(opened - 1, 0)].text in self._statements

    def last(self, index: int) -> int:
        """From a token of a declaration that is no function to its last."""
        active = self._active
        while index + 1 < len(active.tokens):
            if active.is_at(index, b";") or self._ends_statement(index):
                return index
            if active.is_at(index + 1, b"(", b"[", b"{"):
                index = active.closing(index + 1)
            elif active.is_at(index + 1, b"}"):
                return index
            else:
                index += 1
        return index

    def last_of_function(self, index: int, by_macro: bool = False) -> int:
        """From a declarator's last token to the end of the body, or to the semicolon.

        A macro that stands for the whole definition may have no semicolon after it. The parser does not skip the bodies
        of constant expressions: there the last token is that of the body.
        """
        active = self._active
        if active.is_at(index, b"}") and not active.is_at(index + 1, b",", b"{"):
            return index
        while index < len(active.tokens):
            if active.is_at(index, b";"):
                return index
            if active.is_at(index + 1, b"{"):
                closed = active.closing(index + 1)
                # A brace that initializes a member (`x{a}`) is followed by a comma or the body.
                if not active.is_at(closed + 1, b",", b"{"):
                    return closed
                index = closed
            elif active.is_at(index + 1, b"(", b"["):
                index = active.closing(index + 1)
                if active.is_at(index + 1, b";"):
                    return index + 1
            elif active.is_at(index + 1, b"}") or index + 1 >= len(active.tokens):
                return index
            else:
                if by_macro and active.is_at(index, b")"):
                    return index
                index += 1
        return index

    def opens_brace(self, index: int) -> bool:
        """Whether a macro stands there that leaves a brace open."""
        tokens = self._active.tokens
        return index < len(tokens) and self._unbalanced.get(tokens[index].text, 0) > 0

    def closing(self, first: int) -> int:
        """The token that closes the braces that a macro opens: Clang skips bodies, so it has no end for them."""
        depth = 0
        for index in range(first, len(self._active.tokens)):
            text = self._active.tokens[index].text
            depth += 1 if text == b"{" else -1 if text == b"}" else self._unbalanced.get(text, 0)
            if depth <= 0:
                return index
        return first

    def is_made_by_macro(self, index: int, name: str) -> bool:
        """Whether a function's name does not stand before its parameters in the file itself."""
        active = self._active
        if active.is_at(index, b"operator", b"~"):
            return False
        return not active.is_at(index, name.encode()) or not active.is_at(index + 1, b"(", b"<")

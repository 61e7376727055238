"""Reading of names: of functions and variables, in their scopes, with their template arguments."""

from __future__ import annotations

from launchpath._report.mangled.nodes import Node, NotReadableError
from launchpath._report.mangled.tables import LAST, OPERATORS, SPECIAL, STANDARD

_DEPTH = 160  # parts in one another
NONE = Node("none")
_STD = Node("name", "std")


class Names:
    """Reads a name from left to right. `Types` and `Expressions` read what is in names."""

    def __init__(self, text: str) -> None:
        self.rest_of, self.at, self._depth = text, 0, 0
        self.known: list[Node] = []  # what later parts of the name may stand for
        self.qualifiers = ""  # of the function whose name was read last

    # Characters.

    def next(self, size: int = 1) -> str:
        """Look at what comes next."""
        return self.rest_of[self.at : self.at + size]

    def take(self, *texts: str) -> str:
        """Take the first of some texts that comes next; empty if none does."""
        for text in texts:
            if self.rest_of.startswith(text, self.at):
                self.at += len(text)
                return text
        return ""

    def expect(self, text: str) -> None:
        """Take a text that has to come next."""
        if not self.take(text):
            raise NotReadableError(f"expected {text} at {self.at}, got {self.next(8)}")

    def number(self) -> int:
        """Take a number that has to come next."""
        begin = self.at
        while self.next().isdigit():
            self.at += 1
        if begin == self.at or self.at - begin > 9:
            raise NotReadableError(f"expected a number at {begin}")
        return int(self.rest_of[begin : self.at])

    def sequence(self, base: int = 36) -> int:
        """Take the number of a part that is named again: ``_`` is 0, ``0_`` is 1."""
        begin = self.at
        end = self.rest_of.find("_", begin)
        digits = self.rest_of[begin : max(end, begin)]
        if end < 0 or not (digits == "" or (digits.isalnum() and digits.upper() == digits and len(digits) < 6)):
            raise NotReadableError(f"expected a number at {begin}")
        self.at = end + 1
        try:
            return int(digits, base) + 1 if digits else 0
        except ValueError:
            raise NotReadableError(f"expected a number at {begin}") from None

    def enter(self) -> None:
        """Begin a part in another one; `leave` ends it."""
        self._depth += 1
        if self._depth > _DEPTH:
            raise NotReadableError("too many parts in one another")

    def leave(self) -> None:
        """End a part."""
        self._depth -= 1

    # Names.

    def encoding(self, outermost: bool = False) -> Node:
        """Read a function with its parameters, or a variable."""
        self.enter()
        special = self.take(*SPECIAL)
        if special:
            of = self.type() if special.startswith("T") and special[1] in "VTIS" else self.name()[0]
            self.leave()
            return Node("wrapped", SPECIAL[special] + "\0", (of,))
        name, returns = self.name()
        qualifiers, self.qualifiers = self.qualifiers, ""
        if self.next() in ("", "E", "."):
            result = name
        else:
            first = self.type() if returns else NONE
            parameters = []
            while self.next() not in ("", "E", "."):
                parameters.append(self.type())
            result = Node("function", qualifiers, (name, first if outermost else NONE, *parameters))
        self.leave()
        return result

    def name(self) -> tuple[Node, bool]:
        """Read a name; gives it, and whether a function of that name has its result's type before its parameters."""
        self.enter()
        self.qualifiers = ""
        if self.take("N"):
            result = self._nested()
        elif self.take("Z"):
            result = self._local()
        else:
            plain = True  # it can be named again
            if self.next() == "S" and self.next(2) != "St":
                node, plain = self.substitution(), False
            elif self.take("St"):
                node = Node("nested", "", (_STD, self.unqualified()[0]))
            else:
                node, _ = self.unqualified()
            if self.next() == "I":
                if plain:
                    self.known.append(node)
                node = Node("template", "", (node, *self.template_arguments()))
                result = node, True
            else:
                result = node, False
        self.leave()
        return result

    def _nested(self) -> tuple[Node, bool]:
        qualifiers = "".join(
            {"r": " __restrict", "V": " volatile", "K": " const"}[each]
            for each in reversed(list(iter(lambda: self.take("r", "V", "K"), "")))
        )
        reference = self.take("R", "O")
        qualifiers += {"R": " &", "O": " &&", "": ""}[reference]
        scope: Node | None = None
        returns, result_first = False, True
        while not self.take("E"):
            begin = self.at
            if self.next() == "S" and self.next(2) != "St":
                if scope is not None:
                    raise NotReadableError("a known part inside a name")
                scope = self.substitution()
                continue
            if self.take("St"):
                scope = _STD
                continue
            if self.next() == "I":
                if scope is None:
                    raise NotReadableError("arguments without a template")
                scope, returns = Node("template", "", (scope, *self.template_arguments())), result_first
            elif self.next() == "T" or self.next(2) in ("Dt", "DT"):
                scope = self.type_of_scope()
                continue
            elif self.take("M"):
                continue
            else:
                part, result_first = self.unqualified(scope)  # constructors have no result
                scope = part if scope is None else Node("nested", "", (scope, part))
                returns = False
            if self.next() != "E":
                self.known.append(scope)
            if self.at == begin:
                raise NotReadableError(f"no name at {begin}")
        if scope is None:
            raise NotReadableError("an empty name")
        self.qualifiers = qualifiers
        return scope, returns

    def _local(self) -> tuple[Node, bool]:
        """Read what is inside a function."""
        function = self.encoding()
        self.expect("E")
        if self.take("s"):
            self._discriminator()
            return Node("nested", "", (function, Node("name", "string literal"))), False
        if self.take("d"):
            number = self.sequence(10)
            function = Node("nested", "", (function, Node("name", f"{{default arg#{number + 1}}}")))
        inner, returns = self.name()
        self._discriminator()
        return Node("nested", "", (function, inner)), returns

    def _discriminator(self) -> None:
        if self.next(2) == "__":
            self.at += 2
            self.number()
            self.take("_")
        elif self.next() == "_" and self.rest_of[self.at + 1 : self.at + 2].isdigit():
            self.at += 2

    def unqualified(self, scope: Node | None = None) -> tuple[Node, bool]:
        """Read the last part of a name; gives it, and whether a template of that name has its result's type."""
        self.take("L")
        returns = True
        if self.next().isdigit():
            node = self.source_name()
        elif self.next() in ("C", "D") and self.rest_of[self.at + 1 : self.at + 2].isdigit() and scope is not None:
            sign = "~" if self.take("C", "D") == "D" else ""
            self.at += 1
            node, returns = Node("name", sign + _last(scope)), False
        elif self.take("CI1", "CI2") and scope is not None:
            node, returns = Node("name", _last(self.type())), False
        elif self.take("Ul"):
            parameters = []
            while not self.take("E"):
                parameters.append(self.type())
            node = Node("lambda", str(self.sequence(10) + 1), tuple(parameters))
        elif self.take("Ut"):
            node = Node("name", f"{{unnamed type#{self.sequence(10) + 1}}}")
        elif self.take("cv"):
            node, returns = Node("conversion", "", (self.type(),)), False
        elif self.take("li"):
            node = Node("name", f'operator"" {self.source_name().text}')
        elif self.next(2) in OPERATORS:
            sign = OPERATORS[self.next(2)][0]
            self.at += 2
            node = Node("name", f"operator{' ' * sign[0].isalpha()}{sign}")
        else:
            raise NotReadableError(f"no name at {self.at}: {self.next(8)}")
        while self.take("B"):
            node = Node("wrapped", f"\0[abi:{self.source_name().text}]", (node,))
        return node, returns

    def source_name(self) -> Node:
        """Read an identifier."""
        size = self.number()
        text = self.next(size)
        if not size or len(text) < size:
            raise NotReadableError("an identifier that is cut off")
        self.at += size
        return Node("name", "(anonymous namespace)" if _anonymous(text) else text)

    def substitution(self) -> Node:
        """Read what stands for an earlier part."""
        standard = self.take(*STANDARD)
        if standard:
            return Node("name", STANDARD[standard])
        self.expect("S")
        number = self.sequence()
        if number >= len(self.known):
            raise NotReadableError(f"part {number} is not known")
        return self.known[number]

    def template_arguments(self) -> tuple[Node, ...]:
        """Read template arguments."""
        self.expect("I")
        arguments = []
        while not self.take("E"):
            arguments.append(self.template_argument())
        return tuple(arguments)

    # What `Types` and `Expressions` read.

    def type(self) -> Node:
        """Read a type."""
        raise NotImplementedError

    def type_of_scope(self) -> Node:
        """Read a type that a name is in."""
        raise NotImplementedError

    def template_argument(self) -> Node:
        """Read a template argument."""
        raise NotImplementedError


def _anonymous(text: str) -> bool:
    return len(text) >= 10 and text.startswith("_GLOBAL_") and text[8] in "._$" and text[9] == "N"


def _last(scope: Node) -> str:
    """The class's own name, for its constructors."""
    if scope.kind == "template":
        return _last(scope.parts[0])
    if scope.kind == "nested":
        return _last(scope.parts[1])
    if scope.kind == "wrapped":
        return _last(scope.parts[0])
    if scope.kind == "lambda":
        raise NotReadableError("a constructor of a lambda")
    return LAST.get(scope.text, scope.text)

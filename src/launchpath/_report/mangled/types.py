"""Reading of types."""

from __future__ import annotations

from launchpath._report.mangled.names import NONE, Names
from launchpath._report.mangled.nodes import Node, NotReadableError
from launchpath._report.mangled.tables import BUILTINS

_QUALIFIERS = {"r": " __restrict", "V": " volatile", "K": " const"}
_POINTERS = {"P": "*", "R": "&", "O": "&&"}


class Types(Names):
    """Reads types."""

    def type(self) -> Node:
        """Read a type. All but the built-in ones can be named again."""
        self.enter()
        builtin = self.take(*BUILTINS)
        if builtin:
            self.leave()
            return Node("name", BUILTINS[builtin])
        node, again = self._compound()
        if again:
            self.known.append(node)
        self.leave()
        return node

    def _compound(self) -> tuple[Node, bool]:
        """Read a type; gives it, and whether it is a new one."""
        first = self.next()
        if first in _QUALIFIERS:
            return self._qualified(), True
        if first in _POINTERS:
            self.at += 1
            return Node("pointer", _POINTERS[first], (self.type(),)), True
        if first == "F" or self.next(3) in ("DoF", "DxF"):
            return self._signature(), True
        if first == "A":
            return self._array(), True
        if first == "M":
            self.at += 1
            return Node("member", "", (self.type(), self.type())), True
        if first == "T":
            return self._parameter()
        if first == "S" and self.next(2) != "St":
            return self._known()
        if first == "D":
            return self._of_letter_d(), True
        if first == "u":
            self.at += 1
            return self.source_name(), True
        if first == "U" and self.next(2) not in ("Ul", "Ut"):
            self.at += 1
            qualifier = self.source_name().text
            return Node("qualified", f" {qualifier}", (self.type(),)), True
        if first in ("C", "G"):
            self.at += 1
            return Node("qualified", " _Complex" if first == "C" else " _Imaginary", (self.type(),)), True
        return self.name()[0], True

    def _qualified(self) -> Node:
        taken = list(iter(lambda: self.take(*_QUALIFIERS), ""))
        text = "".join(_QUALIFIERS[each] for each in reversed(taken))
        if self.next() == "F" or self.next(3) in ("DoF", "DxF"):
            return self._signature(text)
        return Node("qualified", text, (self.type(),))

    def _signature(self, qualifiers: str = "") -> Node:
        noexcept = " noexcept" * bool(self.take("Do"))
        if self.take("Dx"):
            noexcept += " transaction_safe"
        self.expect("F")
        self.take("Y")
        parts = []
        while not self.take("E"):
            if self.next(2) in ("RE", "OE"):
                qualifiers += " &" if self.take("R", "O") == "R" else " &&"
                continue
            parts.append(self.type())
        if not parts:
            raise NotReadableError("a function's type without a result")
        return Node("signature", qualifiers + noexcept, tuple(parts))

    def _array(self) -> Node:
        self.expect("A")
        size = ""
        length: tuple[Node, ...] = ()
        if self.next().isdigit():
            size = str(self.number())
        elif self.next() != "_":
            length = (self.expression(),)
        self.expect("_")
        return Node("array", size, (self.type(), *length))

    def parameter(self) -> Node:
        """Read a template's parameter: what stands for it."""
        self.expect("T")
        number = self.sequence(10) if self.next() != "L" else -1
        if number < 0:
            raise NotReadableError("a parameter of an outer template")
        return Node("parameter", str(number))

    def _parameter(self) -> tuple[Node, bool]:
        if self.take("Ts", "Tu", "Te"):
            return self.name()[0], True
        node = self.parameter()
        if self.next() == "I":
            self.known.append(node)
            return Node("template", "", (node, *self.template_arguments())), True
        return node, True

    def _known(self) -> tuple[Node, bool]:
        node = self.substitution()
        if self.next() == "I":
            return Node("template", "", (node, *self.template_arguments())), True
        return node, node.kind == "name" and node not in self.known and self.next() == "B"

    def type_of_scope(self) -> Node:
        """Read a type that a name is in: it can be named again."""
        node = self.parameter() if self.next() == "T" else self._of_letter_d()
        self.known.append(node)
        return node

    def _of_letter_d(self) -> Node:
        if self.take("Dp"):
            return Node("expansion", "", (self.type(),))
        if self.take("Dt", "DT"):
            node = Node("wrapped", "decltype (\0)", (self.expression(),))
            self.expect("E")
            return node
        if self.take("DF"):
            bits = self.number()
            ending = self.take("_", "x", "b")
            return Node("name", {"_": f"_Float{bits}", "x": f"_Float{bits}x", "b": "std::bfloat16_t"}.get(ending, ""))
        if self.take("Dv"):
            size = str(self.number())
            self.expect("_")
            return Node("qualified", f" __vector({size})", (self.type(),))
        raise NotReadableError(f"no type at {self.at}: {self.next(8)}")

    def expression(self) -> Node:
        """Read an expression."""
        raise NotImplementedError


__all__ = ["NONE", "Types"]

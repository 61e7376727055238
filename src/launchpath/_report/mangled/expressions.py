"""Reading of template arguments, and of expressions in them."""

from __future__ import annotations

from launchpath._report.mangled.nodes import Node, NotReadableError
from launchpath._report.mangled.tables import OPERATORS, SUFFIXES
from launchpath._report.mangled.types import Types

_CASTS = {"dc": "dynamic_cast", "sc": "static_cast", "cc": "const_cast", "rc": "reinterpret_cast"}
_OF_TYPE = {"st": "sizeof ", "at": "alignof ", "ti": "typeid "}
_OF_EXPRESSION = {"sz": "sizeof ", "az": "alignof ", "te": "typeid ", "nx": "noexcept"}


class Expressions(Types):
    """Reads whole names."""

    def template_argument(self) -> Node:
        """Read a template argument: a type, a value, an expression or several of them."""
        if self.take("X"):
            node = self.expression()
            self.expect("E")
            return node
        if self.next() == "L":
            return self._literal()
        if self.next() in ("J", "I"):
            self.at += 1
            self.enter()
            elements = []
            while not self.take("E"):
                elements.append(self.template_argument())
            self.leave()
            return Node("package", "", tuple(elements))
        if self.take("Tn"):  # the type of a parameter that is `auto`: its argument follows
            self.type()
            return self.template_argument()
        return self.type()

    def _literal(self) -> Node:
        self.expect("L")
        if self.take("_Z"):
            node = self.encoding(outermost=True)
            self.expect("E")
            return node
        code = self.next()
        type_ = self.type()
        end = self.rest_of.find("E", self.at)
        digits = self.rest_of[self.at : max(end, self.at)]
        if end < 0 or len(digits) > 64 or not digits.removeprefix("n").isalnum():
            if self.next() == "E" and type_.text == "decltype(nullptr)":
                digits, end = "0", self.at
            else:
                raise NotReadableError(f"no value at {self.at}")
        self.at = end + 1
        value = digits.replace("n", "-", 1) if digits.startswith("n") else digits
        if code == "b" and value in ("0", "1"):
            return Node("name", "true" if value == "1" else "false")
        if code in SUFFIXES:
            return Node("name", value + SUFFIXES[code])
        if code in "fdeg":
            return Node("literal", f"[{digits}]", (type_,))
        return Node("literal", value, (type_,))

    def expression(self) -> Node:
        """Read an expression."""
        self.enter()
        node = self._expression()
        self.leave()
        return node

    def _expression(self) -> Node:
        code = self.next(2)
        if self.next() == "L":
            return self._literal()
        if self.next() == "T":
            return self.parameter()
        if self.take("fp"):
            self.take("r", "V", "K")
            return Node("name", f"{{parm#{self.sequence(10) + 1}}}")
        if self.take("sp"):
            return Node("expansion", "", (self.expression(),))
        if self.take("sZ"):
            return Node("count", "", (self.parameter(),))
        if self.take("sr"):
            return Node("nested", "", (self._scope(), self._simple()))
        if self.take("cv"):
            return self._cast()
        if self.take("cl"):
            return Node("call", "", tuple(self._several()))
        if self.take("tl"):
            type_ = self.type()
            return Node("values", "", (type_, *self._several()))
        if code in _CASTS:
            self.at += 2
            type_ = self.type()
            return Node("wrapped", f"{_CASTS[code]}\0", (Node("cast", "", (type_, self.expression())),))
        if code in _OF_TYPE or code in _OF_EXPRESSION:
            self.at += 2
            text = _OF_TYPE.get(code) or _OF_EXPRESSION[code]
            return Node("wrapped", f"{text}(\0)", (self.type() if code in _OF_TYPE else self.expression(),))
        if code in OPERATORS and OPERATORS[code][1]:
            return self._operation(code)
        return self._simple()

    def _scope(self) -> Node:
        if not self.next().isdigit():
            return self.type()
        node = self._simple()
        while self.next().isdigit() and "E" in self.rest_of[self.at :]:
            before = self.at, len(self.known)
            part = self._simple()
            if self.next() != "E" and not self.next().isdigit():
                self.at = before[0]
                del self.known[before[1] :]
                return node
            node = Node("nested", "", (node, part))
        self.take("E")
        return node

    def _operation(self, code: str) -> Node:
        self.at += 2
        if code in ("pp", "mm"):
            self.take("_")
        sign, operands = OPERATORS[code]
        parts = tuple(self.expression() for _ in range(operands))
        if code == "ad" and parts[0].kind == "function" and parts[0].parts[0].kind == "nested":
            parts = parts[0].parts[:1]  # functions in scopes are written without their parameters
        return Node(("unary", "binary", "ternary")[operands - 1], sign, parts)

    def _simple(self) -> Node:
        node, _ = self.unqualified()
        if self.next() == "I":
            node = Node("template", "", (node, *self.template_arguments()))
        return node

    def _cast(self) -> Node:
        type_ = self.type()
        return Node("cast", "", (type_, *(self._several() if self.take("_") else [self.expression()])))

    def _several(self) -> list[Node]:
        parts = []
        while not self.take("E"):
            parts.append(self.expression())
        return parts

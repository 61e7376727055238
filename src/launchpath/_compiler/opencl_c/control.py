"""Control flow: blocks into braces, and jumps between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from ..spirv.module import Instruction
from ..spirv.opcodes import Op
from .function import FunctionWriter
from .latch import Latch, is_latch
from .module.flow import Flow
from .module.reader import Block
from .module.types import Kind
from .text.statements import Scope
from .text.values import EQUALITY, UNARY, Expression, Variable, integer

# Braces in braces: compilers have a limit (Clang's is 256), and beyond this depth blocks are written at the end.
DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written."""

    following: int | None = None  # the block that control reaches by falling off the end
    loop: int | None = None  # the header of the innermost loop around
    leaving: int | None = None  # the block that ``break`` of that loop goes to
    switched: bool = False  # a ``switch`` is inside that loop, so that ``break`` would leave it instead


class ControlWriter:
    """Writes the blocks of one function into its braces."""

    def __init__(self, writer: FunctionWriter) -> None:
        self.writer = writer
        self.function = writer.function
        self.flow = Flow(writer.function)
        self.labels: dict[int, str] = {}
        self.deep: list[int] = []
        self.label_lines: dict[int, tuple[Scope, int]] = {}
        self.outside: dict[int, Scope] = {}
        self.latches: dict[int, Latch] = {}

    def write(self) -> None:
        """Write all blocks."""
        for label in self.flow.order:
            for phi in self.function.blocks[label].phis:
                self._declare(phi)
        self._write(self.flow.entry, Place())
        while self.deep:
            self._leave(Place(self.deep[0]))
            self._write(self.deep.pop(0), Place())
        # Labels are put in at the end, where it is known which ones a goto wants; from the last one up, so that the
        # places of the others in the same braces stay what they were.
        for label, (scope, index) in sorted(self.label_lines.items(), key=lambda item: -item[1][1]):
            if label in self.labels:
                scope.items.insert(index, f"{self.labels[label]}:;")

    def _declare(self, phi: Instruction) -> None:
        writer = self.writer
        identifier = phi.words[1]
        if writer.is_used(identifier):
            type_ = writer.type_of(identifier)
            space = writer.space_of(identifier) if type_.kind is Kind.POINTER else None
            variable = writer.new_variable(
                writer.base_name(identifier, type_), writer.spelling.value(type_, space), is_phi=True
            )
            writer.phis[identifier] = variable
            if any(self._is_undefined(value) for value in phi.words[2::2]):
                # Nothing sets it on the way into a loop: the braces that the others have in common may be the loop's,
                # where each round would have a new variable.
                variable.scopes.append(writer.scope)
            writer.values[identifier] = Expression(
                variable.name, type_, 0, space, variables=frozenset((variable,)), cheap=True
            )

    def _is_undefined(self, value: int) -> bool:
        instruction = self.writer.unit.constants.get(value) or self.writer.instruction_at.get(value)
        return instruction is not None and instruction.opcode == Op.Undef

    # --- blocks ------------------------------------------------------------------------------------------------------

    def _write(self, label: int, place: Place) -> None:
        """Write a block and all that is placed with it; the last part by a loop, for chains can be long."""
        while True:
            self._mark(label)
            loop = self.flow.after_loop.get(label)
            if loop is None:
                rest = self.flow.after_block[label]
                self._block(label, replace(place, following=rest[0] if rest else place.following))
            else:
                rest = loop
                self._loop(label, place, rest[0] if rest else place.following)
            for part, following in pairwise(rest):
                self._write(part, replace(place, following=following))
            if not rest:
                return
            label = rest[-1]

    def _mark(self, label: int) -> None:
        scope = self.writer.scope
        self.label_lines.setdefault(label, (scope, len(scope.items)))

    def _loop(self, header: int, place: Place, leaving: int | None) -> None:
        outer = self.outside[header] = self.writer.scope
        line = len(outer.items)
        outer.items.append("for (;;) {")
        inner = self.writer.scope = outer.inner()
        parts = self.flow.after_block[header]
        inside = Place(header, header, leaving)
        self._block(header, replace(inside, following=parts[0] if parts else header))
        for index, part in enumerate(parts):
            self._write(part, replace(inside, following=parts[index + 1] if index + 1 < len(parts) else header))
        self.writer.scope = outer
        latch = self.latches.get(header)
        outer.items[line], end = latch.close(inner) if latch is not None else ("for (;;) {", ["}"])
        outer.items += [inner, *end]

    def _block(self, label: int, place: Place) -> None:
        block = self.function.blocks[label]
        writer = self.writer
        writer.write_body(block, self._used_behind(block))
        writer.fresh()
        match block.terminator.opcode:
            case Op.Branch:
                self._jump(block, block.terminator.words[0], place)
            case Op.BranchConditional:
                self._condition(block, place)
            case Op.Switch:
                self._switch(block, place)
            case Op.ReturnValue:
                value = writer.stored(block.terminator.words[0])
                writer.scope.items.append(f"return {value.text};")
            case _:
                # After an unreachable end, too: falling through would lead into the code that follows.
                self._leave(place)
        writer.kept.clear()

    def _leave(self, place: Place) -> None:
        writer = self.writer
        result = self.function.type.inner
        if result.kind is Kind.VOID:
            if place.following is not None or writer.scope.depth > 0:
                writer.scope.items.append("return;")
        else:
            writer.scope.items.append(f"return {writer.undefined(result).text};")

    def _used_behind(self, block: Block) -> list[int]:
        values = block.terminator.words[:1] if block.terminator.opcode != Op.Branch else []
        for target in block.successors():
            values = values + [value for _, value in self._incoming(block, target)]
        return values

    # --- jumps -------------------------------------------------------------------------------------------------------

    def _incoming(self, block: Block, target: int) -> list[tuple[int, int]]:
        """List (phi, value) of an edge."""
        pairs = []
        for phi in self.function.blocks[target].phis:
            for value, label in zip(phi.words[2::2], phi.words[3::2], strict=True):
                if label == block.label:
                    pairs.append((phi.words[1], value))
                    break
        return pairs

    def _jump(self, block: Block, target: int, place: Place) -> None:
        """Write an edge: what its phis take, then the jump or, if the target is written here, the target."""
        self._copy(block, target)
        items = self.writer.scope.items
        is_here = target in self.flow.inline and self.flow.dominator[target] == block.label
        if is_here and self.writer.scope.depth > DEEPEST:
            items.append(f"goto {self._label(target)};")
            self.deep.append(target)
        elif is_here:
            # Expressions that are kept for the other edges must not be put into variables in here.
            expressions, self.writer.kept = self.writer.kept, {}
            self._write(target, place)
            self.writer.kept = expressions
        elif target == place.following:
            pass
        elif target == place.loop:
            items.append("continue;")
        elif target == place.leaving and not place.switched and place.loop is not None:
            items.append("break;")
        else:
            items.append(f"goto {self._label(target)};")

    def _label(self, target: int) -> str:
        if target not in self.labels:
            name = self.writer.unit.names.get(target, "").replace(".", "_") or "next"
            self.labels[target] = self.writer.names.new(name)
        return self.labels[target]

    def _copy(self, block: Block, target: int) -> None:
        """Give the phis of an edge their values, as if all at once."""
        writer = self.writer
        waiting: list[tuple[Variable, Expression]] = []
        for phi, value in self._incoming(block, target):
            variable = writer.phis.get(phi)
            if variable is None:
                writer.kept.pop(value, None)
                continue
            if self._is_undefined(value):
                continue
            expression = writer.expression(value)
            if expression.type.kind is Kind.POINTER:
                expression = writer.in_space(expression, writer.space_of(phi))
            if expression.text != variable.name:
                waiting.append((variable, expression))
        while waiting:
            ready = next(
                (
                    pair for pair in waiting
                    if not any(pair[0] in other.variables for variable, other in waiting if variable is not pair[0])
                ),
                None,
            )  # fmt: skip
            if ready is not None:
                waiting.remove(ready)
                writer.set(ready[0], ready[1].text)
                continue
            # A cycle: the value of the first assignment is put aside, and assigned last.
            variable, expression = waiting.pop(0)
            aside = writer.new_variable(variable.name, variable.spelling)
            writer.set(aside, expression.text)
            waiting.append((variable, replace(expression, text=aside.name, level=0, variables=frozenset((aside,)))))
            aside.scopes.append(writer.scope)

    def _arm(self, block: Block, target: int, place: Place) -> Scope:
        outer = self.writer.scope
        arm = self.writer.scope = outer.inner()
        self._jump(block, target, place)
        self.writer.scope = outer
        return arm

    def _condition(self, block: Block, place: Place) -> None:
        writer = self.writer
        condition, true, false = block.terminator.words[:3]
        if true == false:
            writer.kept.pop(condition, None)
            self._jump(block, true, place)
            return
        test = writer.expression(condition)
        if self._end(block, place, test):
            return
        # The header of a loop may have the same name for what it tests and what its phis take: text is fixed by now.
        scope = writer.scope
        true_arm, false_arm = self._arm(block, true, place), self._arm(block, false, place)
        if not true_arm.items and not false_arm.items:
            return
        if not true_arm.items:
            self._if(scope, _negated(test), false_arm)
        elif not false_arm.items:
            self._if(scope, test.text, true_arm)
        elif true_arm.leaves():
            self._if(scope, test.text, true_arm, false_arm)
        elif false_arm.leaves():
            self._if(scope, _negated(test), false_arm, true_arm)
        else:
            scope.items += [f"if ({test.text}) {{", true_arm, "} else {", false_arm, "}"]

    def _end(self, block: Block, place: Place, test: Expression) -> bool:
        """Write the branch that a loop ends with, if it is that and the loop can be written so."""
        header, leaving = place.loop, place.leaving
        if self.writer.dialect.generic:  # the form is for PoCL 3.1, and tried there only
            return False
        if header is None or leaving is None or place.switched or place.following != header:
            return False
        if not is_latch(self.function, self.flow, block, header, leaving):
            return False
        writer = self.writer
        phis = {writer.phis.get(phi.words[1]) for phi in self.function.blocks[header].phis}
        for _, value in self._incoming(block, leaving):
            expression = writer.kept.get(value) or writer.values.get(value)
            if expression is not None and expression.variables & phis:
                return False
        if test.variables & phis:
            test = writer.named(test, "tested")
        # Variables in the condition and in the copies behind the loop must be declared outside its braces.
        scope, outer = writer.scope, self.outside[header]
        for variable in test.variables:
            variable.scopes.append(outer)
        back, after = scope.inner(), outer.inner()
        writer.scope = back
        self._copy(block, header)
        writer.scope = after
        self._copy(block, leaving)
        writer.scope = scope
        going_on, away = test.text, _negated(test)
        if block.terminator.words[1] != header:
            going_on, away = away, going_on
        tail = scope.inner()
        tail.is_flat = True
        scope.items.append(tail)
        self.latches[header] = Latch(tail, going_on, away, back, after)
        return True

    @staticmethod
    def _if(scope: Scope, condition: str, arm: Scope, rest: Scope | None = None) -> None:
        if len(arm.items) == 1 and isinstance(arm.items[0], str) and not arm.items[0].endswith(":;"):
            scope.items.append(f"if ({condition}) {arm.items[0]}")
        else:
            scope.items += [f"if ({condition}) {{", arm, "}"]
        if rest is not None:
            rest.is_flat = True
            scope.items.append(rest)

    def _switch(self, block: Block, place: Place) -> None:
        writer = self.writer
        selector, default = block.terminator.words[:2]
        expression = writer.expression(selector)
        bits = expression.type.bits
        scope = writer.scope
        scope.items.append(f"switch ({expression.text}) {{")
        inside = replace(place, switched=True)
        by_target: dict[int, list[int]] = {}
        for value, target in block.cases:
            by_target.setdefault(target, []).append(value)
        for target, values in by_target.items():
            if target != default:
                scope.items.append(" ".join(f"case {integer(value, bits)}:" for value in values) + " {")
                self._case(scope, block, target, inside)
        scope.items.append("default: {")
        self._case(scope, block, default, inside)
        scope.items.append("}")

    def _case(self, scope: Scope, block: Block, target: int, place: Place) -> None:
        arm = self._arm(block, target, place)
        if not arm.leaves():
            arm.items.append("break;")
        scope.items += [arm, "}"]


def _negated(test: Expression) -> str:
    if test.text.startswith("!") and test.level == UNARY:
        return test.text[1:]
    if test.level == EQUALITY and test.text.count(" == ") == 1 and test.text.count(" != ") == 0:
        return test.text.replace(" == ", " != ")
    return f"!{test.at(UNARY)}"

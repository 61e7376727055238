"""The parts of a program's text that its functions share: names, spellings, helpers, constants, extensions."""

from __future__ import annotations

from ...spirv.enumerants import Decoration, Storage
from ...spirv.opcodes import Op
from ..dialect import Dialect
from ..failure import UnsupportedConstruct
from ..module.operands import used
from ..module.reader import Function, Unit
from ..module.spaces import infer_all, variable_space
from ..module.types import Kind, Type
from .constants import initializer
from .helpers import Helpers
from .names import Names, source_name
from .spelling import Spelling
from .values import UNARY, Expression


class ProgramText:
    """What stands outside the functions of a program that is being written, and what these need of each other."""

    def __init__(self, unit: Unit, dialect: Dialect) -> None:
        self.unit, self.dialect = unit, dialect
        self.names = Names()
        for name in unit.kernels.values():
            self.names.reserve(name)
        self.spelling = Spelling(unit, dialect, self.names)
        self.helpers = Helpers(self.names, self.spelling, dialect)
        builtins = {identifier: unit.decoration(identifier, Decoration.BuiltIn) for identifier in unit.variables}
        self.builtins = {identifier: words[0] for identifier, words in builtins.items() if words}
        self.extensions: set[str] = set()
        self.tables: list[str] = []
        self._variables: dict[int, str] = {}
        self.reachable = self._reach()
        self.spaces = infer_all(unit, reversed(self.reachable))
        self.shared: dict[int, list[int]] = {}
        for function in self.reachable:  # callees before their callers
            self.shared[function] = self._workgroup_variables(function)
        self.functions = {
            identifier: unit.kernels.get(identifier)
            or self.names.new(unit.linkage(identifier) or unit.names.get(identifier, "function"))
            for identifier in self.reachable
        }

    def _called(self, function: Function) -> list[int]:
        return list(
            dict.fromkeys(
                instruction.words[2] for instruction in function.instructions() if instruction.opcode == Op.FunctionCall
            )
        )

    def _reach(self) -> list[int]:
        """List the functions that kernels reach, callees before their callers."""
        order: list[int] = []
        state: dict[int, bool] = {}
        for kernel in self.unit.kernels:
            stack = [(kernel, iter(self._called(self.unit.functions[kernel])))]
            state[kernel] = False
            while stack:
                function, rest = stack[-1]
                for called in rest:
                    if called not in state:
                        state[called] = False
                        stack.append((called, iter(self._called(self.unit.functions[called]))))
                        break
                    if not state[called]:
                        name = source_name(self.unit.linkage(called) or self.unit.names.get(called, "a function"))
                        raise UnsupportedConstruct(f"recursion ({name} calls itself)", why="OpenCL C has none")
                else:
                    stack.pop()
                    state[function] = True
                    order.append(function)
        return order

    def _workgroup_variables(self, identifier: int) -> list[int]:
        """List the shared variables that a function uses, by itself or by the functions that it calls."""
        variables: dict[int, None] = {}
        function = self.unit.functions[identifier]
        for instruction in function.instructions():
            for word in used(instruction):
                variable = self.unit.variables.get(word)
                if variable is not None and variable.words[2] == Storage.Workgroup:
                    variables[word] = None
        for called in self._called(function):
            variables.update(dict.fromkeys(self.shared[called]))
        return list(variables)

    def parameter_space(self, function: int, parameter: int) -> Storage:
        """Give the address space that a parameter is declared to point to."""
        declared = self.unit.value_types[parameter].storage
        assert declared is not None
        return self.spaces[function].get(parameter, declared) if declared is Storage.Generic else declared

    # --- what the text uses -------------------------------------------------------------------------------------------

    def is_zero(self, variable: int) -> bool:
        """Whether a variable holds nothing but zeros."""
        words = self.unit.variables[variable].words
        return len(words) > 3 and self.unit.constants[words[3]].opcode == Op.ConstantNull

    def needs(self, extension: str) -> None:
        """Note an extension that the text uses."""
        self.extensions.add(extension)

    def needs_int64_atomics(self) -> None:
        """Note that the text has atomic operations on 64 bits."""
        for extension in ("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"):
            if not self.dialect.has(extension):
                raise UnsupportedConstruct("an atomic operation on 64 bits", why=f"the device lacks {extension}")
            self.needs(extension)

    # --- names of things outside functions ---------------------------------------------------------------------------

    def callee(self, called: int) -> tuple[str, list[int]]:
        """Give a function's name, and the shared variables that it takes besides its own arguments."""
        if not self.unit.functions[called].blocks:
            name = self.unit.linkage(called) or self.unit.names.get(called, "")
            raise UnsupportedConstruct(f"a call of {name}, which is declared but not defined", "no platform")
        return self.functions[called], self.shared[called]

    def variable(self, identifier: int) -> Expression:
        """Give the address of a constant."""
        pointer = self.unit.value_types[identifier]
        space = variable_space(self.unit, identifier)
        if space is not Storage.UniformConstant:
            name = self.unit.names.get(identifier, "")
            raise UnsupportedConstruct(f"the {space.name} variable {name}")
        if identifier not in self._variables:
            self._variables[identifier] = name = self.names.new(self.unit.names.get(identifier, "table"))
            words = self.unit.variables[identifier].words
            if len(words) < 4 or self.unit.is_imported(identifier):
                raise UnsupportedConstruct(f"the variable {name}, which is declared but not defined", "no platform")
            aligned = (self.unit.decoration(identifier, Decoration.Alignment) or [0])[0]
            qualifier = "__global const" if self.dialect.generic else "__constant"
            declaration = self.spelling.variable(pointer.inner, name, aligned, qualifier)
            value = initializer(self.spelling, self.unit, words[3])
            if pointer.inner.kind is not Kind.ARRAY and value == "{0}" and pointer.inner.kind is not Kind.STRUCT:
                value = "0"
            self.tables.append(f"{declaration} = {value};")
        name = self._variables[identifier]
        return address(self.spelling, name, pointer, space, cast=self.dialect.generic)


def address(spelling: Spelling, name: str, pointer: Type, space: Storage, *, cast: bool = False) -> Expression:
    """Give the address of a variable."""
    if pointer.inner.kind is Kind.ARRAY:
        inner = pointer.inner.innermost
        expression = Expression(name, pointer, 0, space, f"*{name}", cheap=True)
        if inner.kind is Kind.BOOL:
            cast = True
    else:
        expression = Expression(f"&{name}", pointer, UNARY, space, name, cheap=True)
    if cast:
        # The cast drops const, which the types of pointers here do not have.
        expression.text, expression.level = f"({spelling.pointer(pointer.inner, space)}){expression.text}", UNARY
    return expression

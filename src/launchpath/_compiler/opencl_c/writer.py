"""A whole module: kernels, the functions and constants that they use, and what all of those need."""

from __future__ import annotations

from collections.abc import Iterable

from ..spirv.module import Module
from ..spirv.opcodes import Decoration, ExecutionMode, Op, Storage
from . import arithmetic, atomics, calls, composite, conversion, groups, memory, synchronization
from .builtins import Builtins
from .constants import initializer
from .control import ControlWriter
from .dialect import Dialect
from .failure import UnsupportedConstruct
from .function import FunctionWriter
from .helpers import Helpers
from .names import Names, source_name
from .operands import used
from .reader import Function, Unit, read
from .spaces import infer_all, variable_space
from .spelling import Spelling
from .text import Scope, place
from .types import Kind, Type, alignment
from .values import UNARY, Expression

# Imported for the instructions that they register.
_INSTRUCTIONS = (arithmetic, atomics, calls, composite, conversion, groups, memory, synchronization)

# Floating-point numbers that OpenCL C has by extensions only.
_PRECISIONS = {
    64: ("cl_khr_fp64", "arithmetic in double precision"),
    16: ("cl_khr_fp16", "arithmetic in half precision"),
}

# Extensions that compilers want to be told of; for others they warn that there is nothing to tell.
_PRAGMAS = {"cl_khr_fp64", "cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"}
_SUBGROUP_SIZE = "cl_intel_required_subgroup_size"

_HEAD = """\
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wall"
#pragma clang diagnostic ignored "-Wmissing-braces"
#pragma clang diagnostic ignored "-Wparentheses-equality"
#pragma clang diagnostic ignored "-Wunused-label"
#pragma clang diagnostic ignored "-Wunused-variable"
#pragma clang diagnostic ignored "-Wincompatible-pointer-types-discards-qualifiers"
#endif
"""


def write(module: Module, dialect: str, extensions: Iterable[str] | None = None) -> str:
    """Write a module as OpenCL C.

    Parameters
    ----------
    module : Module
        SPIR-V of the kernel flavour with 64-bit addresses. Its device globals and its dynamic shared memory are
        parameters of the kernels by now.
    dialect : str
        ``clc`` for OpenCL C 1.2 on a CPU, whose address spaces are one flat space, or ``clc-generic`` for OpenCL C 2.0
        or 3.0 with a generic address space.
    extensions : iterable of str, optional
        The device's; if None, any may be used.

    Returns
    -------
    str

    Raises
    ------
    UnsupportedConstruct
        For what the dialect, or the device without an extension, cannot express.
    ValueError
        If there is no such dialect.
    """
    return Writer(read(module), Dialect.named(dialect, extensions)).text()


class Writer:
    """Writes one module."""

    def __init__(self, unit: Unit, dialect: Dialect) -> None:
        self.unit, self.dialect = unit, dialect
        self.names = Names()
        for name in unit.kernels.values():
            self.names.reserve(name)
        self.spelling = Spelling(unit, dialect, self.names)
        self.helpers = Helpers(self)
        self.builtins = Builtins(unit)
        self._extensions: set[str] = set()
        self._variables: dict[int, str] = {}
        self._tables: list[str] = []
        self._reachable = self._reach()
        self.spaces = infer_all(unit, reversed(self._reachable))
        self._shared = {function: self._workgroup_variables(function) for function in self._reachable}
        self._functions = {
            identifier: unit.kernels.get(identifier)
            or self.names.new(unit.linkage(identifier) or unit.names.get(identifier, "function"))
            for identifier in self._reachable
        }

    # --- what is there -----------------------------------------------------------------------------------------------

    def _called(self, function: Function) -> list[int]:
        return list(dict.fromkeys(one.words[2] for one in function.instructions() if one.opcode == Op.FunctionCall))

    def _reach(self) -> list[int]:
        """List the functions that kernels reach, the called before their callers."""
        order: list[int] = []
        state: dict[int, bool] = {}
        for kernel in self.unit.kernels:
            stack = [(kernel, iter(self._called(self.unit.functions[kernel])))]
            state[kernel] = False
            while stack:
                here, rest = stack[-1]
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
                    state[here] = True
                    order.append(here)
        return order

    def _workgroup_variables(self, identifier: int) -> list[int]:
        """List the shared variables that a function uses, by itself or by what it calls."""
        found: dict[int, None] = {}
        function = self.unit.functions[identifier]
        for one in function.instructions():
            for word in used(one):
                variable = self.unit.variables.get(word)
                if variable is not None and variable.words[2] == Storage.Workgroup:
                    found[word] = None
        for called in self._called(function):
            found.update(dict.fromkeys(self._workgroup_variables(called)))
        return list(found)

    def is_zero(self, variable: int) -> bool:
        """Whether a variable holds nothing but zeros."""
        words = self.unit.variables[variable].words
        return len(words) > 3 and self.unit.constants[words[3]].opcode == Op.ConstantNull

    def needs(self, extension: str) -> None:
        """Note an extension that the text uses."""
        self._extensions.add(extension)

    def needs_int64_atomics(self) -> None:
        """Note that the text has atomic operations on 64 bits."""
        for extension in ("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"):
            if not self.dialect.has(extension):
                raise UnsupportedConstruct("an atomic operation on 64 bits", why=f"the device lacks {extension}")
            self.needs(extension)

    # --- names of things outside functions ---------------------------------------------------------------------------

    def callee(self, writer: FunctionWriter, called: int) -> tuple[str, list[str]]:
        """Give a function's name and the arguments that it takes besides its own: shared variables."""
        if not self.unit.functions[called].blocks:
            name = self.unit.linkage(called) or self.unit.names.get(called, "")
            raise UnsupportedConstruct(f"a call of {name}, which is declared but not defined", "no platform")
        hidden = [writer.expression(variable).text for variable in self._shared[called]]
        return self._functions[called], hidden

    def variable(self, writer: FunctionWriter, identifier: int) -> Expression:
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
            declaration = self.spelling.variable(pointer.of, name, aligned)
            qualifier = "__global const" if self.dialect.generic else "__constant"
            value = initializer(self.spelling, self.unit, words[3])
            if pointer.of.kind is not Kind.ARRAY and value == "{0}" and pointer.of.kind is not Kind.STRUCT:
                value = "0"
            self._tables.append(f"{qualifier} {declaration} = {value};")
        name = self._variables[identifier]
        return address(self.spelling, name, pointer, space, cast=self.dialect.generic)

    # --- writing -----------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """Write everything."""
        functions = [self._function(self.unit.functions[identifier]) for identifier in self._reachable]
        contracted = not any(
            mode[0] == ExecutionMode.ContractionOff
            for kernel in self.unit.kernels
            for mode in self.unit.modes.get(kernel, [])
        )
        parts = [
            _HEAD,
            "\n".join(f"#pragma OPENCL EXTENSION {name} : enable" for name in self._enabled()),
            f"#pragma OPENCL FP_CONTRACT {'ON' if contracted else 'OFF'}",
            self.spelling.text(),
            "\n".join(self._tables),
            "\n".join(self.helpers.texts),
            "\n\n".join(functions),
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def parameter_space(self, function: int, parameter: int) -> Storage:
        """Give the address space that a parameter is declared to point to."""
        declared = self.unit.value_types[parameter].storage
        assert declared is not None
        return self.spaces[function].get(parameter, declared) if declared is Storage.Generic else declared

    def _enabled(self) -> list[str]:
        for width, (extension, construct) in _PRECISIONS.items():
            if width in self.spelling.widths:
                if not self.dialect.has(extension):
                    raise UnsupportedConstruct(construct, f"devices with {extension}", f"the device lacks {extension}")
                self.needs(extension)
        return sorted(self._extensions & _PRAGMAS)

    def _function(self, function: Function) -> str:
        is_kernel = function.id in self.unit.kernels
        body = Scope()
        writer = FunctionWriter(self, function, body)
        parameters = self._parameters(writer, function, is_kernel)
        hidden = self._shared[function.id]
        locals_: list[str] = []
        for variable in hidden:
            self._workgroup(writer, variable, parameters, locals_, is_kernel=is_kernel)
        for own in function.variables:
            locals_.append(self._local(writer, own.words))
        ControlWriter(writer).write()
        place(writer.variables)
        if is_kernel:
            head = f"__kernel{self._attributes(function.id)} void {self._functions[function.id]}"
        else:
            head = f"static {self.spelling.value(function.type.of)} {self._functions[function.id]}"
        lines = [f"{head}({', '.join(parameters) or 'void'}) {{", *(f"  {line}" for line in locals_)]
        return "\n".join([*lines, *body.lines("  "), "}"])

    def _attributes(self, kernel: int) -> str:
        made = ""
        for mode in self.unit.modes.get(kernel, []):
            if mode[0] == ExecutionMode.LocalSize:
                made += f" __attribute__((reqd_work_group_size({mode[1]}, {mode[2]}, {mode[3]})))"
            elif mode[0] == ExecutionMode.SubgroupSize and self.dialect.names(_SUBGROUP_SIZE):
                made += f" __attribute__((intel_reqd_sub_group_size({mode[1]})))"
        return made

    def _parameters(self, writer: FunctionWriter, function: Function, is_kernel: bool) -> list[str]:
        made = []
        for identifier, type_ in function.parameters:
            name = writer.names.new(self.unit.names.get(identifier, "a"))
            if is_kernel and type_.kind is Kind.POINTER and self.unit.is_by_value(identifier):
                made.append(f"{self._by_value(identifier, type_.of)} {name}")
                writer.values[identifier] = address(self.spelling, name, type_, Storage.Function)
                continue
            space = writer.space_of(identifier) if type_.kind is Kind.POINTER else None
            made.append(f"{self.spelling.value(type_, space)} {name}".replace("* ", "*"))
            writer.values[identifier] = Expression(name, type_, 0, space, cheap=True)
        return made

    def _by_value(self, parameter: int, type_: Type) -> str:
        """Spell the type of a structure that a kernel takes by value, aligned as the caller aligns it."""
        aligned = (self.unit.decoration(parameter, Decoration.Alignment) or [0])[0]
        name = self.spelling.value(type_)
        if aligned <= alignment(type_):
            return name
        return self.spelling.aligned(name, aligned)

    def _workgroup(
        self, writer: FunctionWriter, identifier: int, parameters: list[str], locals_: list[str], *, is_kernel: bool
    ) -> None:
        """Declare a shared variable: only kernels may, other functions get its address."""
        pointer = self.unit.value_types[identifier]
        name = writer.names.new(self.unit.names.get(identifier, "shared"))
        if is_kernel:
            aligned = (self.unit.decoration(identifier, Decoration.Alignment) or [0])[0]
            locals_.append(f"__local {self.spelling.variable(pointer.of, name, aligned)};")
            writer.values[identifier] = address(self.spelling, name, pointer, Storage.Workgroup)
        else:
            parameters.append(f"{self.spelling.value(pointer)} {name}".replace("* ", "*"))
            writer.values[identifier] = Expression(name, pointer, 0, Storage.Workgroup, cheap=True)

    def _local(self, writer: FunctionWriter, words: list[int]) -> str:
        """Declare a variable of a function's own."""
        identifier, pointer = words[1], self.unit.types[words[0]]
        name = writer.names.new(self.unit.names.get(identifier, "local_1"))
        aligned = (self.unit.decoration(identifier, Decoration.Alignment) or [0])[0]
        writer.values[identifier] = address(self.spelling, name, pointer, Storage.Function)
        value = f" = {initializer(self.spelling, self.unit, words[3])}" if len(words) > 3 else ""
        return f"{self.spelling.variable(pointer.of, name, aligned)}{value};"


def address(spelling: Spelling, name: str, pointer: Type, space: Storage, *, cast: bool = False) -> Expression:
    """Give the address of a variable."""
    if pointer.of.kind is Kind.ARRAY:
        inner = pointer.of.innermost
        made = Expression(name, pointer, 0, space, f"*{name}", cheap=True)
        if inner.kind is Kind.BOOL:
            cast = True
    else:
        made = Expression(f"&{name}", pointer, UNARY, space, name, cheap=True)
    if cast:
        # Away with const, which the types of pointers here do not say.
        made.text, made.level = f"({spelling.pointer(pointer.of, space)}){made.text}", UNARY
    return made

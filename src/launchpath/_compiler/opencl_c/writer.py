"""A whole module: kernels, the functions and constants that they use, and their dependencies."""

from __future__ import annotations

from collections.abc import Iterable

from ..spirv.enumerants import Decoration, ExecutionMode, Storage
from ..spirv.module import Module
from ..spirv.opcodes import Op
from .control import ControlWriter
from .dialect import Dialect
from .failure import UnsupportedConstruct
from .function import FunctionWriter
from .instructions import arithmetic, atomics, calls, composite, conversion, groups, memory, synchronization
from .module.reader import Function, read
from .module.types import Kind, Type, alignment
from .text.constants import initializer
from .text.declarations import declared
from .text.lifetimes import hide_lifetimes
from .text.program import ProgramText, address
from .text.statements import Scope, place
from .text.values import Expression

# Imported for the instructions that they register.
_INSTRUCTIONS = (arithmetic, atomics, calls, composite, conversion, groups, memory, synchronization)

# Floating-point numbers that OpenCL C has by extensions only.
_PRECISIONS = {
    64: ("cl_khr_fp64", "arithmetic in double precision"),
    16: ("cl_khr_fp16", "arithmetic in half precision"),
}

# Extensions that need a pragma; for others compilers warn that the pragma changes nothing.
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

    Raises
    ------
    UnsupportedConstruct
        For what the dialect, or the device without an extension, cannot express.
    ValueError
        If there is no such dialect.
    """
    return Writer(ProgramText(read(module), Dialect.named(dialect, extensions))).text()


class Writer:
    """Writes one module."""

    def __init__(self, program: ProgramText) -> None:
        self.program = program
        self.unit, self.dialect, self.spelling = program.unit, program.dialect, program.spelling
        bodies = [block.body for function in self.unit.functions.values() for block in function.blocks.values()]
        # PoCL puts all functions into its kernels.
        self._waits = not self.dialect.generic and any(i.opcode == Op.ControlBarrier for body in bodies for i in body)

    def text(self) -> str:
        """Write everything."""
        functions = [self._function(self.unit.functions[identifier]) for identifier in self.program.reachable]
        contracted = not any(
            mode[0] == ExecutionMode.ContractionOff
            for kernel in self.unit.kernels
            for mode in self.unit.modes.get(kernel, [])
        )
        before = [
            _HEAD,
            "\n".join(f"#pragma OPENCL EXTENSION {name} : enable" for name in self._enabled()),
            f"#pragma OPENCL FP_CONTRACT {'ON' if contracted else 'OFF'}",
        ]
        code = [
            self.spelling.text(),
            "\n".join(self.program.tables),
            "\n".join(self.program.helpers.texts),
            "\n\n".join(functions),
        ]
        names = [*self.program.functions.values(), *self.program.helpers.names]
        block = "" if self.dialect.generic else declared("\n".join(code), names)
        return "\n".join(part for part in (*before, block, *code) if part) + "\n"

    def _enabled(self) -> list[str]:
        for width, (extension, construct) in _PRECISIONS.items():
            if width in self.spelling.widths:
                if not self.dialect.has(extension):
                    raise UnsupportedConstruct(construct, f"devices with {extension}", f"the device lacks {extension}")
                self.program.needs(extension)
        return sorted(self.program.extensions & _PRAGMAS)

    def _function(self, function: Function) -> str:
        is_kernel = function.id in self.unit.kernels
        body = Scope()
        writer = FunctionWriter(self.program, function, body)
        parameters = self._parameters(writer, function, is_kernel)
        hidden = self.program.shared[function.id]
        locals_: list[str] = []
        for variable in hidden:
            self._workgroup(writer, variable, parameters, locals_, is_kernel=is_kernel)
        for local in function.variables:
            locals_.append(self._local(writer, local.words))
        ControlWriter(writer).write()
        place(writer.variables)
        body.head = locals_
        if self._waits:
            hide_lifetimes(body, writer.names.new)
        if is_kernel:
            head = f"__kernel{self._attributes(function.id)} void {self.program.functions[function.id]}"
        else:
            head = f"static {self.spelling.value(function.type.inner)} {self.program.functions[function.id]}"
        return "\n".join([f"{head}({', '.join(parameters) or 'void'}) {{", *body.lines("  "), "}"])

    def _attributes(self, kernel: int) -> str:
        attributes = ""
        for mode in self.unit.modes.get(kernel, []):
            if mode[0] == ExecutionMode.LocalSize:
                attributes += f" __attribute__((reqd_work_group_size({mode[1]}, {mode[2]}, {mode[3]})))"
            elif mode[0] == ExecutionMode.SubgroupSize and self.dialect.names(_SUBGROUP_SIZE):
                attributes += f" __attribute__((intel_reqd_sub_group_size({mode[1]})))"
        return attributes

    def _parameters(self, writer: FunctionWriter, function: Function, is_kernel: bool) -> list[str]:
        spelled = []
        for identifier, type_ in function.parameters:
            name = writer.names.new(self.unit.names.get(identifier, "a"))
            if is_kernel and type_.kind is Kind.POINTER and self.unit.is_by_value(identifier):
                spelled.append(f"{self._by_value(identifier, type_.inner)} {name}")
                writer.values[identifier] = address(self.spelling, name, type_, Storage.Function)
                continue
            space = writer.space_of(identifier) if type_.kind is Kind.POINTER else None
            spelled.append(f"{self.spelling.value(type_, space)} {name}".replace("* ", "*"))
            writer.values[identifier] = Expression(name, type_, 0, space, cheap=True)
        return spelled

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
            locals_.append(f"{self.spelling.variable(pointer.inner, name, aligned, '__local')};")
            writer.values[identifier] = address(self.spelling, name, pointer, Storage.Workgroup)
        else:
            parameters.append(f"{self.spelling.value(pointer)} {name}".replace("* ", "*"))
            writer.values[identifier] = Expression(name, pointer, 0, Storage.Workgroup, cheap=True)

    def _local(self, writer: FunctionWriter, words: list[int]) -> str:
        """Declare a function's own variable."""
        identifier, pointer = words[1], self.unit.types[words[0]]
        name = writer.names.new(self.unit.names.get(identifier, "local_1"))
        aligned = (self.unit.decoration(identifier, Decoration.Alignment) or [0])[0]
        writer.values[identifier] = address(self.spelling, name, pointer, Storage.Function)
        value = f" = {initializer(self.spelling, self.unit, words[3])}" if len(words) > 3 else ""
        return f"{self.spelling.variable(pointer.inner, name, aligned)}{value};"

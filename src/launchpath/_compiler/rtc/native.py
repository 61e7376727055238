"""Compile for devices that take binaries of NVRTC or hipRTC: the kernels are the source's own."""

from __future__ import annotations

import math

from ..._kinds import KIND_BYTES
from ...errors import CompileError
from ..clang import frontend
from ..extraction.unit import ParsedUnit, parse
from ..image import Image, Symbol
from ..kernels.instance import Instance
from ..signature import Layout
from ..source.source import Source
from ..target import Target
from . import build
from .library import headers, library_file
from .library.library import load
from .library.machine import machine, parameter_bytes
from .reach import reached
from .shared import by_hsaco, by_ptx
from .text.tail import symbol


class Native:
    """A source, and the compiler of a device."""

    def __init__(self, source: Source, target: Target, is_part: bool = False) -> None:
        self.library = load(library_file.choose(target))
        self.machine = machine(source, target, self.library, is_part)
        self.is_part = is_part  # whether the source is one of several files of a program
        # the most bytes that a launch takes by value: the device and the library's binaries limit it. 0 is no limit
        self.parameter_bytes = parameter_bytes(target, self.library)
        # with the machine's macros and folders, so that Clang, which finds kernels and layouts, sees what that compiler
        # will see
        self.source = source._replace(machine=self.machine.macros, system=headers.folders(self.library))

    def parse(self) -> ParsedUnit:
        """Parse the source.

        Raises
        ------
        CompileError
            See `extraction.unit.parse`; for headers that are missing it says where they come from.
        """
        try:
            return parse(self.source, self.is_part)
        except CompileError as error:
            unknown = build.unknown_headers(str(error))
            hints = {headers.hint(name, self.library.file): None for name in unknown}
            if unknown and not frontend.find().command:
                hints[frontend.WITHOUT_HINT] = None
            hint_text = "\n".join(filter(None, hints))
            raise CompileError(f"{error}\n{hint_text}", f"{error.log}\n{hint_text}") from None if hint_text else error

    def compile(self, unit: ParsedUnit, instances: list[Instance], layout: Layout, alone: bool) -> Image:
        """Compile kernels; the driver finds them, and the globals, by the names in the image.

        Parameters
        ----------
        unit : ParsedUnit
        instances : list of Instance
        layout : Layout
        alone : bool
            They join an existing program. They have copies of its globals, which nothing sets. So the globals that the
            kernels can reach become symbols, which the program sees.

        Raises
        ------
        CompileError
            With the compiler's messages at the source's own lines.
        """
        variables = [*layout.variables] if not alone else reached([unit], instances, layout.variables)
        built = self.build(unit, instances, layout, variables)
        kernels = tuple(
            (built.names[instance.expression], signature)
            for instance, signature in zip(instances, layout.signatures, strict=True)
        )
        if built.kind == "hsaco":
            kernels = by_hsaco(kernels, built.code, unit, instances)
        else:
            kernels = by_ptx(kernels, [built.ptx])
        symbols = []
        for name in variables:
            dtype, shape, pointee = layout.variables[name]
            size = KIND_BYTES[dtype] * math.prod(shape)
            symbols.append(Symbol(name, 0, size, dtype, shape, built.names[symbol(name)], pointee))
        image = Image(built.kind, built.code, kernels, tuple(symbols), log=built.log)
        return image._replace(waiting=built.waiting, body=built.body)

    def build(self, unit: ParsedUnit, instances: list[Instance], layout: Layout, variables: list[str]) -> build.Built:
        """Let the library compile kernels; for a file of several, also its device functions and variables.

        Raises
        ------
        CompileError
            With the compiler's messages at the source's own lines.
        """
        return build.compile(unit, instances, layout, self.library, self.machine, variables, self.is_part)

"""The signature of a kernel: its parameters, and their offsets in the packed block of arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from .kernels.variable import Variable

ADDRESS = 8  # bytes of a device's address


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel.

    Attributes
    ----------
    name : str
        As in the source; an unnamed one is ``arg0``, ``arg1``, ... by its position.
    ctype : str
        The C type as in the source, e.g. ``const float *``.
    kind : str
        ``pointer``, ``int8`` to ``int64``, ``uint8`` to ``uint64``, ``float16``, ``float32``, ``float64``,
        ``bool``, ``texture`` (a texture object) or ``struct``.
    size, align, offset : int
        Bytes, in CUDA's layout: natural alignment, in order.
    pointee : str or None
        For pointers the NumPy name of the element's dtype; None if any will do (``void``, ``char``, structs). For a
        struct that is a complex number NumPy's name of it.
    const : bool
        Whether it is a pointer to const.
    members : tuple of Parameter
        Of a struct its fields, with offsets in it; of a field that is an array, of kind ``struct``, its element.
    shape : tuple of int
        The extents of such a field.
    no_members : str
        Why a struct has no `members`, where the compiler knows.
    """

    name: str
    ctype: str
    kind: str
    size: int
    align: int
    offset: int
    pointee: str | None = None
    const: bool = False
    members: tuple[Parameter, ...] = ()
    shape: tuple[int, ...] = ()
    no_members: str = ""

    @property
    def multiple(self) -> int:
        """The divisor of its value on which a foreign compiler relies; 0 if there is none."""
        return 0

    @property
    def argument(self) -> int | None:
        """The index of its argument, if several parameters are made of one argument; else None."""
        return None

    def __str__(self) -> str:
        gap = "" if self.ctype.endswith("*") else " "
        return f"{self.ctype}{gap}{self.name}"


@dataclass(frozen=True, slots=True)
class Signature:
    """A kernel's name, parameters and static needs.

    Attributes
    ----------
    name : str
        As in the source, with its namespaces: ``fill``, ``physics::step``.
    parameters : tuple of Parameter
        In order.
    size : int
        Bytes of the packed block of arguments, padded to a multiple of 8 and of the strictest alignment among
        the parameters: what ``clSetKernelArg`` is given on OpenCL. 0 if there are no parameters.
    shared : int
        Bytes of static shared memory.
    dynamic_shared : bool
        Whether the kernel may have ``extern __shared__`` memory. Its OpenCL kernel then has one more, last
        parameter, which is ``__local`` and is set even if the launch brings 0 bytes (as 1 byte).
    dynamic_variable : str or None
        The ``extern __shared__`` variable that the kernel reaches, also through functions; empty if its name is not
        known. None if it reaches none, or if that is not known: then a launch need not give bytes of it.
    max_threads : int or None
        ``__launch_bounds__``'s first number, if given.
    warps : bool
        Whether it uses warp functions on a device that makes warps of the rows of a block, and not of the block.
    block : bool
        Whether the packed block is larger than the device takes with a launch. The entry point then takes the address
        of a packed block in the device's memory, aligned to `align`. Nothing writes to it while the kernel runs.
    writes_block : bool
        Whether the kernel itself may write to this block.
    fields : tuple of Parameter
        Fields of the struct that the kernel's only parameter points to, if it does; ``offset`` counts in the struct.
    fields_size : int
        Bytes of that struct.
    no_fields : str
        Why there are no fields, if only the compiler knows the reason.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    size: int = 0
    shared: int = 0
    dynamic_shared: bool = False
    max_threads: int | None = None
    warps: bool = False
    block: bool = False
    writes_block: bool = False
    fields: tuple[Parameter, ...] = ()
    fields_size: int = 0
    no_fields: str = ""
    dynamic_variable: str | None = None

    tells_const: ClassVar[bool] = True  # whether a pointer without const was declared so

    # Further properties of foreign compilers' kernels: see `launchpath.interop.adopted.AdoptedSignature`.

    @property
    def nulls(self) -> tuple[tuple[int, int], ...]:
        """Offset and bytes of parameters that no caller gives: they are 0."""
        return ()

    @property
    def constants(self) -> tuple[str, ...]:
        """Parameters of the source that the compiler turned into constants."""
        return ()

    @property
    def parameter_bytes(self) -> int:
        """Bytes that the entry point takes by value: the packed block, or its address."""
        return ADDRESS if self.block else self.size

    @property
    def end(self) -> int:
        """The end of the last parameter in the packed block, in bytes: CUDA's and HIP's limits are for this."""
        return max([0, *(parameter.offset + parameter.size for parameter in self.parameters)])

    @property
    def align(self) -> int:
        """Alignment of the packed block in bytes."""
        return max([8, *(parameter.align for parameter in self.parameters)])

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))})"


@dataclass(slots=True)
class Layout:
    """What Clang says of a program's types.

    Attributes
    ----------
    signatures : list of Signature
        In the order of the instances. The compilation adds the shared memory.
    variables : dict of Variable by str
        The types of the device globals by their names.
    types : list of tuple of str
        The types of the parameters, as C++ has them, in the order of the instances.
    """

    signatures: list[Signature]
    variables: dict[str, Variable]
    types: list[tuple[str, ...]]


def pack(sizes: list[tuple[int, int]]) -> tuple[list[int], int]:
    """Offsets of values of these (size, alignment) laid out in order, and the bytes of the padded block."""
    offsets: list[int] = []
    end = 0
    for size, align in sizes:
        start = -(-end // align) * align
        offsets.append(start)
        end = start + size
    strictest = max([8, *(align for _, align in sizes)])
    return offsets, -(-end // strictest) * strictest

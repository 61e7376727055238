"""What parsing finds out about a source: all that a translation needs, and nothing of libclang's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import CompileError
from .log import Message, render
from .names import renamed
from .signature import Signature, pack
from .text import Lines


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a variable: where, and whether it stands there as an array turned into a pointer.

    `at` is None if it comes out of a macro's body, where nothing can be put in its place.
    """

    at: int | None
    decays: bool
    line: int


@dataclass(slots=True)
class Shared:
    """A ``__shared__`` variable. `statement` spans its declaration, `at` is where its name stands."""

    name: str
    kernel: str | None
    dynamic: bool
    array: bool
    size: int
    align: int
    statement: tuple[int, int]
    at: int
    uses: list[tuple[str | None, Use]] = field(default_factory=list)


@dataclass(slots=True)
class Constant:
    """A variable at file scope, or a static one in a function (`local`)."""

    name: str
    local: bool
    record: bool
    constant: bool
    ctype: str
    start: int
    at: int
    uses: list[Use] = field(default_factory=list)


@dataclass(slots=True)
class Kernel:
    """A kernel's definition: its own text is edited at `body` (after its brace) and at each of `lists`.

    Each of `lists` is where a parameter list of one of its declarations ends, and whether that list is empty;
    None if it comes out of a macro's body.
    """

    signature: Signature
    types: tuple[str, ...]
    line: int
    body: int | None
    lists: list[tuple[int, bool] | None]


@dataclass(slots=True)
class Unit:
    """A parsed source.

    Attributes
    ----------
    source : bytes
        The text, with the includes that stand for our own prelude blanked.
    original : bytes
        The text as given, for quoting.
    name : str
        The file's name in messages.
    signatures : dict of str to Signature
        By kernel name, in the source's order.
    translated : tuple of str
        Dialect and text of the last translation, which a build log is about.
    """

    source: bytes
    original: bytes
    name: str
    defines: Mapping[str, str | None]
    identifiers: frozenset[str]
    kernels: dict[str, Kernel] = field(default_factory=dict)
    shared: list[Shared] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    tags: list[tuple[str, str]] = field(default_factory=list)
    local_tags: list[tuple[int, str, str]] = field(default_factory=list)
    casts: list[tuple[int, bool]] = field(default_factory=list)
    linkages: list[tuple[int, int]] = field(default_factory=list)
    host: list[tuple[int, int]] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    translated: tuple[str, str] = ("clc++", "")
    lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        self.lines = Lines(self.original)

    @property
    def signatures(self) -> dict[str, Signature]:
        """The signature of each kernel, by name."""
        return {name: kernel.signature for name, kernel in self.kernels.items()}

    @property
    def renamed(self) -> tuple[str, ...]:
        """Names of the source's that OpenCL has another meaning for."""
        return renamed(self.identifiers, self.declared)

    def shared_of(self, kernel: str) -> tuple[list[tuple[Shared, int]], int]:
        """Return a kernel's shared variables, each with its place in the static block, and its bytes.

        They are those in its body and those at file scope that it uses; a dynamic one's offset is 0.
        """
        mine = [
            variable
            for variable in self.shared
            if variable.kernel == kernel
            or (variable.kernel is None and any(user == kernel for user, _ in variable.uses))
        ]
        static = [variable for variable in mine if not variable.dynamic]
        offsets, size = pack([(variable.size, variable.align) for variable in static])
        places = list(zip(static, offsets, strict=True))
        return places + [(variable, 0) for variable in mine if variable.dynamic], size if static else 0

    def error(self, offset: int, message: str) -> CompileError:
        """Make a CompileError at this place of the source, to be raised."""
        line, column = self.lines.position(offset)
        log = render([Message(self.name, line, column, "error", message)], self.lines)
        return CompileError(log, log)

"""What a case of the corpus is: which kernels, launched how with what, and what must come out of it."""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent

Arrays = dict[str, np.ndarray]
Shape = int | tuple[int, ...]


@dataclass(frozen=True)
class Source:
    """A file of the corpus.

    Attributes
    ----------
    path : str
        Below this folder.
    names : tuple of str
        Instances of templates to ask for when compiling: those that the file's host code does not launch.
    later : tuple of str
        Instances that are first looked up in the program, and compiled then.
    defines : mapping
        Macros.
    needs : frozenset of str
        Features that a device must have: ``warps``. Elsewhere compiling must fail, and say why.
    """

    path: str
    names: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=dict)
    needs: frozenset[str] = frozenset()

    @property
    def file(self) -> Path:
        return FOLDER / self.path

    @property
    def key(self) -> str:
        """What tells it from other sources: one file may be several, by its macros."""
        return f"{self.path} {dict(self.defines)} {self.names}"


@dataclass(frozen=True)
class Part:
    """An argument: an array from an element of its first axis on."""

    array: str
    start: int


@dataclass(frozen=True)
class Rows:
    """An argument: an array of the addresses of an array's rows."""

    array: str


@dataclass(frozen=True)
class Struct:
    """An argument: a struct by value, with a name of an array for the array's address.

    Attributes
    ----------
    layout : list of (name, format) or (name, format, shape)
        Fields as NumPy has them, laid out as C does; ``"u8"`` for a pointer.
    values : tuple
    """

    layout: tuple[Any, ...]
    values: tuple[Any, ...]

    def packed(self, addresses: Mapping[str, int]) -> Any:
        values = tuple(addresses[value] if isinstance(value, str) else value for value in self.values)
        return np.array(values, np.dtype([*self.layout], align=True))[()]


def struct(layout: str, *values: Any) -> Struct:
    """Make a struct: ``struct("i4 i4 f4 u8", 3, 4, 0.5, "data")``; a format may begin with a shape: ``(4,4)f4``."""
    fields = tuple((f"f{i}", form) for i, form in enumerate(layout.split()))
    return Struct(fields, values)


@dataclass(frozen=True)
class Launch:
    """A launch: an argument is an array's name, `Part`, `Rows`, `Struct`, or a value."""

    kernel: str
    grid: Shape
    block: Shape
    arguments: tuple[Any, ...]
    shared: int = 0


def launch(kernel: str, grid: Shape, block: Shape, *arguments: Any, shared: int = 0) -> Launch:
    return Launch(kernel, grid, block, arguments, shared)


@dataclass(frozen=True)
class Case:
    """A case.

    Attributes
    ----------
    source : Source
    launches : tuple of Launch
        In this order.
    arrays : callable
        Makes the arrays, with a random generator that is the same each time.
    expect : callable
        Gives from the arrays as they were before: for each array to look at what must be in it, or a function that
        raises AssertionError if it is given something else. ``"symbol:NAME"`` is a device global.
    rtol, atol : float
        How far floats may be off.
    symbols : mapping
        Device globals that are set before: name to array.
    """

    source: Source
    launches: tuple[Launch, ...]
    arrays: Callable[[np.random.Generator], Arrays]
    expect: Callable[[Arrays], dict[str, Any]]
    rtol: float = 1e-5
    atol: float = 1e-6
    symbols: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        kernels = dict.fromkeys(launch.kernel.replace(" ", "") for launch in self.launches)
        defines = "".join(f",{name}" for name in self.source.defines)
        return f"{self.source.path.rpartition('.')[0]}{defines}:{'+'.join(kernels)}"

    def make_arrays(self) -> Arrays:
        """The arrays, the same each time."""
        return self.arrays(np.random.default_rng(zlib.crc32(self.name.encode())))


def case(
    source: Source,
    *launches: Launch,
    arrays: Callable[[np.random.Generator], Arrays],
    expect: Callable[[Arrays], dict[str, Any]],
    rtol: float = 1e-5,
    atol: float = 1e-6,
    symbols: Mapping[str, str] | None = None,
) -> Case:
    return Case(source, launches, arrays, expect, rtol, atol, symbols or {})


def blocks(n: int, threads: int) -> int:
    """How many blocks of so many threads cover n."""
    return -(-n // threads)


def zeros(*shape: int, dtype: str = "f4") -> np.ndarray:
    return np.zeros(shape, dtype)

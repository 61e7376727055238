"""Adopted kernels: kernels of another library, with launchpath's launch."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

from launchpath._compiler.signature import Parameter, Signature
from launchpath._listed import Listed
from launchpath._programs.documented import Documented
from launchpath._programs.kernel import Kernel, check_layout
from launchpath.errors import ArgumentValueError, ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from launchpath import _core
    from launchpath._accepted import Extents, StreamLike
    from launchpath._streams.device import Device

Place = tuple[int, int]  # offset and bytes


@dataclass(frozen=True, slots=True)
class AdoptedParameter(Parameter):
    """A parameter whose values are multiples of a power of two, where ``multiple`` is not 0.

    ``argument`` is the index of the caller's argument that it is a part of; None: its own.
    """

    multiple: int = 0
    argument: int | None = None


@dataclass(frozen=True, slots=True)
class AdoptedSignature(Signature):
    """What an adopted kernel takes."""

    nulls: tuple[Place, ...] = ()  # offset and bytes of parameters behind the others that nobody gives: they are 0
    constants: tuple[str, ...] = ()  # parameters of the source that the compiler made constants of: nobody gives them

    tells_const: ClassVar[bool] = False

    def layout(self) -> list[Place]:
        """Where the driver has its parameters."""
        return [*((parameter.offset, parameter.size) for parameter in self.parameters), *self.nulls]


@dataclass(frozen=True, slots=True)
class Expansion:
    """How arguments become more, or other, values."""

    signature: AdoptedSignature  # of the arguments. The kernel's own is of the values
    values: Callable[[tuple[Any, ...]], tuple[Any, ...]]  # makes the values of the arguments


class Adopted(Kernel):
    """A kernel of another library. ``adopted[grid, block, stream, shared](*arguments)`` launches it.

    Block, stream and shared memory may be None or omitted: the kernel's fixed block (Triton's kernels have it), the
    current stream, the kernel's own size of shared memory. A kernel with a fixed block refuses a number as block:
    ``adopted[x, y]`` is not a grid of two dimensions, which is ``adopted[(x, y), None]``.

    Attributes
    ----------
    device : Device
    name : str
    library : str
        Its origin: "triton", "cupy", "cuda.core", "numba" or "handle".
    foreign : object
        The library's own kernel.
    block : int or None
        Threads of a block, if the kernel has a fixed block.
    shared : int
        Bytes of dynamic shared memory of a launch that omits it.
    """

    library: str
    foreign: Any
    block: int | None
    shared: int

    def __init__(
        self,
        driver: _core.DriverKernel,
        device: Device,
        signature: Signature,
        foreign: Any = None,
        library: str = "handle",
        block: int | None = None,
        shared: int = 0,
        expansion: Expansion | None = None,
    ) -> None:
        super().__init__(driver, device, signature, foreign)
        vars(self).update(library=library, foreign=foreign, block=block, shared=shared)
        self._expansion = expansion

    __doc__ = Documented(__doc__, Kernel._described)

    @property
    def signature(self) -> Signature:
        """What the kernel takes from a caller."""
        return super().signature if self._expansion is None else self._expansion.signature

    def _again(self) -> Adopted:
        return Adopted(
            self._driver, self.device, super().signature, self.foreign, self.library, self.block, self.shared,
            self._expansion,
        )  # fmt: skip

    def __getitem__(
        self,
        key: Extents
        | tuple[Extents, Extents | None]
        | tuple[Extents, Extents | None, StreamLike | None]
        | tuple[Extents, Extents | None, StreamLike | None, SupportsIndex | None],
    ) -> Any:
        parts: tuple[Any, ...] = key if isinstance(key, tuple) else (key,)
        if not 1 <= len(parts) <= 4:
            raise ConfigurationError(
                f"expected {self.name}[grid], {self.name}[grid, block], {self.name}[grid, block, stream] or "
                f"{self.name}[grid, block, stream, shared], got {key!r}"
            )
        grid, block, stream, shared = (*parts, None, None, None)[:4]
        # Triton's kernel[2, 128] and kernel[(2, 128)] are one key to Python: a grid of two dimensions there, and grid
        # and block here. Where the number is the block's by chance, the launch would be another one without a word.
        if self.block is not None and hasattr(block, "__index__"):
            raise ConfigurationError(
                f"{self.name} has a fixed block of {self.block} threads: {self.name}[{grid!r}, {block!r}] would be "
                f"grid and block. A grid of two dimensions is {self.name}[(x, y), None]; else omit the block"
            )
        return self._launch(grid, block, stream, shared)

    def _launch(self, grid: Any, block: Any, stream: Any, shared: SupportsIndex | None) -> Any:
        if block is None:
            if self.block is None:
                raise ConfigurationError(f"{self.name} has no fixed block: use {self.name}[grid, block]")
            block = self.block
        elif self.block is not None and _threads(block) != (self.block, 1, 1):
            raise ConfigurationError(
                f"{self.name} was compiled for a block of {self.block} threads, got {block!r}: omit it. A grid of "
                f"several dimensions is {self.name}[(x, y), None]"
            )
        launcher = super().__getitem__((grid, block, stream, self.shared if shared is None else shared))
        return launcher if self._expansion is None else Expanding(launcher, self._expansion.values)

    def bind(
        self,
        grid: Extents,
        block: Extents | None = None,
        shared: SupportsIndex | None = None,
        stream: StreamLike | None = None,
    ) -> Any:
        """Make a launch to keep: call it with the kernel's arguments.

        Parameters
        ----------
        grid, block : int or tuple of int
            Blocks, and threads of a block. The block may be omitted if the kernel has a fixed block.
        shared : int, optional
            Bytes of dynamic shared memory; the kernel's own size if omitted.
        stream : Stream or a stream of another library, optional
            The current stream at each call if omitted.

        Returns
        -------
        launcher
            The same as ``adopted[grid, block, stream, shared]`` gives.
        """
        return self._launch(grid, block, stream, shared)

    def over(
        self,
        n: Extents,
        block: Extents = 256,
        shared: SupportsIndex | None = None,
        stream: StreamLike | None = None,
    ) -> Any:
        """Make a launch over `n` elements, a thread for each, of a kernel without a fixed block: see `Kernel.over`.

        Parameters
        ----------
        n : int, or tuple or list of up to three int
            Elements, (x, y, z). With 0 elements nothing is launched.
        block : int, or tuple or list of up to three int
            Threads of a block, of no more dimensions than `n` has.
        shared : int, optional
            Bytes of dynamic shared memory; the kernel's own size if omitted.
        stream : Stream or a stream of another library, optional
            The current stream at each call if omitted.

        Returns
        -------
        launcher
            The same as ``adopted[grid, block, stream, shared]`` gives.

        Raises
        ------
        ConfigurationError
            The kernel has a fixed block, as Triton's have: its source says how many elements a block computes. Or
            `Kernel.over` would raise it.
        """
        if self.block is not None:
            raise ConfigurationError(
                f"{self.name} has a fixed block of {self.block} threads, and its source says how many elements a block "
                f"computes: use {self.name}[grid]"
            )
        launcher = super().over(n, block, self.shared if shared is None else shared, stream)
        return launcher if self._expansion is None else Expanding(launcher, self._expansion.values)

    def __repr__(self) -> str:
        return f"<Kernel {self.signature} of {self.library}, on {self.device.name!r}>"


class Expanding(Listed):
    """A launch of a kernel whose arguments become other values."""

    __slots__ = ("_launcher", "_values")

    def __init__(self, launcher: Any, values: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> None:
        self._launcher, self._values = launcher, values

    def __call__(self, *args: Any) -> None:
        """Launch with the kernel's arguments, by position."""
        self._launcher(*self._values(args))

    def __repr__(self) -> str:
        return repr(self._launcher)


def _threads(block: Any) -> tuple[Any, ...]:
    block = tuple(block) if isinstance(block, (tuple, list)) else (block,)
    return (*block, 1, 1)[:3]


def adopted(
    device: Device,
    function: int,
    signature: Signature,
    *,
    foreign: Any,
    library: str,
    block: int | None = None,
    shared: int = 0,
    cooperative: bool = False,
    expansion: Expansion | None = None,
) -> Adopted:
    """Make a kernel of a handle and what it takes; the driver's view of its parameters must agree."""
    driver = device.driver_device.adopt(function)
    signature = signature if signature.dynamic_shared else replace(signature, dynamic_shared=True)
    if isinstance(signature, AdoptedSignature):
        check_places(driver, signature)
    else:
        check_layout(driver, signature)
    kernel = Adopted(driver, device, signature, foreign, library, block, shared, expansion)
    if cooperative:
        kernel.make_cooperative()
    return kernel


def check_places(driver: _core.DriverKernel, signature: AdoptedSignature) -> None:
    """Hold what a library says of its kernel's parameters against what the driver does, where it can tell."""
    layout, expected = driver.parameter_layout(), signature.layout()
    if layout is not None and [tuple(place) for place in layout] != expected:
        raise ArgumentValueError(
            f"kernel {signature.name}: its parameters in the driver are (offset, bytes) {layout}, those of {signature} "
            f"are {expected}; this version of launchpath does not know the library's layout of parameters"
        )


def with_text(device: Device, function: int, name: str, text: str | None, subject: str) -> Signature:
    """Read the signature given for a kernel, or make one of what the driver tells.

    Raises
    ------
    ArgumentValueError
        None was given, and the driver does not tell.
    """
    if text is not None:
        from launchpath._compiler import parameter_list  # noqa: PLC0415 (libclang is slow to load)

        return replace(parameter_list.signature(name, text), name=name)
    layout = device.driver_device.adopt(function).parameter_layout()
    if layout is None:
        raise ArgumentValueError(
            f"{subject} does not describe its parameters, nor does this driver (CUDA's does since 12.4): "
            'adopt(kernel, signature="const float *x, int n")'
        )
    from launchpath._compiler.binary import kernels  # noqa: PLC0415 (importing launchpath must stay fast)

    return kernels.signature(kernels.BinaryKernel(name, tuple(kernels.Place(*place) for place in layout)))


def extended(parameter: Parameter, multiple: int) -> Parameter:
    """Let a parameter take multiples of a number alone."""
    values = {field.name: getattr(parameter, field.name) for field in fields(Parameter)}
    return AdoptedParameter(**values, multiple=multiple)

"""Types of the arguments of public functions, for annotations. Only type checkers and readers use them."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Iterator
    from types import EllipsisType

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from launchpath import _core
    from launchpath._streams.device import Device

    # One int, of Python or NumPy, or a tuple or list of them, one for each axis.
    Shape: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | list[SupportsIndex] | "IntList"
    # A grid or a block: one to three ints.
    Extents: TypeAlias = Shape
    # A part of an array, by NumPy's basic indexing.
    Index: TypeAlias = (
        SupportsIndex | slice | EllipsisType | tuple[SupportsIndex | slice | EllipsisType | None, ...] | None
    )
    # A device, its index, or words, as `launchpath.device` takes them.
    DeviceLike: TypeAlias = Device | SupportsIndex | str


class IntList(Protocol):
    """A list of ints of any kind: to type checkers a ``list[int]`` is no ``list[SupportsIndex]``."""

    def __iter__(self) -> Iterator[SupportsIndex]:
        """Give the ints."""

    def reverse(self) -> None:
        """Do what lists do, but neither tuples, ranges, sets nor texts."""


class CUDAStream(Protocol):
    """A stream with CUDA's stream protocol: of torch, CuPy, cuda.core and others."""

    @property
    def __cuda_stream__(self) -> Any:
        """A method that gives (0, handle)."""


class TorchStream(Protocol):
    """A stream of a torch that has no such protocol yet."""

    @property
    def cuda_stream(self) -> int:
        """The handle."""


class CuPyStream(Protocol):
    """A stream of a CuPy that has no such protocol yet."""

    @property
    def ptr(self) -> int:
        """The handle."""


class NumbaStream(Protocol):
    """A stream of Numba."""

    @property
    def handle(self) -> Any:
        """The handle, in an object of ctypes or of cuda.bindings."""


class DLPackArray(Protocol):
    """An array with DLPack: a torch tensor, an array of CuPy, JAX and others."""

    @property
    def __dlpack__(self) -> Any:
        """A method that gives a capsule."""

    def __dlpack_device__(self) -> tuple[Any, int]:
        """Give the kind and the number of the device."""


class CUDAArray(Protocol):
    """An array with the CUDA Array Interface: Numba's, CuPy's, torch's."""

    @property
    def __cuda_array_interface__(self) -> Any:
        """Its address, shape and dtype."""


if TYPE_CHECKING:
    ForeignStream: TypeAlias = CUDAStream | TorchStream | CuPyStream | NumbaStream
    # A stream of ours or of another library, or what follows one.
    StreamLike: TypeAlias = _core.QueueBase | _core.FollowerBase | ForeignStream
    # A stream's address, as `Stream.external` takes it.
    StreamHandle: TypeAlias = SupportsIndex | ctypes.c_void_p
    # For pointers: arrays, `DevicePointer`, In, Out, InOut, None. For numbers: those of Python and NumPy. For vectors
    # and structs: tuples, lists and dicts of fields, NumPy's arrays and scalars, ctypes structures, bytes. Launches say
    # which of them fits.
    Argument: TypeAlias = (
        _core.ArrayBase | _core.DevicePointer | _core.StagedBase | _core.TextureBase | DLPackArray | CUDAArray
        | float | Real | np.generic | npt.NDArray[Any] | Buffer | tuple[Any, ...] | list[Any] | dict[str, Any] | None
    )  # fmt: skip

"""Textures: arrays as kernels read them by ``tex2D`` and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from launchpath import _core
from launchpath._listed import Listed
from launchpath._memory.array import Array
from launchpath._memory.texels import Reads, Texels, descriptor, reads, texels
from launchpath._shown import as_bool, described
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, TypeAlias

    from launchpath._accepted import StreamLike
    from launchpath._streams.device import Device
    from launchpath._streams.stream import Stream

    AddressMode: TypeAlias = Literal["clamp", "wrap", "mirror", "border"]

_ALIGNMENT = 512  # of memory that the driver's textures read: the textureAlignment of an H100
_ELEMENTS = 256  # bytes from a descriptor to its elements, see _core/arguments/texture.pxi


class Texture(_core.TextureBase, Listed):
    """A copy of an array that kernels read by ``tex1D``, ``tex2D``, ``tex3D``, ``tex1DLayered``, ``tex2DLayered``.

    It is an argument for parameters of type ``cudaTextureObject_t`` or ``hipTextureObject_t``. CUDA devices read it by
    their texture units, OpenCL devices in software. The texture has memory of its own, on every device: it does not see
    later writes to the array, `update` copies again. Dropping it is safe at any time, as for an array.

    Parameters
    ----------
    array : Array
        The elements, with the axes in NumPy's order: ``array[z, y, x]``, with layers ``array[layer, y, x]``. Channels
        have 8, 16 or 32 bits: uint8 to uint32, int8 to int32, float16 (read as float) and float32. An element has 1, 2
        or 4 channels: by a structured dtype with as many fields of one type, or by `channels`.
    channels : int, optional
        1, 2 or 4: the last axis of the array has the channels, ``array[y, x, channel]``.
    layered : bool
        The first axis has layers, which are not interpolated.
    address : str or sequence of str
        What coordinates outside read: ``"clamp"`` the nearest element, ``"border"`` zeros; with normalized coordinates
        also ``"wrap"`` and ``"mirror"``. A mode for all axes, or one each for x, y and z.
    filter : str
        ``"point"``: the element at the place; ``"linear"``: between the nearest elements, for reads that give floats.
    normalized : bool
        Coordinates count from 0 to 1 along an axis, and not elements.
    read : str
        ``"element"``, or ``"normalized_float"``: ints of 8 and 16 bits as floats from 0 or -1 to 1.
    fetch : bool
        Elements of one axis are read by ``tex1Dfetch``, by their index, and by no other function. There may be more of
        them than ``tex1D`` reaches.
    stream : Stream, optional
        Copy the elements in this stream's order. If omitted: the current stream if it belongs to the array's device,
        else the legacy default stream. What reads the texture has to come after it, as after any write.

    Attributes
    ----------
    device : Device
        The device that has the memory.
    shape, dtype : tuple of int, numpy.dtype
        Those of the array.
    handle : int
        The ``cudaTextureObject_t``, for foreign code, structs and kernels of it; keep the texture until that is done.

    Raises
    ------
    ArgumentValueError
        CUDA has no such textures. The rules are the same on every device.
    DriverError
        The device refuses it: an axis is longer than its texture units reach, for example.

    Notes
    -----
    The elements at coordinates x are those of the CUDA C++ Programming Guide, "Texture Fetching". Texture units weigh
    neighbours with 8 bits of fraction, software with all bits of a float.
    """

    _of_core = ("device", "handle")
    device: Device
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __init__(
        self,
        array: Array,
        *,
        channels: int | None = None,
        layered: bool = False,
        address: AddressMode | Sequence[AddressMode] = "clamp",
        filter: Literal["point", "linear"] = "point",
        normalized: bool = False,
        read: Literal["element", "normalized_float"] = "element",
        fetch: bool = False,
        stream: StreamLike | None = None,
    ) -> None:
        if hasattr(self, "_texels"):
            raise TypeError("expected a new texture, got one that was created: create another one")
        _check_array(array)
        by_index = as_bool(fetch, "`fetch`")
        elements = texels(array, channels, layered, by_index)
        reading = reads(elements, address, filter, normalized, read, by_index)
        order = array._stream(stream)
        vars(self).update(shape=array.shape, dtype=array.dtype)
        self._create(array, elements, reading, order)
        self._texels, self._reads = elements, reading
        self._write(order, array, elements.row, elements.rows)

    def _create(self, array: Array, elements: Texels, reading: Reads, order: Stream) -> None:
        device = array.device
        if not _core.reads_textures_in_software(device):
            memory = _aligned(device, array.nbytes) if reading.fetch else None
            self._by_driver(
                device, memory, elements.size, elements.layers, elements.channels, elements.bits, elements.kind,
                reading.modes, reading.filter == "linear", reading.normalized, reading.read == "normalized_float",
            )  # fmt: skip
            return
        memory = _memory(device, _ELEMENTS + array.nbytes)
        header = descriptor(elements, reading, memory.bare_address + _ELEMENTS)
        memory[: header.nbytes].copy_from(header, order)
        self._in_software(device, memory)

    def update(self, array: Array, stream: StreamLike | None = None) -> None:
        """Copy an array to the texture, asynchronously, in the stream's order.

        Parameters
        ----------
        array : Array
            Of the texture's shape, dtype and device.
        stream : Stream, optional
            The current stream if it belongs to the texture's device, else the legacy default stream. Work that reads
            the texture and is not ordered with the copy may see both the old and the new elements.

        Raises
        ------
        ArgumentValueError
            It is another kind of array.
        """
        _check_array(array)
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ArgumentValueError(
                f"expected an array of shape {self.shape} and {self.dtype}, got shape {array.shape} and {array.dtype}: "
                "create another texture"
            )
        if array.device is not self.device:
            raise ArgumentValueError(
                f"expected an array on {self.device.name!r}, got one on {array.device.name!r}: copy it with "
                "launchpath.asarray(array, device=...)"
            )
        self._write(array._stream(stream), array, self._texels.row, self._texels.rows)

    @property
    def dimensions(self) -> int:
        """Number of axes that coordinates count along: 1, 2 or 3."""
        return len(self._texels.size)

    @property
    def channels(self) -> int:
        """Number of channels of an element."""
        return self._texels.channels

    @property
    def layers(self) -> int:
        """Number of layers; 0: it is not layered."""
        return self._texels.layers

    @property
    def address(self) -> tuple[str, ...]:
        """The address modes along x, y and z."""
        return self._reads.address

    @property
    def filter(self) -> str:
        """``"point"`` or ``"linear"``."""
        return self._reads.filter

    @property
    def normalized(self) -> bool:
        """Whether coordinates count from 0 to 1."""
        return self._reads.normalized

    @property
    def read(self) -> str:
        """``"element"`` or ``"normalized_float"``."""
        return self._reads.read

    @property
    def fetch(self) -> bool:
        """Whether ``tex1Dfetch`` reads it."""
        return self._reads.fetch

    def __reduce__(self) -> Any:
        raise TypeError("a texture has memory on a device: pickle the NumPy array that it was made of")

    def __repr__(self) -> str:
        if not hasattr(self, "_texels"):
            return "<Texture that was not created>"
        layered = f"{self.layers} layers of " if self.layers else ""
        size = " x ".join(map(str, self._texels.size))
        channel = f"{self.channels} x {self._texels.channel}" if self.channels > 1 else str(self._texels.channel)
        return f"<Texture of {layered}{size} elements of {channel}, {self.filter}, on {self.device.name!r}>"


def _memory(device: Device, nbytes: int) -> Array:
    """Memory that all streams may use at once: a launch looks at the order of what it is given, and not behind that."""
    dtype = np.dtype("uint8")
    return Array(device.pool.allocate(nbytes), device, dtype, _core.dtype_code("uint8"), (nbytes,), 0, nbytes)


def _aligned(device: Device, nbytes: int) -> Array:
    memory = _memory(device, nbytes + _ALIGNMENT)
    start = -memory.bare_address % _ALIGNMENT
    return memory[start : start + nbytes]


def _check_array(array: object) -> None:
    if isinstance(array, Array):
        array._check_lives()
        return
    host = isinstance(array, np.ndarray) or hasattr(array, "__array_interface__")
    hint = ": copy it to the device with launchpath.asarray" if host else ""
    raise ArgumentValueError(f"expected a launchpath.Array, got {described(array)}{hint}")

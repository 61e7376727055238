"""What a texture is made of: its elements and axes, and how it is read, checked by CUDA's rules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from launchpath import _core
from launchpath._shown import as_bool, described, shown
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._memory.array import Array

ADDRESS = {"wrap": 0, "clamp": 1, "mirror": 2, "border": 3}
FILTERS = ("point", "linear")
READS = ("element", "normalized_float")
_KINDS = {"u": 0, "i": 1, "f": 2}
_BITS = {"u": (8, 16, 32), "i": (8, 16, 32), "f": (16, 32)}
_CHANNELS = (1, 2, 4)
_LARGEST = (1 << 31) - 1  # elements along an axis: kernels count them by ints
_DESCRIPTOR = np.dtype([
    ("data", "u8"), ("size", "u4", 3), ("pitch", "u4"), ("channels", "u4"), ("kind", "u4"), ("bits", "u4"),
    ("address", "u4", 3), ("linear", "u4"), ("normalized", "u4"), ("floats", "u4"), ("reserved", "u4"),
])  # fmt: skip


class Texels(NamedTuple):
    """The elements of a texture."""

    size: tuple[int, ...]  # along x, y and z
    layers: int  # 0: it has none
    channels: int
    channel: np.dtype[Any]

    @property
    def kind(self) -> int:
        """What a channel is, by the core's number."""
        return _KINDS[self.channel.kind]

    @property
    def bits(self) -> int:
        """Bits of a channel."""
        return 8 * self.channel.itemsize

    @property
    def row(self) -> int:
        """Bytes of a row."""
        return self.size[0] * self.channels * self.channel.itemsize

    @property
    def rows(self) -> int:
        """Rows of all slices or layers."""
        return math.prod(self.size[1:]) * max(self.layers, 1)


class Reads(NamedTuple):
    """How a texture is read."""

    address: tuple[str, ...]  # along x, y and z
    filter: str
    normalized: bool
    read: str
    fetch: bool

    @property
    def modes(self) -> tuple[int, int, int]:
        """The address modes by their numbers; clamp, where there is no axis."""
        modes = [ADDRESS[mode] for mode in self.address] + [ADDRESS["clamp"]] * 3
        return modes[0], modes[1], modes[2]


def texels(array: Array, channels: object, layered: object, fetch: bool) -> Texels:
    """Find the elements and axes in an array's shape and dtype."""
    channel, count = _element(array.dtype)
    shape = array.shape
    if channels is not None:
        count = _named_channels(array, channels, count)
        shape = shape[:-1]
    if count not in _CHANNELS:
        raise ArgumentValueError(
            f"expected elements of 1, 2 or 4 channels, got {count}: textures of 3 channels do not exist, add a fourth"
        )
    if channel.kind not in _BITS or 8 * channel.itemsize not in _BITS[channel.kind]:
        raise ArgumentValueError(
            f"expected channels of 8, 16 or 32 bits (uint8 to uint32, int8 to int32, float16, float32), got {channel}: "
            "convert the array with astype(), or view 64-bit elements as two channels of int32, "
            "which a kernel puts together"
        )
    layers = 0
    has_layers = as_bool(layered, "`layered`")
    if has_layers and fetch:
        raise ArgumentValueError("expected no layers with fetch=True: tex1Dfetch reads one axis, omit `layered`")
    if has_layers:
        layers, shape = (shape[0] if shape else 0), shape[1:]
    _check_axes(array, len(shape), has_layers, fetch, channels is not None)
    if 0 in array.shape:
        raise ArgumentValueError(f"expected an array with elements, got shape {array.shape}")
    if max(shape) > _LARGEST:
        raise ArgumentValueError(f"expected at most {_LARGEST} elements along an axis, got shape {array.shape}")
    return Texels(shape[::-1], layers, count, channel)


def _check_axes(array: Array, axes: int, layered: bool, fetch: bool, channels: bool) -> None:
    if not 1 <= axes <= (2 if layered else 1 if fetch else 3):
        expected = "layers and 1 or 2 axes" if layered else "1 axis" if fetch else "1 to 3 axes"
        without = " without that of the channels" if channels else ""
        raise ArgumentValueError(
            f"expected an array with {expected}{without}, got shape {array.shape}: "
            "reshape() it, or pass channels=2 or 4 if the last axis has the channels"
        )


def _element(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], int]:
    """Give the channel's dtype and how many there are, of an element."""
    if dtype.names is None:
        return dtype, 1
    fields = [dtype.fields[name][0] for name in dtype.names] if dtype.fields is not None else []
    packed = sum(field.itemsize for field in fields) == dtype.itemsize
    if not fields or not packed or any(field != fields[0] or field.names or field.subdtype for field in fields):
        raise ArgumentValueError(
            "expected a structured dtype with fields of one type and no gaps, as [('x', 'f4'), ('y', 'f4')], got "
            f"{dtype}"
        )
    return fields[0], len(fields)


def _named_channels(array: Array, channels: object, count: int) -> int:
    number = _core.whole_number(channels)
    if number not in _CHANNELS:
        raise ArgumentValueError(f"expected `channels` of 1, 2 or 4, got {shown(channels)}")
    if count != 1:
        raise ArgumentValueError(
            f"expected no `channels`, because the elements of {array.dtype} have {count}, got {number}: omit it"
        )
    if not array.shape or array.shape[-1] != number:
        raise ArgumentValueError(
            f"expected an array whose last axis has the {number} channels, got shape {array.shape}"
        )
    return number


def reads(texels: Texels, address: object, filter: object, normalized: object, read: object, fetch: bool) -> Reads:
    """Check how a texture is to be read."""
    modes = Reads(
        _address(address, len(texels.size)), _one_of(filter, FILTERS, "filter"), as_bool(normalized, "`normalized`"),
        _one_of(read, READS, "read"), fetch,
    )  # fmt: skip
    if modes.read == "normalized_float" and (texels.channel.kind == "f" or texels.bits == 32):
        raise ArgumentValueError(
            f"expected ints of 8 or 16 bits to read as normalized floats, got {texels.channel}: use read='element'"
        )
    if modes.filter == "linear" and texels.channel.kind != "f" and modes.read == "element":
        raise ArgumentValueError(
            f"expected reads that give floats to filter linearly, got elements of {texels.channel}: use "
            "read='normalized_float' (ints of 8 and 16 bits), or convert the array to float32"
        )
    repeats = [mode for mode in modes.address if mode in ("wrap", "mirror")]
    if repeats and not modes.normalized:
        raise ArgumentValueError(
            f"expected normalized coordinates for the address mode {repeats[0]!r}, got coordinates in elements, which "
            "CUDA clamps: pass normalized=True, and divide the coordinates by the size"
        )
    if fetch and (modes.filter == "linear" or modes.normalized or set(modes.address) != {"clamp"}):
        raise ArgumentValueError(
            "expected neither linear filtering, normalized coordinates nor address modes with fetch=True: tex1Dfetch "
            "reads elements by their index, and 0 outside; omit them, or omit fetch and read by tex1D"
        )
    return modes


def _address(address: object, axes: int) -> tuple[str, ...]:
    modes = tuple(address) if isinstance(address, (tuple, list)) else (address,) * axes
    if len(modes) != axes:
        raise ArgumentValueError(f"expected an address mode for each of the {axes} axes x, y, z, got {shown(address)}")
    return tuple(_one_of(mode, tuple(ADDRESS), "address") for mode in modes)


def _one_of(value: object, names: tuple[str, ...], name: str) -> str:
    if not isinstance(value, str) or value not in names:
        raise ArgumentValueError(
            f"expected `{name}` to be one of {', '.join(map(repr, names))}, got {described(value)}"
        )
    return value


def descriptor(texels: Texels, reads: Reads, data: int, pitch: int = 0) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Bytes of what kernels read textures by in software (texture_device.h), with the elements at an address.

    `pitch` is the number of bytes from row to row; 0: rows touch.
    """
    record = np.zeros(1, _DESCRIPTOR)
    height = texels.size[1] if len(texels.size) > 1 else 1
    record["data"] = data
    record["size"][0] = texels.size[0], height, texels.layers or (texels.size[2] if len(texels.size) > 2 else 1)
    record["pitch"] = pitch
    record["channels"], record["kind"], record["bits"] = texels.channels, texels.kind, texels.bits
    record["address"][0] = reads.modes
    record["linear"], record["normalized"] = reads.filter == "linear", reads.normalized
    record["floats"] = reads.read == "normalized_float"
    return record.view("uint8")

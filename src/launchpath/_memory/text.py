"""The text of an array: what it is, and its values, read after the device's work and shortened as NumPy's are."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from launchpath import _core
from launchpath._memory import host_memory, index
from launchpath._shown import is_message
from launchpath.errors import LaunchpathError

if TYPE_CHECKING:
    from launchpath._memory.array import Array

_MOST_COPIES = 4096  # for the corners of an array; more have none shown


def text(array: Array) -> str:
    """Give the `repr` of an array. It waits, except within the messages of errors, which name the array only."""
    head = f"<Array {array.shape} {array.dtype} on {array.device.name!r}"
    if is_message():
        return f"{head}>"
    if array.allocation.freed:
        return f"{head}, freed>"
    try:
        values = _values(array)
    except LaunchpathError as error:
        # The other errors report failed work, which is reported once. This class refuses to read here and now: in a
        # capture, in a host function.
        if type(error) is not LaunchpathError:
            raise
        return f"{head}, not read: {error}>"
    return f"{head}:\n{values}>" if "\n" in values else f"{head}: {values}>"


def _values(array: Array) -> str:
    options = np.get_printoptions()
    edge = int(options["edgeitems"])
    if array.size <= options["threshold"]:
        return str(array.to_numpy())
    corners = _corners(array, edge)
    return "too many axes to show" if corners is None else np.array2string(corners, threshold=0, edgeitems=edge)


def _corners(array: Array, edge: int) -> npt.NDArray[Any] | None:
    """Read the elements that NumPy shows of a large array, into an array that it shortens to the same text."""
    itemsize = array.dtype.itemsize
    shown = np.zeros([min(extent, 2 * edge + 1) for extent in array.shape], array.dtype)
    axes = [_ends(extent, edge) for extent in array.shape]
    plan = []
    nbytes = copies = 0
    for ends in product(*axes):
        part = index.part(array.shape, itemsize, tuple(end for end, _ in ends))
        size = math.prod(part.shape) * itemsize
        if not size:
            continue
        piece, offsets = index.pieces(part.shape, itemsize, part.strides, index.layout(part.shape, itemsize).strides)
        copies += len(offsets[0])
        if copies > _MOST_COPIES:
            return None
        plan.append((part, piece, offsets, nbytes, tuple(to for _, to in ends)))
        nbytes += size
    stream = array._stream(None)
    host_memory.refuse_capture(stream, "data of the device", "Read it when the graph has run")
    _core.wait_for_others(stream)
    staging = host_memory.Pinned(array.device, nbytes)
    elements_at = array.address_on(stream)
    for part, piece, (offsets_there, offsets_here), begin, _ in plan:
        for target_offset, source_offset in zip(offsets_there, offsets_here, strict=True):
            _core.copy_bytes(
                stream,
                staging.address + begin + source_offset,
                elements_at + part.offset + target_offset,
                piece,
                _core.DOWN,
            )
    stream.record().synchronize()
    for part, _, _, begin, to in plan:
        elements = staging.bytes[begin : begin + math.prod(part.shape) * itemsize]
        shown[to] = elements.view(array.dtype).reshape(part.shape)
    return shown


def _ends(extent: int, edge: int) -> list[tuple[slice, slice]]:
    """Give what is read along an axis, and where it is shown."""
    if extent <= 2 * edge:
        return [(slice(0, extent), slice(0, extent))]
    return [(slice(0, edge), slice(0, edge)), (slice(extent - edge, extent), slice(edge + 1, 2 * edge + 1))]

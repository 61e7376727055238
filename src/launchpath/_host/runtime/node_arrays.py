"""Arrays of graphs' nodes that a program has places for: C's functions fill them up to the number that it gives."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

# Functions whose last output is the number of nodes, in and out, and whose others are arrays of them.
FUNCTIONS = frozenset({
    "hipGraphGetEdges", "hipGraphGetNodes", "hipGraphGetRootNodes", "hipGraphNodeGetDependencies",
    "hipGraphNodeGetDependentNodes",
})  # fmt: skip


def write(places: Sequence[int], outputs: Sequence[Any]) -> None:
    """Write nodes and their number.

    Parameters
    ----------
    places : sequence of int
        Addresses of the arrays, 0 for those that the program does not want, and of the number.
    outputs : sequence
        Tuples of nodes, and their number.
    """
    *arrays, place = places
    *nodes, number = outputs
    if any(arrays):
        room = ctypes.c_size_t.from_address(place).value
        number = min(room, number)
        for array, handles in zip(arrays, nodes, strict=True):
            if array:
                values = (ctypes.c_uint64 * room)(*(int(each) for each in handles[:number]))
                ctypes.memmove(array, values, ctypes.sizeof(values))
    ctypes.c_size_t.from_address(place).value = number

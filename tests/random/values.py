"""What a part's steps give when they run one after the other, with NumPy."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .kernels import FIELDS, TABLE
from .step import Step

Numbers = npt.NDArray[np.uint32]
MASK = 0xFFFFFFFF


def data(seed: int, size: int) -> Numbers:
    """Return the numbers that a seed stands for."""
    numbers = np.arange(size, dtype=np.uint32) * np.uint32(2654435761) + np.uint32(seed)
    return numbers ^ (numbers >> np.uint32(15))


def table(value: int, first: int) -> Numbers:
    """Return the table that a launch passes by value."""
    numbers = np.full(TABLE, value, np.uint32)
    numbers[0] = first
    return numbers


class Values:
    """Arrays, results and staged arguments of a part, as they are after each of its steps.

    A step's method returns what the same step must give on a device, or None where there is nothing to compare.
    """

    def __init__(self) -> None:
        self.arrays: dict[int, Numbers] = {}
        self.results: dict[int, int] = {}
        self.counts: dict[int, int] = {}
        self.rows: dict[int, Any] = {}  # of commands, by graph

    def run(self, steps: list[Step]) -> list[Any]:
        """Run steps; return for each what a device must give."""
        with np.errstate(over="ignore"):
            return [getattr(self, step.name, _nothing)(**step.arguments) for step in steps]

    def begin(self, seed: int, size: int) -> None:
        self.source, self.both = data(seed, size), data(seed + 1 & MASK, size)
        self.out = np.zeros(size, np.uint32)
        index = np.arange(size)
        self.mixed, self.crossed = (index * 7 + 3) % size, (index * 5 + 1) % size
        self.of_table = index * 13 % TABLE

    def new_array(self, array: int, seed: int, size: int, **_: Any) -> None:
        self.arrays[array] = data(seed, size)

    def drop_array(self, array: int, **_: Any) -> None:
        del self.arrays[array]

    def affine(self, array: int, a: int, b: int, low: int, high: int, **_: Any) -> None:
        part = self.arrays[array][low:high]
        part[:] = part * np.uint32(a) + np.uint32(b)

    def mix(self, target: int, source: int, a: int, **_: Any) -> None:
        array = self.arrays[target]
        array[:] = array * np.uint32(a) ^ self.arrays[source][self.mixed]

    def fields(self, target: int, source: int, a: int, b: int, table: int, **_: Any) -> None:
        array = self.arrays[target]
        index = np.arange(array.size) % FIELDS
        array[:] = (array * np.uint32(a) + np.uint32(b) + data(table, FIELDS)[index]) ^ self.arrays[source][
            self.crossed
        ]

    def written(self, array: int, a: int, **_: Any) -> None:
        self.arrays[array][:] = self.arrays[array] * np.uint32(a) + np.uint32(7)

    def table(self, array: int, value: int, first: int, **_: Any) -> None:
        self.arrays[array][:] = self.arrays[array] * np.uint32(3) + table(value, first)[self.of_table]

    def hashed(self, array: int, count: int, result: int, **_: Any) -> None:
        total = 0
        for number in self.arrays[array][:count].tolist():
            total = (total * 31 + number) & MASK
        self.results[result] = total

    def read_result(self, result: int) -> list[int]:
        total = self.results.pop(result)
        return [total, *(total * (i + 1) & MASK for i in range(8))]

    def staged(self, a: int, new: int | None, spoil: bool, **_: Any) -> None:
        if new is not None:
            self.source[:] = data(new, self.source.size)
        self.out = self.source * np.uint32(a) + np.uint32(1)
        self.both = self.both * np.uint32(5) + self.source
        if spoil:
            self.source[:] = 0

    def read_staged(self, new: int | None) -> list[Numbers]:
        numbers = [self.out.copy(), self.both.copy()]
        if new is not None:
            self.both = data(new, self.both.size)
        return numbers

    def count(self, device: int, by: int, **_: Any) -> None:
        self.counts[device] = self.counts.get(device, 0) + by & MASK

    def crowd(self, device: int, streams: int, by: int) -> None:
        self.count(device, streams * by)

    def temporary(self, array: int, a: int, value: int, **_: Any) -> None:
        self.arrays[array][:] = self.arrays[array] * np.uint32(a) ^ np.uint32(value)

    def fill(self, array: int, value: int, **_: Any) -> None:
        self.arrays[array][:] = value

    def copy(self, target: int, source: int, **_: Any) -> None:
        self.arrays[target][:] = self.arrays[source]

    copy_across = copy

    def upload(self, array: int, seed: int, **_: Any) -> None:
        self.arrays[array][:] = data(seed, self.arrays[array].size)

    def read(self, array: int, **_: Any) -> Numbers:
        return self.arrays[array].copy()

    def host_function(self, array: int, a: int, b: int, **_: Any) -> None:
        self.arrays[array][:] = self.arrays[array] * np.uint32(a) + np.uint32(b)

    def freeze(self, graph: int, rows: Any, **_: Any) -> None:
        self.rows[graph] = rows
        self.launch_frozen(graph, 1)

    def capture(self, graph: int, rows: Any, **_: Any) -> None:
        self.rows[graph] = rows

    def launch_frozen(self, graph: int, times: int, **_: Any) -> None:
        for command in [command for row in self.rows[graph] for command in row] * times:
            getattr(self, command["name"])(**{name: value for name, value in command.items() if name != "name"})

    launch_captured = launch_frozen

    def event_waited(self, notes: list[int], **_: Any) -> list[int]:
        return notes

    stream_waited = device_waited = event_waited


def _nothing(**_: Any) -> None:
    """Stand for steps that change no value."""

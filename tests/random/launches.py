"""Launches a part's kernels, in all the ways that a launch is written."""

import struct
from typing import Any

import launchpath as lp

from .kernels import FIELDS, Kernels
from .values import Numbers, data, table

LETTERS = {4: "I", 8: "Q"}


class Launches:
    """What a `machine.Machine` launches."""

    kernels: list[Kernels]
    devices: list[lp.Device]
    streams: dict[int, lp.Stream]
    legacy: set[int]
    arrays: dict[int, lp.Array]
    results: dict[int, Any]
    shared: Any
    source: lp.In
    out: lp.Out
    both: lp.InOut
    size: int

    def _kernels(self, stream: int) -> Kernels:
        return self.kernels[self.devices.index(self.streams[stream].device)]

    def _launch(self, kernel: Any, stream: int, size: int, block: int, way: str, *arguments: Any, **named: Any) -> None:
        blocks = -(-size // block)
        if way == "with":
            with self.streams[stream]:
                kernel[blocks, block](*arguments, **named)
        elif way == "kept":
            launcher = kernel[blocks, block, self.streams[stream]]
            launcher(*arguments, **named)
        elif stream in self.legacy and block == 16:
            with self.streams[stream].device:
                kernel[blocks, block](*arguments, **named)
        else:
            kernel[blocks, block, self.streams[stream]](*arguments, **named)

    def affine(
        self, stream: int, array: int, a: int, b: int, low: int, high: int, way: str, block: int, rounds: int
    ) -> None:
        kernel, size = self._kernels(stream).affine, high - low
        part = self.arrays[array] if size == self.size else self.arrays[array][low:high]
        if way == "packed":
            layout = kernel.signature
            packed = bytearray(layout.size)
            for parameter, value in zip(
                layout.parameters, (part.pointer_on(self.streams[stream]), a, b, size, rounds), strict=True
            ):
                struct.pack_into("=" + LETTERS[parameter.size], packed, parameter.offset, value)
            kernel[-(-size // block), block, self.streams[stream]].packed(bytes(packed))
        elif way == "named":
            self._launch(kernel, stream, size, block, way, part, a, b, rounds=rounds, n=size)
        else:
            self._launch(kernel, stream, size, block, way, part, a, b, size, rounds)

    def mix(
        self, stream: int, target: int, source: int, a: int, way: str, block: int, rounds: int, plain: bool = False
    ) -> None:
        kernels, x, y = self._kernels(stream), self.arrays[target], self.arrays[source]
        kernel = kernels.plain_mix if plain else kernels.mix
        if way == "named":
            self._launch(kernel, stream, self.size, block, way, x=x, y=y, a=a, n=self.size, rounds=rounds)
        else:
            self._launch(kernel, stream, self.size, block, way, x, y, a, self.size, rounds)

    def fields(
        self, stream: int, target: int, source: int, a: int, b: int, table: int, way: str, block: int, rounds: int
    ) -> None:
        kernel, x, y = self._kernels(stream).fields, self.arrays[target], self.arrays[source]
        self._launch(
            kernel, stream, self.size, block, way, x, y, a, b, self.size, rounds, data(table, FIELDS).tobytes()
        )

    def written(self, stream: int, array: int, a: int, way: str, block: int) -> None:
        self._launch(self._kernels(stream).written, stream, self.size, block, way, self.arrays[array], a, self.size, 0)

    def table(
        self, stream: int, array: int, value: int, first: int, kind: str, way: str, block: int, rounds: int
    ) -> None:
        numbers = table(value, first)
        argument = numbers.tobytes() if kind == "bytes" else numbers
        kernel = self._kernels(stream).table
        self._launch(kernel, stream, self.size, block, way, argument, self.arrays[array], self.size, rounds)
        numbers[:] = 77  # the launch has taken its own

    def hashed(self, stream: int, array: int, count: int, result: int) -> None:
        launcher = self._kernels(stream).hash[1, 1, self.streams[stream]]
        self.results[result] = launcher(self.arrays[array], count)

    def drop_result(self, result: int) -> None:
        del self.results[result]

    def read_result(self, result: int) -> list[int]:
        values = self.results.pop(result)
        return [int(values.out), *map(int, values.outs)]

    def staged(self, stream: int, a: int, new: int | None, fresh: bool, spoil: bool, block: int) -> None:
        if new is not None:
            self.source.array[:] = data(new, self.size)
        argument = lp.In(self.source.array.copy()) if fresh else self.source
        kernel = self._kernels(stream).staged
        kernel[-(-self.size // block), block, self.streams[stream]](argument, self.out, self.both, a, self.size)
        if spoil:
            self.source.array[:] = 0

    def read_staged(self, new: int | None) -> list[Numbers]:
        numbers = [self.out.get().copy(), self.both.get().copy()]
        if new is not None:
            self.both.array[:] = data(new, self.size)
        return numbers

    def count(self, stream: int, by: int, device: int) -> None:
        counter = self.shared.counters[device]
        if by % 2:
            with self.streams[stream]:
                self.shared.counting[device](counter, by)
        else:
            self._kernels(stream).count[1, 1, self.streams[stream]](counter, by)

    def crowd(self, device: int, streams: int, by: int) -> None:
        alone = self.shared.crowd.acquire(
            blocking=False
        )  # two at once may need more streams than are kept beside a hold
        try:
            crowd = [lp.Stream(blocking=False, device=self.devices[device]) for _ in range(streams if alone else 1)]
            for number in range(streams):
                self.kernels[device].count[1, 1, crowd[number % len(crowd)]](self.shared.counters[device], by)
            crowd.clear()
        finally:
            if alone:
                self.shared.crowd.release()

    def temporary(
        self, stream: int, array: int, a: int, value: int, ordered: bool, free: bool, block: int, rounds: int
    ) -> None:
        device = self.streams[stream].device
        order = self.streams[stream] if ordered else None
        memory = lp.empty(self.size, "uint32", device, order)
        memory.fill(value, self.streams[stream])
        kernel = self._kernels(stream).mix
        self._launch(kernel, stream, self.size, block, "given", self.arrays[array], memory, a, self.size, rounds)
        if free:
            memory.free()

"""The cost of arguments in device memory: unchanged, changed, and allocated, uploaded, freed for each launch in C."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from time import perf_counter_ns as now
from typing import Any

from launchpath import _core
from launchpath._bench.kernels import Kernels, looped
from launchpath._bench.measure import VALUES, WARM_UP, Loop, Probe, Size, held, interleave
from launchpath._bench.result import Figure, Result
from launchpath._programs.compilation import compile
from launchpath._streams.device import Device

BLOCK_BYTES = (256, 4096, 65536)
OVER_PLAIN = 0.15  # microseconds more than a launch with 2 arguments, of the block of that size
OF = 4096
FRESH_OVER = {"cpu": 1.5, "gpu": 1.4}  # by kind of device: allocate, upload, launch and free over ours, unchanged


def source(size: int) -> str:
    """Write a kernel that takes the address of a block of so many bytes; it does what the one with 2 arguments does."""
    return (
        f"struct Block {{ float* out; int value; unsigned char rest[{size - 12}]; }};\n"
        "__global__ void reads(const Block* p) { if (p->value < 0) p->out[0] = p->value; }\n"
    )


class Blocks:
    """The kernel for one size of block, launched by launchpath and by C on the legacy stream."""

    def __init__(self, kernels: Kernels, size: int) -> None:
        self.stream, self.size = kernels.stream, size
        self.kernel = compile(source(size), kernels.device, name="<benchmark>").reads.by_fields
        self.out, self.rest = kernels.arrays[0], bytes(size - 12)
        launcher = self.kernel[1, 1, self.stream]
        self.baseline = _core.BlockBaseline(launcher, self.stream)
        names = {"launch": launcher, "out": self.out, "rest": self.rest, "equal": bytes(bytearray(self.rest))}
        self.loop = looped("launch(out, value, rest)", 0, names=names)
        self.comparing = looped("launch(out, value, rest); launch(out, value, equal)", 0, names=names)
        self.loop(VALUES[:1])
        self.stream.synchronize()

    def launchpath(self, changed: bool) -> Loop:
        """Give the loop of launches by launchpath, whose first field takes each of the values if `changed`."""
        return self.loop if changed else lambda values: self.loop([1] * len(values))

    def compared(self) -> Loop:
        """Give the loop of unchanged launches whose long field is another object than in the one before."""
        return lambda values: self.comparing([1] * (len(values) // 2))

    def c(self, changed: bool = False, fresh: bool = False) -> Loop:
        """Give C's loop."""
        packed = struct.pack("=Qi", self.out.pointer, 1) + self.rest

        def loop(values: Sequence[Any]) -> int:
            return int(self.baseline.launch(len(values), packed, changed, fresh))

        return loop


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device.

    Returns
    -------
    Result
        ``launchpath`` on a stream that is held back, also with equal bytes in another object each time (``compared``);
        with the work itself (``complete``) ``launchpath`` and ``c``, with and without ``changed``, and
        ``c-allocate-upload-free``.
    """
    size = Size() if size is None else size
    result = Result("arguments", device.name)
    with device:
        kernels = Kernels(device)
        plain = kernels.launchpath(2)
        probes = [_held(kernels, "launchpath", {"arguments": 2}, plain, size)]
        for block_bytes in BLOCK_BYTES:
            blocks = Blocks(kernels, block_bytes)
            case = {"block_bytes": block_bytes, "changed": False}
            probes.append(_held(kernels, "launchpath", case, blocks.launchpath(False), size))
            probes.append(_held(kernels, "launchpath", {**case, "compared": True}, blocks.compared(), size))
            # What is uploaded is not held back: staging memory would run out, and then the oldest upload is waited for.
            for changed in (False, True):
                case = {"block_bytes": block_bytes, "changed": changed, "complete": True}
                probes.append(_complete(kernels, "launchpath", case, blocks.launchpath(changed), size))
                probes.append(_complete(kernels, "c", case, blocks.c(changed), size))
            case = {"block_bytes": block_bytes, "complete": True}
            probes.append(_complete(kernels, "c-allocate-upload-free", case, blocks.c(fresh=True), size))
        result.rows = interleave(probes, size)
    _figures(result, device.info["kind"])
    return result


def _held(kernels: Kernels, subject: str, case: Mapping[str, object], loop: Loop, size: Size) -> Probe:
    return Probe(subject, [case], lambda: [held(kernels.stream, loop, size.launches)], "unchanged")


def _complete(kernels: Kernels, subject: str, case: Mapping[str, object], loop: Loop, size: Size) -> Probe:
    """Measure launches that run meanwhile, until the last one has."""

    def block() -> list[float]:
        values = VALUES[: size.launches]
        loop(values[:WARM_UP])
        kernels.stream.synchronize()
        began = now()
        loop(values)
        kernels.stream.synchronize()
        return [(now() - began) / size.launches / 1e3]

    return Probe(subject, [case], block, case["block_bytes"])


def _figures(result: Result, kind: str) -> None:
    plain = result.find("launchpath", arguments=2)
    for block_bytes in BLOCK_BYTES:
        limit = OVER_PLAIN if block_bytes == OF else None
        for more in ({}, {"compared": True}):
            row = result.find("launchpath", block_bytes=block_bytes, changed=False, **more)
            result.figures.append(Figure(row, "over 2 plain arguments", row.minus(plain), "us", at_most=limit))
        for changed in (False, True):
            case = {"block_bytes": block_bytes, "changed": changed, "complete": True}
            launchpath = result.find("launchpath", **case)
            result.compare(launchpath, result.find("c", **case), "over c")
        launchpath = result.find("launchpath", block_bytes=block_bytes, changed=False, complete=True)
        fresh = result.find("c-allocate-upload-free", block_bytes=block_bytes, complete=True)
        limit = FRESH_OVER["cpu" if kind == "cpu" else "gpu"] if block_bytes == OF else None
        result.compare(fresh, launchpath, "over launchpath", at_least=limit)

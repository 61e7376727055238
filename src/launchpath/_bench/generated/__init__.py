"""The speed of compiled kernels: HIP C++ by launchpath, against the same kernels written by hand in OpenCL C.

Both run on the same memory of the same device, in turn; a block is a few launches and a synchronize, of work long
enough that launching does not show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from launchpath._bench.generated.pairs import Pair, pairs
from launchpath._bench.measure import LAUNCHES, Probe, Size, interleave
from launchpath._bench.peer import NOT_HERE, Missing, peers
from launchpath._bench.result import Figure, Result
from launchpath._memory.array import Array
from launchpath._memory.creation import asarray
from launchpath._programs.compilation import compile
from launchpath._programs.kernel import Kernel
from launchpath._streams.device import Device
from launchpath.errors import LaunchpathError

OVER_HAND_WRITTEN = 1.05
# The type of indices there: the HIP C++'s own, which is what is compared, and the one that suits OpenCL best.
BY_HAND = {"opencl": "int", "opencl-size_t": "size_t"}
LAUNCHES_A_BLOCK = 4  # of these kernels, where others have LAUNCHES
BLOCKS_OF = 3  # and a block where others have three: these take milliseconds
SAME = 1e-3  # relative: the two compilers may order and contract floating-point operations differently

Run = Callable[[int], object]


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device.

    Parameters
    ----------
    device : Device
    size : Size, optional
        With fewer launches than the default there is also less work in each.

    Returns
    -------
    Result
        What is written by hand is left out if PyOpenCL is not installed.
    """
    size = Size() if size is None else size
    result = Result("generated", device.name, measured="run time of a kernel")
    launches = max(1, size.launches * LAUNCHES_A_BLOCK // LAUNCHES)
    probes: list[Probe] = []
    others = peers()
    if others is None:
        result.left_out.append(NOT_HERE)
    with device:
        for pair in pairs(1 if size.launches >= LAUNCHES else 8):
            work = Work(device, pair)
            probes.append(_probe("launchpath", pair, work.launch, launches))
            for subject, index in BY_HAND.items() if others else ():
                try:
                    peer = others.ByHand(work, index)
                except Missing as error:
                    if (subject, str(error)) not in result.left_out:  # mostly one reason for all of them
                        result.left_out.append((subject, str(error)))
                    continue
                work.check(peer)
                probes.append(_probe(subject, pair, peer.run, launches))
        result.rows = interleave(probes, replace(size, blocks=-(-size.blocks // BLOCKS_OF)))
    required = {"opencl": OVER_HAND_WRITTEN} if device.info["kind"] == "cpu" else {}
    for row in [row for row in result.rows if row.subject in BY_HAND]:
        compiled_row = result.find("launchpath", **row.case)
        against = f"over {row.subject}"
        result.figures.append(
            Figure(compiled_row, against, compiled_row.us / row.us, at_most=required.get(row.subject))
        )
    return result


def _probe(subject: str, pair: Pair, work: Run, launches: int) -> Probe:
    def block() -> list[float]:
        began = now()
        work(launches)
        return [(now() - began) / launches / 1e3]

    return Probe(subject, [{"kernel": pair.name}], block)


class Work:
    """A pair's arrays on the device, and its kernel as launchpath compiles it."""

    def __init__(self, device: Device, pair: Pair) -> None:
        program = compile(pair.source, device, name=f"<{pair.name}>", names=[pair.kernel] if "<" in pair.kernel else ())
        self.device, self.pair = device, pair
        self.kernel: Kernel = program[pair.kernel]
        self.host = pair.arrays(np.random.default_rng(0))
        self.arrays: dict[str, Array] = {name: asarray(value, device=device) for name, value in self.host.items()}
        self.launcher = self.kernel[pair.grid, pair.block]
        self.arguments = [self.arrays[each] if isinstance(each, str) else each for each in pair.arguments]

    def launch(self, launches: int) -> None:
        """Launch, and wait for it."""
        for _ in range(launches):
            self.launcher(*self.arguments)
        self.device.synchronize()

    def results(self, work: Run) -> list[Any]:
        """Give what one launch leaves of fresh arrays."""
        for name, array in self.arrays.items():
            array.copy_from(self.host[name])
        self.device.synchronize()
        work(1)
        return [self.arrays[name].to_numpy() for name in self.pair.results]

    def check(self, peer: Any) -> None:
        """See that both do the same.

        Raises
        ------
        LaunchpathError
            They do not: then there is nothing to compare.
        """
        for name, compiled, by_hand in zip(
            self.pair.results, self.results(self.launch), self.results(peer.run), strict=True
        ):
            if np.isclose(compiled, by_hand, SAME, SAME).mean() < 1 - SAME:
                raise LaunchpathError(f"{self.pair.name}: {name} differs from the result of the kernel written by hand")

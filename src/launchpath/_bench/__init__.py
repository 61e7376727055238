"""Benchmarks: the cost of a launch, beside the same work in C in the same process and by other installed libraries.

And the cost of memory and copies (`memory`), of launches in a step (`step`), of
traces (`trace`), what compiling from HIP C++ costs a
kernel's run time (`generated`), and importing a process (`import`).

How figures are taken: cases that are compared run in turn, block by block, in one process; a block is a hundred
launches or so on a stream that is held back, so that the device does not disturb the host's clock; each row is the
median of the blocks with its least and greatest. Python's garbage collector is off meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

from launchpath._bench import arguments, compiling, generated, idle_streams, importing, launch, memory, step, trace
from launchpath._bench.result import Figure, Result, Row

__all__ = ["BENCHMARKS", "Figure", "Result", "Row"]

BENCHMARKS: dict[str, Callable[..., Result]] = {
    "launch": launch.run,
    "arguments": arguments.run,
    "idle-streams": idle_streams.run,
    "memory": memory.run,
    "step": step.run,
    "trace": trace.run,
    "compile": compiling.run,
    "generated": generated.run,
    "import": importing.run,  # of no device
}

"""What evidence costs a launch of PyOpenCL: ``python -m benchmarks.any_program.evidence [--python PYTHON] [--runs 5]``.

The program runs without a trace, with a plain one, with findings but no source lines, and with both, in turns. It
launches from a function that another one calls; the queue is emptied between rows of launches, outside the time. PYTHON
has PyOpenCL.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROWS, ROW = 200, 200
KINDS = {
    "untraced": None,
    "plain": ("--mode", "host"),
    "findings, no sites": ("--mode", "host", "--findings", "--no-sites"),
    "findings": ("--mode", "host", "--findings"),
}


def launch() -> None:
    """Launch, and print the nanoseconds of a processor that each row has taken for a launch."""
    import numpy as np  # noqa: PLC0415 (of the other Python)
    import pyopencl as cl  # noqa: PLC0415

    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    program = cl.Program(context, "__kernel void none(__global int *a, int b, float c) { }").build()
    kernel, memory = cl.Kernel(program, "none"), cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)
    kernel.set_args(memory, np.int32(1), np.float32(2))

    def row() -> int:
        begin = time.thread_time_ns()
        for _ in range(ROW):
            cl.enqueue_nd_range_kernel(queue, kernel, (1,), None)
        return time.thread_time_ns() - begin

    times = []
    for _ in range(ROWS):
        times.append(row() / ROW)
        queue.finish()
    print(json.dumps(times))


def measured(python: str, options: tuple[str, ...] | None) -> float:
    """Run the program, and give the fastest tenth of its rows: the machine may have much else to do."""
    words = [python, "-E", __file__, "--launch"]
    with tempfile.TemporaryDirectory() as folder:
        if options is not None:
            trace = [sys.executable, "-m", "launchpath", "trace", "-o", os.path.join(folder, "t.lptrace")]
            words = [*trace, *options, "--", *words]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    return statistics.quantiles(json.loads(done.stdout), n=10)[0]


def main() -> None:
    """Measure all kinds in turns, and print the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="that has PyOpenCL")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--launch", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.launch:
        launch()
        return
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(arguments.runs):
        for kind, options in KINDS.items():
            times[kind].append(measured(arguments.python, options))
    plain = times["plain"]
    for kind, mine in times.items():
        more = [each - other for each, other in zip(mine, plain, strict=True)]
        low, middle, high = min(more), statistics.median(more), max(more)
        over = f"{middle:+.0f} ({low:+.0f} to {high:+.0f})"
        print(f"{kind:20} {statistics.median(mine):8.0f} ns a launch; over a plain trace {over}")


if __name__ == "__main__":
    main()

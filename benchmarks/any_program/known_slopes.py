"""A program of PyOpenCL, as it is, of which it is known which of its launches hold it back.

    python known_slopes.py WORDS KIND SECONDS

The platform is the one whose name and version have the words. Each step launches `begin` once, then others, and waits:

``host``    16 short kernels, with Python between them: each delay of a launch makes the step longer.
``device``  16 long kernels, submitted ahead: a delay is hidden, but that of the first launch after a wait.
``half``    8 short kernels, each waited for; then a long one, and 8 short ones that are submitted while it runs.
``ahead``   4 long kernels; only each 20th step waits.

It prints the step's mean time, and which share of its launches is not hidden.
"""

import json
import statistics
import sys
import time

import numpy
import pyopencl as cl

SOURCE = """
__kernel void begin(__global float *a, int n) { a[0] += n; }
__kernel void work(__global float *a, int n) {
    float x = a[0];
    for (int i = 0; i < n; i++) x = x * 0.999f + 0.001f;
    a[0] = x;
}
"""
SHARES = {"host": 1.0, "device": 1 / 17, "half": 10 / 18, "ahead": 1 / 100}
WORK = 400_000  # rounds of a long kernel


def main() -> None:
    words, kind, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    platforms = [each for each in cl.get_platforms() if words.lower() in f"{each.name} {each.version}".lower()]
    if not platforms:
        sys.exit(f"no platform has {words!r} in its name: {[each.name for each in cl.get_platforms()]}")
    context = cl.Context(platforms[0].get_devices()[:1])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    begin, work = program.begin, program.work
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)

    def launch(kernel: cl.Kernel, n: int) -> None:
        kernel.set_args(memory, numpy.int32(n))
        cl.enqueue_nd_range_kernel(queue, kernel, (1,), (1,))

    def step() -> None:
        launch(begin, 0)
        if kind == "host":
            for _ in range(16):
                launch(work, 1)
                sum(range(1500))
        elif kind == "device":
            for _ in range(16):
                launch(work, WORK)
        elif kind == "ahead":
            for _ in range(4):
                launch(work, WORK)
            if len(times) % 20:
                return
        else:
            for _ in range(8):
                queue.finish()
                launch(work, 1)
            queue.finish()
            launch(work, 4 * WORK)
            for _ in range(8):
                launch(work, 1)
        queue.finish()

    times, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until:
        began = time.perf_counter_ns()
        step()
        times.append((time.perf_counter_ns() - began) / 1e3)
    print(json.dumps({"us": statistics.mean(times), "steps": len(times), "share": SHARES[kind]}))


if __name__ == "__main__":
    main()

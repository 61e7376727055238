"""A program of PyOpenCL, as it is: it launches a small kernel again and again, and prints how long that took.

    python launches.py WORDS LAUNCHES BLOCKS

The platform is the one whose name and version have the words. In every second block the device does not work until all
launches are submitted: so nothing else takes the host's time.
"""

import json
import sys
import time

import numpy
import pyopencl as cl

SOURCE = "__kernel void add(__global float *a, float b) { a[get_global_id(0)] += b; }"


def main() -> None:
    words, n, blocks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    platforms = [each for each in cl.get_platforms() if words.lower() in f"{each.name} {each.version}".lower()]
    if not platforms:
        sys.exit(f"no platform has {words!r} in its name: {[each.name for each in cl.get_platforms()]}")
    device = platforms[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    kernel = cl.Program(context, SOURCE).build().add
    values = numpy.zeros(64, numpy.float32)
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, values.nbytes)
    cl.enqueue_copy(queue, memory, values)
    kernel.set_args(memory, numpy.float32(1))
    submitted, complete, held_times = [], [], []
    for block in range(2 * blocks):
        held = block % 2 == 0
        queue.finish()
        gate = cl.UserEvent(context)
        if held:
            cl.enqueue_barrier(queue, wait_for=[gate])
        began = time.perf_counter_ns()
        for _ in range(n):
            cl.enqueue_nd_range_kernel(queue, kernel, (64,), None)
        returned = time.perf_counter_ns()
        gate.set_status(cl.command_execution_status.COMPLETE)
        queue.finish()
        if held:
            submitted.append((returned - began) / n / 1e3)
            held_times.append((began, returned))
        else:
            complete.append((time.perf_counter_ns() - began) / n / 1e3)
    cl.enqueue_copy(queue, values, memory)
    queue.finish()
    print(json.dumps({"device": device.name, "launches": int(values[0]), "submitted": submitted, "complete": complete,
                      "held": held_times}))  # fmt: skip


if __name__ == "__main__":
    main()

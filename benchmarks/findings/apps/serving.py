"""Serve requests: threads take batches from a queue, run a network of two layers, and send the answers."""

from __future__ import annotations

import queue
import threading
import time

import numpy

import launchpath as lp
from benchmarks.findings.program import Load, Slices, run_application

FAULTS = ("lock", "equal-uploads")
THREADS, BATCH = 3, 8
SOURCE = """
// One thread for each output of each request of the batch.
__global__ void layer(int inputs, int outputs, const float* weights, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, request = blockIdx.y;
    if (i >= outputs) return;
    float sum = 0;
    for (int k = 0; k < inputs; k++) sum += weights[k * outputs + i] * in[request * inputs + k];
    out[request * outputs + i] = fmaxf(sum, 0.0f);
}
"""


class Server:
    """The network, the requests, and the answers."""

    def __init__(self, width: int, mended: frozenset[str], clock: Slices) -> None:
        self.width, self.mended, self.clock = width, mended, clock
        self.program = lp.compile(SOURCE, name="serving")
        random = numpy.random.default_rng(1)
        self.weights = [(random.normal(size=(width, width)) / width**0.5).astype("float32") for _ in range(2)]
        self.on_device = [lp.asarray(weights) for weights in self.weights]
        self.lock, self.requests = threading.Lock(), queue.SimpleQueue[numpy.ndarray | None]()
        self.answers: list[float] = []
        lp.synchronize()

    def send(self, answers: numpy.ndarray) -> None:
        """Send the answers of a batch; the network takes its time."""
        self.answers += [float(answer) for answer in answers.max(axis=1)]
        time.sleep(500e-6)
        self.clock.done()

    def answers_of(self, batch: numpy.ndarray, stream: lp.Stream, spaces: list[lp.Array]) -> lp.Array:
        """Launch the network for a batch."""
        if "equal-uploads" not in self.mended:
            for array, weights in zip(self.on_device, self.weights, strict=True):
                array.copy_from(weights, stream)  # fault: equal-uploads
        spaces[0].copy_from(batch, stream)
        layer = self.program.layer[(-(-self.width // 64), BATCH), 64, stream]
        for k, weights in enumerate(self.on_device):
            layer(self.width, self.width, weights, spaces[k], spaces[k + 1])
        return spaces[2]

    def serve(self) -> None:
        """Serve until there are no more requests."""
        stream = lp.Stream(blocking=False)
        spaces = [lp.empty((BATCH, self.width), stream=stream) for _ in range(3)]
        while (batch := self.requests.get()) is not None:
            if "lock" in self.mended:
                with self.lock:
                    result = self.answers_of(batch, stream, spaces)
                self.send(result.to_numpy(stream))
            else:
                with self.lock:  # fault: lock
                    self.send(self.answers_of(batch, stream, spaces).to_numpy(stream))


def main(mended: frozenset[str], repetitions: int) -> None:
    """Serve; mended: weights are sent once, and the lock is free while answers are sent."""
    clock = Slices(repetitions)
    server = Server(768 if Load().on_gpu else 384, mended, clock)
    random = numpy.random.default_rng(2)
    batches = [random.normal(size=(BATCH, server.width)).astype("float32") for _ in range(16)]
    for step in range(repetitions):
        server.requests.put(batches[step % len(batches)])
    threads = [threading.Thread(target=server.serve) for _ in range(THREADS)]
    for _ in threads:
        server.requests.put(None)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    clock.report(sorted(server.answers))


if __name__ == "__main__":
    run_application(main, FAULTS, 500)

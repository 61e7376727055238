"""The gallery's transformer: a step draws a batch, trains, and reads the loss."""

from __future__ import annotations

from typing import Any

import numpy

import launchpath as lp
from benchmarks.findings.apps import gallery
from benchmarks.findings.program import Clock, run_application

gallery.add()

from examples.gallery import transformer as app  # noqa: E402
from examples.gallery.transformer_network import Network  # noqa: E402

FAULTS = ("host-code", "needless-synchronize")
BATCHES, ROWS, COMPARED = 16, 128, 8


def batch(sizes: app.Sizes, seed: int) -> tuple[app.Ints, app.Ints]:
    """Draw batches as `sequences` does, and return the one whose first rows are the furthest from their order."""
    random, batches = numpy.random.default_rng(seed), []
    for _ in range(max(4, ROWS // sizes.batch)):
        ids, targets = app.sequences(sizes, random)
        count, far = sizes.length // 2, 0
        for row in range(COMPARED):
            digits = [int(digit) for digit in ids[row * sizes.length : row * sizes.length + count]]
            far += sum(a > b for place, a in enumerate(digits) for b in digits[place + 1 :])
        batches.append((far, len(batches), ids, targets))
    return max(batches)[2:]


class Careful(app.Kernels):
    """The operations, with a wait behind each kernel: so an error shows at the launch that made it."""

    def launch(self, name: str, grid: int, *arguments: Any) -> None:
        """Launch a kernel, and wait for it."""
        super().launch(name, grid, *arguments)
        self.stream.synchronize()  # fault: needless-synchronize


def main(mended: frozenset[str], repetitions: int) -> None:
    """Train; mended: batches are drawn before the steps, and the host waits for the loss alone."""
    operations = app.Kernels if "needless-synchronize" in mended else Careful
    kernels = operations(lp.current_device())
    # So wide that each kernel has blocks for all units of a GPU.
    sizes = app.sizes_of(16, 6, width=1024) if kernels.device.kind == "gpu" else app.sizes_of(8, 6)
    network = Network(kernels, sizes)
    drawn = [batch(sizes, seed) for seed in range(BATCHES)]
    losses = []
    clock = Clock(repetitions)
    for step in clock:
        values = drawn[step % BATCHES]
        if "host-code" not in mended:
            values = batch(sizes, step % BATCHES)  # fault: host-code
        ids, targets = (kernels.array(each, "int32") for each in values)
        of_tokens = network.train(ids, targets)
        losses.append(float(of_tokens.to_numpy().sum()))
    clock.report(losses)


if __name__ == "__main__":
    run_application(main, FAULTS, 120)

"""The gallery's transformer: a step draws a batch, trains, and reads the loss."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.apps import gallery
from benchmarks.findings.program import Clock, run_application

gallery.add()

from examples.gallery import transformer as app  # noqa: E402
from examples.gallery.transformer_network import Network  # noqa: E402

FAULTS = ("host-code", "needless-synchronize")
BATCHES = 16


def batch(sizes: app.Sizes, seed: int) -> tuple[app.Ints, app.Ints]:
    """Draw a batch as `sequences` does, and check each of its sequences in Python."""
    ids, targets = app.sequences(sizes, numpy.random.default_rng(seed))
    count = sizes.length // 2
    for row in range(sizes.batch):
        digits = [int(digit) for digit in ids[row * sizes.length : row * sizes.length + count]]
        ordered = [int(digit) for digit in targets[row * sizes.length + count : (row + 1) * sizes.length]]
        if sorted(digits) != ordered:
            raise SystemExit(f"expected {sorted(digits)}, got {ordered}")
    return ids, targets


def main(mended: frozenset[str], repetitions: int) -> None:
    """Train; mended: batches are drawn before the steps, and the host waits for the loss alone."""
    kernels = app.Kernels(lp.current_device())
    sizes = app.sizes_of(256 if kernels.device.kind == "gpu" else 8, 6)
    network = Network(kernels, sizes)
    drawn = [batch(sizes, seed) for seed in range(BATCHES)]
    losses = []
    clock = Clock(repetitions)
    for step in clock:
        values = drawn[step % BATCHES]
        if "host-code" not in mended:
            values = batch(sizes, step % BATCHES)  # fault: host-code
        ids, targets = (kernels.array(each, "int32") for each in values)
        of_tokens = network.forward(ids, targets)
        if "needless-synchronize" not in mended:
            lp.synchronize()  # fault: needless-synchronize
        network.backward()
        if "needless-synchronize" not in mended:
            lp.synchronize()
        network.update()
        losses.append(float(of_tokens.to_numpy().sum()))
    clock.report(losses)


if __name__ == "__main__":
    run_application(main, FAULTS, 120)

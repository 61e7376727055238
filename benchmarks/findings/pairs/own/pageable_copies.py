"""Pictures of a camera go to the device from ordinary memory, and so by way of the library's own pinned memory."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

PIXELS, PICTURES = 1 << 20, 4


def main(mended: bool, repetitions: int) -> None:
    """Send pictures; mended: from pinned memory."""
    load = Load()
    x, _ = load.pair(load.whole)
    shape = (PICTURES, PIXELS)
    pictures = lp.pinned_empty(shape, "float32") if mended else numpy.empty(shape, "float32")
    for k, picture in enumerate(pictures):
        picture[:] = numpy.linspace(k, k + 1, PIXELS)  # no part is the same in two of them
    on_device = lp.empty(PIXELS)
    relax, rounds = load.relax[load.whole, load.threads], load.rounds(300, load.whole)
    clock = Clock(repetitions)
    exposure = 0.0
    for step in clock:
        picture = pictures[step % PICTURES]
        picture[:64] = exposure + step  # the camera follows what was seen in the last picture
        on_device.copy_from(picture)  # fault
        relax(x, on_device, x.size, rounds, 1e-4)
        exposure = float(x[0])
    clock.report(x.to_numpy())


if __name__ == "__main__":
    run(main, 400)

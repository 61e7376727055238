"""The gallery's reaction and diffusion, watched while it runs: a frame is some steps and a look at one point."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.apps import gallery
from benchmarks.findings.program import Clock, run_application

gallery.add()

from examples.gallery import reaction_diffusion as app  # noqa: E402

FAULTS = ("needless-synchronize", "equal-uploads")
STEPS, LAYERS = 10, 16


def main(mended: frozenset[str], repetitions: int) -> None:
    """Compute frames; mended: rates go to the device when they change, and the host waits once a frame."""
    device = lp.current_device()
    substances = app.Substances(device, 1024 if device.kind == "gpu" else 96)
    layers = app.start(substances.size)[0].repeat(LAYERS, axis=0)  # how the picture is to be coloured
    colours = lp.asarray(layers)
    rates = app.PATTERNS["worms"]
    substances.set_rates(*rates)
    clock = Clock(repetitions)
    for _ in clock:
        if "equal-uploads" not in mended:
            colours.copy_from(layers)  # fault: equal-uploads
        for _ in range(STEPS):
            substances.react(*substances.now, *substances.next, substances.size)
            substances.now, substances.next = substances.next, substances.now
            if "needless-synchronize" not in mended:
                device.synchronize()  # fault: needless-synchronize
        if float(substances.now[1][0, 0]) > 2:
            raise SystemExit("it is not stable")
    clock.report(*(array.to_numpy() for array in substances.now))


if __name__ == "__main__":
    run_application(main, FAULTS, 200)

"""Heat that spreads on a square plate: the heat equation, with a tile of the plate in each block's shared memory.

The upper edge of the plate is hot, the others are cold, and two hot spots cool down. A step is one launch, and the two
arrays of temperatures change places after it. An ``lp.Step`` submits a hundred of these launches together.

Run ``python examples/gallery/heat.py``. The kernel is in ``heat.cu``.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import launchpath as lp
from picture import blocks, checked, device_of, options_of, save

Floats = npt.NDArray[np.float32]

TILE = 16  # a block has TILE x TILE threads
RATE = np.float32(0.2)  # diffusivity * time step / distance^2; above 0.25 the method is unstable
STEPS_TOGETHER = 100


def start(size: int) -> Floats:
    """Return the temperatures of the plate at the start, of shape (size, size)."""
    plate = np.zeros((size, size), "float32")
    plate[0] = 1
    y, x = np.mgrid[:size, :size] / size
    for spot_y, spot_x in (0.55, 0.3), (0.75, 0.65):
        plate[(y - spot_y) ** 2 + (x - spot_x) ** 2 < 0.1**2] = 1
    return plate


class Plate:
    """The plate on a device."""

    def __init__(self, device: lp.Device, size: int) -> None:
        program = lp.compile(path=Path(__file__).with_suffix(".cu"), device=device, defines={"TILE": TILE})
        self.size, self.together = size, lp.Step()
        self.now = lp.asarray(start(size), device=device)
        self.next = lp.empty_like(self.now)
        across = blocks(size, TILE)
        self.heat_step = program.heat_step[(across, across), (TILE, TILE), device.legacy_stream]

    def run(self, steps: int) -> None:
        """Compute some steps."""
        for first in range(0, steps, STEPS_TOGETHER):
            with self.together:
                for _ in range(first, min(first + STEPS_TOGETHER, steps)):
                    self.heat_step(self.size, RATE, self.now, self.next)
                    self.now, self.next = self.next, self.now


def numpy_run(plate: Floats, steps: int) -> Floats:
    """Compute the same steps in NumPy."""
    plate = plate.copy()
    for _ in range(steps):
        around = plate[1:-1, :-2] + plate[1:-1, 2:] + plate[:-2, 1:-1] + plate[2:, 1:-1]
        plate[1:-1, 1:-1] += RATE * (around - 4 * plate[1:-1, 1:-1])
    return plate


def draw(plates: dict[int, Floats]) -> Figure:
    """Draw the plate after some numbers of steps."""
    figure = Figure(figsize=(7.6, 2.5), layout="constrained")
    for axes, (steps, plate) in zip(figure.subplots(1, len(plates)), plates.items(), strict=True):
        image = axes.imshow(plate, cmap="inferno", vmin=0, vmax=1)
        axes.set_title(f"{steps:,} steps")
        axes.set_axis_off()
    figure.colorbar(image, ax=figure.axes, label="temperature", shrink=0.75)
    return figure


def main() -> None:
    """Run the program."""
    options = options_of(__doc__, "heat.png", size=300, steps=4000).parse_args()
    plate = Plate(device_of(options), options.size)
    plates, done, began = {0: plate.now.to_numpy()}, 0, perf_counter()
    for steps in (options.steps // 20, options.steps // 4, options.steps):
        plate.run(steps - done)
        plates[steps], done = plate.now.to_numpy(), steps
    print(f"{options.steps} steps of {options.size} x {options.size} points: {perf_counter() - began:.2f} s")
    checked("temperatures", plates[options.steps], numpy_run(start(options.size), options.steps), 1e-4)
    save(draw(plates), options.output)


if __name__ == "__main__":
    main()

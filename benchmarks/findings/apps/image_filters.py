"""The gallery's filters for the pictures of a camera: a step sends a picture, filters it, and brings its edges back."""

from __future__ import annotations

import numpy

import launchpath as lp
from benchmarks.findings.apps import gallery
from benchmarks.findings.program import Clock, run_application

gallery.add()

from examples.gallery import image_filters as app  # noqa: E402

FAULTS = ("slow-first-launch", "pageable-copies")
RADIUS, SIZE, PICTURES = 2, 480, 4


class Filters:
    """The kernels with their grid, and the weights."""

    def __init__(self, device: lp.Device, height: int, width: int) -> None:
        path = gallery.ROOT / "examples" / "gallery" / "image_filters.cu"
        self.program = lp.compile(path=path, device=device, defines={"TILE": app.TILE})  # fault: slow-first-launch
        grid = (app.blocks(width, app.TILE), app.blocks(height, app.TILE))
        where = (grid, (app.TILE, app.TILE), device.legacy_stream)
        self.blur, self.sobel = self.program.blur[where], self.program.sobel[where]


def main(mended: frozenset[str], repetitions: int) -> None:
    """Filter pictures; mended: kernels are compiled once, and pictures are in pinned memory."""
    device = lp.current_device()
    picture = app.brightness(None, 1920 if device.kind == "gpu" else SIZE)
    height, width = picture.shape
    shape = (PICTURES, height, width)
    pictures = lp.pinned_empty(shape, "float32") if "pageable-copies" in mended else numpy.empty(shape, "float32")
    for k in range(PICTURES):
        pictures[k] = picture * (1 - 0.1 * k)
    weights = lp.asarray(app.bell(RADIUS))
    first, second, edges = (lp.empty(picture.shape) for _ in range(3))
    filters = Filters(device, height, width)
    least = lp.pinned_empty(width, "float32")
    clock = Clock(repetitions)
    seen = 0.0
    for step in clock:
        picture = pictures[step % PICTURES]
        picture[0, 0] = seen + 1e-3 * (step % 7)  # the camera follows what was seen in the last picture
        first.copy_from(picture)  # fault: pageable-copies
        if "slow-first-launch" not in mended:
            filters = Filters(device, height, width)
        filters.blur(width, height, RADIUS, False, weights, first, second)
        filters.blur(width, height, RADIUS, True, weights, second, first)
        filters.sobel(width, height, first, edges)
        edges[0].copy_to(least)
        seen = float(least.max())
    clock.report(edges.to_numpy(), numpy.array([seen]))


if __name__ == "__main__":
    run_application(main, FAULTS, 80)

"""Filters of a picture in a file: a blur, and the edges that Sobel's filter finds in the blurred picture.

It reads any file that Pillow reads (``--input photo.jpg``), and draws a picture of its own if no file is named.
``--edges FILE`` writes the edges alone.

Run ``python examples/gallery/image_filters.py``. The kernels are in ``image_filters.cu``.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from PIL import Image, ImageDraw

import launchpath as lp
from picture import blocks, checked, device_of, options_of, save

Floats = npt.NDArray[np.float32]

TILE = 16  # a block has TILE x TILE threads
GREY = np.float32([0.299, 0.587, 0.114])  # the part of red, green and blue in the brightness


def own_picture(size: int) -> Image.Image:
    """Draw a house in the evening, with some noise."""
    picture = Image.new("RGB", (size * 4 // 3, size))
    sky = np.linspace((40, 60, 120), (240, 170, 110), size)[:, None].repeat(picture.width, axis=1)
    picture = Image.fromarray(sky.astype("uint8"))
    pen, unit = ImageDraw.Draw(picture), size / 12
    shapes = (
        ((11.0, 1.2, 13.4, 3.6), "#fff2c0"), ((-3, 8, 9, 15), "#35604a"), ((5, 8.6, 20, 16), "#284d3c"),
        ((4.4, 5.2, 10.2, 9.6), "#b4583c"), ((5.2, 6.2, 6.8, 7.8), "#ffe9a8"), ((7.8, 6.2, 9.0, 9.6), "#5a2f22"),
    )  # fmt: skip
    for number, (corners, colour) in enumerate(shapes):
        (pen.ellipse if number < 3 else pen.rectangle)([unit * each for each in corners], fill=colour)
    pen.polygon([unit * each for each in (3.8, 5.3, 7.3, 2.6, 10.8, 5.3)], fill="#6b2e2a")
    noise = np.random.default_rng(1).normal(0, 6, (size, picture.width, 1))
    return Image.fromarray(np.clip(np.asarray(picture) + noise, 0, 255).astype("uint8"))


def brightness(file: Path | None, size: int) -> Floats:
    """Read a file, or draw a picture: values from 0 to 1, of shape (height, width)."""
    if file is None:
        picture = own_picture(size)
    else:
        with Image.open(file) as opened:
            picture = opened.convert("RGB")
    return np.asarray(picture, "float32") @ GREY / np.float32(255)


def bell(radius: int) -> Floats:
    """Return the weights of a blur, which sum up to 1: 2 * radius + 1 of them."""
    weights = np.exp(-((np.arange(-radius, radius + 1) / (radius / 2)) ** 2) / 2)
    return (weights / weights.sum()).astype("float32")


def filtered(device: lp.Device, picture: Floats, radius: int) -> tuple[Floats, Floats]:
    """Return the blurred picture and its edges."""
    program = lp.compile(path=Path(__file__).with_suffix(".cu"), device=device, defines={"TILE": TILE})
    height, width = picture.shape
    where = ((blocks(width, TILE), blocks(height, TILE)), (TILE, TILE), device.legacy_stream)
    blur, sobel = program.blur[where], program.sobel[where]
    weights = lp.asarray(bell(radius), device=device)
    first = lp.asarray(picture, device=device)
    second, edges = lp.empty_like(first), lp.empty_like(first)
    blur(width, height, radius, False, weights, first, second)
    blur(width, height, radius, True, weights, second, first)
    sobel(width, height, first, edges)
    return first.to_numpy(), edges.to_numpy()


def numpy_filtered(picture: Floats, radius: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Compute the same in NumPy, in double precision: sums of shifted pictures."""
    blurred = picture.astype("float64")
    for axis in (1, 0):
        wide = np.pad(blurred, [(radius, radius) if each == axis else (0, 0) for each in (0, 1)], mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(wide, 2 * radius + 1, axis)
        blurred = windows @ bell(radius).astype("float64")
    wide = np.pad(blurred, 1, mode="edge")
    across, down = wide[:, 2:] - wide[:, :-2], wide[2:] - wide[:-2]
    along_x = across[:-2] + 2 * across[1:-1] + across[2:]
    along_y = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    return blurred, np.hypot(along_x, along_y)


def draw(pictures: dict[str, npt.NDArray[np.floating]]) -> Figure:
    """Draw the pictures side by side."""
    figure = Figure(figsize=(7.6, 2.2), layout="constrained")
    for axes, (name, picture) in zip(figure.subplots(1, len(pictures)), pictures.items(), strict=True):
        axes.imshow(picture, cmap="gray")
        axes.set_title(name)
        axes.set_axis_off()
    return figure


def main() -> None:
    """Run the program."""
    parser = options_of(__doc__, "image_filters.png", size=300, radius=4)
    parser.add_argument("--input", type=Path, help="the picture to filter (default: one that the program draws)")
    parser.add_argument("--edges", type=Path, help="a file for the edges alone")
    options = parser.parse_args()
    picture = brightness(options.input, options.size)
    began = perf_counter()
    blurred, edges = filtered(device_of(options), picture, options.radius)
    print(f"{picture.shape[1]} x {picture.shape[0]} pixels: {perf_counter() - began:.3f} s, with compiling")
    exact = numpy_filtered(picture, options.radius)
    checked("blur", blurred, exact[0], 1e-5)
    checked("edges", edges, exact[1], 1e-5)
    if options.edges:
        shown = np.clip(255 * edges / edges.max(), 0, 255) if edges.max() > 0 else edges
        Image.fromarray(shown.astype("uint8")).save(options.edges)
        print(f"{options.edges}: the edges")
    save(draw({"picture": picture, "blurred": blurred, "edges": edges}), options.output, colours=40)


if __name__ == "__main__":
    main()

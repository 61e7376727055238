"""Helpers that all programs of the gallery share: their options, the comparison with NumPy, and the picture's file."""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from PIL import Image

import launchpath as lp

mpl.rcParams.update({"font.size": 9, "axes.titlesize": 10, "axes.spines.top": False, "axes.spines.right": False})

# The colours of pictures on a dark page, by those on a light page: texts and axes, the page, and dark lines.
DARK = {"#000000": "#cfd0d0", "#ffffff": "#131416", "#9ecae1": "#33607f", "#08519c": "#6baed6", "#22577a": "#7fb8dc"}


def options_of(text: str | None, output: str, **sizes: int) -> argparse.ArgumentParser:
    """Return a parser with --device, --output, and an option for each size."""
    parser = argparse.ArgumentParser(description=(text or "").partition("\n")[0])
    parser.add_argument("--device", help="an index, or words as lp.device takes them (default: the current device)")
    parser.add_argument("--output", type=Path, default=Path(output), help="the picture's file (default: %(default)s)")
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=positive, default=default, help="(default: %(default)s)")
    return parser


def positive(text: str) -> int:
    """Convert an option's value to an int of at least 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got {value}")
    return value


def device_of(options: argparse.Namespace) -> lp.Device:
    """Return the device that --device names, else the current one."""
    return lp.device(options.device) if options.device else lp.current_device()


def blocks(threads: int, block: int) -> int:
    """Return the number of blocks that have at least so many threads."""
    return -(-threads // block)


def difference(values: npt.ArrayLike, expected: npt.ArrayLike) -> float:
    """Return the largest absolute difference, as a part of the largest expected value. NaN if a value is NaN."""
    exact = np.asarray(expected, "float64")
    return float(np.abs(np.asarray(values, "float64") - exact).max() / np.abs(exact).max())


def checked(name: str, values: npt.ArrayLike, expected: npt.ArrayLike, most: float) -> None:
    """Print how far the device's values are from NumPy's, and exit with 1 if it is more than `most`."""
    far = difference(values, expected)
    print(f"{name}: largest difference from NumPy {far:.1e}")
    if not far <= most:
        raise SystemExit(f"{name}: expected a difference of at most {most:.1e}, got {far:.1e}")


def save(figure: Figure, file: Path, colours: int = 128) -> None:
    """Write a figure as a PNG for light pages, and one for dark pages beside it, with `-dark` in its name."""
    _write(figure, file, colours, "white")
    for artist in figure.findobj():
        for part in ("color", "facecolor", "edgecolor", "markeredgecolor"):
            if hasattr(artist, f"get_{part}") and (now := _hex(getattr(artist, f"get_{part}")())) in DARK:
                getattr(artist, f"set_{part}")(DARK[now])
    _write(figure, file.with_stem(f"{file.stem}-dark"), colours, DARK["#ffffff"])


def _hex(colours: Any) -> str:
    """Return the colour of an artist, the first if it has more; "" if it has none."""
    values = mpl.colors.to_rgba_array(colours) if colours is not None else ()
    return mpl.colors.to_hex(values[0]) if len(values) and values[0][3] else ""


def _write(figure: Figure, file: Path, colours: int, page: str) -> None:
    """Write a figure with a palette of so many colours: the pictures of the documentation take at most 60 KB."""
    whole = io.BytesIO()
    figure.savefig(whole, dpi=110, facecolor=page)
    picture = Image.open(whole).convert("RGB").quantize(colours, kmeans=4, dither=Image.Dither.NONE)
    picture.save(file, optimize=True)
    print(f"{file}: {picture.width} x {picture.height}, {file.stat().st_size:,} bytes")

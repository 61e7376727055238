"""The kernels of ``splats.cu``, for arrays of any library, and the same in NumPy. ``torch_operator.py`` uses them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import launchpath as lp
from picture import blocks

Doubles = npt.NDArray[np.float64]

THREADS = 128  # of a block


@cache
def compiled(device: lp.Device) -> lp.Program:
    """Compile the kernels for a device, once."""
    return lp.compile(path=Path(__file__).with_suffix(".cu"), device=device, defines={"THREADS": THREADS})


def forward(device: lp.Device, count: int, height: int, width: int, splats: Any, picture: Any) -> None:
    """Launch the sum of splats, of shape (count, 6), into a picture of shape (height, width, 3)."""
    compiled(device).splat_forward[blocks(height * width, THREADS), THREADS](count, height, width, splats, picture)


def backward(device: lp.Device, count: int, height: int, width: int, splats: Any, grad: Any, splats_grad: Any) -> None:
    """Launch the gradient of the splats for the gradient of a picture."""
    compiled(device).splat_backward[count, THREADS](height, width, splats, grad, splats_grad)


def numpy_parts(splats: Doubles, height: int, width: int) -> tuple[Doubles, Doubles, Doubles]:
    """Return x and y from each splat to each pixel, and its brightness there: of shape (count, height, width)."""
    y, x = (np.mgrid[:height, :width] + 0.5) / height
    from_x, from_y = (place[None] - splats[:, k, None, None] for k, place in enumerate((x, y)))
    return from_x, from_y, np.exp(-(from_x**2 + from_y**2) / (2 * np.exp(2 * splats[:, 2, None, None])))


def numpy_forward(splats: Doubles, height: int, width: int) -> Doubles:
    """Compute the picture in NumPy."""
    return np.einsum("ihw,ik->hwk", numpy_parts(splats, height, width)[2], splats[:, 3:])


def numpy_backward(splats: Doubles, grad: Doubles) -> Doubles:
    """Compute the gradient of the splats in NumPy."""
    from_x, from_y, bright = numpy_parts(splats, *grad.shape[:2])
    along = bright * np.einsum("hwk,ik->ihw", grad, splats[:, 3:])
    reach = np.exp(2 * splats[:, 2])
    place = [(along * part).sum(axis=(1, 2)) / reach for part in (from_x, from_y, from_x**2 + from_y**2)]
    return np.column_stack([*place, np.einsum("ihw,hwk->ik", bright, grad)])

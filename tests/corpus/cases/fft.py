"""Fourier transforms."""

import numpy as np

from ..registry import Source, case, launch

RADIX2 = Source("fft/radix2.hip")
LOG2N = 9


def staged(direction):
    n = 1 << LOG2N
    halves = [1 << i for i in range(LOG2N)]

    def expect(a):
        x = a["x"].astype("f8").view("c16").ravel()
        wanted = np.fft.fft(x) if direction < 0 else np.fft.ifft(x) * n
        return {"y": wanted.view("f8").reshape(n, 2)}

    return case(
        RADIX2,
        launch("reverseOrder", 4, 128, "x", "y", LOG2N),
        *[launch(f"butterflies<{direction}>", 2, 128, "y", half, n) for half in halves],
        arrays=lambda r: {"x": r.normal(size=(n, 2)).astype("f4"), "y": np.zeros((n, 2), "f4")},
        expect=expect, rtol=1e-3, atol=2e-4,
    )  # fmt: skip


def stockham(direction):
    def expect(a):
        x = a["x"].view("c16")[..., 0]
        return {"y": (np.fft.fft(x) if direction < 0 else np.fft.ifft(x)).view("f8").reshape(a["x"].shape)}

    return case(
        RADIX2,
        launch(f"stockham<{direction}, 256>", 3, 128, "x", "y"),
        arrays=lambda r: {"x": r.normal(size=(3, 256, 2)), "y": np.zeros((3, 256, 2))},
        expect=expect, rtol=1e-9, atol=1e-10,
    )  # fmt: skip


CASES = [staged(-1), staged(1), stockham(-1), stockham(1)]

"""Fractals. Points on the edge may fall either way, by how a device rounds: a few may differ."""

import numpy as np

from ..registry import Source, case, launch, struct

MANDELBROT = Source("fractals/mandelbrot.cu")
WIDTH, HEIGHT, LIMIT = 48, 36, 50
VIEW = (-2.0, 1.2, 0.0625)


def plane():
    x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    return (VIEW[0] + x * VIEW[2]) + 1j * (VIEW[1] - y * VIEW[2])


def escape(z, c):
    z, count = z.copy(), np.zeros(z.shape, int)
    c = np.broadcast_to(c, z.shape)
    for _ in range(LIMIT):
        inside = np.abs(z) ** 2 <= 4
        z[inside] = z[inside] ** 2 + c[inside]
        count += inside
        z[~inside] = 10
    return count


def nearly(wanted, share=0.02):
    def check(got):
        differ = (got != wanted).reshape(HEIGHT * WIDTH, -1).any(1).mean()
        assert differ <= share, f"{differ:.1%} of the points differ"

    return check


def mandelbrot(of):
    return case(
        MANDELBROT,
        launch(f"mandelbrot<{of}>", (3, 3), (16, 16), "out", WIDTH, HEIGHT, struct("f8 f8 f8", *VIEW), LIMIT),
        arrays=lambda r: {"out": np.zeros((HEIGHT, WIDTH), "i4")},
        expect=lambda a: {"out": nearly(escape(np.zeros((HEIGHT, WIDTH), complex), plane()))},
    )


def julia(palette):
    def expect(_):
        i = escape(plane(), -0.8 + 0.156j)
        level = 255 * i // LIMIT
        image = {
            0: np.stack([level] * 3, -1),
            1: np.stack([level, level // 2, 0 * level], -1),
            2: np.stack([(i & 7) << 5, (i & 56) << 2, i & 192], -1),
        }[palette]
        image[i == LIMIT] = 0
        return {"out": nearly(np.concatenate([image, np.full((HEIGHT, WIDTH, 1), 255)], -1))}

    return case(
        MANDELBROT,
        launch("julia", (3, 3), (16, 16), "out", WIDTH, HEIGHT, struct("f8 f8 f8", *VIEW), struct("f8 f8", -0.8, 0.156),
               LIMIT, palette),
        arrays=lambda r: {"out": np.zeros((HEIGHT, WIDTH, 4), "u1")},
        expect=expect,
    )  # fmt: skip


def newton():
    def expect(_):
        z = plane() + 0.001j
        for _ in range(40):
            z = z - (z**3 - 1) / (3 * z**2)
        roots = np.exp(2j * np.pi * np.arange(3) / 3)
        return {"out": nearly(np.abs(z[..., None] - roots).argmin(-1).ravel())}

    return case(
        MANDELBROT,
        launch("newton", 7, 256, "out", WIDTH, HEIGHT, struct("f8 f8 f8", VIEW[0], VIEW[1] + 0.001, VIEW[2])),
        arrays=lambda r: {"out": np.zeros(WIDTH * HEIGHT, "i1")},
        expect=expect,
    )


CASES = [mandelbrot("float"), mandelbrot("double"), julia(0), julia(1), julia(2), newton()]

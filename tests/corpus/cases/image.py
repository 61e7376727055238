"""Filters of images."""

import numpy as np

from ..registry import Source, case, launch, struct

SOBEL = Source("image/sobel.cu")
GAUSSIAN = Source("image/gaussian.hip")
MEDIAN = Source(
    "image/median.cu", names=("median3x3<unsigned char>", "morphology<Dilate, 1>", "morphology<Erode, 2>"),
    later=("median3x3<float>",),
)  # fmt: skip
H, W = 40, 53


def shifted(a):
    """The neighbours of every pixel, the edge repeated: by (dx, dy)."""
    p = np.pad(a.astype("i4"), 1, mode="edge")
    return {(dx, dy): p[1 + dy : H + 1 + dy, 1 + dx : W + 1 + dx] for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def sobel(a):
    s = shifted(a["x"])
    gx = s[1, -1] + 2 * s[1, 0] + s[1, 1] - s[-1, -1] - 2 * s[-1, 0] - s[-1, 1]
    gy = s[-1, 1] + 2 * s[0, 1] + s[1, 1] - s[-1, -1] - 2 * s[0, -1] - s[1, -1]
    return {"out": np.clip((0.5 * (abs(gx) + abs(gy))).astype("i4"), 0, 255)}


def gaussian(a):
    weights = a["weights"].astype("f8")
    rows = np.apply_along_axis(lambda line: np.convolve(line, weights[::-1], "same"), 1, a["x"].astype("f8"))
    return {"out": np.apply_along_axis(lambda line: np.convolve(line, weights[::-1], "same"), 0, rows)}


def bilateral(a, radius=2, place=1.5, colour=0.2):
    x = a["x"].astype("f8")
    p = np.pad(x, ((radius, radius), (radius, radius), (0, 0)), mode="edge")
    total, weights = np.zeros((H, W, 3)), np.zeros((H, W, 1))
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            there = p[radius + dy : H + radius + dy, radius + dx : W + radius + dx, :3]
            d2 = ((there - x[..., :3]) ** 2).sum(-1, keepdims=True)
            w = np.exp(-(dx * dx + dy * dy) / (2 * place**2) - d2 / (2 * colour**2))
            total, weights = total + w * there, weights + w
    return {"out": np.concatenate([total / weights, x[..., 3:]], -1)}


def median(kernel, dtype):
    def expect(a):
        out = a["out"].copy()
        around = np.stack([a["x"][1 + dy : H - 1 + dy, 1 + dx : W - 1 + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)])
        out[1:-1, 1:-1] = np.median(around, 0)
        return {"out": out}

    return case(
        MEDIAN,
        launch(kernel, (4, 3), (16, 16), "x", "out", W, H),
        arrays=lambda r: {"x": r.integers(0, 255, (H, W)).astype(dtype), "out": np.zeros((H, W), dtype)},
        expect=expect,
    )


def morphology(operation, radius, reduce, fill):
    def expect(a):
        p = np.pad(a["x"], radius, constant_values=fill)
        span = range(2 * radius + 1)
        return {"out": reduce([p[dy : H + dy, dx : W + dx] for dy in span for dx in span])}

    return case(
        MEDIAN,
        launch(f"morphology<{operation}, {radius}>", (4, 3), (16, 16), "x", "out", W, H),
        arrays=lambda r: {"x": r.integers(-999, 999, (H, W)).astype("i4"), "out": np.zeros((H, W), "i4")},
        expect=expect,
    )


CASES = [
    case(
        SOBEL,
        launch("sobel", (4, 3), (16, 16), struct("u8 i4 i4 i4", "x", W, H, W), "out", 0.5),
        arrays=lambda r: {"x": r.integers(0, 90, (H, W)).astype("u1"), "out": np.zeros((H, W), "u1")},
        expect=sobel,
    ),
    case(
        SOBEL,
        launch("rgbaToGrey", 4, 64, "x", "out", H * W),
        arrays=lambda r: {"x": r.integers(0, 256, (H, W, 4), "u1"), "out": np.zeros((H, W), "u1")},
        expect=lambda a: {"out": (a["x"][..., :3].astype("i4") @ [77, 150, 29] + 128) >> 8},
    ),
    *(
        case(
            SOBEL,
            launch("threshold", 9, 256, "x", H * W, 100, invert),
            arrays=lambda r: {"x": r.integers(0, 256, (H, W), "u1")},
            expect=lambda a, invert=invert: {"x": np.where((a["x"] >= 100) != invert, 255, 0)},
        )
        for invert in (False, True)
    ),
    case(
        GAUSSIAN,
        launch("gaussianRows", (1, H), 64, "middle", "x", W, H),
        launch("gaussianColumns", (4, 5), (16, 8), "out", "middle", W, H),
        arrays=lambda r: {"x": r.random((H, W)).astype("f4"), "weights": r.random(9).astype("f4"),
                          "middle": np.zeros((H, W), "f4"), "out": np.zeros((H, W), "f4")},
        expect=gaussian,
        symbols={"d_gaussian": "weights"}, rtol=1e-4, atol=1e-5,
    ),
    case(
        GAUSSIAN,
        launch("bilateral", (7, 5), (8, 8), "x", "out", W, H, 2, 1.5, 0.2),
        arrays=lambda r: {"x": r.random((H, W, 4)).astype("f4"), "out": np.zeros((H, W, 4), "f4")},
        expect=bilateral,
        rtol=1e-4,
    ),
    median("median3x3<unsigned char>", "u1"),
    median("median3x3<float>", "f4"),
    morphology("Dilate", 1, np.maximum.reduce, -(2**31)),
    morphology("Erode", 2, np.minimum.reduce, 2**31 - 1),
    case(
        MEDIAN,
        launch("integralRows", 1, 64, "x", "out", W, H),
        launch("integralColumns", 1, 64, "out", W, H),
        arrays=lambda r: {"x": r.integers(0, 256, (H, W), "u1"), "out": np.zeros((H, W), "u4")},
        expect=lambda a: {"out": a["x"].astype("i8").cumsum(0).cumsum(1)},
    ),
]  # fmt: skip

"""Histograms."""

import numpy as np

from ..registry import Source, case, launch

HISTOGRAM = Source("histograms/histogram.cu")


def count(a):
    return {"bins": np.bincount(a["x"], minlength=256)}


def weighted(keys, weights, of, bins, low, high, kind):
    def expect(a):
        x = a["x"].astype("f4")
        inside = (x >= low) & (x < high)
        bin_of = np.minimum(((x[inside] - np.float32(low)) * np.float32(bins / (high - low))).astype(int), bins - 1)
        return {"bins": np.bincount(bin_of, a["w"][inside].astype("f4"), bins).astype("f4")}

    return case(
        HISTOGRAM,
        launch(f"histogramWeighted<{bins}, {of}>", 4, 128, "x", "w", "bins", low, high, 5000),
        arrays=lambda r: {"x": keys(r), "w": weights(r).astype(kind), "bins": np.zeros(bins, "f4")},
        expect=expect,
        rtol=1e-4,
    )


CASES = [
    case(
        HISTOGRAM,
        launch("histogramGlobal", 4, 64, "x", "bins", 4000),
        arrays=lambda r: {"x": r.integers(0, 256, 4000, "u1"), "bins": np.zeros(256, "u4")},
        expect=count,
    ),
    case(
        HISTOGRAM,
        launch("histogramShared", 4, 128, "words", "bins", 2000),
        arrays=lambda r: {"words": r.integers(0, 2**32, 2000, "u4"), "bins": np.zeros(256, "u4")},
        expect=lambda a: {"bins": np.bincount(a["words"].view("u1"), minlength=256)},
    ),
    weighted(lambda r: r.normal(0, 0.7, 5000).astype("f4"), lambda r: r.random(5000), "float, float", 64, -1.0, 1.0,
             "f4"),
    weighted(
        lambda r: r.integers(-20, 120, 5000).astype("i4"), lambda r: r.integers(-9, 9, 5000), "int, short", 10, 0.0,
        100.0,
        "i2",
    ),
    case(
        HISTOGRAM,
        launch("sumPartial", 100, 64, "partial", "bins", 150, shared=64 * 4),
        arrays=lambda r: {"partial": r.integers(0, 99, (150, 100)).astype("u4"), "bins": np.zeros(100, "u4")},
        expect=lambda a: {"bins": a["partial"].sum(0)},
    ),
]  # fmt: skip

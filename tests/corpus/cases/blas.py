"""Operations on vectors."""

import numpy as np

from ..registry import Source, case, launch

LEVEL1 = Source("blas/level1.hip")
N = 1000


def axpy(of, dtype, incx, incy):
    def expect(a):
        y = a["y"].copy()
        y[::incy][:300] += np.asarray(2.5, dtype) * a["x"][::incx][:300]
        return {"y": y}

    return case(
        LEVEL1,
        launch(f"axpy<{of}>", 2, 64, 300, 2.5, "x", incx, "y", incy),
        arrays=lambda r: {"x": r.normal(size=N).astype(dtype), "y": r.normal(size=N).astype(dtype)},
        expect=expect,
    )


def summed(kernel, dtype, function, names="xy", **options):
    return case(
        LEVEL1,
        launch(kernel, options.get("grid", 4), 128, N, *names, "out"),
        arrays=lambda r: {name: r.integers(-20, 20, N).astype(dtype) for name in names} | {"out": np.zeros(1, dtype)},
        expect=lambda a: {"out": [function(*(a[name] for name in names))]},
        rtol=1e-5,
    )


CASES = [
    axpy("float", "f4", 1, 1),
    axpy("float", "f4", 2, 3),
    axpy("double", "f8", 3, 1),
    case(
        LEVEL1,
        launch("scal<float>", 8, 128, N, 0.5, "x"),
        arrays=lambda r: {"x": r.normal(size=N + 5).astype("f4")},
        expect=lambda a: {"x": a["x"] * np.where(np.arange(N + 5) < N, np.float32(0.5), np.float32(1))},
    ),
    summed("dot<float>", "f4", np.dot),
    summed("dot<double>", "f8", np.dot),
    summed("asum<int>", "i4", lambda x: np.abs(x).sum(), "x"),
    summed("nrm2", "f4", np.linalg.norm, "x", grid=1),
    case(
        LEVEL1,
        launch("rot", 8, 128, N, "x", "y", 0.8, 0.6),
        arrays=lambda r: {"x": r.normal(size=N), "y": r.normal(size=N)},
        expect=lambda a: {"x": 0.8 * a["x"] + 0.6 * a["y"], "y": 0.8 * a["y"] - 0.6 * a["x"]},
        rtol=1e-12, atol=1e-14,
    ),
    case(
        LEVEL1,
        launch("iamax", 4, 64, N, "x", "best"),
        arrays=lambda r: {"x": r.integers(-400, 400, N).astype("f4"), "best": np.zeros(1, "u8")},
        expect=lambda a: {
            "best": [(int(np.abs(a["x"]).max().view("u4")) << 32) | (2**32 - 1 - int(np.abs(a["x"]).argmax()))]
        },
    ),
]  # fmt: skip

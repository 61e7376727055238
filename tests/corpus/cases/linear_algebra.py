"""Decompositions and systems of equations."""

import numpy as np

from ..registry import Source, case, launch

LU = Source("linear_algebra/lu.hip")
LU8 = Source("linear_algebra/lu.hip", defines={"BLOCK_SIZE": "8"})
CHOLESKY = Source("linear_algebra/cholesky.cu", names=("choleskyBatch<float, 4>",), later=("choleskyBatch<double, 6>",))
ELIMINATION = Source("linear_algebra/elimination.hip")
TRIDIAGONAL = Source("linear_algebra/tridiagonal.cu", names=("cyclicReduction<double, 64>",))


def dominant(r, n, dtype):
    return (r.random((n, n)) + n * np.eye(n)).astype(dtype)


def lu(source, n, block):
    steps = []
    for i in range(0, n - block, block):
        rest = (n - i) // block - 1
        steps += [
            launch("factorDiagonal", 1, block, "m", n, i),
            launch("factorPerimeter", (rest, 2), block, "m", n, i),
            launch("updateInterior", (rest, rest), (block, block), "m", n, i),
        ]
    steps.append(launch("factorDiagonal", 1, block, "m", n, n - block))

    def expect(a):
        m = a["m"].astype("f8")
        for k in range(n):
            m[k + 1 :, k] /= m[k, k]
            m[k + 1 :, k + 1 :] -= np.outer(m[k + 1 :, k], m[k, k + 1 :])
        return {"m": m}

    return case(source, *steps, arrays=lambda r: {"m": dominant(r, n, "f4")}, expect=expect, rtol=1e-4, atol=1e-5)


def definite(r, n, *batch):
    b = r.normal(size=(*batch, n, n))
    return b @ b.swapaxes(-1, -2) + n * np.eye(n)


def cholesky_batch(of, n, dtype, batch=70):
    return case(
        CHOLESKY,
        launch(f"choleskyBatch<{of}, {n}>", 2, 64, "m", batch),
        arrays=lambda r: {"m": definite(r, n, batch).astype(dtype)},
        expect=lambda a: {"m": np.linalg.cholesky(a["m"].astype("f8"))},
        rtol=1e-4, atol=1e-4,
    )  # fmt: skip


def cholesky(n=50, systems=3):
    return case(
        CHOLESKY,
        launch("choleskyBlock", 1, 64, "m", n, "info"),
        launch("solveTriangular", systems, 32, "m", "b", n, shared=8 * n),
        arrays=lambda r: {"m": definite(r, n), "b": r.normal(size=(systems, n)), "info": np.zeros(1, "i4")},
        expect=lambda a: {"m": np.linalg.cholesky(a["m"]), "b": np.linalg.solve(a["m"], a["b"].T).T, "info": [0]},
        rtol=1e-8, atol=1e-10,
    )  # fmt: skip


def indefinite(n=20):
    def expect(a):
        bad = next(k for k in range(1, n + 1) if np.linalg.det(a["m"][:k, :k]) <= 0)
        return {"info": lambda got: _is_first_bad(got, bad)}

    def arrays(r):
        m = definite(r, n)
        m[7, 7] = -1
        return {"m": m, "info": np.zeros(1, "i4")}

    return case(CHOLESKY, launch("choleskyBlock", 1, 64, "m", n, "info"), arrays=arrays, expect=expect)


def _is_first_bad(got, bad):
    assert got[0] == bad == 8, "after the first bad pivot all are NaN, which is not <= 0: info stays"


def elimination(n=40):
    steps = [
        each
        for column in range(n - 1)
        for each in (
            launch("multipliers", 1, 64, "factors", "a", n, column),
            launch("eliminate", (5, 5), (8, 8), "factors", "a", "b", n, column),
        )
    ]

    def expect(a):
        m, b = a["a"].astype("f8"), a["b"].astype("f8")
        for k in range(n - 1):
            factors = m[k + 1 :, k] / m[k, k]
            m[k + 1 :] -= factors[:, None] * m[k]
            b[k + 1 :] -= factors * b[k]
        return {"a": m, "b": b}

    return case(
        ELIMINATION,
        *steps,
        arrays=lambda r: {"a": dominant(r, n, "f4"), "b": r.random(n).astype("f4"), "factors": np.zeros(n, "f4")},
        expect=expect, rtol=1e-3, atol=1e-4,
    )  # fmt: skip


def jacobi(n=40, rounds=30):
    pair = ("x", "y")
    return case(
        ELIMINATION,
        *[launch("jacobiSweep", 1, 64, "a", "b", pair[i % 2], pair[1 - i % 2], n) for i in range(rounds)],
        arrays=lambda r: {"a": dominant(r, n, "f4") + n * np.eye(n, dtype="f4"), "b": r.random(n).astype("f4"),
                          "x": np.zeros(n, "f4"), "y": np.zeros(n, "f4")},
        expect=lambda a: {"x": np.linalg.solve(a["a"].astype("f8"), a["b"])},  # rounds is even: the last sweep writes x
        rtol=1e-4,
    )  # fmt: skip


def bands(r, systems, n, dtype):
    lower, upper = r.random((2, systems, n)).astype(dtype)
    lower[:, 0] = upper[:, -1] = 0
    return {"lower": lower, "diagonal": (3 + r.random((systems, n))).astype(dtype), "upper": upper,
            "rhs": r.random((systems, n)).astype(dtype), "x": np.zeros((systems, n), dtype)}  # fmt: skip


def solved(a):
    """Solve every system; arrays are [system][row]."""
    n = a["rhs"].shape[1]
    full = np.zeros((*a["rhs"].shape, n))
    at = np.arange(n)
    full[:, at, at] = a["diagonal"]
    full[:, at[1:], at[:-1]] = a["lower"][:, 1:]
    full[:, at[:-1], at[1:]] = a["upper"][:, :-1]
    return np.linalg.solve(full, a["rhs"][..., None])[..., 0]


def thomas(of, dtype, n=33, systems=70):
    def interleaved(a):
        return {name: np.ascontiguousarray(value.T) for name, value in a.items()}

    return case(
        TRIDIAGONAL,
        launch(f"thomas<{of}>", 2, 64, "lower", "diagonal", "upper", "rhs", n, systems),
        arrays=lambda r: interleaved(bands(r, systems, n, dtype)),
        expect=lambda a: {"rhs": solved(interleaved(a)).T},
        rtol=1e-4,
    )


def cyclic(of, n, dtype, systems=5):
    return case(
        TRIDIAGONAL,
        launch(f"cyclicReduction<{of}, {n}>", systems, n, "lower", "diagonal", "upper", "rhs", "x"),
        arrays=lambda r: bands(r, systems, n, dtype),
        expect=lambda a: {"x": solved(a)},
        rtol=1e-4,
    )


CASES = [
    lu(LU, 64, 16),
    lu(LU8, 32, 8),
    cholesky(),
    indefinite(),
    cholesky_batch("float", 4, "f4"),
    cholesky_batch("double", 6, "f8"),
    elimination(),
    jacobi(),
    thomas("float", "f4"),
    thomas("double", "f8"),
    cyclic("float", 128, "f4"),
    cyclic("double", 64, "f8"),
]

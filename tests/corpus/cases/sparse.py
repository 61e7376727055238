"""Sparse matrices."""

import numpy as np

from ..registry import Source, case, launch, struct

SPMV = Source("sparse/spmv.cu", names=("spmvCsrScalar<long long, double>",))
WARP = Source("sparse/spmv_warp.hip", names=("spmvGroups<4>", "spmvGroups<16>"), needs=frozenset({"warps"}))
CG = Source("sparse/cg.cu")


def sparse(r, rows=150, columns=170, dtype="f4"):
    dense = np.where(r.random((rows, columns)) < 0.08, r.normal(size=(rows, columns)), 0).astype(dtype)
    dense[::17] = 0
    i, j = np.nonzero(dense)
    offsets = np.concatenate([[0], np.bincount(i, minlength=rows).cumsum()])
    return {"offsets": offsets.astype("i4"), "rows": i.astype("i4"), "columns": j.astype("i4"), "values": dense[i, j],
            "x": r.normal(size=columns).astype(dtype), "y": np.zeros(rows, dtype)}  # fmt: skip


def product(a, rows=150):
    i = np.repeat(np.arange(rows), np.diff(a["offsets"]))
    return np.bincount(i, a["values"].astype("f8") * a["x"][a["columns"]], rows)


def scalar(index, value):
    kind = {"int": "i4", "long long": "i8"}[index]
    dtype = {"float": "f4", "double": "f8"}[value]

    def arrays(r):
        matrix = sparse(r, dtype=dtype)
        matrix["y"] = r.normal(size=150).astype(dtype)
        return matrix | {"offsets": matrix["offsets"].astype(kind), "columns": matrix["columns"].astype(kind)}

    return case(
        SPMV,
        launch(f"spmvCsrScalar<{index}, {value}>", 3, 64,
               struct(f"{kind} u8 u8 u8", 150, "offsets", "columns", "values"),
               "x", "y", 2.0, 0.5),
        arrays=arrays,
        expect=lambda a: {"y": 2 * product(a) + 0.5 * a["y"]},
        rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def ell(rows=150, width=30):
    def arrays(r):
        a = sparse(r, dtype="f8")
        columns, values = np.full((width, rows), -1, "i4"), np.zeros((width, rows))
        slot = np.arange(len(a["rows"])) - a["offsets"][a["rows"]]
        columns[slot, a["rows"]], values[slot, a["rows"]] = a["columns"], a["values"]
        return a | {"ell_columns": columns, "ell_values": values}

    return case(
        SPMV,
        launch("spmvEll", 3, 64, rows, width, "ell_columns", "ell_values", "x", "y"),
        arrays=arrays,
        expect=lambda a: {"y": product(a)},
    )


def conjugate_gradients(n=60, rounds=60):
    """As many rounds as unknowns solve the system, in exact arithmetic."""
    steps = [
        launch("clearSums", 1, 1),
        launch("applyAndDot", 1, 64, "p", "Ap", n),
        launch("stepAlong", 1, 64, "x", "r", "p", "Ap", n),
        launch("nextDirection", 1, 64, "p", "r", n),
        launch("accept", 1, 1),
    ]

    def arrays(r):
        b = r.normal(size=n)
        return {"p": b, "r": b.copy(), "x": np.zeros(n), "Ap": np.zeros(n), "rr": np.asarray(b @ b)}

    def expect(a):
        matrix = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
        return {"x": np.linalg.solve(matrix, a["r"])}

    return case(
        CG, *steps * rounds, arrays=arrays, expect=expect, symbols={"d_rr": "rr"}, rtol=1e-6, atol=1e-8,
    )  # fmt: skip


CASES = [
    scalar("int", "float"),
    scalar("long long", "double"),
    case(
        SPMV,
        launch("spmvCsrVector<16, 8>", 10, 128, 150, "offsets", "columns", "values", "x", "y"),
        arrays=sparse,
        expect=lambda a: {"y": product(a)},
        rtol=1e-4, atol=1e-5,
    ),
    ell(),
    case(
        SPMV,
        launch("spmvCoo", 4, 64, 1500, "rows", "columns", "values", "x", "y"),
        arrays=sparse,
        expect=lambda a: {
            "y": np.bincount(a["rows"][:1500], a["values"][:1500].astype("f8") * a["x"][a["columns"][:1500]], 150)
        },
        rtol=1e-4, atol=1e-5,
    ),
    *(
        case(
            WARP,
            launch(f"spmvGroups<{lanes}>", -(-150 * lanes // 128), 128, 150, "offsets", "columns", "values", "x", "y"),
            arrays=sparse,
            expect=lambda a: {"y": product(a)},
            rtol=1e-4, atol=1e-5,
        )
        for lanes in (4, 16)
    ),
    conjugate_gradients(),
]  # fmt: skip

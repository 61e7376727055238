"""Dynamic programming."""

import numpy as np

from ..registry import Source, case, launch

NEEDLEMAN = Source("dynamic/needleman.cu")
SEQUENCES = Source("dynamic/sequences.hip", names=("lcsLength<char>", "cheapestPath<6>"), later=("lcsLength<int>",))
SUBSTITUTION = np.array([[5, -4, -3, -4], [-4, 5, -4, -3], [-3, -4, 5, -4], [-4, -3, -4, 5]])


def needleman(n=64, penalty=6):
    tiles, columns = n // 16, n + 1
    steps = []
    for wave in range(2 * tiles - 1):
        row = min(wave, tiles - 1)
        count = row - max(0, wave - tiles + 1) + 1
        steps.append(launch("alignTiles", count, 16, "a", "b", "matrix", columns, penalty, row, wave - row))

    def expect(a):
        m = np.zeros((columns, columns), int)
        m[0] = m[:, 0] = -penalty * np.arange(columns)
        for i in range(1, columns):
            for j in range(1, columns):
                match = m[i - 1, j - 1] + SUBSTITUTION[a["a"][i - 1], a["b"][j - 1]]
                m[i, j] = max(match, m[i, j - 1] - penalty, m[i - 1, j] - penalty)
        return {"matrix": m}

    return case(
        NEEDLEMAN,
        launch("initMatrix", 1, 128, "matrix", columns, columns, penalty),
        *steps,
        arrays=lambda r: {"a": r.integers(0, 4, n).astype("i1"), "b": r.integers(0, 4, n).astype("i1"),
                          "matrix": np.zeros((columns, columns), "i4")},
        expect=expect,
    )  # fmt: skip


def lcs(of, dtype, na=60, nb=75):
    def expect(a):
        row = np.zeros(nb + 1, int)
        for x in a["a"]:
            above = row.copy()
            for j, y in enumerate(a["b"]):
                row[j + 1] = above[j] + 1 if x == y else max(above[j + 1], row[j])
        return {"length": [row[-1]]}

    return case(
        SEQUENCES,
        launch(f"lcsLength<{of}>", 1, 32, "a", na, "b", nb, "length"),
        arrays=lambda r: {"a": r.integers(65, 70, na).astype(dtype), "b": r.integers(65, 70, nb).astype(dtype),
                          "length": np.zeros(1, "i4")},
        expect=expect,
    )  # fmt: skip


def knapsack(items=25, capacity=200):
    def expect(a):
        best = np.zeros(capacity + 1, int)
        for weight, value in zip(a["weight"], a["value"], strict=True):
            best[weight:] = np.maximum(best[weight:], best[: capacity + 1 - weight] + value)
        return {"best": best}

    return case(
        SEQUENCES,
        launch("knapsack", 1, 64, "weight", "value", items, "best", capacity, shared=8 * (capacity + 1)),
        arrays=lambda r: {"weight": r.integers(1, 60, items).astype("i4"),
                          "value": r.integers(1, 99, items).astype("i4"),
                          "best": np.zeros(capacity + 1, "i4")},
        expect=expect,
    )  # fmt: skip


def cheapest(columns=300, rows=6, block=64):
    def expect(a):
        cost = a["start"].astype("i8")
        for row in a["wall"]:
            p = np.pad(cost, 1, constant_values=2**40)
            cost = np.minimum.reduce([p[:-2], p[1:-1], p[2:]]) + row
        return {"result": cost}

    return case(
        SEQUENCES,
        launch("cheapestPath<6>", -(-columns // (block - 12)), block, "wall", "start", "result", columns),
        arrays=lambda r: {"wall": r.integers(0, 10, (rows, columns)).astype("i4"),
                          "start": r.integers(0, 10, columns).astype("i4"), "result": np.zeros(columns, "i4")},
        expect=expect,
    )  # fmt: skip


CASES = [needleman(), lcs("char", "i1"), lcs("int", "i4"), knapsack(), cheapest()]

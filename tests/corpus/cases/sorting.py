"""Sorting and merging."""

import numpy as np

from ..registry import Source, blocks, case, launch

BITONIC = Source("sorting/bitonic.hip")
ODD_EVEN = Source("sorting/odd_even.cu", names=("oddEvenSort<float, Less>", "oddEvenSort<Record, ByKeyThenTagDown>"))
RADIX = Source("sorting/radix.hip")
MERGE = Source("sorting/merge.cu", names=("mergePass<int>",), later=("mergePass<double>",))


def block_sort(ascending):
    def expect(a):
        keys = a["keys"].reshape(-1, 256)
        order = keys.argsort(1)[:, :: 1 if ascending else -1]
        return {
            "keys": np.take_along_axis(keys, order, 1).ravel(),
            "values": np.take_along_axis(a["values"].reshape(-1, 256), order, 1).ravel(),
        }

    return case(
        BITONIC,
        launch("bitonicBlock", 4, 128, "keys", "values", ascending),
        arrays=lambda r: {
            "keys": (r.permutation(1024) * 4000003).astype("u4"),
            "values": r.permutation(1024).astype("u4"),
        },
        expect=expect,
    )


def bitonic(of, make, n=512):
    steps, k = [], 2
    while k <= n:
        j = k // 2
        while j:
            steps.append(launch(f"bitonicStep<{of}>", n // 256, 256, "x", j, k))
            j //= 2
        k *= 2
    return case(BITONIC, *steps, arrays=lambda r: {"x": make(r, n)}, expect=lambda a: {"x": np.sort(a["x"])})


RECORD = np.dtype([("key", "i2"), ("tag", "i1")], align=True)


def records(r, n=96):
    shuffled = np.zeros(n, RECORD)
    shuffled["key"], shuffled["tag"] = r.integers(-4, 4, n), r.permutation(n)
    return {"x": shuffled}


def records_sorted(a):
    parts = a["x"].reshape(2, 48)
    order = np.stack([np.lexsort((-part["tag"].astype("i4"), part["key"])) for part in parts])
    wanted = np.take_along_axis(parts, order, 1).ravel()

    def check(got):
        for name in RECORD.names:
            np.testing.assert_array_equal(got[name], wanted[name])

    return {"x": check}


def radix(n=1000, passes=8):
    count = blocks(n, 128)
    steps = []
    for p in range(passes):
        source, target = ("x", "y") if p % 2 == 0 else ("y", "x")
        steps += [
            launch("countDigits", count, 128, source, "counts", n, 4 * p),
            launch("scanCounts", 1, 64, "counts", 16 * count, shared=64 * 4),
            launch("scatterDigits", count, 128, source, target, "counts", n, 4 * p),
        ]
    return case(
        RADIX,
        *steps,
        arrays=lambda r: {"x": r.integers(0, 2**32, n, "u4"), "y": np.zeros(n, "u4"),
                          "counts": np.zeros(16 * count, "i4")},
        expect=lambda a: {"x": np.sort(a["x"])},
    )  # fmt: skip


def merge_sort(of, dtype, n=900):
    steps = []
    for level in range(10):
        pair = ("x", "y") if level % 2 == 0 else ("y", "x")
        steps.append(launch(f"mergePass<{of}>", blocks(n, 128), 128, *pair, n, 1 << level))
    return case(
        MERGE,
        *steps,
        arrays=lambda r: {"x": r.integers(0, 300, n).astype(dtype), "y": np.zeros(n, dtype)},
        expect=lambda a: {"x": np.sort(a["x"])},
    )


def merge_path():
    def expect(a):
        both = np.concatenate([a["a"], a["b"]])
        order = np.argsort(both, kind="stable")  # equal ones of a before those of b
        from_a = np.concatenate([[0], (order < 200).cumsum()])
        return {"crossing": from_a[np.minimum(np.arange(60) * 8, 450)]}

    return case(
        MERGE,
        launch("mergePath", 1, 64, "a", 200, "b", 250, "crossing", 60, 8),
        arrays=lambda r: {"a": np.sort(r.integers(0, 99, 200)).astype("i4"),
                          "b": np.sort(r.integers(0, 99, 250)).astype("i4"),
                          "crossing": np.zeros(60, "i4")},
        expect=expect,
    )  # fmt: skip


CASES = [
    block_sort(True),
    block_sort(False),
    bitonic("float", lambda r, n: r.normal(size=n).astype("f4")),
    bitonic("long long", lambda r, n: r.integers(-(2**62), 2**62, n)),
    case(
        ODD_EVEN,
        launch("oddEvenSort<float, Less>", 3, 64, "x", 100, shared=400),
        arrays=lambda r: {"x": r.normal(size=(3, 100)).astype("f4")},
        expect=lambda a: {"x": np.sort(a["x"], 1)},
    ),
    case(
        ODD_EVEN,
        launch("oddEvenSort<Record, ByKeyThenTagDown>", 2, 32, "x", 48, shared=48 * RECORD.itemsize),
        arrays=records,
        expect=records_sorted,
    ),
    radix(),
    merge_sort("int", "i4"),
    merge_sort("double", "f8", 1000),
    merge_path(),
]

"""Prefix sums, and what is made with them."""

import numpy as np

from ..registry import Source, blocks, case, launch, struct

INCLUSIVE = Source("scans/hillis_steele.cu")
EXCLUSIVE = Source("scans/blelloch.hip")
UNPADDED = Source("scans/blelloch.hip", defines={"NO_PADDING": None})
SEGMENTED = Source("scans/segmented.cu", later=("seg::scanSegments<double>",))
COMPACTION = Source("scans/compaction.hip")


def inclusive(of, dtype, n=6000):
    count = blocks(n, 256)
    return case(
        INCLUSIVE,
        launch(f"inclusiveScanBlock<{of}>", count, 256, "x", "out", "totals", n),
        launch(f"inclusiveScanBlock<{of}>", 1, 256, "totals", "totals", None, count),
        launch(f"addTotals<{of}>", count, 256, "out", "totals", n),
        arrays=lambda r: {"x": r.integers(-9, 9, n).astype(dtype), "out": np.zeros(n, dtype),
                          "totals": np.zeros(count, dtype)},
        expect=lambda a: {"out": a["x"].cumsum()},
    )  # fmt: skip


def exclusive(source, padding):
    shared = 4 * (128 + padding)
    return case(
        source,
        launch("scanExclusive", 16, 64, "x", "out", "totals", shared=shared),
        launch("scanExclusive", 1, 8, "totals", "starts", None, shared=shared),
        launch("addToBlocks", 16, 64, "out", "starts"),
        arrays=lambda r: {"x": r.integers(0, 9, 2048).astype("f4"), "out": np.zeros(2048, "f4"),
                          "totals": np.zeros(16, "f4"), "starts": np.zeros(16, "f4")},
        expect=lambda a: {"out": a["x"].cumsum() - a["x"]},
    )  # fmt: skip


def segments(of, dtype, n=1000):
    def expect(a):
        sums = a["x"].cumsum()
        start = np.maximum.accumulate(np.where(a["heads"], np.arange(n), 0))
        return {"out": sums - np.where(start > 0, sums[start - 1], 0)}

    return case(
        SEGMENTED,
        launch(f"seg::scanSegments<{of}>", 1, 128, "x", "heads", "out", n),
        arrays=lambda r: {"x": r.integers(-9, 9, n).astype(dtype), "heads": (r.random(n) < 0.02).astype("u1"),
                          "out": np.zeros(n, dtype)},
        expect=expect,
    )  # fmt: skip


def compaction(predicate, argument, keep, n=3000):
    count = blocks(n, 64)

    def expect(a):
        kept = a["x"][keep(a["x"])]
        return {"total": [len(kept)], "out": np.concatenate([kept, np.full(n - len(kept), -1, "i4")])}

    return case(
        COMPACTION,
        launch(f"markBlocks<{predicate}>", count, 64, "x", "counts", n, argument),
        launch("offsets", 1, 1, "counts", count, "total"),
        launch(f"scatterKept<{predicate}>", count, 64, "x", "out", "counts", n, argument),
        arrays=lambda r: {"x": r.integers(0, 1000, n).astype("i4"), "counts": np.zeros(count, "u4"),
                          "total": np.zeros(1, "u4"), "out": np.full(n, -1, "i4")},
        expect=expect,
    )  # fmt: skip


def any_order(n=3000):
    def expect(a):
        kept = np.sort(a["x"][a["x"] > 500])

        def wanted(got):
            np.testing.assert_array_equal(np.sort(got[: len(kept)]), kept)
            assert (got[len(kept) :] == -1).all()

        return {"counter": [len(kept)], "out": wanted}

    return case(
        COMPACTION,
        launch("compactAnyOrder", blocks(n, 64), 64, "x", "out", "counter", n, 500),
        arrays=lambda r: {"x": r.integers(0, 1000, n).astype("i4"), "out": np.full(n, -1, "i4"),
                          "counter": np.zeros(1, "i4")},
        expect=expect,
    )  # fmt: skip


CASES = [
    inclusive("int", "int32"),
    inclusive("double", "float64", 4097),
    exclusive(EXCLUSIVE, 4),
    exclusive(UNPADDED, 0),
    segments("int", "int32"),
    segments("double", "float64"),
    compaction("Above", struct("i4", 500), lambda x: x > 500),
    compaction("IsOdd", b"\0", lambda x: x % 2 == 1),
    any_order(),
]

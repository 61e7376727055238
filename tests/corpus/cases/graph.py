"""Graphs: searches, shortest paths, ranks, components."""

import numpy as np

from ..registry import Part, Source, blocks, case, launch, struct

BFS = Source("graph/bfs.cu")
SSSP = Source("graph/sssp.hip")
RANK = Source("graph/pagerank.cu")
COMPONENTS = Source("graph/components.hip")
TRIANGLES = Source("graph/triangles.cu")

FAR = 2**31 - 1


def graph(r, n, m):
    """Directed edges in rows: where each row begins, and targets, sorted and each once."""
    edges = np.unique(np.stack([r.integers(0, n, m), r.integers(0, n, m)], 1), axis=0)
    edges = edges[edges[:, 0] != edges[:, 1]]
    rows = np.concatenate([[0], np.bincount(edges[:, 0], minlength=n).cumsum()])
    return rows.astype("i4"), edges[:, 1].astype("i4"), edges.astype("i4")


def symmetric(r, n, m):
    _, _, edges = graph(r, n, m)
    edges = np.unique(np.concatenate([edges, edges[:, ::-1]]), axis=0)
    return np.concatenate([[0], np.bincount(edges[:, 0], minlength=n).cumsum()]).astype("i4"), edges[:, 1].astype("i4")


def levels(rows, columns, n, start=0):
    distance = np.full(n, -1, "i4")
    distance[start] = 0
    frontier, level = [start], 0
    while frontier:
        level += 1
        reached = {int(v) for u in frontier for v in columns[rows[u] : rows[u + 1]] if distance[v] < 0}
        distance[list(reached)] = level
        frontier = list(reached)
    return distance


def bfs_masks(n=600, rounds=14):
    def arrays(r):
        rows, columns, _ = graph(r, n, 1500)
        first = np.arange(n) == 0
        return {"nodes": np.stack([rows[:-1], np.diff(rows)], 1), "targets": columns, "current": first.copy(),
                "found": np.zeros(n, bool), "visited": first.copy(), "distance": np.where(first, 0, -1).astype("i4"),
                "more": np.zeros(1, bool)}  # fmt: skip

    marks = struct("u8 u8 u8", "current", "found", "visited")
    steps = [
        each
        for _ in range(rounds)
        for each in (
            launch("visitLevel", blocks(n, 256), 256, "nodes", "targets", marks, "distance", n),
            launch("nextLevel", blocks(n, 256), 256, marks, "more", n),
        )
    ]

    def expect(a):
        rows = np.concatenate([a["nodes"][:, 0], [len(a["targets"])]])
        distance = levels(rows, a["targets"], n)
        assert distance.max() < rounds
        return {"distance": distance, "visited": distance >= 0, "more": [True]}

    return case(BFS, *steps, arrays=arrays, expect=expect)


def bfs_queue(n=600, rounds=14):
    def arrays(r):
        rows, columns, _ = graph(r, n, 1500)
        buffers = {"rows": rows, "columns": columns, "distance": np.where(np.arange(n) == 0, 0, -1).astype("i4")}
        buffers["queues"], buffers["sizes"] = np.zeros((rounds + 1, n), "i4"), np.zeros(rounds + 1, "i4")
        buffers["sizes"][0] = 1
        return buffers

    steps = [
        launch("expandFrontier", 3, 64, "rows", "columns", "distance", Part("queues", i), Part("sizes", i),
               Part("queues", i + 1), Part("sizes", i + 1), i + 1)
        for i in range(rounds)
    ]  # fmt: skip

    def expect(a):
        distance = levels(a["rows"], a["columns"], n)
        return {"distance": distance, "sizes": np.bincount(distance[distance >= 0], minlength=rounds + 1)}

    return case(BFS, *steps, arrays=arrays, expect=expect)


def bellman_ford(edges, weights, n, far):
    distance = np.full(n, far, "f8")
    distance[0] = 0
    for _ in range(n):
        before = distance.copy()
        np.minimum.at(distance, edges[:, 1], distance[edges[:, 0]] + weights)
        if (before == distance).all():
            break
    return distance


def relax(n=150, m=400, rounds=25):
    def arrays(r):
        _, _, edges = graph(r, n, m)
        return {"edges": np.column_stack([edges, r.integers(1, 50, len(edges))]).astype("i4")[:m],
                "distance": np.where(np.arange(n) == 0, 0, FAR).astype("i4")}  # fmt: skip

    count = 380

    def expect(a):
        edges = a["edges"][:count]
        distance = bellman_ford(edges, edges[:, 2], n, np.inf)
        return {"distance": np.where(np.isinf(distance), FAR, distance).astype("i4"), "symbol:changed": 0}

    steps = [launch("relaxEdges", blocks(count, 64), 64, "edges", "distance", count) for _ in range(rounds)]
    last = [launch("resetChanged", 1, 1), launch("relaxEdges", blocks(count, 64), 64, "edges", "distance", count)]
    return case(SSSP, *steps, *last, arrays=arrays, expect=expect)


def relax_float(n=150, m=400, rounds=30):
    def arrays(r):
        _, _, edges = graph(r, n, m)
        return {"edges": edges[:380].copy(), "weights": r.random(380).astype("f4"),
                "distance": np.where(np.arange(n) == 0, 0, np.inf).astype("f4")}  # fmt: skip

    return case(
        SSSP,
        *[launch("relaxFloat", 2, 64, "edges", "weights", "distance", 380) for _ in range(rounds)],
        arrays=arrays,
        expect=lambda a: {"distance": bellman_ford(a["edges"], a["weights"], n, np.inf)},
        rtol=1e-5,
    )


def floyd(n=40):
    def arrays(r):
        d = np.where(r.random((n, n)) < 0.1, r.integers(1, 90, (n, n)), FAR).astype("i4")
        np.fill_diagonal(d, 0)
        return {"d": d}

    def expect(a):
        d = a["d"].astype("i8")
        for k in range(n):
            d = np.minimum(d, np.where((d[:, k : k + 1] < FAR) & (d[k] < FAR), d[:, k : k + 1] + d[k], FAR))
        return {"d": d}

    return case(SSSP, *[launch("floydWarshall", (1, n), 64, "d", n, k) for k in range(n)], arrays=arrays, expect=expect)


def pagerank(n=500, rounds=6):
    def arrays(r):
        rows, sources, _ = graph(r, n, 2000)
        return {"rows": rows, "sources": sources, "degree": np.bincount(sources, minlength=n).astype("i4"),
                "share": np.zeros(n, "f4"), "dangling": np.zeros(rounds, "f4"),
                "rank": np.full(n, 1 / n, "f4")}  # fmt: skip

    def expect(a):
        rank = a["rank"].astype("f8")
        target = np.repeat(np.arange(n), np.diff(a["rows"]))
        for _ in range(rounds):
            share = np.where(a["degree"] > 0, rank / np.maximum(a["degree"], 1), 0)
            pulled = np.bincount(target, share[a["sources"]], n)
            rank = 0.15 / n + 0.85 * (pulled + rank[a["degree"] == 0].sum() / n)
        return {"rank": rank}

    steps = [
        each
        for i in range(rounds)
        for each in (
            launch("contributions", blocks(n, 128), 128, "rank", "degree", "share", Part("dangling", i), n),
            launch("pullRank", blocks(n, 128), 128, "rows", "sources", "share", Part("dangling", i), "rank", n),
        )
    ]
    return case(RANK, *steps, arrays=arrays, expect=expect, rtol=1e-4, atol=1e-8)


def components(n=500, m=400):
    def expect(a):
        label = np.arange(n)
        while True:
            before = label.copy()
            for end, other in ((0, 1), (1, 0)):
                np.minimum.at(label, a["edges"][:, end], label[a["edges"][:, other]])
            if (before == label).all():
                return {"parent": label, "symbol:d_hooks": n - len(np.unique(label))}

    return case(
        COMPONENTS,
        launch("initLabels", blocks(n, 64), 64, "parent", n),
        launch("hook", 3, 64, "edges", "parent", m),
        launch("compress", blocks(n, 64), 64, "parent", n),
        arrays=lambda r: {"edges": r.integers(0, n, (m, 2)).astype("u4"), "parent": np.zeros(n, "u4")},
        expect=expect,
    )


def triangles(n=120):
    def arrays(r):
        rows, columns = symmetric(r, n, 700)
        return {"rows": rows, "columns": columns, "total": np.zeros(1, "u8")}

    def expect(a):
        matrix = np.zeros((n, n), "i8")
        matrix[np.repeat(np.arange(n), np.diff(a["rows"])), a["columns"]] = 1
        return {"total": [np.trace(matrix @ matrix @ matrix) // 6]}

    return case(TRIANGLES, launch("countTriangles", 2, 64, "rows", "columns", "total", n), arrays=arrays, expect=expect)


def colouring(n=120, rounds=20):
    def arrays(r):
        rows, columns = symmetric(r, n, 300)
        return {"rows": rows, "columns": columns, "one": np.full(n, -1, "i4"), "other": np.full(n, -1, "i4")}

    def expect(a):
        def proper(got):
            assert (got >= 0).all()
            assert (np.repeat(got, np.diff(a["rows"])) != got[a["columns"]]).all()

        return {"one": proper}

    pair = ("one", "other")
    return case(
        TRIANGLES,
        *[launch("colourRound", 2, 64, "rows", "columns", pair[i % 2], pair[1 - i % 2], n, i) for i in range(rounds)],
        arrays=arrays,
        expect=expect,
    )


CASES = [
    bfs_masks(), bfs_queue(), relax(), relax_float(), floyd(), pagerank(), components(), triangles(), colouring(),
]  # fmt: skip

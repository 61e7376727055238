"""What networks are made of, and clustering."""

import math

import numpy as np

from ..registry import Source, blocks, case, launch, struct

KMEANS = Source("learning/kmeans.cu", names=("assignPoints<2>",))
KNN = Source("learning/knn.hip", names=("distances<8>", "selectNearest<float, 5>"))
SOFTMAX = Source("learning/softmax.cu")
NORM = Source(
    "learning/layernorm.hip", names=("layerNorm<64, true>", "layerNorm<64, false>", "rmsNorm<float>", "rmsNorm<double>")
)
ACTIVATIONS = Source("learning/activations.cu")
CONVOLUTION = Source("learning/convolution.hip", names=("pool<Pool::Max, 2>", "pool<Pool::Average, 3>"))
RECURRENT = Source("learning/recurrent.hip", names=("embed<int>", "embed<long long>"))


def nearest(points, centres):
    return ((points[:, None] - centres) ** 2).sum(-1).argmin(1)


def kmeans(n=1000, k=6, d=4):
    def arrays(r):
        middles = 10 * r.random((k, d))
        points = (middles[r.integers(0, k, n)] + r.normal(0, 0.5, (n, d))).astype("f4")
        table = np.zeros(128, "f4")
        table[: k * d] = points[:k].ravel()
        return {"points": points, "table": table, "membership": np.full(n, -1, "i4"), "moved": np.zeros(1, "i4"),
                "sums": np.zeros((k, d), "f4"), "counts": np.zeros(k, "u4"),
                "centres": np.zeros((k, d), "f4")}  # fmt: skip

    def expect(a):
        label = nearest(a["points"].astype("f8"), a["table"][: k * d].reshape(k, d))
        counts = np.bincount(label, minlength=k)
        sums = np.stack([np.bincount(label, a["points"][:, i], k) for i in range(d)], 1)
        return {"membership": label, "moved": [n], "counts": counts, "centres": sums / counts[:, None]}

    return case(
        KMEANS,
        launch("assignPoints<4>", blocks(n, 256), 256, "points", "membership", "moved", n, k),
        launch("addUp<4>", 2, 128, "points", "membership", "sums", "counts", n, k, shared=k * (d + 1) * 4),
        launch("divide", k, 32, "centres", "sums", "counts", d),
        arrays=arrays, expect=expect, symbols={"c_centres": "table"}, rtol=1e-4,
    )  # fmt: skip


def assign_two(n=300, k=9):
    def arrays(r):
        table = np.zeros(128, "f4")
        table[: 2 * k] = r.random(2 * k)
        return {"points": r.random((n, 2)).astype("f4"), "table": table, "membership": np.zeros(n, "i4"),
                "moved": np.zeros(1, "i4")}  # fmt: skip

    return case(
        KMEANS,
        launch("assignPoints<2>", 2, 256, "points", "membership", "moved", n, k),
        arrays=arrays,
        expect=lambda a: {"membership": nearest(a["points"].astype("f8"), a["table"][: 2 * k].reshape(k, 2))},
        symbols={"c_centres": "table"},
    )


def knn(rows=32, columns=48, features=16):
    def expect(a):
        d = ((a["a"][:, None].astype("f8") - a["b"]) ** 2).sum(-1)
        order = d.argsort(1)[:, :5]
        return {"distance": d, "neighbours": order, "best": np.take_along_axis(d, order, 1)}

    return case(
        KNN,
        launch("distances<8>", (columns // 8, rows // 8), (8, 8), "a", "b", "distance", features, columns),
        launch("selectNearest<float, 5>", 1, 32, "distance", "neighbours", "best", rows, columns),
        arrays=lambda r: {"a": r.random((rows, features)).astype("f4"), "b": r.random((columns, features)).astype("f4"),
                          "distance": np.zeros((rows, columns), "f4"), "neighbours": np.zeros((rows, 5), "i4"),
                          "best": np.zeros((rows, 5), "f4")},
        expect=expect, rtol=1e-4,
    )  # fmt: skip


def softmax(x):
    e = np.exp(x.astype("f8") - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def softmax_case(kernel, block, dtype, rows=9, columns=200):
    return case(
        SOFTMAX,
        launch(kernel, rows, block, "x", "out", columns),
        arrays=lambda r: {"x": r.normal(0, 4, (rows, columns)).astype(dtype), "out": np.zeros((rows, columns), dtype)},
        expect=lambda a: {"out": softmax(a["x"])},
        rtol=1e-4,
    )


def layer_norm(affine, rows=7, width=150):
    def expect(a):
        x = a["x"].astype("f8")
        y = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
        return {"y": y * a["gamma"] + a["beta"] if affine else y}

    extra = ("gamma", "beta") if affine else (None, None)
    return case(
        NORM,
        launch(f"layerNorm<64, {str(affine).lower()}>", rows, 64, "x", "y", *extra, width, 1e-5),
        arrays=lambda r: {"x": r.normal(3, 2, (rows, width)).astype("f4"), "y": np.zeros((rows, width), "f4"),
                          "gamma": r.random(width).astype("f4"), "beta": r.random(width).astype("f4")},
        expect=expect, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def rms_norm(of, dtype, rows=5, width=130):
    return case(
        NORM,
        launch(f"rmsNorm<{of}>", rows, 64, "x", "w", "y", width, 1e-6, shared=64 * np.dtype(dtype).itemsize),
        arrays=lambda r: {"x": r.normal(size=(rows, width)).astype(dtype), "w": r.random(width).astype(dtype),
                          "y": np.zeros((rows, width), dtype)},
        expect=lambda a: {"y": a["x"] / np.sqrt((a["x"].astype("f8") ** 2).mean(1, keepdims=True) + 1e-6) * a["w"]},
        rtol=1e-4,
    )  # fmt: skip


def batch_norm(batch=4, channels=3, pixels=50):
    def expect(a):
        x = a["x"].astype("f8")
        mean, variance = x.mean((0, 2)), x.var((0, 2))
        n = batch * pixels
        return {
            "y": (x - mean[:, None]) / np.sqrt(variance + 1e-5)[:, None],
            "mean": a["mean"] + 0.1 * (mean - a["mean"]),
            "variance": a["variance"] + 0.1 * (variance * n / (n - 1) - a["variance"]),
        }

    return case(
        NORM,
        launch("batchNorm", channels, 64, "x", "y", "mean", "variance", batch, channels, pixels, 0.1),
        arrays=lambda r: {"x": r.normal(1, 2, (batch, channels, pixels)).astype("f4"),
                          "y": np.zeros((batch, channels, pixels), "f4"), "mean": np.zeros(channels, "f4"),
                          "variance": np.ones(channels, "f4")},
        expect=expect, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


erf = np.vectorize(math.erf)


def mapped(of, functor, dtype, function, n=1000):
    return case(
        ACTIVATIONS,
        launch(f"mapElements<{of}>", 3, 128, "x", "y", n, functor),
        arrays=lambda r: {"x": r.normal(0, 3, n).astype(dtype), "y": np.zeros(n, dtype)},
        expect=lambda a: {"y": function(a["x"].astype("f8"))},
        rtol=1e-4, atol=1e-5,
    )  # fmt: skip


SHAPE = (3, 14, 17, 4, 3, 2, 1)  # channels, height, width, filters, kernel, stride, pad


def windows(x):
    """What the taps of every output pixel see: [channel][ky][kx][y][x]."""
    _, h, w, _, k, stride, pad = SHAPE
    p = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
    oh, ow = (h + 2 * pad - k) // stride + 1, (w + 2 * pad - k) // stride + 1
    return np.stack([
        np.stack([p[:, ky : ky + stride * oh : stride, kx : kx + stride * ow : stride] for kx in range(k)], 1)
        for ky in range(k)
    ], 1)  # fmt: skip


def convolution():
    c, h, w, f, k, _, _ = SHAPE

    def expect(a):
        out = np.einsum("fcyx,cyxij->fij", a["w"].astype("f8"), windows(a["x"]))
        return {"out": out + a["bias"][:f, None, None]}

    return case(
        CONVOLUTION,
        launch("convDirect", (2, 1, f), (8, 8), "x", "w", "out", struct("i4 i4 i4 i4 i4 i4 i4", *SHAPE)),
        arrays=lambda r: {"x": r.normal(size=(c, h, w)).astype("f4"), "w": r.normal(size=(f, c, k, k)).astype("f4"),
                          "bias": r.random(16).astype("f4"), "out": np.zeros((f, 7, 9), "f4")},
        expect=expect, symbols={"c_bias": "bias"}, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def pooling(kind, size, reduce, h=13, w=17, channels=3):
    oh, ow = h // size, w // size

    def expect(a):
        cut = a["x"][:, : oh * size, : ow * size].reshape(channels, oh, size, ow, size)
        return {"out": reduce(cut, (2, 4))}

    return case(
        CONVOLUTION,
        launch(f"pool<Pool::{kind}, {size}>", (1, 1, channels), (16, 16), "x", "out", w, h),
        arrays=lambda r: {"x": r.normal(size=(channels, h, w)).astype("f4"), "out": np.zeros((channels, oh, ow), "f4")},
        expect=expect,
    )


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(batch=4, units=33):
    def expect(a):
        i, f, g, o = (a["gates"].astype("f8") + a["bias"]).transpose(1, 0, 2)
        c = sigmoid(f) * a["cell"] + sigmoid(i) * np.tanh(g)
        return {"cell": c, "hidden": sigmoid(o) * np.tanh(c)}

    return case(
        RECURRENT,
        launch("lstmCell", 3, 64, "gates", "bias", "cell", "hidden", batch, units),
        arrays=lambda r: {"gates": r.normal(size=(batch, 4, units)).astype("f4"),
                          "bias": r.random((4, units)).astype("f4"),
                          "cell": r.normal(size=(batch, units)).astype("f4"), "hidden": np.zeros((batch, units), "f4")},
        expect=expect, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def embed(of, dtype, words=20, quads=6):
    return case(
        RECURRENT,
        launch(f"embed<{of}>", words, 8, "table", "ids", "out", words, quads, 0),
        arrays=lambda r: {"table": r.random((30, quads, 4)).astype("f4"), "ids": r.integers(0, 5, words).astype(dtype),
                          "out": np.zeros((words, quads, 4), "f4")},
        expect=lambda a: {"out": np.where((a["ids"] == 0)[:, None, None], 0, a["table"][a["ids"]])},
    )  # fmt: skip


def adam(n=300, step=3):
    def expect(a):
        g = a["g"].astype("f8") + 0.01 * a["p"]
        m, v = 0.9 * a["m"] + 0.1 * g, 0.999 * a["v"] + 0.001 * g * g
        return {"p": a["p"] - 1e-2 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8), "m": m, "v": v}

    return case(
        RECURRENT,
        launch("adamStep", 3, 128, "p", "g", "m", "v", n, step, struct("f4 f4 f4 f4 f4", 1e-2, 0.9, 0.999, 1e-8, 0.01)),
        arrays=lambda r: {name: r.random(n).astype("f4") for name in "pgmv"},
        expect=expect, rtol=1e-4, atol=1e-6,
    )  # fmt: skip


def dropout(n=500, keep=0.75, seed=2**40 + 7):
    def expect(a):
        key = np.arange(n, dtype="u8") + np.uint64(seed)
        with np.errstate(over="ignore"):
            key ^= key >> np.uint64(33)
            key *= np.uint64(0xFF51AFD7ED558CCD)
            key ^= key >> np.uint64(33)
            key *= np.uint64(0xC4CEB9FE1A85EC53)
            key ^= key >> np.uint64(33)
        kept = key.astype("u4") < keep * 2**32
        return {"mask": kept, "y": np.where(kept, a["x"] / np.float32(keep), 0)}

    return case(
        RECURRENT,
        launch("dropout", 4, 128, "x", "y", "mask", n, keep, seed),
        arrays=lambda r: {"x": r.random(n).astype("f4"), "y": np.zeros(n, "f4"), "mask": np.zeros(n, "u1")},
        expect=expect,
    )


CASES = [
    kmeans(),
    assign_two(),
    knn(),
    softmax_case("softmaxRows<128, float>", 128, "f4"),
    softmax_case("softmaxRows<128, double>", 128, "f8"),
    softmax_case("softmaxOnline", 64, "f4"),
    case(
        SOFTMAX,
        launch("crossEntropy", 1, 128, "p", "labels", "out", 100, 10),
        arrays=lambda r: {"p": softmax(r.normal(size=(100, 10))).astype("f4"), "labels": r.integers(-1, 10, 100),
                          "out": np.zeros(100)},
        expect=lambda a: {"out": np.where(a["labels"] < 0, 0, -np.log(a["p"][np.arange(100), a["labels"]] + 1e-12))},
        rtol=1e-4, atol=1e-6,
    ),
    layer_norm(True),
    layer_norm(False),
    rms_norm("float", "f4"),
    rms_norm("double", "f8"),
    batch_norm(),
    mapped("float, Relu", b"\0", "f4", lambda x: np.maximum(x, 0)),
    mapped("float, Gelu", b"\0", "f4", lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2)))),
    mapped("double, Gelu", b"\0", "f8", lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2)))),
    mapped("float, GeluTanh", b"\0", "f4", lambda x: 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))),
    mapped("float, LeakyRelu<float>", struct("f4", 0.01), "f4", lambda x: np.where(x >= 0, x, 0.01 * x)),
    mapped("double, Clip<double>", struct("f8 f8", 0.0, 6.0), "f8", lambda x: np.clip(x, 0, 6)),
    mapped("float, Chain<LeakyRelu<float>, Clip<float>>", struct("f4 f4 f4", 0.1, -1.0, 1.0), "f4",
           lambda x: np.clip(np.where(x >= 0, x, 0.1 * x), -1, 1)),
    case(
        ACTIVATIONS,
        launch("swishGate", 2, 128, "x", "gate", "y", 500),
        arrays=lambda r: {"x": r.normal(size=500).astype("f4"), "gate": r.normal(size=500).astype("f4"),
                          "y": np.zeros(500, "f4")},
        expect=lambda a: {"y": a["x"] * a["gate"] * sigmoid(a["gate"].astype("f8"))},
        rtol=1e-4,
    ),
    case(
        ACTIVATIONS,
        launch("softplusSum", 2, 128, "x", "sum", 500),
        arrays=lambda r: {"x": r.normal(size=500).astype("f4"), "sum": np.zeros(1, "f4")},
        expect=lambda a: {"sum": [np.log1p(np.exp(a["x"].astype("f8"))).sum()]},
        rtol=1e-4,
    ),
    convolution(),
    case(
        CONVOLUTION,
        launch("imageToColumns", 4, 128, "x", "out", struct("i4 i4 i4 i4 i4 i4 i4", *SHAPE)),
        arrays=lambda r: {"x": r.normal(size=SHAPE[:3]).astype("f4"), "out": np.zeros((27, 63), "f4")},
        expect=lambda a: {"out": windows(a["x"]).reshape(27, 63)},
    ),
    pooling("Max", 2, np.max),
    pooling("Average", 3, np.mean),
    lstm(),
    embed("int", "i4"),
    embed("long long", "i8"),
    adam(),
    dropout(),
]  # fmt: skip

"""What C++ has besides loops: templates, classes, parameters of every kind, globals, lambdas."""

import math
from functools import reduce

import numpy as np

from ..registry import Source, case, launch, struct, zeros

POLYNOMIAL = Source(
    "language/polynomial.cu",
    names=("polynomial<float, 5>", "squares<int>", "squares<float>"),
    later=("polynomial<double, 0>",),
)
PARAMETERS = Source("language/parameters.hip")
GLOBALS = Source("language/globals.cu")
GLOBALS_SET = Source("language/globals.cu", defines={"SET": None})
LAMBDAS = Source("language/lambdas.hip")
N = 200

# -- templates


def polynomial(of, degree, dtype):
    return case(
        POLYNOMIAL,
        launch(f"polynomial<{of}, {degree}>", 4, 64, "c", "x", "y", N),
        arrays=lambda r: {"c": r.normal(size=degree + 1).astype(dtype), "x": r.uniform(-2, 2, N).astype(dtype),
                          "y": zeros(N, dtype=dtype)},
        expect=lambda a: {"y": np.polyval(a["c"][::-1].astype("f8"), a["x"].astype("f8"))},
        rtol=1e-4, atol=1e-4,
    )  # fmt: skip


def of_x(source, kernel, function, *, low, high, n=N, **tolerance):
    return case(
        source,
        launch(kernel, 4, 64, "x", "y", n),
        arrays=lambda r: {"x": r.uniform(low, high, n), "y": zeros(n, dtype="f8")},
        expect=lambda a: {"y": function(a["x"])},
        **tolerance,
    )


templates = [
    polynomial("float", 5, "f4"),
    polynomial("double", 0, "f8"),
    of_x(POLYNOMIAL, "taylorExp", np.exp, low=-1, high=1, rtol=1e-12),
    of_x(POLYNOMIAL, "geometricSeries", lambda x: sum(x**k for k in range(8)), low=-2, high=2, rtol=1e-9, atol=1e-11),
    *(
        case(
            POLYNOMIAL,
            launch(f"squares<{of}>", 4, 64, "x", "y", N),
            arrays=lambda r, dtype=dtype, wide=wide: {
                "x": (r.integers(-(2**31), 2**31, N) / (1 if dtype == "i4" else 7)).astype(dtype),
                "y": zeros(N, dtype=wide)
            },
            expect=lambda a, wide=wide: {"y": a["x"].astype(wide) ** 2},
            rtol=1e-12,
        )
        for of, dtype, wide in (("int", "i4", "i8"), ("float", "f4", "f8"))
    ),
]  # fmt: skip

# -- parameters

SMALL = (-7, -100, 200, -30000, 60000, -(2**40), 2**41, 0.25)
BIG = struct(
    "(40,)f8 (17,)i4 (5,)u1 (12,)u1 u8 (4,4)f4", np.arange(40) / 8, np.arange(17) * 3, [1, 0, 1, 1, 0],
    list(b"launchpath!!"), "data", np.arange(16).reshape(4, 4),
)  # fmt: skip


def small(negate):
    total = sum(k * value for k, value in enumerate(SMALL, 1))
    return case(
        PARAMETERS,
        launch("smallParameters", 1, 1, negate, *SMALL, "out"),
        arrays=lambda r: {"out": zeros(1, dtype="f8")},
        expect=lambda a: {"out": [-total if negate else total]},
    )


def big(a):
    i = np.arange(40)
    out = i / 8 + i % 17 * 3 + np.array([1000, 0, 1000, 1000, 0])[i % 5] + np.frombuffer(b"launchpath!!", "u1")[i % 12]
    return {"out": [*out, a["data"][2] * 7]}


def bit_fields(a):
    low, middle, high = a["more"] & 31, a["more"] >> 5 & 2047, a["more"].view("i4") >> 16
    return {"out": (low + 21).astype("i4") * 100000 + (middle + 1234).astype("i4") - 4321 - high}


parameters = [
    small(False),
    small(True),
    *(
        case(
            PARAMETERS,
            launch("byMode", 4, 64, "a", "b", "out", N, mode),
            arrays=lambda r: {"a": r.integers(-99, 99, N).astype("i4"), "b": r.integers(-99, 99, N).astype("i4"),
                              "out": zeros(N, dtype="i4")},
            expect=lambda a, function=function: {"out": function(a["a"], a["b"])},
        )
        for mode, function in enumerate((np.add, np.subtract, lambda a, b: b - a))
    ),
    *(
        case(
            PARAMETERS,
            launch("byRounding", 4, 64, "x", "out", N, mode),
            arrays=lambda r: {"x": (r.integers(-40, 40, N) / 4).astype("f4"), "out": zeros(N, dtype="i4")},
            expect=lambda a, function=function: {"out": function(a["x"])},
        )
        for mode, function in enumerate((np.floor, np.ceil, np.rint))
    ),
    case(
        PARAMETERS,
        launch("bigStruct", 1, 64, BIG, "out"),
        arrays=lambda r: {"data": r.random(4).astype("f4"), "out": zeros(41, dtype="f8")},
        expect=big,
    ),
    case(
        PARAMETERS,
        launch("transformPoints", 4, 64, "p", struct("(4,4)f4", np.arange(16).reshape(4, 4) / 8), N),
        arrays=lambda r: {"p": r.normal(size=(N, 4)).astype("f4")},
        expect=lambda a: {"p": a["p"].astype("f8") @ (np.arange(16).reshape(4, 4) / 8).T},
        rtol=1e-4, atol=1e-5,
    ),
    case(
        PARAMETERS,
        launch("bitFields", 4, 64, struct("u4", 21 | 1234 << 5 | (-4321 & 0xFFFF) << 16), "more", "out", N),
        arrays=lambda r: {"more": r.integers(0, 2**32, N, "u4"), "out": zeros(N, dtype="i4")},
        expect=bit_fields,
    ),
]  # fmt: skip

# -- globals


def table(base, scale=2.0, shift=3):
    return (base * np.arange(64) * scale + shift).astype("f4")


def used(a):
    i = np.arange(N)
    primes = np.array([2, 3, 5, 7, 11, 13, 17, 19])
    return {"out": table(0.5)[a["x"] % 64] + a["weights"][i % 64] + primes[i % 8], "symbol:table": table(0.5)}


def counted(n=100):
    def expect(a):
        def tickets(got):
            assert sorted(got.tolist()) == list(range(100, 100 + n))

        return {
            "tickets": tickets,
            "symbol:counter": 100 + n,
            "symbol:bigCounter": n * 2**33 + n * (n - 1) // 2,
            "symbol:inner::hidden": 14,
            "symbol:history": [[1, 2, 3, 4], [5, 6, 14, 8]],
        }

    return case(
        GLOBALS, launch("count", 2, 64, n, "tickets"), arrays=lambda r: {"tickets": zeros(n, dtype="i4")}, expect=expect
    )


def settings(enabled):
    packed = np.frombuffer(
        np.array([1.5], "f4").tobytes() + np.array([-4], "i4").tobytes() + bytes([enabled, 0, 0, 0]), "u1"
    )
    return case(
        GLOBALS_SET,
        launch("fillTable", 1, 64, 0.25),
        arrays=lambda r: {"settings": packed},
        expect=lambda a: {"symbol:table": table(0.25, 1.5, -4) if enabled else zeros(64)},
        symbols={"settings": "settings"},
    )


global_variables = [
    case(
        GLOBALS,
        launch("fillTable", 1, 64, 0.5),
        launch("useTable", 4, 64, "x", "out", N),
        arrays=lambda r: {
            "x": r.integers(0, 999, N).astype("i4"),
            "out": zeros(N),
            "weights": r.random(64).astype("f4"),
        },
        expect=used,
        symbols={"weights": "weights"},
    ),
    counted(),
    settings(True),
    settings(False),
    case(
        GLOBALS,
        launch("copyGreeting", 1, 32, "out"),
        arrays=lambda r: {"out": np.full(10, 33, "i1")},
        expect=lambda a: {"out": np.frombuffer(b"hello\0!!!!", "i1")},
    ),
]

# -- functions of functions


def bend(x):
    return x + 0.25 * x * x


def folds(a):
    products = [reduce(lambda p, b: p * (b or 1) % 1000003, row, 1) for row in a["m"].tolist()]
    return {"sums": a["m"].sum(1), "most": a["m"].max(1), "products": products}


def integral(which, start, antiderivative):
    edge = start + 0.1 * np.arange(65)
    return case(
        LAMBDAS,
        launch(f"integrate<{which}>", 1, 64, start, 0.1, 16, "out"),
        arrays=lambda r: {"out": zeros(64, dtype="f8")},
        expect=lambda a: {"out": np.diff(antiderivative(edge))},
        rtol=1e-7, atol=1e-9,
    )  # fmt: skip


lambdas = [
    case(
        LAMBDAS,
        launch("mapLambda", 2, 64, "x", "y", 0.5, N),
        arrays=lambda r: {"x": r.normal(size=N).astype("f4"), "y": zeros(N)},
        expect=lambda a: {"y": bend(bend(a["x"].astype("f8") + 0.5))},
        rtol=1e-4, atol=1e-5,
    ),
    case(
        LAMBDAS,
        launch("rowFolds", 1, 64, "m", "sums", "most", "products", 40, 30),
        arrays=lambda r: {"m": r.integers(0, 99, (40, 30)).astype("i4"), "sums": zeros(40, dtype="i4"),
                          "most": zeros(40, dtype="i4"), "products": zeros(40, dtype="i8")},
        expect=folds,
    ),
    integral(0, 0.0, lambda x: x**3 / 3),
    integral(1, 0.0, lambda x: -np.cos(x)),
    integral(2, -3.0, lambda x: np.vectorize(math.erf)(x) * math.sqrt(math.pi) / 2),
]  # fmt: skip

CASES = [*templates, *parameters, *global_variables, *lambdas]

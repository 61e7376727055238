"""Integers of many widths, and bits seen as other types."""

import math

import numpy as np

from ..registry import Source, case, launch, zeros

REINTERPRET = Source("language/reinterpret.cu")
INTEGERS = Source("language/integers.hip")
N = 200

# -- bits as other types


def apart(a):
    bits = a["x"].view("u4")
    return {"sign": bits >> 31, "exponent": (bits >> 23 & 255).astype("i4") - 127, "mantissa": bits & 0x7FFFFF}


def sortable(a):
    def ordered(name):
        def check(got):
            assert (np.argsort(got) == np.argsort(a[name])).all()
            assert got.min() != got.max()

        return check

    return {"keys": ordered("x"), "wide": ordered("d")}


reinterpret = [
    case(
        REINTERPRET,
        launch("inverseRoots", 4, 64, "x", "y", N),
        arrays=lambda r: {"x": r.uniform(0.01, 100, N).astype("f4"), "y": zeros(N)},
        expect=lambda a: {"y": 1 / np.sqrt(a["x"])},
        rtol=1e-4,
    ),
    case(
        REINTERPRET,
        launch("takeApart", 4, 64, "x", "sign", "exponent", "mantissa", N),
        arrays=lambda r: {"x": r.normal(0, 99, N).astype("f4"), "sign": zeros(N, dtype="i4"),
                          "exponent": zeros(N, dtype="i4"), "mantissa": zeros(N, dtype="u4")},
        expect=apart,
    ),
    case(
        REINTERPRET,
        launch("sortableKeys", 4, 64, "x", "keys", "wide", "d", N),
        arrays=lambda r: {"x": r.normal(0, 99, N).astype("f4"), "d": r.normal(0, 99, N), "keys": zeros(N, dtype="u4"),
                          "wide": zeros(N, dtype="u8")},
        expect=sortable,
    ),
    case(
        REINTERPRET,
        launch("wordsAsBytes", 4, 64, "a", "b", "out", N),
        arrays=lambda r: {"a": r.integers(0, 2**32, N, "u4"), "b": r.integers(0, 2**32, N, "u4"),
                          "out": zeros(N, dtype="u4")},
        expect=lambda a: {"out": np.maximum(a["a"].view("u1"), a["b"].view("u1")).view("u4")},
    ),
    case(
        REINTERPRET,
        launch("copyWide", 1, 64, "x", "y", 50),
        arrays=lambda r: {"x": r.random(203).astype("f4"), "y": zeros(203)},
        expect=lambda a: {"y": np.where(np.arange(203) < 200, a["x"], 0)},
    ),
    case(
        REINTERPRET,
        launch("splitDoubles", 4, 64, "x", "halves", "back", N),
        arrays=lambda r: {"x": r.normal(size=N), "halves": zeros(N, 2, dtype="i4"), "back": zeros(N, dtype="f8")},
        expect=lambda a: {"halves": a["x"].view("i4").reshape(N, 2), "back": a["x"]},
        rtol=0,
    ),
]  # fmt: skip

# -- integers

MODULUS = 2**63 - 25


def wide(r):
    return {"a": r.integers(1, 2**64, N, "u8"), "b": r.integers(1, 2**64, N, "u8") >> r.integers(0, 60, N, "u8")}


def pairs(a):
    return zip(a["a"].tolist(), a["b"].tolist(), strict=True)


def fixed(a):
    def clip(x):
        return min(max(x, -(2**31)), 2**31 - 1)

    def quotient(x, y):
        return abs(x << 16) // abs(y) * (1 if (x < 0) == (y < 0) else -1)

    return {"out": [clip(clip(x * y >> 16) + clip(quotient(x, y))) for x, y in pairs(a)]}


def sieve(limit):
    composite = np.zeros(limit + 1, bool)
    for p in range(2, math.isqrt(limit) + 1):
        composite[p * p :: p] = True
    return composite


def collatz(a):
    steps, highest = [], []
    for start in a["x"].tolist():
        count, top, x = 0, start, start
        while x != 1:
            x = 3 * x + 1 if x & 1 else x >> 1
            count, top = count + 1, max(top, x)
        steps.append(count)
        highest.append(top)
    return {"steps": steps, "highest": np.array(highest, "u8")}


def signed(r, low=-(2**31)):
    return {
        "a": r.integers(low, -low, N).astype("i4"),
        "b": r.integers(1, 2**20, N).astype("i4") * r.choice([-1, 1], N).astype("i4"),
    }


integers = [
    case(
        INTEGERS,
        launch("modularPowers", 4, 64, "a", "b", MODULUS, "out", N),
        arrays=lambda r: wide(r) | {"out": zeros(N, dtype="u8")},
        expect=lambda a: {"out": np.array([pow(x, y, MODULUS) for x, y in pairs(a)], "u8")},
    ),
    *(
        case(
            INTEGERS,
            launch(f"commonDivisors<{of}>", 4, 64, "a", "b", "out", N),
            arrays=lambda r, dtype=dtype: {"a": (r.integers(1, 2**15, N) * 60).astype(dtype),
                                           "b": (r.integers(1, 2**15, N) * 84).astype(dtype),
                                           "out": zeros(N, dtype=dtype)},
            expect=lambda a: {"out": np.gcd(a["a"], a["b"])},
        )
        for of, dtype in (("unsigned long long", "u8"), ("int", "i4"))
    ),
    case(
        INTEGERS,
        launch("wideProducts", 4, 64, "a", "b", "out", N),
        arrays=lambda r: wide(r) | {"out": zeros(N, 2, dtype="u8")},
        expect=lambda a: {"out": np.array([[x * y % 2**64, x * y >> 64] for x, y in pairs(a)], "u8")},
    ),
    case(
        INTEGERS,
        launch("highHalves", 4, 64, "a", "b", "high", "uhigh", "full", N),
        arrays=lambda r: signed(r) | {"high": zeros(N, dtype="i4"), "uhigh": zeros(N, dtype="u4"),
                                      "full": zeros(N, dtype="i8")},
        expect=lambda a: {
            "high": [x * y >> 32 for x, y in pairs(a)],
            "uhigh": [(x % 2**32) * (y % 2**32) >> 32 for x, y in pairs(a)],
            "full": [x * y for x, y in pairs(a)],
        },
    ),
    case(
        INTEGERS,
        launch("fixedPoint", 4, 64, "a", "b", "out", N),
        arrays=lambda r: signed(r, -(2**24)) | {"out": zeros(N, dtype="i4")},
        expect=fixed,
    ),
    case(
        INTEGERS,
        launch("primes", 1, 128, "composite", 2000, "count"),
        arrays=lambda r: {"composite": zeros(2001, dtype="u1"), "count": zeros(1, dtype="u4")},
        expect=lambda a: {"composite": sieve(2000), "count": [(~sieve(2000)).sum() - 2]},
    ),
    case(
        INTEGERS,
        launch("collatz", 4, 64, "x", "steps", "highest", N),
        arrays=lambda r: {"x": r.integers(1, 10**9, N).astype("u8"), "steps": zeros(N, dtype="i4"),
                          "highest": zeros(N, dtype="u8")},
        expect=collatz,
    ),
]  # fmt: skip

CASES = [*reinterpret, *integers]

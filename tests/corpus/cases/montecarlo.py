"""Random numbers and what is priced with them."""

import math

import numpy as np

from ..registry import Source, case, launch

PI = Source("montecarlo/pi.hip")
BLACK_SCHOLES = Source("montecarlo/black_scholes.cu")
WALK = Source("montecarlo/random_walk.hip")
BINOMIAL = Source("montecarlo/binomial.cu")


def splitmix(state):
    with np.errstate(over="ignore"):
        state = state + np.uint64(0x9E3779B97F4A7C15)
        z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, z ^ (z >> np.uint64(31))


class Xorshift:
    """The generator of random_numbers.cuh for many threads at once."""

    def __init__(self, seed, threads):
        state = np.arange(threads, dtype="u8") + np.uint64(seed)
        state, a = splitmix(state)
        state, b = splitmix(state)
        self.s = [a.astype("u4"), (a >> np.uint64(32)).astype("u4"), b.astype("u4"),
                  (b >> np.uint64(32)).astype("u4") | np.uint32(1)]  # fmt: skip

    def next(self):
        s, t = self.s[0], self.s[3]
        t = t ^ (t << np.uint32(11))
        t = t ^ (t >> np.uint32(8))
        following = t ^ s ^ (s >> np.uint32(19))
        self.s = [following, s, self.s[1], self.s[2]]
        return following

    def uniform(self):
        return (self.next() >> np.uint32(8)).astype("f4") / np.float32(16777216)


def darts(seed=99, each=40, blocks=3):
    def expect(_):
        random = Xorshift(seed, blocks * 128)
        hits = np.zeros(blocks * 128, "u4")
        for _ in range(each):
            x, y = random.uniform().astype("f8"), random.uniform().astype("f8")
            hits += x * x + y * y < 1
        return {"hits": lambda got: np.testing.assert_allclose(got, hits.reshape(blocks, 128).sum(1), atol=1)}

    return case(PI, launch("darts", blocks, 128, seed, each, "hits"),
                arrays=lambda r: {"hits": np.zeros(blocks, "u4")}, expect=expect)  # fmt: skip


def raw(seed=2**63 + 5, each=7):
    def expect(_):
        random = Xorshift(seed, 128)
        return {"out": np.stack([random.next() for _ in range(each)], 1)}

    return case(PI, launch("rawNumbers", 2, 64, seed, "out", each),
                arrays=lambda r: {"out": np.zeros((128, each), "u4")}, expect=expect)  # fmt: skip


N = 1000
RATE, VOLATILITY = 0.02, 0.3


def options(r):
    return {"S": r.uniform(5, 30, N).astype("f4"), "X": r.uniform(1, 100, N).astype("f4"),
            "T": r.uniform(0.25, 10, N).astype("f4"), "call": np.zeros(N, "f4"), "put": np.zeros(N, "f4"),
            "both": np.zeros((N, 2), "f4")}  # fmt: skip


def prices(a):
    S, X, T = (a[name].astype("f8") for name in "SXT")
    d1 = (np.log(S / X) + (RATE + VOLATILITY**2 / 2) * T) / (VOLATILITY * np.sqrt(T))
    d2 = d1 - VOLATILITY * np.sqrt(T)
    normal = np.vectorize(lambda d: 0.5 * math.erfc(-d / math.sqrt(2)))
    call = S * normal(d1) - X * np.exp(-RATE * T) * normal(d2)
    return call, call - S + X * np.exp(-RATE * T)


LCG_A, LCG_C = np.uint32(1664525), np.uint32(1013904223)


def walks(a, steps=50):
    x, y, state = a["walkers"]["x"].copy(), a["walkers"]["y"].copy(), a["walkers"]["state"].copy()
    for _ in range(steps):
        state = state * LCG_A + LCG_C
        way = state >> np.uint32(30)
        x += (way == 0).astype("i4") - (way == 1)
        y += (way == 2).astype("i4") - (way == 3)
    wanted = a["walkers"].copy()
    wanted["x"], wanted["y"], wanted["state"] = x, y, state
    return {"walkers": wanted}


def walkers(r, n=200):
    states = np.zeros(n, [("x", "i4"), ("y", "i4"), ("state", "u4")])
    states["state"] = r.integers(0, 2**32, n)
    return {"walkers": states}


def brownian(steps=16, start=100.0, drift=0.05, volatility=0.2):
    def expect(a):
        state = a["seeds"].copy()
        log_price = np.full(len(state), math.log(start))
        for _ in range(steps // 2):
            state = state * LCG_A + LCG_C
            u1 = ((state >> np.uint32(8)).astype("f8") + 1) / 2**24
            state = state * LCG_A + LCG_C
            u2 = (state >> np.uint32(8)).astype("f8") / 2**24
            z = np.sqrt(-2 * np.log(u1)) * (np.cos(2 * np.pi * u2) + np.sin(2 * np.pi * u2))
            log_price += 2 * (drift - volatility**2 / 2) / steps + volatility * math.sqrt(1 / steps) * z
        return {"prices": np.exp(log_price), "seeds": state}

    return case(
        WALK,
        launch("brownian", 2, 64, "seeds", "prices", start, drift, volatility, 100, steps),
        arrays=lambda r: {"seeds": r.integers(0, 2**32, 100, "u4"), "prices": np.zeros(100, "f4")},
        expect=expect, rtol=1e-4,
    )  # fmt: skip


def binomial(is_call, steps=128):
    def expect(a):
        S, X, T, R, V = (column[:, None] for column in a["options"].astype("f8").T)
        dt = T / steps
        up = V * np.sqrt(dt)
        grow, u, d = np.exp(R * dt), np.exp(up), np.exp(-up)
        p = (grow - d) / (u - d)
        price = S * np.exp(up * (2.0 * np.arange(steps + 1) - steps))
        level = np.maximum(price - X if is_call else X - price, 0)
        for _ in range(steps):
            level = (p * level[:, 1:] + (1 - p) * level[:, :-1]) / grow
        return {"out": level[:, 0]}

    return case(
        BINOMIAL,
        launch("binomialTree", 16, 128, "out", is_call),
        arrays=lambda r: {"options": r.uniform((50, 40, 0.5, 0.03, 0.1), (60, 70, 3, 0.03, 0.4), (16, 5)).astype("f4"),
                          "out": np.zeros(16, "f4")},
        expect=expect, symbols={"d_options": "options"}, rtol=1e-3, atol=1e-3,
    )  # fmt: skip


CASES = [
    darts(),
    raw(),
    case(
        BLACK_SCHOLES,
        launch("blackScholes", 4, 128, "call", "put", "S", "X", "T", RATE, VOLATILITY, N),
        arrays=options,
        expect=lambda a: dict(zip(("call", "put"), prices(a), strict=True)),
        rtol=1e-3, atol=2e-4,
    ),
    case(
        BLACK_SCHOLES,
        launch("blackScholesFast", 8, 128, "both", "S", "X", "T", RATE, VOLATILITY, N),
        arrays=options,
        expect=lambda a: {"both": np.stack(prices(a), 1)},
        rtol=1e-3, atol=2e-4,
    ),
    case(WALK, launch("walk", 4, 64, "walkers", 200, 50), arrays=walkers, expect=walks),
    brownian(),
    binomial(True),
    binomial(False),
]  # fmt: skip

"""Integer and SIMD intrinsics, conversions and arithmetic with a rounding in the name, bit for bit."""

import math
from fractions import Fraction

import numpy as np
import pytest

import launchpath as lp

from .expressions import differences, evaluate

WORD, LONG = 2**32 - 1, 2**64 - 1
MODES = {"rn": round, "rd": math.floor, "ru": math.ceil, "rz": math.trunc}


def signed(x, bits=32):
    return x - (1 << bits) if x >> (bits - 1) else x


def words(seed, n=256):
    rng = np.random.default_rng(seed)
    edges = np.array([0, 1, WORD, 1 << 31, (1 << 31) - 1], "uint32")
    return np.concatenate([edges, rng.integers(0, WORD, n - 5, dtype="uint32", endpoint=True)])


def byte_perm(x, y, choice):
    places = list((x | y << 32).to_bytes(8, "little"))
    word = 0
    for i in range(4):
        word |= places[choice >> 4 * i & 7] << 8 * i
    return word


def test_integers(device):
    u, v, w = words(1), words(2)[::-1], words(3)
    calls = {
        "__popc(u)": lambda x, y, z: x.bit_count(),
        "__clz(u)": lambda x, y, z: 32 - x.bit_length(),
        "__ffs(u)": lambda x, y, z: (x & -x).bit_length(),
        "__brev(u)": lambda x, y, z: int(f"{x:032b}"[::-1], 2),
        "__mul24(u, v)": lambda x, y, z: signed(x & 0xFFFFFF, 24) * signed(y & 0xFFFFFF, 24),
        "__umul24(u, v)": lambda x, y, z: (x & 0xFFFFFF) * (y & 0xFFFFFF),
        "__mulhi((int)u, (int)v)": lambda x, y, z: signed(x) * signed(y) >> 32,
        "__umulhi(u, v)": lambda x, y, z: x * y >> 32,
        "__hadd(u, v)": lambda x, y, z: (signed(x) + signed(y)) >> 1,
        "__rhadd(u, v)": lambda x, y, z: (signed(x) + signed(y) + 1) >> 1,
        "__uhadd(u, v)": lambda x, y, z: (x + y) >> 1,
        "__urhadd(u, v)": lambda x, y, z: (x + y + 1) >> 1,
        "__sad(u, v, w)": lambda x, y, z: abs(signed(x) - signed(y)) + z,
        "__usad(u, v, w)": lambda x, y, z: abs(x - y) + z,
        "__byte_perm(u, v, w)": byte_perm,
        "__funnelshift_l(u, v, w)": lambda x, y, z: ((y << 32 | x) << z % 32) >> 32,
        "__funnelshift_r(u, v, w)": lambda x, y, z: (y << 32 | x) >> z % 32,
        "__funnelshift_lc(u, v, w % 40)": lambda x, y, z: ((y << 32 | x) << min(z % 40, 32)) >> 32,
        "__funnelshift_rc(u, v, w % 40)": lambda x, y, z: (y << 32 | x) >> min(z % 40, 32),
        "min(u, v)": lambda x, y, z: min(x, y),
        "max((int)u, (int)v)": lambda x, y, z: max(signed(x), signed(y)),
        "min(u, (int)v)": lambda x, y, z: min(x, y),
        "abs((int)u)": lambda x, y, z: abs(signed(x)),
        "bits_by_hand(u)": lambda x, y, z: int(f"{x:032b}"[::-1], 2),
        "u << 7 | u >> 25": lambda x, y, z: x << 7 | x >> 25,
    }
    before = """
    __device__ unsigned bits_by_hand(unsigned x) {
        x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
        x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
        x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
        x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
        return (x >> 16) | (x << 16);
    }
    """
    got = evaluate(device, list(calls), {"u": u, "v": v, "w": w}, "uint32", before)
    inputs = list(zip(u.tolist(), v.tolist(), w.tolist(), strict=True))
    wanted = [np.array([function(*operands) & WORD for operands in inputs], "uint32") for function in calls.values()]
    assert not differences(calls, got, wanted)


def test_long_integers(device):
    a = np.concatenate([words(4).astype("uint64") << 32 | words(5), np.array([0, 1, LONG, 1 << 63], "uint64")])
    b = a[::-1].copy()
    calls = {
        "__popcll(a)": lambda x, y: x.bit_count(),
        "__clzll(a)": lambda x, y: 64 - x.bit_length(),
        "__ffsll(a)": lambda x, y: (x & -x).bit_length(),
        "__brevll(a)": lambda x, y: int(f"{x:064b}"[::-1], 2),
        "__umul64hi(a, b)": lambda x, y: x * y >> 64,
        "__mul64hi(a, b)": lambda x, y: signed(x, 64) * signed(y, 64) >> 64,
        "max(a, b)": max,
        "llmin(a, b)": lambda x, y: min(signed(x, 64), signed(y, 64)),
        "max(a, 5)": lambda x, y: max(x, 5),
    }
    got = evaluate(device, list(calls), {"a": a, "b": b}, "uint64")
    inputs = list(zip(a.tolist(), b.tolist(), strict=True))
    wanted = [np.array([function(*operands) & LONG for operands in inputs], "uint64") for function in calls.values()]
    assert not differences(calls, got, wanted)


def parts(x, bits, is_signed):
    cut = [(x >> at) & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [signed(part, bits) for part in cut] if is_signed else cut


def by_lanes(function, bits, is_signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)

    def of(x, y):
        word = 0
        for lane, (a, b) in enumerate(zip(parts(x, bits, is_signed), parts(y, bits, is_signed), strict=True)):
            word |= (function(a, b, lambda v: max(low, min(high, v))) & ((1 << bits) - 1)) << lane * bits
        return word

    return of


PLAIN = {
    "add": (lambda a, b, clip: a + b, ""),
    "sub": (lambda a, b, clip: a - b, ""),
    "addss": (lambda a, b, clip: clip(a + b), "s"),
    "addus": (lambda a, b, clip: clip(a + b), ""),
    "subss": (lambda a, b, clip: clip(a - b), "s"),
    "subus": (lambda a, b, clip: clip(a - b), ""),
    "maxs": (lambda a, b, clip: max(a, b), "s"),
    "maxu": (lambda a, b, clip: max(a, b), ""),
    "mins": (lambda a, b, clip: min(a, b), "s"),
    "minu": (lambda a, b, clip: min(a, b), ""),
    "avgu": (lambda a, b, clip: (a + b + 1) >> 1, ""),
    "haddu": (lambda a, b, clip: (a + b) >> 1, ""),
    "absdiffu": (lambda a, b, clip: abs(a - b), ""),
    "absdiffs": (lambda a, b, clip: abs(a - b), "s"),
}
COMPARE = {
    "eq": (lambda a, b: a == b, ""),
    "ne": (lambda a, b: a != b, ""),
    "ges": (lambda a, b: a >= b, "s"),
    "geu": (lambda a, b: a >= b, ""),
    "gts": (lambda a, b: a > b, "s"),
    "gtu": (lambda a, b: a > b, ""),
    "les": (lambda a, b: a <= b, "s"),
    "leu": (lambda a, b: a <= b, ""),
    "lts": (lambda a, b: a < b, "s"),
    "ltu": (lambda a, b: a < b, ""),
}
for NAME, (COMPARISON, SIGN) in COMPARE.items():
    PLAIN[f"cmp{NAME}"] = (lambda a, b, clip, f=COMPARISON: -f(a, b), SIGN)
    PLAIN[f"set{NAME}"] = (lambda a, b, clip, f=COMPARISON: f(a, b), SIGN)
ALONE = {
    "abs": lambda a, b, clip: abs(a),
    "absss": lambda a, b, clip: clip(abs(a)),
    "neg": lambda a, b, clip: -a,
    "negss": lambda a, b, clip: clip(-a),
}


def calls_by_lanes():
    """The calls on 2 and on 4 numbers in a word, each with what it computes."""
    calls = {}
    for count in (2, 4):
        bits = 32 // count
        for name, (function, sign) in PLAIN.items():
            calls[f"__v{name}{count}(u, v)"] = by_lanes(function, bits, bool(sign))
        for name, function in ALONE.items():
            calls[f"__v{name}{count}(u)"] = by_lanes(function, bits, True)
        for sign in "su":
            calls[f"__vsad{sign}{count}(u, v)"] = lambda x, y, bits=bits, sign=sign: sum(
                abs(a - b) for a, b in zip(parts(x, bits, sign == "s"), parts(y, bits, sign == "s"), strict=True)
            )
    return calls


def dot_products():
    """The calls that multiply numbers in two words and add the products to 7."""
    calls = {}
    for sign, ctype in ((True, "int"), (False, "unsigned")):
        calls[f"__dp4a(({ctype})u, ({ctype})v, ({ctype})7)"] = lambda x, y, sign=sign: (
            7 + sum(a * b for a, b in zip(parts(x, 8, sign), parts(y, 8, sign), strict=True))
        )
        for name, start in (("lo", 0), ("hi", 2)):
            calls[f"__dp2a_{name}(({ctype})u, ({ctype})v, ({ctype})7)"] = lambda x, y, sign=sign, start=start: (
                7 + sum(a * b for a, b in zip(parts(x, 16, sign), parts(y, 8, sign)[start : start + 2], strict=True))
            )
    return calls


def test_numbers_side_by_side_in_a_word(device):
    u, v = words(6), words(7)[::-1]
    u[10:20] = v[10:20]
    calls = calls_by_lanes() | dot_products()
    got = evaluate(device, list(calls), {"u": u, "v": v}, "uint32")
    inputs = list(zip(u.tolist(), v.tolist(), strict=True))
    wanted = [np.array([function(*operands) & WORD for operands in inputs], "uint32") for function in calls.values()]
    assert not differences(calls, got, wanted)


def nearest(exact, mode, dtype):
    """The number of `dtype` that a rounding makes of an exact one."""
    kind = np.dtype(dtype).type
    near = kind(float(exact))  # twice rounded perhaps: one of its neighbours may be nearer
    around = [np.nextafter(near, kind(-np.inf)), near, np.nextafter(near, kind(np.inf))]
    finite = [x for x in around if np.isfinite(x)]
    near = min(
        finite, key=lambda x: (abs(Fraction(float(x)) - exact), x.view("u4" if dtype == "float32" else "u8") & 1)
    )
    below = max(x for x in finite if Fraction(float(x)) <= exact)
    above = min(x for x in finite if Fraction(float(x)) >= exact)
    return {"rn": near, "rd": below, "ru": above, "rz": below if exact > 0 else above}[mode]


@pytest.mark.parametrize(("dtype", "letter", "fused"), [("float32", "f", "__fmaf"), ("float64", "d", "__fma")])
def test_arithmetic_with_a_rounding(device, dtype, letter, fused):
    rng = np.random.default_rng(11)
    a, b, c = ((rng.standard_normal(128) * 10.0 ** rng.integers(-5, 6, 128)).astype(dtype) for _ in range(3))
    exact = [[Fraction(float(x)) for x in values] for values in (a, b, c)]
    calls, wanted = [], []
    for mode in MODES:
        calls += [f"__{letter}{name}_{mode}(a, b)" for name in ("add", "sub", "mul", "div")]
        calls += [f"__{letter}rcp_{mode}(a)", f"{fused}_{mode}(a, b, c)"]
        for function in (
            lambda x, y, z: x + y,
            lambda x, y, z: x - y,
            lambda x, y, z: x * y,
            lambda x, y, z: x / y,
            lambda x, y, z: 1 / x,
            lambda x, y, z: x * y + z,
        ):
            wanted.append(
                np.array([nearest(function(*operands), mode, dtype) for operands in zip(*exact, strict=True)])
            )
        calls.append(f"__{letter}sqrt_{mode}(a < 0 ? -a : a)")
        roots = [Fraction(math.isqrt(int(abs(x) * 2**400)), 2**200) for x in exact[0]]
        wanted.append(np.array([nearest(root, mode, dtype) for root in roots]))
    got = evaluate(device, calls, {"a": a, "b": b, "c": c}, dtype)
    assert not differences(calls, got, wanted)


def test_products_that_are_not_fused(device):
    rng = np.random.default_rng(12)
    a, b = rng.standard_normal(256).astype("float32"), rng.standard_normal(256).astype("float32")
    calls = ["__fadd_rn(__fmul_rn(a, b), c)", "__fmul_rn(a, b) + c", "fmaf(a, b, c) != 0"]
    got = evaluate(device, calls, {"a": a, "b": b, "c": -(a * b)}, "float32")
    assert (got[:2] == 0).all()
    assert got[2].mean() > 0.9


@pytest.mark.parametrize(("source", "dtype"), [("float", "float32"), ("double", "float64")])
@pytest.mark.parametrize(
    ("name", "to", "low", "high"),
    [
        ("int", "int32", -(2**31), 2**31 - 1),
        ("uint", "uint32", 0, 2**32 - 1),
        ("ll", "int64", -(2**63), 2**63 - 1),
        ("ull", "uint64", 0, 2**64 - 1),
    ],
)
def test_numbers_to_integers(device, source, dtype, name, to, low, high):
    edges = [0.5, 1.5, 2.5, -0.5, -1.5, 1e9, -1e9, 3e9, -3e9, 1e19, -1e19, 1e30, np.inf, -np.inf, 0.0]
    x = np.array([*np.random.default_rng(13).standard_normal(64) * 10, *edges], dtype)
    calls = [f"__{source}2{name}_{mode}(x)" for mode in MODES]

    def right(value, rounded):
        return (high if value > 0 else low) if math.isinf(value) else max(low, min(high, rounded(value)))

    wanted = [np.array([right(float(value), rounded) for value in x], to) for rounded in MODES.values()]
    assert not differences(calls, evaluate(device, calls, {"x": x}, to), wanted)


def test_integers_and_doubles_to_numbers(device):
    rng = np.random.default_rng(14)
    i = rng.integers(-(2**31), 2**31, 64).astype("int32")
    wide = np.concatenate([rng.integers(-(2**63), 2**63 - 1, 62), [2**63 - 1, -(2**63)]])
    d = rng.standard_normal(64)
    arguments = {"i": i, "u": i.view("uint32"), "l": wide, "w": wide.view("uint64"), "d": d}
    for dtype, kinds in (
        ("float32", {"int2float": "i", "uint2float": "u", "ll2float": "l", "ull2float": "w", "double2float": "d"}),
        ("float64", {"ll2double": "l", "ull2double": "w"}),
    ):
        calls = [f"__{name}_{mode}({of})" for name, of in kinds.items() for mode in MODES]
        wanted = [
            np.array([nearest(Fraction(value), mode, dtype) for value in arguments[of].tolist()])
            for of in kinds.values()
            for mode in MODES
        ]
        assert not differences(calls, evaluate(device, calls, arguments, dtype), wanted)


def test_bits_of_numbers(device):
    x = np.array([0.0, -1.5, 3.25e10, np.inf], "float32")
    d = np.array([0.0, -1.5, 3.25e100, np.inf])
    calls = [
        "__float_as_int(x)", "__float_as_uint(x)", "__double_as_longlong(d)", "__double2hiint(d)",
        "__double2loint(d)",
    ]  # fmt: skip
    bits, wide = x.view("int32").astype("int64"), d.view("int64")
    low = (wide & WORD).astype("uint32").view("int32").astype("int64")
    got = evaluate(device, calls, {"x": x, "d": d}, "int64")
    assert not differences(calls, got, [bits, bits & WORD, wide, wide >> 32, low])
    calls = [
        "__int_as_float(__float_as_int(x))",
        "__hiloint2double(__double2hiint(d), __double2loint(d))",
        "__longlong_as_double(__double_as_longlong(d))",
        "__uint_as_float(0x3f800000u)",
    ]
    got = evaluate(device, calls, {"x": x, "d": d}, "float64")
    assert not differences(calls, got, [x.astype("float64"), d, d, np.ones(4)])


def test_least_and_greatest_of_sums(device):
    u, v, w = words(21), words(22)[::-1], words(23)

    def pairs(signedness, f):
        def each(*numbers):
            parts = [[signedness(x >> at & 0xFFFF, 16) for x in numbers] for at in (0, 16)]
            return (f(*parts[0]) & 0xFFFF) | (f(*parts[1]) & 0xFFFF) << 16

        return each

    def word(f):
        return lambda x, y, z: f(signed(x), signed(y), signed(z)) % 2**32

    def cut(x, y, bits):
        return signed((x + y) % 2**bits, bits)

    plain = lambda x, bits=32: x  # noqa: E731
    calls = {
        "(unsigned)__vimax3_s32((int)u, (int)v, (int)w)": word(max),
        "__vimin3_u32(u, v, w)": min,
        "(unsigned)__viaddmax_s32((int)u, (int)v, (int)w)": word(lambda x, y, z: max(cut(x, y, 32), z)),
        "(unsigned)__viaddmin_s32_relu((int)u, (int)v, (int)w)": word(lambda x, y, z: max(min(cut(x, y, 32), z), 0)),
        "(unsigned)__vimax_s32_relu((int)u, (int)v)": word(lambda x, y, z: max(x, y, 0)),
        "__vimax3_s16x2(u, v, w)": pairs(signed, max),
        "__vimin3_u16x2(u, v, w)": pairs(plain, min),
        "__viaddmax_u16x2(u, v, w)": pairs(plain, lambda x, y, z: max((x + y) % 2**16, z)),
        "__vimin3_s16x2_relu(u, v, w)": pairs(signed, lambda x, y, z: max(min(x, y, z), 0)),
        "(__vibmax_u32(u, v, &first), first)": lambda x, y, z: x >= y,
        "(__vibmin_s32((int)u, (int)v, &first), first)": lambda x, y, z: signed(x) <= signed(y),
        "__nv_bswap32(u)": lambda x, y, z: int.from_bytes(x.to_bytes(4, "little"), "big"),
        "__nv_bswap16((unsigned short)u)": lambda x, y, z: (x & 255) << 8 | x >> 8 & 255,
    }
    wanted = [[int(f(*map(int, row))) for row in zip(u, v, w, strict=True)] for f in calls.values()]
    expressions = [f"[&] {{ bool first; return {call}; }}()" for call in calls]
    got = evaluate(device, expressions, {"u": u, "v": v, "w": w}, "uint32", "#include <cuda_runtime.h>\n")
    assert differences(calls, got, wanted) == []


def nth_bit(mask, base, n):
    if n == 0:
        return base if mask >> base & 1 else WORD
    places = [at for at in (range(base, 32) if n > 0 else range(base, -1, -1)) if mask >> at & 1]
    return places[abs(n) - 1] if len(places) >= abs(n) else WORD


def test_the_nth_set_bit(device):
    u, base, n = words(31), words(32) % 32, (words(33) % 9).astype("int32") - 4
    wanted = [[nth_bit(*map(int, row)) for row in zip(u, base, n, strict=True)]]
    got = evaluate(device, ["__fns(u, b, n)"], {"u": u, "b": base, "n": n}, "uint32", "#include <cuda_runtime.h>\n")
    assert differences(["__fns"], got, wanted) == []


def test_comparisons_are_in_the_type_that_cpp_computes_in(device):
    calls = {
        "isless(n, 1u)": 1, "isgreater(n, 1u)": 0, "isgreater(n + 16777218, 16777216.0f)": 1, "isunordered(n, 1u)": 0,
    }  # fmt: skip
    got = evaluate(device, calls, {"n": np.array([-1], "int32")}, "int32")
    assert differences(calls, got, [[right] for right in calls.values()]) == []


def test_comparisons_that_a_nan_fails(device):
    x, y = (a.ravel().astype("float32") for a in np.meshgrid(*[[1, 2, np.nan, np.inf, -np.inf]] * 2))
    calls = {
        "isgreater(x, y)": x > y, "isgreaterequal(x, y)": x >= y, "isless(x, y)": x < y, "islessequal(x, y)": x <= y,
        "islessgreater(x, y)": (x < y) | (x > y), "isunordered(x, y)": np.isnan(x) | np.isnan(y),
        "isgreater((double)x, y)": x > y, "__isnan(x)": np.isnan(x), "__finite(x)": np.isfinite(x),
        "(__isinf(x) != 0)": np.isinf(x), "(__signbitf(x) != 0)": x < 0,
    }  # fmt: skip
    for before in ("", "#include <cmath>\n"):
        got = evaluate(device, calls, {"x": x, "y": y}, "int32", before)
        assert differences(calls, got, list(calls.values())) == []


@pytest.mark.opencl_only("it is of Clang")
def test_prefetches_change_nothing(device):
    text = """__global__ void k(int *x, int n) {
        for (int i = 0; i < n; ++i) { __builtin_prefetch(x + i + 8); x[i] += i; }
        __builtin_prefetch(x++, 1, 3);
        *x = 7;
    }"""
    x = lp.zeros(10, "int32", device)
    lp.compile(text, device).k[1, 1](x, 10)
    assert x.to_numpy().tolist() == [0, 7, 2, 3, 4, 5, 6, 7, 8, 9]

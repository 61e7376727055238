"""The names that AMD's compiler and HIP's headers give to what the hardware has."""

import operator

import numpy as np
import pytest

import launchpath as lp

from .expressions import differences, evaluate
from .test_language_intrinsics import words
from .test_language_warps import T, bits, values, warps  # noqa: F401

HIP = "#include <hip/hip_runtime.h>\n"
LANE = T % 32


def test_values_sent_to_lanes(warps):  # noqa: F811
    body = """
        put(__builtin_amdgcn_ds_permute(4 * ((lane + 3) % 32), t));
        put(__hip_ds_permute(4 * (lane / 2), t));
        put((int)__hip_ds_permutef(4 * (lane ^ 1) + 128, t + 0.5f));
        int odd = -1;
        if (lane % 2) odd = __builtin_amdgcn_ds_permute(4 * ((lane + 2) % 32), t);
        put(odd);
    """
    got = values(warps, body, dialect=HIP)
    first = T - LANE
    wanted = [
        first + (LANE - 3) % 32, np.where(LANE < 16, first + 2 * LANE + 1, 0), T ^ 1,
        np.where(LANE % 2, first + (LANE - 2) % 32, -1),
    ]  # fmt: skip
    assert (got.astype("int32") == np.array(wanted)).all()


def test_warps(warps):  # noqa: F811
    body = """
        put(__builtin_amdgcn_readfirstlane(t + 5));
        put(__builtin_amdgcn_readlane(t, 7));
        put(__builtin_amdgcn_ds_bpermute(4 * (31 - lane), t));
        put(__hip_ds_bpermute(4 * (lane ^ 1), t));
        put(__builtin_amdgcn_ballot_w64(t % 3 == 0));
        put(__ballot64(t % 5 == 0));
        put(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)));
        put(__builtin_amdgcn_ds_swizzle(t, 0x041f));
        put(__hip_ds_swizzle(t, 0x801b));
        put(__builtin_amdgcn_wavefrontsize());
        put(__builtin_amdgcn_read_exec());
        put(__match_any(lane / 8));
        __builtin_amdgcn_wave_barrier();
    """
    got = values(warps, body, dialect=HIP)
    first = T - LANE
    wanted = [
        first + 5, first + 7, first + 31 - LANE, T ^ 1, bits(T % 3 == 0), bits(T % 5 == 0), LANE, T ^ 1,
        T - T % 4 + 3 - T % 4, T * 0 + 32, T * 0 + 0xFFFFFFFF, 255 << LANE // 8 * 8,
    ]  # fmt: skip
    for row, right in zip(got, wanted, strict=True):
        assert (row == right).all(), (row, right)


def test_places_and_barriers(device):
    source = (
        HIP
        + """
    __global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void k(unsigned* out) {
        __shared__ unsigned s[64];
        unsigned t = __builtin_amdgcn_workitem_id_x();
        s[t] = t + 100 * __builtin_amdgcn_workgroup_id_x();
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_sched_barrier(0);
        __builtin_amdgcn_s_sleep(1);
        out[blockIdx.x * 64 + t] = s[63 - t] + 1000 * __builtin_amdgcn_workgroup_size_x()
            + 1000000 * __builtin_amdgcn_grid_size_x();
    }"""
    )
    out = lp.zeros((2, 64), "uint32", device)
    lp.compile(source, device).k[2, 64](out)
    assert (out.to_numpy() == 63 - np.arange(64) + 100 * np.arange(2)[:, None] + 64000 + 128000000).all()


def test_bits(device):
    u, v, w = words(11), words(12)[::-1], words(13) % 32
    calls = {
        "__bitextract_u32(u, 3, w)": lambda x, y, n: x >> 3 & (1 << n) - 1,
        "__bitinsert_u32(u, v, 4, 8)": lambda x, y, n: x & ~0xFF0 | (y & 0xFF) << 4,
        "__builtin_amdgcn_ubfe(u, 5, 7)": lambda x, y, n: x >> 5 & 127,
        "(unsigned)__builtin_amdgcn_sbfe((int)u, 5, 7)": lambda x, y, n: (((x >> 5 & 127) ^ 64) - 64) % 2**32,
        "__builtin_amdgcn_alignbit(u, v, w)": lambda x, y, n: (x << 32 | y) >> n & 0xFFFFFFFF,
        "__builtin_amdgcn_alignbyte(u, v, 3u)": lambda x, y, n: (x << 32 | y) >> 24 & 0xFFFFFFFF,
        "__lastbit_u32_u32(u)": lambda x, y, n: ((x & -x).bit_length() - 1) % 2**32,
    }
    wanted = [[f(*map(int, row)) for row in zip(u, v, w, strict=True)] for f in calls.values()]
    got = evaluate(device, calls, {"u": u, "v": v, "w": w}, "uint32", HIP)
    assert differences(calls, got, wanted) == []


def permuted(high: int, low: int, choice: int) -> int:
    """Choose bytes as V_PERM_B32 does, by the manual of the instruction set."""
    data = (high << 32 | low).to_bytes(8, "little")
    signs = [255 if data[at] & 128 else 0 for at in (1, 3, 5, 7)]
    table = [*data, *signs, 0]
    return int.from_bytes([table[which] if which < 13 else 255 for which in choice.to_bytes(4, "little")], "little")


def pieces(word: int, bits: int, signed: bool) -> list[int]:
    """Cut 32 bits into numbers of so many."""
    cut = [word >> at & (1 << bits) - 1 for at in range(0, 32, bits)]
    return [(piece ^ 1 << bits - 1) - (1 << bits - 1) for piece in cut] if signed else cut


def dot(u: int, v: int, c: int, bits: int, signs: tuple[bool, bool], ends: tuple[int, int] | None) -> int:
    """Add a number to the product of two vectors, modulo 2^32 or at the ends of what 32 bits hold."""
    sum_ = c + sum(map(operator.mul, pieces(u, bits, signs[0]), pieces(v, bits, signs[1])))
    return (sum_ if ends is None else min(max(sum_, ends[0]), ends[1])) % 2**32


def test_bytes_by_number(device):
    u, v = words(11), words(12)[::-1]
    w = np.resize(np.arange(256, dtype="uint8"), 4 * len(u)).view("uint32")
    calls = {
        "__builtin_amdgcn_perm(u, v, w)": permuted,
        "__builtin_amdgcn_perm(u, v, v & 0x0f0f0f0fu)": lambda x, y, n: permuted(x, y, y & 0x0F0F0F0F),
        "__builtin_amdgcn_perm(u, v, 0x0d0c0b08u)": lambda x, y, n: permuted(x, y, 0x0D0C0B08),
    }
    wanted = [[f(*map(int, row)) for row in zip(u, v, w, strict=True)] for f in calls.values()]
    got = evaluate(device, calls, {"u": u, "v": v, "w": w}, "uint32", HIP)
    assert differences(calls, got, wanted) == []


def test_products_of_bytes(device):
    u, v, c = words(14), words(15)[::-1], words(16)
    ends = {True: (-(2**31), 2**31 - 1), False: (0, 2**32 - 1)}
    calls, wanted = {}, []
    for name, width in (("dot4", 8), ("dot8", 4)):
        for clamp in (True, False):
            last = f"{str(clamp).lower()})"
            for signs in ((True, True), (True, False), (False, True), (False, False)):
                first, second = (str(sign).lower() for sign in signs)
                call = f"(unsigned)__builtin_amdgcn_su{name}({first}, (int)u, {second}, (int)v, (int)c, {last}"
                calls[call] = (width, signs, True, clamp)
            calls[f"__builtin_amdgcn_u{name}(u, v, c, {last}"] = (width, (False, False), False, clamp)
            call = f"(unsigned)__builtin_amdgcn_s{name}((int)u, (int)v, (int)c, {last}"
            calls[call] = (width, (True, True), True, clamp)
    for width, signs, signed, clamp in calls.values():
        added = [pieces(int(z), 32, signed)[0] for z in c]
        limits = ends[signed] if clamp else None
        rows = zip(map(int, u), map(int, v), added, strict=True)
        wanted.append([dot(*row, width, signs, limits) for row in rows])
    got = evaluate(device, calls, {"u": u, "v": v, "c": c}, "uint32", HIP)
    assert differences(calls, got, wanted) == []


def test_differences_and_means_of_bytes(device):
    u, v, c = words(17), words(18)[::-1] & 0xFF00FFFF, words(19)

    def far(x: int, y: int, bits: int, masked: bool = False) -> int:
        pairs = zip(pieces(x, bits, False), pieces(y, bits, False), strict=True)
        return sum(abs(a - b) for a, b in pairs if b or not masked)

    def mean(x: int, y: int, up: int) -> int:
        rows = zip(*(number.to_bytes(4, "little") for number in (x, y, up)), strict=True)
        return int.from_bytes([(a + b + (each & 1)) >> 1 for a, b, each in rows], "little")

    calls = {
        "__builtin_amdgcn_sad_u8(u, v, c)": lambda x, y, z: far(x, y, 8) + z,
        "__builtin_amdgcn_sad_hi_u8(u, v, c)": lambda x, y, z: (far(x, y, 8) << 16) + z,
        "__builtin_amdgcn_sad_u16(u, v, c)": lambda x, y, z: far(x, y, 16) + z,
        "__builtin_amdgcn_msad_u8(u, v, c)": lambda x, y, z: far(x, y, 8, masked=True) + z,
        "__builtin_amdgcn_lerp(u, v, c)": mean,
    }
    wanted = [[f(*map(int, row)) % 2**32 for row in zip(u, v, c, strict=True)] for f in calls.values()]
    got = evaluate(device, calls, {"u": u, "v": v, "c": c}, "uint32", HIP)
    assert differences(calls, got, wanted) == []


def test_numbers(device):
    x = np.linspace(0.25, 8, 64, dtype="float32")
    n = np.arange(64, dtype="int32") - 32
    calls = {
        "__builtin_amdgcn_rcpf(x)": 1 / x,
        "__builtin_amdgcn_rsqf(x)": 1 / np.sqrt(x),
        "__builtin_amdgcn_sqrtf(x)": np.sqrt(x),
        "__builtin_amdgcn_fractf(x)": x - np.floor(x),
        "__builtin_amdgcn_fmed3f(x, 2.0f, 4.0f)": np.clip(x, 2, 4),
        "__builtin_amdgcn_sinf(x)": np.sin(2 * np.pi * x.astype("float64")),
        "__builtin_amdgcn_exp2f(x)": np.exp2(x),
        "__builtin_amdgcn_exp2f((float)n)": np.exp2(n.astype("float32")),
        "__builtin_amdgcn_logf(x)": np.log2(x),
    }
    got = evaluate(device, calls, {"x": x, "n": n}, "float32", HIP)
    assert np.allclose(got, list(calls.values()), rtol=1e-6, atol=1e-6)


@pytest.mark.opencl_only("CUDA's compiler declares them itself")
def test_functions_of_cudas_names_that_a_program_brings(device):
    source = (
        HIP
        + """
    static __device__ __forceinline__ int __vsub4(const int a, const int b) { return a - b; }
    static __device__ __forceinline__ unsigned __vcmpne4(unsigned a, unsigned b) { return a + b; }
    __global__ void k(int* out, unsigned u, int i) {
        out[0] = __vsub4(u ^ i, i);
        out[1] = __vsub4(u, u);
        out[2] = __vcmpne4(u & 3, 0);
        out[3] = __vadd4(u, i);
    }"""
    )
    out = lp.zeros(4, "int32", device)
    lp.compile(source, device).k[1, 1](out, 0x01FF0002, 3)
    assert out.to_numpy().tolist() == [0x01FF0001 - 3, 0, 2, 0x01FF0005]


def test_mixed_products(device):
    u, v, c = words(17), words(18)[::-1], words(19)
    calls, wanted = {}, []
    kinds = (("short2", 16, True), ("ushort2", 16, False), ("char4", 8, True), ("uchar4", 8, False),
             ("int", 4, True), ("unsigned", 4, False))  # fmt: skip
    for kind, width, signed in kinds:
        number, limits = ("int", (-(2**31), 2**31 - 1)) if signed else ("unsigned", (0, 2**32 - 1))
        for clamp in (True, False):
            arguments = ", ".join([*(f"__builtin_bit_cast({kind}, {x})" for x in "uv"), f"({number})c"])
            calls[f"(unsigned)amd_mixed_dot({arguments}, {str(clamp).lower()})"] = None
            added = [pieces(int(z), 32, signed)[0] for z in c]
            rows = zip(map(int, u), map(int, v), added, strict=True)
            wanted.append([dot(*row, width, (signed, signed), limits if clamp else None) for row in rows])
    got = evaluate(device, calls, {"u": u, "v": v, "c": c}, "uint32", HIP)
    assert differences(calls, got, wanted) == []


def test_mixed_products_of_halves(device):
    source = f"""{HIP}#include <hip/hip_fp16.h>
    __global__ void k(float* o) {{
        __half2 a = __floats2half2_rn(1.5f, -2), b = __floats2half2_rn(4, 0.5f);
        o[0] = amd_mixed_dot(a, b, 0.25f, false);
        o[1] = amd_mixed_dot(a, b, 0.25f, true);
        o[2] = amd_mixed_dot(a, b, -9, true);
    }}"""
    out = lp.zeros(3, "float32", device)
    lp.compile(source, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [5.25, 1, 0]


@pytest.mark.opencl_only("NVRTC has no _Float16")
def test_extremes_of_a_type_that_is_named(device):
    source = f"""{HIP}__global__ void k(float* o) {{
        o[0] = max<_Float16>(1.0f, 2.0f); o[1] = min<_Float16>(1.0f, 2.0f); o[2] = max(1, 2.5f);
    }}"""
    out = lp.zeros(3, "float32", device)
    lp.compile(source, device).k[1, 1](out)
    assert out.to_numpy().tolist() == [2, 1, 2.5]


def test_instructions_by_their_assembly_names_are_refused_at_their_line():
    source = f"""{HIP}__device__ int at(int value, int lane) __asm("llvm.amdgcn.readlane");
    __global__ void k(int* x) {{ x[0] = at(x[1], 3); }}"""
    with pytest.raises(
        lp.CompileError, match=r"<source>:2:40: error: inline assembly works on a single kind of device"
    ):
        lp.compile(source, lp.device("opencl"))


MOVES = [
    0x1B, 0xE4, 0x101, 0x10F, 0x113, 0x124, 0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143, 0x157, 0x169,
]  # fmt: skip


def _moved(control):
    """The lane whose value each lane gets by a control of DPP, by AMD's description; -1 for none."""
    row, at, n = LANE // 16 * 16, LANE % 16, control % 16
    if control < 0x100:
        return LANE // 4 * 4 + np.array([control >> 2 * i & 3 for i in range(4)])[LANE % 4]
    by_number = {
        0x10: np.where(at + n < 16, LANE + n, -1),
        0x11: np.where(at >= n, LANE - n, -1),
        0x12: row + (at - n) % 16,
        0x15: row + n,
        0x16: row + (at ^ n),
    }
    others = {
        0x130: np.where(LANE < 31, LANE + 1, -1),
        0x134: (LANE + 1) % 32,
        0x138: LANE - 1,
        0x13C: (LANE - 1) % 32,
        0x140: row + 15 - at,
        0x141: LANE // 8 * 8 + 7 - LANE % 8,
        0x142: np.where(row > 0, 15, -1),
        0x143: row * 0 - 1,
    }
    return others[control] if control in others else by_number[control >> 4]


@pytest.mark.parametrize("control", MOVES, ids=hex)
def test_moves_between_lanes(warps, control):  # noqa: F811
    body = f"""
        put(__builtin_amdgcn_mov_dpp(t, {control}, 0xf, 0xf, true));
        put(__builtin_amdgcn_update_dpp(1000 + t, t, {control}, 0xf, 0xf, false));
        put(__builtin_amdgcn_update_dpp(1000 + t, t, {control}, 0x2, 0x5, true));
        put((int)__builtin_amdgcn_mov_dpp(0.5f + t, {control}, 0xf, 0xf, true));
    """
    source = _moved(control)
    moved = np.where(source < 0, 0, T - LANE + source)
    kept = (LANE // 16 == 1) & (LANE // 4 % 2 == 0)
    got = values(warps, body, dialect=HIP)
    wanted = [moved, np.where(source < 0, 1000 + T, moved), np.where(kept, moved, 1000 + T), moved]
    for row, right in zip(got, wanted, strict=True):
        assert (row == right).all(), (row, right)


def test_permutations_of_rows(warps):  # noqa: F811
    body = """
        put((int)__builtin_amdgcn_permlane16(0u, t, 0x01234567u, 0xfedcba98u, false, false));
        put((int)__builtin_amdgcn_permlanex16(0u, t, 0x76543210u, 0xfedcba98u, false, false));
        int v = 7;
        if (lane < 16) v = (int)__builtin_amdgcn_permlanex16(5u, t, 0x76543210u, 0xfedcba98u, false, false);
        put(v);
        if (lane < 16) v = (int)__builtin_amdgcn_permlanex16(5u, t, 0x76543210u, 0xfedcba98u, false, true);
        put(v);
    """
    at, row = LANE % 16, T - LANE % 16
    wanted = [
        row + np.where(at < 8, 7 - at, at), T ^ 16, np.where(LANE < 16, 5, 7), np.where(LANE < 16, 0, 7)
    ]  # fmt: skip
    for got, right in zip(values(warps, body, dialect=HIP), wanted, strict=True):
        assert (got == right).all(), (got, right)


def test_parts_of_floats(device):
    x = np.array([0.0, -0.0, 1.0, -6.5, 1e-40, 3e38, np.inf, -np.inf, np.nan], "float64")
    calls = {
        "__builtin_amdgcn_frexp_mantf((float)x)": np.float32, "__builtin_amdgcn_frexp_expf((float)x)": np.float32,
        "__builtin_amdgcn_frexp_mant(x)": np.float64, "__builtin_amdgcn_frexp_exp(x)": np.float64,
    }  # fmt: skip
    got = evaluate(device, calls, {"x": x}, "float64", HIP)
    wanted = []
    for name, kind in calls.items():
        mantissa, exponent = np.frexp(x.astype(kind))
        wanted.append(mantissa if "mant" in name else np.where(np.isfinite(x), exponent, 0))
    assert differences(calls, got, wanted) == []


def test_the_type_uchar(device):
    out = lp.zeros(1, "uint8", device)
    lp.compile(HIP + "__global__ void k(uchar* out) { out[0] = uchar(300); }", device).k[1, 1](out)
    assert out.to_numpy().tolist() == [44]


@pytest.mark.opencl_only("Clang's builtins")
def test_clangs_counters(device):
    source = HIP + "__global__ void k(unsigned long long* x) { x[0] = __builtin_CALL(); x[1] = clock64() - x[0]; }"
    for call in ("readcyclecounter", "readsteadycounter"):
        text = source.replace("CALL", call)
        if "cl_khr_kernel_clock" not in device.info["extensions"]:
            with pytest.raises(lp.CompileError, match="no clock"):
                lp.compile(text, device)
            continue
        out = lp.zeros(2, "uint64", device)
        lp.compile(text, device).k[1, 1](out)
        assert 0 <= out.to_numpy()[1] < 10**12

"""Numbers of 8 bits (FP8): CUDA's and HIP's, bit for bit against their definition."""

from typing import NamedTuple

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
RANDOM = np.random.default_rng(8)
CODES = np.arange(256, dtype="uint8")


class Format(NamedTuple):
    """A format: its platform's prefix, class, interpretation, and definition."""

    prefix: str
    name: str
    interpretation: str
    mantissa: int
    bias: int
    largest: int  # code
    fnuz: bool = False

    @property
    def amd(self) -> bool:
        return self.prefix == "__hip_"

    @property
    def has_infinity(self) -> bool:
        return self.mantissa == 2 and not self.fnuz

    def values(self) -> np.ndarray:
        """The value of each code, which float64 holds exactly."""
        exponent, rest = (CODES & 0x7F) >> self.mantissa, CODES & ((1 << self.mantissa) - 1)
        whole = np.where(exponent == 0, 0, 1) + rest / 2**self.mantissa
        values = whole * 2.0 ** (np.maximum(exponent, 1).astype(int) - self.bias)
        values[self.largest < (CODES & 0x7F)] = np.nan
        if self.has_infinity:
            values[0x7C] = values[0xFC] = np.inf
        values = np.where(CODES & 0x80, -values, values)
        if self.fnuz:
            values[0x80] = np.nan
        return values

    def rounded(self, values: np.ndarray, saturate: bool) -> np.ndarray:
        """The codes of the nearest numbers, ties to even. Those of NaN are left as 0."""
        finite = self.values()[: self.largest + 1]
        steps = np.append(finite, 2 * finite[-1] - finite[-2])  # and what would come next
        size = np.abs(values)
        low = np.clip(np.searchsorted(steps, size, "right") - 1, 0, self.largest)
        middle = (steps[low] + steps[low + 1]) / 2
        code = low + ((size > middle) | ((size == middle) & (low % 2 == 1)))
        too_large = (code > self.largest) | (self.amd & (size > finite[-1]))
        sign = np.where(np.signbit(values), 0x80, 0)
        overflowed = 0x80 if self.fnuz else sign | (0x7C if self.has_infinity else 0x7F)
        code = np.where(self.fnuz & (code == 0), 0, sign | code)
        code = np.where(too_large, sign | self.largest if saturate else overflowed, code)
        # AMD's do not saturate an infinity.
        return np.where(np.isinf(values) & self.amd, overflowed, code).astype("uint8")

    def nan(self, sign: np.ndarray) -> np.ndarray:
        return np.full(len(sign), 0x80) if self.fnuz else np.where(sign & self.amd, 0xFF, 0x7F)


FORMATS = [
    Format("__nv_", "__nv_fp8_e4m3", "__NV_E4M3", 3, 7, 0x7E),
    Format("__nv_", "__nv_fp8_e5m2", "__NV_E5M2", 2, 15, 0x7B),
    Format("__hip_", "__hip_fp8_e4m3", "__HIP_E4M3", 3, 7, 0x7E),
    Format("__hip_", "__hip_fp8_e5m2", "__HIP_E5M2", 2, 15, 0x7B),
    Format("__hip_", "__hip_fp8_e4m3_fnuz", "__HIP_E4M3_FNUZ", 3, 8, 0x7F, fnuz=True),
    Format("__hip_", "__hip_fp8_e5m2_fnuz", "__HIP_E5M2_FNUZ", 2, 16, 0x7F, fnuz=True),
]
# Every conversion of a format; FORMATS are put in by name.
SOURCE = """
namespace of_NAME {
__global__ void round(const float* a, const double* d, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = PREFIXcvt_float_to_fp8(a[i], SATFINITE, INTERPRETATION);
    out[n + i] = PREFIXcvt_float_to_fp8(a[i], NOSAT, INTERPRETATION);
    out[2 * n + i] = PREFIXcvt_double_to_fp8(d[i], SATFINITE, INTERPRETATION);
    out[3 * n + i] = PREFIXcvt_double_to_fp8(d[i], NOSAT, INTERPRETATION);
    out[4 * n + i] = NAME(a[i]).__x;
    out[5 * n + i] = NAME(d[i]).__x;
}
__global__ void halves(const __half* h, const __nv_bfloat16* b, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = PREFIXcvt_halfraw_to_fp8(__half_raw(h[i]), SATFINITE, INTERPRETATION);
    out[n + i] = PREFIXcvt_halfraw_to_fp8(__half_raw(h[i]), NOSAT, INTERPRETATION);
    out[2 * n + i] = NAME(h[i]).__x;
    out[3 * n + i] = NAME(b[i]).__x;
}
__global__ void widen(const NAME* x, float* out, unsigned short* bits, int* integers) {
    int i = threadIdx.x;
    out[i] = float(x[i]);
    out[256 + i] = (float)double(x[i]);
    out[512 + i] = (float)__half(x[i]);
    out[768 + i] = (float)__nv_bfloat16(x[i]);
    bits[i] = PREFIXcvt_fp8_to_halfraw(x[i].__x, INTERPRETATION).x;
    integers[i] = (int)x[i];
    integers[256 + i] = (signed char)x[i];
    integers[512 + i] = (unsigned short)x[i];
    integers[768 + i] = (bool)x[i];
    integers[1024 + i] = NAME(i - 128).__x;
}
__global__ void several(const float4* a, unsigned* out, float4* back) {
    int i = threadIdx.x;
    float2 low = {a[i].x, a[i].y}, high = {a[i].z, a[i].w};
    __half2 x = __floats2half2_rn(low.x, low.y), y = __floats2half2_rn(high.x, high.y);
    FOUR all(a[i]);
    out[i] = all.__x;
    out[32 + i] = TWO(low).__x | (unsigned)TWO(high).__x << 16;
    out[64 + i] = PREFIXcvt_float2_to_fp8x2(low, SATFINITE, INTERPRETATION)
        | (unsigned)PREFIXcvt_float2_to_fp8x2(high, SATFINITE, INTERPRETATION) << 16;
    out[96 + i] = FOUR(x, y).__x;
    out[128 + i] = TWO(x).__x | (unsigned)TWO(y).__x << 16;
    back[i] = (float4)all;
    float2 first = (float2)TWO(low);
    __half2 second = (__half2)TWO(high);
    back[32 + i] = make_float4(first.x, first.y, __low2float(second), __high2float(second));
}
}
"""


def source(of: Format) -> str:
    words = of.name.replace("fp8", "{}")
    text = SOURCE.replace("FOUR", words.format("fp8x4")).replace("TWO", words.format("fp8x2"))
    text = text.replace("PREFIX", of.prefix).replace("INTERPRETATION", of.interpretation).replace("NAME", of.name)
    upper = of.prefix.upper().rstrip("_")
    return text.replace("SATFINITE", f"{upper}_SATFINITE").replace("NOSAT", f"{upper}_NOSAT")


INCLUDES = "#include <hip/hip_runtime.h>\n#include <cuda_fp8.h>\n#include <hip/hip_fp8.h>\n"


@pytest.fixture(scope="module")
def fp8(device):
    """The kernels of all formats."""
    return lp.compile(INCLUDES + "".join(map(source, FORMATS)), device)


def inputs(of: Format, dtype: str) -> np.ndarray:
    """Numbers about every step and middle of the format, special ones, and others."""
    finite = of.values()[: of.largest + 1]
    steps = np.append(finite, [2 * finite[-1] - finite[-2], 4 * finite[-1]])
    points = np.concatenate([steps, (steps[1:] + steps[:-1]) / 2]).astype(dtype)
    points = np.concatenate(
        [points, np.nextafter(points, points.dtype.type(np.inf)), np.nextafter(points, points.dtype.type(0))]
    )
    small = np.array(
        [0, 1e-30, np.finfo(dtype).tiny, np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max, np.inf, np.nan]
    )
    others = RANDOM.standard_normal(1000) * 2.0 ** RANDOM.integers(-20, 18, 1000)
    values = np.concatenate([points, small.astype(dtype), others.astype(dtype)])
    return np.concatenate([values, -values])


def check(device: lp.Device, got: np.ndarray, of: Format, values: np.ndarray, saturate: bool) -> None:
    isnan = np.isnan(values)
    assert np.array_equal(got[~isnan], of.rounded(values[~isnan].astype("float64"), saturate))
    # A double keeps its NaN's sign and upper bits on NVIDIA's, and half a float loses its sign: a NaN it is.
    assert np.isnan(of.values()[got[isnan]]).all()
    if values.dtype == "float32" or (values.dtype != "float64" and device.info["driver"] != "cuda"):
        assert np.array_equal(got[isnan], of.nan(np.signbit(values[isnan])))


@pytest.mark.parametrize("of", FORMATS, ids=lambda of: of.name)
@pytest.mark.sample(1, "intel")
def test_floats_and_doubles_are_rounded_to_the_nearest(device, fp8, of):
    singles, doubles = inputs(of, "float32"), inputs(of, "float64")
    n = len(singles)
    out = lp.zeros((6, n), "uint8", device)
    fp8[f"of_{of.name}::round"][-(-n // 128), 128](
        lp.asarray(singles, device=device), lp.asarray(doubles, device=device), out, n
    )
    got = out.to_numpy()
    for row, values, saturate in zip(
        got, (singles, singles, doubles, doubles, singles, doubles), (1, 0, 1, 0, 1, 1), strict=True
    ):
        check(device, row, of, values, bool(saturate))


@pytest.mark.sample(2)
@pytest.mark.parametrize("of", FORMATS, ids=lambda of: of.name)
def test_all_halves_and_bfloat16s_are_rounded_to_the_nearest(device, fp8, of):
    bits = np.arange(65536, dtype="uint16")
    out = lp.zeros((4, 65536), "uint8", device)
    half, wide = bits.view("float16"), (bits.astype("uint32") << 16).view("float32")
    arrays = [lp.asarray(host, device=device) for host in (half, bits)]
    fp8[f"of_{of.name}::halves"][512, 128](*arrays, out, 65536)
    for row, values, saturate in zip(out.to_numpy(), (half, half, half, wide), (1, 0, 1, 1), strict=True):
        check(device, row, of, values, bool(saturate))


@pytest.mark.parametrize("of", FORMATS, ids=lambda of: of.name)
def test_every_code_is_widened(device, fp8, of):
    wide, bits = lp.zeros((4, 256), "float32", device), lp.zeros(256, "uint16", device)
    integers = lp.zeros((5, 256), "int32", device)
    fp8[f"of_{of.name}::widen"][1, 256](lp.asarray(CODES, device=device), wide, bits, integers)
    values = of.values()
    for row in wide.to_numpy():
        assert np.array_equal(row, values, equal_nan=True)
        assert np.array_equal(np.signbit(row), np.signbit(values) & ~np.isnan(values))
    half = bits.to_numpy().view("float16")
    assert np.array_equal(half, values.astype("float16"), equal_nan=True)
    got = integers.to_numpy()
    for row, dtype in zip(got, ("int32", "int8", "uint16"), strict=False):
        ends = np.iinfo(dtype)
        assert np.array_equal(
            row, np.clip(np.nan_to_num(np.trunc(values), posinf=2.0**40, neginf=-(2.0**40)), ends.min, ends.max)
        )
    assert np.array_equal(got[3], values != 0)
    assert np.array_equal(got[4], of.rounded(np.arange(-128, 128).astype("float64"), True))


@pytest.mark.parametrize("of", FORMATS, ids=lambda of: of.name)
def test_two_and_four(device, fp8, of):
    values = (RANDOM.standard_normal((32, 4)) * 16).astype("float16").astype("float32")
    out, back = lp.zeros((5, 32), "uint32", device), lp.zeros((2, 32, 4), "float32", device)
    fp8[f"of_{of.name}::several"][1, 32](lp.asarray(values, device=device), out, back)
    codes = of.rounded(values.astype("float64").ravel(), True)
    for row in out.to_numpy():
        assert np.array_equal(row.view("uint8"), codes)
    for part in back.to_numpy():
        assert np.array_equal(part.ravel(), of.values()[codes])


def test_the_size_of_parameters(device):
    program = lp.compile(
        "#include <cuda_fp8.h>\n__global__ void k(__nv_fp8_e5m2 a, __nv_fp8x4_e4m3 b, float* out)"
        " { out[0] = (float)a; out[1] = float4(b).w; }",
        device,
    )
    out = lp.zeros(2, "float32", device)
    program.k[1, 1](b"\x3c", bytes([0, 0, 0, 0x38]), out)
    assert out.to_numpy().tolist() == [1, 1]

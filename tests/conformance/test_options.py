"""Options of compilations have an effect on every device, or are refused with the reason."""

import warnings

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler.spirv.runtime import vectorization

SOURCE = """
template <class T> __global__ void other(T* x) { int spare; x[0] = N; }
__global__ void wave(float* x, int n) {
    float v[64];
    for (int i = 0; i < 64; i++) v[i] = sinf(x[i * n]) / x[i + n];
    float s = 0;
    for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j += n) s += v[i] * x[j];
    x[threadIdx.x] = s + expf(x[1]) + powf(x[2], 1.5f) + N;
}
"""
X = np.linspace(0.1, 2, 128, dtype="float32")
SUM = (np.sin(X[:64].astype("float64")) / X[1:65]).sum() * X[:64].astype("float64").sum()
WANTED = SUM + np.exp(X[1]) + X[2] ** 1.5 + 3


def result(program):
    x = lp.asarray(X, device=program.device)
    program.wave[1, 1](x, 1)
    return float(x[0])


@pytest.mark.parametrize(
    "options",
    [{"fast_math": True}, {"optimization": 0}, {"optimization": 3}, {"options": ["--fmad=false", "-O1"]}],
    ids=str,
)
def test_results(device, options):
    program = lp.compile(SOURCE, device, defines={"N": 3}, **options)
    tolerance = 1e-2 if "fast_math" in options else 1e-4
    assert abs(result(program) - WANTED) < tolerance * WANTED


SUMS = """
__global__ void sums(const int* x, int* y, int n) {
    __shared__ int part[64];
    int t = threadIdx.x;
    if (blockIdx.x * 64 >= n) return;
    part[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int step = 32; step; step >>= 1) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (!t) atomicAdd(y, part[0]);
}
__global__ void shifted(int* x) { x[threadIdx.x] = __shfl_up_sync(~0u, x[threadIdx.x], 1); }
"""


def test_kernels_that_are_too_large_to_be_vectorized(device, monkeypatch):
    monkeypatch.setattr(vectorization, "MOST", 0)
    monkeypatch.setenv("LAUNCHPATH_COMPILE_PROCESS", "0")
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    is_limited = device.info["kind"] == "cpu" and device.info["dialect"] == "spirv"
    source = SUMS if is_limited else SUMS.partition("__global__ void shifted")[0]
    program = lp.compile(source, device, warnings=False)
    assert ("kernel 'sums': too large to be vectorized" in program.log) is is_limited
    assert "shifted" not in program.log
    x, y = lp.asarray(np.arange(256, dtype="int32"), device=device), lp.zeros(1, "int32", device)
    program.sums[5, 64](x, y, 256)
    assert int(y[0]) == np.arange(256).sum()
    if is_limited:
        z = lp.asarray(np.arange(32, dtype="int32"), device=device)
        program.shifted[1, 32](z)
        assert z.to_numpy().tolist() == [0, *range(31)]
    assert "vectorized" not in lp.compile(source, device, optimization=3, warnings=False).log


def test_words_say_the_same_as_parameters(device):
    named = lp.compile(SOURCE, device, defines={"N": 3}, standard="c++20", fast_math=True)
    words = lp.compile(SOURCE, device, options=["-DN=3", "--std=c++20", "-use_fast_math", "-w"])
    assert result(named) == result(words)
    assert named._compilation.options == words._compilation.options == "-DN=3 -std=c++20 --use_fast_math"


def test_registers_and_lines(device, native):
    if device.info["driver"] == "cuda":
        free, tight = (lp.compile(SOURCE, device, defines={"N": 3}, maxrregcount=most) for most in (None, 24))
        assert tight.wave.attributes.num_regs <= 24 < free.wave.attributes.num_regs
        assert abs(result(tight) - WANTED) < 1e-4 * WANTED
    else:
        with pytest.raises(
            lp.CompileError, match="maxrregcount: expected None for .* devices, got 24: .*__launch_bounds__"
        ):
            lp.compile(SOURCE, device, defines={"N": 3}, maxrregcount=24)
    if native:
        with_lines, without = (lp.compile(SOURCE, device, defines={"N": 3}, line_info=lines) for lines in (True, False))
        assert len(with_lines._image.code) > len(without._image.code)
    else:
        with pytest.raises(lp.CompileError, match="line_info: expected False or None for .* devices, got True"):
            lp.compile(SOURCE, device, defines={"N": 3}, line_info=True)


def test_warnings_of_later_instances(device):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        program = lp.compile(SOURCE, device, defines={"N": 3}, name="waves.cu")
        before = len(caught)
        program["other<int>"]
    assert before <= 1 and len(caught) > before
    last = caught[-1]
    assert last.category is lp.CompileWarning and last.filename == __file__
    assert str(last.message).startswith("waves.cu:2:54: warning: ") and "spare" in str(last.message)
    assert program.log.count("spare") >= 1
    strict = lp.compile(SOURCE, device, defines={"N": 4}, warnings=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        strict["other<int>"]
    assert "spare" in strict.log

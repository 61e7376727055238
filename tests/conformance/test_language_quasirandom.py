"""Sobol's sequences as kernels draw them (cuRAND's and hipRAND's), against the definition in Python."""

import math
from itertools import islice
from statistics import NormalDist

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
#include <curand_kernel.h>
typedef unsigned long long word;
__device__ void start(unsigned* v, word, word offset, curandStateSobol32_t* s) { curand_init(v, (unsigned)offset, s); }
__device__ void start(unsigned* v, word c, word offset, curandStateScrambledSobol32_t* s) {
    curand_init(v, (unsigned)c, (unsigned)offset, s);
}
__device__ void start(word* v, word, word offset, curandStateSobol64_t* s) { curand_init(v, offset, s); }
__device__ void start(word* v, word c, word offset, curandStateScrambledSobol64_t* s) { curand_init(v, c, offset, s); }
template <class S, class W> __global__ void draw(W* vectors, word c, word offset, word skipped, W* out, int n) {
    S state;
    start(vectors, c, offset, &state);
    for (int k = 0; k < n; ++k) out[k] = curand(&state);
    skipahead(skipped, &state);
    for (int k = n; k < 2 * n; ++k) out[k] = curand(&state);
    start(vectors, c, offset, &state);
    skipahead<S*>(3, &state);
    for (int k = 2 * n; k < 3 * n; ++k) out[k] = curand(&state);
}
template <class S, class W> __global__ void distributions(W* vectors, word c, float* out, double* more, unsigned* counts, int n) {
    S state;
    int i = threadIdx.x;
    start(vectors, c, i, &state);
    S at = state;
    out[i] = curand_uniform(&at); at = state;
    out[n + i] = curand_normal(&at); at = state;
    out[2 * n + i] = curand_log_normal(&at, 0.5f, 0.25f); at = state;
    more[i] = curand_uniform_double(&at); at = state;
    more[n + i] = curand_normal_double(&at); at = state;
    more[2 * n + i] = curand_log_normal_double(&at, 0.5, 0.25); at = state;
    counts[i] = curand_poisson(&at, 0.7); at = state;
    counts[n + i] = curand_poisson(&at, 30.0); at = state;
    counts[2 * n + i] = curand_poisson(&at, 900.0); at = state;
    counts[3 * n + i] = curand_poisson(&at, 5000.0);
}
"""
STATES = {
    "curandStateSobol32_t": (32, 0),
    "curandStateScrambledSobol32_t": (32, 0xDEADBEEF),
    "curandStateSobol64_t": (64, 0),
    "curandStateScrambledSobol64_t": (64, 0xDEADBEEF01234567),
}
TYPES = {32: ("unsigned int", "uint32"), 64: ("unsigned long long", "uint64")}
N = 64


@pytest.fixture(scope="module")
def kernels(device):
    names = [
        f"{kernel}<{state}, {TYPES[bits][0]}>" for state, (bits, _) in STATES.items()
        for kernel in ("draw", "distributions")
    ]  # fmt: skip
    return lp.compile(SOURCE, device, names=names)


def directions(bits):
    return [int(number) for number in np.random.default_rng(bits).integers(0, 2**bits, bits, "uint64", endpoint=False)]


def sobol(vectors, constant, first):
    """The numbers of a sequence from a place on: the sum, over GF(2), of the vectors at the bits of its Gray code."""
    bits, place = len(vectors), first
    while True:
        number = constant
        for bit in range(bits):
            if (place ^ place >> 1) >> bit & 1:
                number ^= vectors[bit]
        yield number
        place = (place + 1) % 2**bits


@pytest.mark.sample(2)
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("offset", [0, 1, 1000, 2**31 - 2, 2**32 - 3])
def test_numbers_are_sobols(kernels, device, state, offset):
    bits, constant = STATES[state]
    of, dtype = TYPES[bits]
    vectors, out = directions(bits), lp.zeros(60, dtype, device)
    kernels[f"draw<{state}, {of}>"][1, 1](
        lp.asarray(np.array(vectors, dtype), device=device), constant, offset, 12345, out, 20
    )
    wanted = list(islice(sobol(vectors, constant, offset), 20))
    wanted += islice(sobol(vectors, constant, (offset + 20 + 12345) % 2**bits), 20)
    wanted += islice(sobol(vectors, constant, (offset + 3) % 2**bits), 20)
    assert out.to_numpy().tolist() == wanted


def poisson(share, mean):
    """The first count at which the distribution reaches a share."""
    count, total = -1, 0.0
    while total < share:
        count += 1
        total += math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
    return count


@pytest.mark.parametrize("state", STATES)
def test_distributions_are_the_inverse_of_one_number(kernels, device, state):
    bits, constant = STATES[state]
    of, dtype = TYPES[bits]
    vectors = directions(bits)
    out, more, counts = (
        lp.zeros((rows, N), of, device) for rows, of in ((3, "float32"), (3, "float64"), (4, "uint32"))
    )
    kernels[f"distributions<{state}, {of}>"][1, N](
        lp.asarray(np.array(vectors, dtype), device=device), constant, out, more, counts, N
    )
    numbers = list(islice(sobol(vectors, constant, 0), N))
    normal = NormalDist()
    high = [number >> bits - 32 for number in numbers]
    shares = [(number + 0.5) / 2**32 for number in high]
    normals = np.array([normal.inv_cdf(share) for share in shares])
    assert np.allclose(out.to_numpy()[0], shares, rtol=3e-7)
    assert np.allclose(out.to_numpy()[1], normals, rtol=2e-5, atol=1e-6)
    assert np.allclose(out.to_numpy()[2], np.exp(0.5 + 0.25 * normals), rtol=1e-5)
    if bits == 64:
        uniforms = [((number >> 11) + 0.5) / 2**53 for number in numbers]
        shares = [((number >> 11) + 0.25) / 2**53 for number in numbers]
        normals = np.array([normal.inv_cdf(uniform) for uniform in uniforms])
    else:
        uniforms = [(number + 1) / 2**32 for number in numbers]
    assert np.allclose(more.to_numpy()[0], uniforms, rtol=1e-15)
    assert np.allclose(more.to_numpy()[1], normals, rtol=1e-12, atol=1e-14)
    assert np.allclose(more.to_numpy()[2], np.exp(0.5 + 0.25 * normals), rtol=1e-12)
    got = counts.to_numpy().tolist()
    assert got[:3] == [[poisson(share, mean) for share in shares] for mean in (0.7, 30.0, 900.0)]
    assert got[3] == [int(math.sqrt(5000) * value + 5000.5) for value in normals]


@pytest.mark.parametrize("bits", [32, 64])
def test_numbers_of_equal_bits_are_no_special_case(kernels, device, bits):
    """The ends of the distributions: all bits clear, and all bits set."""
    of, dtype = TYPES[bits]
    state = f"curandStateScrambledSobol{bits}_t"
    for constant in (0, 2**bits - 1):
        rows = (lp.zeros((rows, 1), of, device) for rows, of in ((3, "float32"), (3, "float64"), (4, "uint32")))
        out, more, counts = rows
        kernels[f"distributions<{state}, {of}>"][1, 1](lp.zeros(bits, dtype, device), constant, out, more, counts, 1)
        for values in (out.to_numpy(), more.to_numpy()):
            assert 0 < values[0] <= 1 and np.isfinite(values).all()
            assert np.sign(values[1]) == (1 if constant else -1)
        # Poisson's, with means of 30, 900 and 5000: far from the mean, and not without end.
        for count, mean in zip(counts.to_numpy()[1:, 0].astype("float64"), (30, 900, 5000), strict=True):
            assert 4.5 < (1 if constant else -1) * (count - mean) / math.sqrt(mean) < 11


@pytest.mark.parametrize(
    ("include", "word", "name"),
    [
        ("hip/hip_runtime.h>\n#include <hiprand/hiprand_kernel.h", "hiprand", "hiprandState{}_t"),
        ("rocrand/rocrand_kernel.h", "rocrand", "rocrand_state_{}"),
    ],
)
def test_hiprand_and_rocrand_are_the_same_by_other_names(device, kernels, include, word, name):
    own = ["sobol32", "scrambled_sobol32", "sobol64", "scrambled_sobol64"]
    for state, of_rocrand in zip(STATES, own, strict=True):
        bits, constant = STATES[state]
        of, dtype = TYPES[bits]
        hiprand = state.removeprefix("curandState").removesuffix("_t")
        known = name.format(of_rocrand if word == "rocrand" else hiprand)
        constants = "c, " if constant else ""
        source = f"""#include <{include}>
        __global__ void k(const {of}* vectors, {of} c, {of}* out, float* more) {{
            {known} state;
            {word}_init(vectors, {constants}7, &state);
            for (int k = 0; k < 6; ++k) out[k] = {word}(&state);
            skipahead(5, &state);
            more[0] = {word}_uniform(&state);
            more[1] = {word}_normal(&state);
        }}"""
        vectors = directions(bits)
        out, more = lp.zeros(6, dtype, device), lp.zeros(2, "float32", device)
        lp.compile(source, device).k[1, 1](lp.asarray(np.array(vectors, dtype), device=device), constant, out, more)
        assert out.to_numpy().tolist() == list(islice(sobol(vectors, constant, 7), 6))
        shares = [((number >> bits - 32) + 0.5) / 2**32 for number in islice(sobol(vectors, constant, 18), 2)]
        assert np.allclose(more.to_numpy(), [shares[0], NormalDist().inv_cdf(shares[1])], rtol=2e-5, atol=1e-6)


def test_a_state_of_each_kind_has_curands_size(device):
    program = lp.compile(
        "#include <curand_kernel.h>\n__global__ void k(int* o) { o[0] = sizeof(curandStateSobol32_t);"
        " o[1] = sizeof(curandStateScrambledSobol64_t); o[2] = sizeof(curandDirectionVectors64_t); }",
        device,
    )
    out = lp.zeros(3, "int32", device)
    program.k[1, 1](out)
    assert out.to_numpy().tolist() == [4 * 35, 8 * 67, 8 * 64]

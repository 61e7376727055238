"""thrust's random numbers in kernels: they are those of thrust itself."""

from statistics import NormalDist

import numpy as np

import launchpath as lp

ENGINES = """
#include <thrust/random.h>
template <class Engine> __device__ void take(Engine engine, unsigned *out) {
    for (int i = 0; i < 3; i++) out[i] = engine();
    engine.discard(1000003);
    out[3] = engine();
    engine.seed(0);
    Engine other = engine;
    out[4] = engine();
    if (other == engine || (other.discard(1), other != engine)) out[4] = 77;
}
__global__ void k(unsigned *out) {
    take(thrust::minstd_rand0(7), out);
    take(thrust::minstd_rand(7), out + 5);
    take(thrust::default_random_engine(), out + 10);
    take(thrust::linear_congruential_engine<unsigned, 1664525, 1013904223, 0>(5), out + 15);
    take(thrust::random::linear_congruential_engine<unsigned, 16807, 12345, 2147483647>(5), out + 20);
    take(thrust::taus88(5), out + 25);
    out[30] = thrust::minstd_rand::min;
    out[31] = thrust::minstd_rand::max;
}"""
# By thrust's own headers, of CCCL 3.3, on a CPU.
NUMBERS = [
    (117649, 1977326743, 621132276, 692166230, 16807),
    (337897, 1278240558, 449829614, 134060166, 48271),
    (48271, 182605794, 1291394886, 1553068343, 48271),
    (1022226848, 3144284287, 1043999698, 571796582, 1013904223),
    (96380, 1619871005, 1521800361, 1193802990, 12345),
]


def test_engines(device):
    out = lp.zeros(32, "uint32", device)
    lp.compile(ENGINES, device).k[1, 1](out)
    *numbers, taus88, ends = np.split(out.to_numpy(), range(5, 31, 5))
    assert [tuple(row.tolist()) for row in numbers] == NUMBERS
    assert taus88[:4].tolist() == [16384, 67109120, 1048708, 2147237031]
    assert ends.tolist() == [1, 2147483646]


DISTRIBUTIONS = """
#include <thrust/random.h>
__global__ void k(float *f, double *d, long long *n) {
    thrust::default_random_engine r(42);
    r.discard(17);
    thrust::uniform_real_distribution<float> around(-2, 5), above(3, 4);
    thrust::random::uniform_real_distribution<double> unit;
    thrust::uniform_int_distribution<int> small(-3, 100);
    thrust::uniform_int_distribution<unsigned> any;
    thrust::uniform_int_distribution<long long> large(-5000000000, 5000000000);
    for (int i = 0; i < 4; i++) {
        f[2 * i] = around(r);
        d[i] = unit(r);
        f[2 * i + 1] = above(r);
        n[3 * i] = small(r);
        n[3 * i + 1] = any(r);
        n[3 * i + 2] = large(r);
    }
}"""
FLOATS = [3.55485725, 3.59767723, 0.981625676, 3.38439059, 0.443687797, 3.4150722, -0.803347588, 3.85945773]
DOUBLES = [0.50089282728814788, 0.86444002377282825, 0.32223105088084103, 0.94393858541170006]
INTEGERS = [
    46, 3840279543, 2789029840, 92, 152334934, -4125282451, 96, 2686510722, 1080497802, 88, 4004869339, 983541856,
]  # fmt: skip


def test_uniform_distributions(device):
    f, d, n = lp.zeros(8, "float32", device), lp.zeros(4, "float64", device), lp.zeros(12, "int64", device)
    lp.compile(DISTRIBUTIONS, device).k[1, 1](f, d, n)
    np.testing.assert_allclose(f.to_numpy(), FLOATS, rtol=1e-6)
    np.testing.assert_allclose(d.to_numpy(), DOUBLES, rtol=1e-15)
    assert n.to_numpy().tolist() == INTEGERS


NORMAL = """
#include <thrust/random.h>
__global__ void k(float *f, double *d, unsigned *numbers) {
    thrust::minstd_rand r, same = r;
    thrust::normal_distribution<float> floats(1, 2);
    thrust::random::experimental::normal_distribution<double> doubles;
    for (int i = 0; i < 100; i++) {
        numbers[i] = same();
        if (i % 2) d[i / 2] = doubles(r);
        else f[i / 2] = floats(r);
    }
}"""


def test_normal_distribution(device):
    f, d, numbers = lp.zeros(50, "float32", device), lp.zeros(50, "float64", device), lp.zeros(100, "uint32", device)
    lp.compile(NORMAL, device).k[1, 1](f, d, numbers)
    span = 2147483645
    u = numbers.to_numpy().astype("int64") - 1
    side, u = np.where(u > span // 2, -1, 1), np.where(u > span // 2, span - u, u)
    wanted = side * [NormalDist().inv_cdf(p) for p in u / span + 0.5 / span]
    np.testing.assert_allclose(f.to_numpy(), 1 + 2 * wanted[::2], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(d.to_numpy(), wanted[1::2], rtol=1e-12)
    assert abs(wanted).max() > 2

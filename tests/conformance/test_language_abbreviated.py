"""Templates whose parameters C++20 makes of `auto`: kernels, device functions, members."""

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
#include <concepts>
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
__device__ auto twice(auto x) { return x + x; }
struct Adds {
  int n;
  int host(auto x) { return missing(x); }
  __device__ int added(auto x) { return n + x; }
  static __global__ void member(auto *x) { x[threadIdx.x] = 7; }
};
__global__ void axpy(auto a, const auto *x, auto *y) { y[threadIdx.x] = twice(a * x[threadIdx.x]); }
template <int N> __global__ void __launch_bounds__(256) mixed(Number auto n, Adds a, auto *y)
{ y[threadIdx.x] = a.added(n) + N; }
__global__ void pack(auto *...y) { ((y[threadIdx.x] = sizeof...(y)), ...); }
__global__ void other(float *y) { y[threadIdx.x] = 1; }
int main() {
  double *p = nullptr;
  axpy<<<1, 64>>>(2.f, p, p);
  mixed<3><<<1, 1>>>(3, Adds{}, p);
  pack<<<1, 1>>>(p, (int *)nullptr);
  Adds::member<<<1, 1>>>((short *)nullptr);
  other<<<1, 1>>>(nullptr);
}
"""
KERNELS = ["other", "Adds::member<short>", "axpy<float, double, double>", "mixed<3, int, double>", "pack<double, int>"]


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(SOURCE, device, standard="c++20")


def test_launches_of_abbreviated_templates(device, program):
    assert sorted(kernel.name for kernel in program) == sorted(KERNELS)
    x, y = lp.asarray(np.array([1.0, 2.0]), device=device), lp.zeros(2, "float64", device)
    program["axpy<float, double, double>"][1, 2](1.5, x, y)
    assert y.to_numpy().tolist() == [3.0, 6.0]
    program["mixed<3, int, double>"][1, 2](4, (5).to_bytes(4, "little"), y)
    assert y.to_numpy().tolist() == [12.0, 12.0]
    m = lp.zeros(2, "int16", device)
    program["Adds::member<short>"][1, 2](m)
    assert m.to_numpy().tolist() == [7, 7]


def test_an_instance_by_name(device, program):
    y, x = lp.zeros(2, "int32", device), lp.asarray(np.array([3, 4], "int32"), device=device)
    program["axpy<int, int, int>"][1, 2](10, x, y)
    assert y.to_numpy().tolist() == [60, 80]

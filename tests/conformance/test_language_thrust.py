"""The parts of thrust that kernels use: pairs, tuples, operators and pointers."""

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
#include <thrust/tuple.h>
#include <thrust/functional.h>
__device__ thrust::tuple<int, float, char> split(int i) { return thrust::make_tuple(i / 3, i * 0.5f, (char)(i % 3)); }
__global__ void k(double* out) {
    int t = threadIdx.x, a;
    float b;
    char c;
    thrust::tie(a, b, c) = split(t);
    thrust::pair<int, double> both = thrust::make_pair(a, 2.0 * b);
    thrust::tuple<int, float, char> whole = split(t);
    static_assert(sizeof(typename thrust::tuple_element<2, decltype(whole)>::type) == 1, "");
    static_assert(thrust::tuple_size<decltype(whole)>::value == 3, "");
    thrust::get<0>(whole) += 1;
    thrust::pair<long long, float> wide = thrust::make_pair(t, t + 1), listed = {t, 2.0f};
    int first;
    double second;
    thrust::tie(first, second) = thrust::pair<int, float>(t + 7, 0.5f);
    auto [begin, end] = wide;
    double* row = out + t * 9;
    row[0] = both.first; row[1] = both.second; row[2] = c; row[3] = thrust::get<0>(whole);
    row[4] = thrust::plus<int>()(t, 2) + thrust::multiplies<int>()(t, 10);
    row[5] = thrust::minimum<int>()(t, 5); row[6] = thrust::maximum<float>()(t, 5.5f);
    row[7] = thrust::less<int>()(t, 4) + 2 * thrust::not_equal_to<int>()(t, 4);
    row[8] = first + second + begin + 100 * end + (wide == listed);
}"""


def test_pairs_tuples_and_operators(device):
    out = lp.zeros((32, 9), "float64", device)
    lp.compile(SOURCE, device, name="tuples.cu").k[1, 32](out)
    t = np.arange(32)
    wanted = [t // 3, t, t % 3, t // 3 + 1, 11 * t + 2, np.minimum(t, 5), np.maximum(t, 5.5), (t < 4) + 2 * (t != 4)]
    wanted.append(t + 7.5 + t + 100 * (t + 1) + (t == 1))
    assert (out.to_numpy() == np.array(wanted, "float64").T).all()


POINTERS = """
#include <thrust/device_ptr.h>
template <class T> __device__ T sum(thrust::device_ptr<const T> begin, thrust::device_ptr<const T> end) {
    T total = 0;
    while (begin != end) total += *begin++;
    return total;
}
__global__ void k(thrust::device_ptr<float> x, thrust::device_ptr<const float> y, float* out, int n) {
    x[1] = y[2];
    *(x + 2) = sum<float>(y, y + n);
    (1 + x)[2] = y + n - y;
    out[0] = (x < x + 1) + 2 * (x == x) + 4 * (x != thrust::device_ptr<float>());
    out[1] = thrust::raw_pointer_cast(thrust::device_pointer_cast(out + 3)) - out;
    thrust::device_ptr<void> any = x;
    out[2] = any.get() == x.get() && x && !thrust::device_ptr<int>(nullptr);
}"""


@pytest.mark.opencl_only("NVRTC does not compile NVIDIA's header")
def test_pointers(device):
    x, out = lp.zeros(4, "float32", device), lp.zeros(4, "float32", device)
    y = lp.asarray(np.arange(10, dtype="float32"), device=device)
    at = [array.pointer.to_bytes(8, "little") for array in (x, y)]
    lp.compile(POINTERS, device).k[1, 1](*at, out, 10)
    assert x.to_numpy().tolist() == [0, 2, 45, 10]
    assert out.to_numpy().tolist() == [7, 3, 1, 0]

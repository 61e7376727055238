"""``bits/stdc++.h``: all of the C++ library at once, in kernels and in host code beside them."""

import math

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.opencl_only("NVRTC has no C++ library")

SOURCE = """
#include <bits/stdc++.h>
using namespace std;
__global__ void k(int *x, int n) {
    for (int i = 1; i <= n; i++) {
        x[4 * i] = std::gcd(i, 12);
        x[4 * i + 1] = std::__lg(i);
        x[4 * i + 2] = __gcd(i, 18);
        x[4 * i + 3] = clamp(i, 3, 5);
    }
}
struct Grid { vector<int> cells; map<string, int> names; };
int main() {
    Grid grid{vector<int>(100)};
    cout << grid.cells.size() << __lg(1024);
    k<<<1, 1>>>(grid.cells.data(), 10);
}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("standard", ["gnu++17", "c++20"])
def test_kernels_and_host_code(device, standard):
    x = lp.asarray(np.arange(44, dtype="int32"), device=device)
    lp.compile(SOURCE, device, standard=standard)["k"][1, 1](x, 10)
    rows = [(math.gcd(i, 12), i.bit_length() - 1, math.gcd(i, 18), min(max(i, 3), 5)) for i in range(1, 11)]
    assert x.to_numpy().tolist() == [0, 1, 2, 3, *(value for row in rows for value in row)]

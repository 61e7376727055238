"""GNU's words are there unless a program asks for strict C++, as with hipcc and nvcc."""

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.opencl_only("NVRTC has no dialect of GNU")

SOURCE = """
template <class T> __device__ T twice(T x) { typeof(x) y = x; return y + y; }
struct Of { int a[linux + unix]; };
__global__ void k(float *x, int *n, Of of) {
#ifdef __STRICT_ANSI__
    n[0] = 1;
#endif
    typeof(x[0]) value = twice(x[0]);
    x[1] = value;
    n[1] = sizeof(of.a);
}
"""


@pytest.mark.parametrize("around", [{}, {"standard": "gnu++20"}, {"options": ["-std=gnu++14"]}], ids=str)
def test_words_of_gnu(device, around):
    x, n = lp.asarray(np.array([1.5, 0], "float32"), device=device), lp.zeros(2, "int32", device=device)
    lp.compile(SOURCE, device, **around)["k"][1, 1](x, n, np.zeros(1, [("a", "int32", 2)]))
    assert (x.to_numpy()[1], n.to_numpy().tolist()) == (3, [0, 8])


def test_strict(device):
    source = """__global__ void k(int *n) {
        int linux = 1, unix = 2, typeof = 3;
        n[0] = linux + unix + typeof;
#ifdef __STRICT_ANSI__
        n[0] += 1;
#endif
    }"""
    n = lp.zeros(1, "int32", device=device)
    lp.compile(source, device, standard="c++17")["k"][1, 1](n)
    assert n.to_numpy()[0] == 7

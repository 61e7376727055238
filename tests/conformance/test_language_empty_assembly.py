"""Assembly without an instruction: a barrier for the compiler, which changes no value and is no barrier of a device."""

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.opencl_only("NVRTC and hipRTC know the letters of their own devices' registers alone")

VALUES = """
#define HOLD(x) asm volatile("" : "+v"(x))
template <class T> __device__ void hold(T &x) { __asm__ __volatile__("\\n" : "+r"(x) : : "memory"); }
__global__ void values(int *n, float *f, double *d, float4 *v, signed char *c, int m) {
    asm("");
    asm volatile("" ::: "memory");
    int i = n[0]; HOLD(i); n[1] = i;
    bool b = n[0] > 3; HOLD(b); n[2] = b;
    signed char s = c[0]; hold(s); c[1] = s;
    double e = d[0]; asm volatile("" : "+d"(e), "+r"(i) : "v"(m), "s"(m)); d[1] = e + i;
    float4 w = v[0]; hold(w.x); hold(w.w); v[1] = w;
    asm volatile("" : "+r"(n)); n[3] = m;
    asm volatile("" : "+m"(n[4]));
    int copy; asm("" : "=v"(copy) : "0"(m)); n[5] = copy;
    for (int k = 0; k < m; k++) { asm volatile("" : "+v"(i) :: "memory"); i += k; }
    n[6] = i;
}
"""


def test_values_stay(device):
    n = lp.asarray(np.array([7, 0, 0, 0, 41, 0, 0], "int32"), device=device)
    f = lp.zeros(2, "float32", device=device)
    d = lp.asarray(np.array([2.5, 0]), device=device)
    v = lp.asarray(np.arange(8, dtype="float32"), device=device)
    c = lp.asarray(np.array([-3, 0], "int8"), device=device)
    lp.compile(VALUES, device)["values"][1, 1](n, f, d, v, c, 5)
    assert n.to_numpy().tolist() == [7, 7, 1, 5, 41, 5, 17]
    assert (d.to_numpy()[1], c.to_numpy()[1]) == (9.5, -3)
    assert v.to_numpy()[4:].tolist() == [0, 1, 2, 3]


def test_a_product_and_a_sum_stay_apart(device):
    """What goes through assembly is rounded before."""
    source = """__global__ void k(float *x) {
        float p = x[0] * x[1];
        asm volatile("" : "+v"(p));
        x[3] = p + x[2];
    }"""
    a = np.float32(1 + 2**-12)
    x = lp.asarray(np.array([a, a, -(a * a), 1], "float32"), device=device)
    lp.compile(source, device)["k"][1, 1](x)
    assert x.to_numpy()[3] == 0  # joined, it is what the product's rounding lost


def test_lanes_in_step_count_on_it(device):
    """A reduction from before `__syncwarp`, whose steps are kept apart by assembly alone."""
    source = """__global__ void k(const int *x, int *sum) {
        __shared__ int s[64];
        int t = threadIdx.x;
        s[t] = x[t];
        s[t + 32] = 0;
        asm volatile("" ::: "memory");
        s[t] += s[t + 16]; asm volatile("" ::: "memory");
        s[t] += s[t + 8]; asm volatile("" ::: "memory");
        s[t] += s[t + 4]; asm volatile("" ::: "memory");
        s[t] += s[t + 2]; asm volatile("" ::: "memory");
        s[t] += s[t + 1]; asm volatile("" ::: "memory");
        if (t == 0) *sum = s[0];
    }"""
    x, out = np.arange(32, dtype="int32") ** 2, lp.zeros(1, "int32", device=device)
    if device.info["dialect"] == "clc" and device.info["kind"] == "cpu":
        with pytest.warns(RuntimeWarning, match="the threads of a warp do not run in step on this device"):
            lp.compile(source, device)
        return
    lp.compile(source, device)["k"][1, 32](lp.asarray(x, device=device), out)
    assert out.to_numpy()[0] == x.sum()


def test_in_files_of_a_program(device, tmp_path):
    (tmp_path / "a.hip").write_text("""extern __device__ int next(int);
        __global__ void k(int *x) { asm volatile("" ::: "memory"); x[0] = next(x[1]); }""")
    (tmp_path / "b.hip").write_text("""__device__ int next(int a) { asm volatile("" : "+v"(a)); return a + 1; }""")
    x = lp.asarray(np.array([0, 5], "int32"), device=device)
    lp.compile(paths=[tmp_path / "a.hip", tmp_path / "b.hip"], device=device)["k"][1, 1](x)
    assert x.to_numpy()[0] == 6

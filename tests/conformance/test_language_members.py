"""Kernels that are static members of classes and of class templates."""

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
#include <vector>
struct Holder {
  int *host;
  enum { Three = 3 };
  static __device__ int twice(int x) { return 2 * x; }
  static __global__ void plain(int *x) { x[threadIdx.x] = twice(Three); }
  template <class T> static __global__ void typed(T *x) { x[threadIdx.x] = T(sizeof(T)) / 3; }
  void go() { std::vector<int> more; more.push_back(1); plain<<<1, 1>>>(host); }
};
namespace ns {
  template <class T, int N = 4> class Op {
   public:
    static __global__ void run(T *x) { x[threadIdx.x] = T(N) / 8; }
    template <int M> static __global__ void more(T *x, int n) { x[threadIdx.x] = T(n + M + N); }
    struct Inner { static __global__ void deep(T *x) { x[threadIdx.x] = T(sizeof(T) + N); } };
    void go(T *p) { run<<<1, 1>>>(p); more<3><<<1, 1>>>(p, 2); Inner::deep<<<dim3{1, 1}, 1>>>(p); }
  };
  template <> class Op<short> { public: static __global__ void run(short *x) { x[threadIdx.x] = 11; } };
}
struct Large { int values[30000]; };
template <class T> struct Takes { static __global__ void large(Large l, T *x) { x[threadIdx.x] = T(l.values[29999]); } };
__global__ void beside(int *x) { x[threadIdx.x] = 1; }
int main() { Holder().go(); Holder::typed<double><<<1, 1>>>(0); ns::Op<float>().go(0); ns::Op<int, -1>().go(0); }
"""
VALUES = {
    "Holder::plain": ("int32", 6), "Holder::typed<double>": ("float64", 8 / 3),
    "ns::Op<float>::run": ("float32", 0.5), "ns::Op<int, -1>::run": ("int32", 0), "ns::Op<short>::run": ("int16", 11),
    "ns::Op<float>::Inner::deep": ("float32", 8), "ns::Op<int, -1>::Inner::deep": ("int32", 3),
    "beside": ("int32", 1), "Holder::typed<float>": ("float32", 4 / 3), "ns::Op<double>::run": ("float64", 0.5),
}  # fmt: skip


def test_kernels_of_classes(device):
    program = lp.compile(SOURCE, device, names=["Holder::typed<float>"])
    assert "ns::Op<float>::more<3>" in program and "ns::Op<float>::run" in program
    for name, (dtype, value) in VALUES.items():  # the last is compiled when it is looked up
        x = lp.zeros(4, dtype, device)
        program[name][1, 4](x)
        assert x.to_numpy().tolist() == pytest.approx([value] * 4), name
    x = lp.zeros(2, "int32", device)
    program["ns::Op<int, -1>::more<3>"][1, 2](x, 5)
    assert x.to_numpy().tolist() == [7, 7]


def test_arguments_that_no_launch_brings(device):
    program = lp.compile(SOURCE, device, names=["Takes<float>::large"])
    x = lp.zeros(2, "float32", device)
    values = np.arange(30000, dtype="int32")
    program["Takes<float>::large"][1, 2](values.tobytes(), x)
    assert x.to_numpy().tolist() == [29999, 29999]


@pytest.mark.opencl_only("NVRTC has no C++ library")
def test_a_class_of_the_host_with_a_kernel(device):
    source = """
    #include <vector>
    struct Holder {
      std::vector<int> host;
      static __global__ void plain(int *x) { x[threadIdx.x] = sizeof(Holder) == sizeof(std::vector<int>); }
      void go() { host.push_back(1); plain<<<1, 1>>>(host.data()); }
    };
    """
    x = lp.zeros(2, "int32", device)
    lp.compile(source, device)["Holder::plain"][1, 2](x)
    assert x.to_numpy().tolist() == [1, 1]


HIDDEN = """
class Hidden {
  struct Pair { int a, b; };
  static __global__ void own(Pair p, int *x) { x[threadIdx.x] = p.a + p.b; }
 protected:
  template <class T> static __global__ void typed(T *x) { x[threadIdx.x] = 5; }
 public:
  static void go() { own<<<1, 1>>>(Pair{1, 2}, nullptr); typed<<<1, 1>>>((float *)nullptr); }
};
__global__ void beside(int *x) { x[threadIdx.x] = 1; }
"""


@pytest.mark.opencl_only("NVRTC checks access")
def test_hidden_kernels(device):
    program = lp.compile(HIDDEN, device)
    x, y = lp.zeros(2, "int32", device), lp.zeros(2, "float32", device)
    program["Hidden::own"][1, 2](np.array([3, 4], "int32").tobytes(), x)
    program["Hidden::typed<float>"][1, 2](y)
    assert x.to_numpy().tolist() == [7, 7] and y.to_numpy().tolist() == [5, 5]

"""Device variables that are static members of classes and of class templates."""

import pytest

import launchpath as lp

SOURCE = """
template <class T> struct Table {
  static __device__ T first;
  static __device__ T written;
  struct Inner { static __device__ T deep; };
};
template <class T> __device__ T Table<T>::first = 5;
template <class T> __device__ T Table<T>::written = 6;
template <class T> __device__ T Table<T>::Inner::deep = 7;
template <> __device__ short Table<short>::first = 8;
class Hidden {
  static __device__ int number;
  friend __global__ void k(int *x);
};
__device__ int Hidden::number = 9;
__global__ void k(int *x) {
  x[0] = Table<int>::first;
  x[1] = Table<int>::written++;
  x[2] = Table<int>::Inner::deep;
  x[3] = Table<short>::first;
  x[4] = Hidden::number;
  x[5] = Table<float>::first;
}
"""


@pytest.mark.opencl_only("NVRTC takes no device variables in classes")
def test_static_device_variables(device):
    program = lp.compile(SOURCE, device)
    x = lp.zeros(6, "int32", device)
    program["k"][1, 1](x)
    assert x.to_numpy().tolist() == [5, 6, 7, 8, 9, 5]
    program["k"][1, 1](x)
    assert x.to_numpy().tolist() == [5, 7, 7, 8, 9, 5]
    assert program.symbol("Table<int>::written").to_numpy().tolist() == 8
    assert program.symbol("Table<float>::first").dtype == "float32"

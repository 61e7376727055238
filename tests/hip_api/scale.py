"""A kernel that scales numbers, and the arguments of its launches."""

import ctypes

import numpy as np

from .calls import fails, ok

SCALE = """
extern "C" __global__ void scale(float *x, float f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}
"""
COUNT = 100


class Arguments:
    """Arguments of `scale`, which stay alive."""

    def __init__(self, memory, factor):
        self.values = ctypes.c_void_p(int(memory)), ctypes.c_float(factor), ctypes.c_int(COUNT)
        self.pointers = tuple(map(ctypes.addressof, self.values))
        self.array = (ctypes.c_void_p * 3)(*self.pointers)
        self.address = ctypes.addressof(self.array)


def begin(hip, memory):
    ok(hip.hipMemcpyHtoD(memory, np.arange(COUNT, dtype="f4"), 4 * COUNT))


def check(hip, memory, factor):
    result = np.zeros(COUNT, "f4")
    ok(hip.hipMemcpyDtoH(result, memory, 4 * COUNT))
    np.testing.assert_array_equal(result, np.arange(COUNT, dtype="f4") * factor)


def cooperative(hip, device, result):
    """Return how often the kernel ran: devices without cooperative launches refuse."""
    if device.info.get("cooperative"):
        ok(result)
        return 1
    fails(result, "hipErrorCooperativeLaunchTooLarge")
    return 0

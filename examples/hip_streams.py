"""Launch a small kernel 10,000 times on the null stream, beside many idle streams: a program for hip-python.

    python -m launchpath.hip examples/hip_streams.py [--streams 20]

It does, line for line, what a program does that showed a runtime slow with many streams (chipStar, pull request 1162).
Each launch on the null stream comes after the work of all blocking streams; with markers in all of them a launch took
143 microseconds in place of 5. Two kinds of copies are mixed up, as there. With AMD's runtime run it without ``-m``.
"""

from __future__ import annotations

import argparse
import ctypes
from time import perf_counter

import numpy as np
from hip import hip, hiprtc

SOURCE = rb"""
extern "C" __global__ void fillKernel(float *d_arr, int N) {
    for (int i = 0; i < N; i++)
        d_arr[i] = i;
}
"""
N = 100
ARRAYS = 100
ROUNDS = 100


def check(result):
    """Return a call's outputs; an error ends the program."""
    error, *outputs = result
    if error != type(error)(0):
        raise SystemExit(f"HIP error {error.name}")
    return outputs[0] if len(outputs) == 1 else outputs


def compiled():
    """Compile the kernel; return its module and its function."""
    program = check(hiprtc.hiprtcCreateProgram(SOURCE, b"hip_streams.hip", 0, None, None))
    check(hiprtc.hiprtcCompileProgram(program, 0, None))
    code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
    check(hiprtc.hiprtcGetCode(program, code))
    check(hiprtc.hiprtcDestroyProgram(program))
    module = check(hip.hipModuleLoadData(code))
    return module, check(hip.hipModuleGetFunction(module, b"fillKernel"))


def main():
    """Run it, and print what the launches took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--streams", type=int, default=20, help="streams besides the null stream (20)")
    num_streams = parser.parse_args().streams
    size = N * 4
    h_arr = np.zeros(N, "float32")
    print(f"running with N={N} and num_arrays={ARRAYS}")

    check(hip.hipSetDevice(0))
    check(hip.hipDeviceSynchronize())
    module, fill_kernel = compiled()
    d_arr = [check(hip.hipMalloc(size)) for _ in range(ARRAYS)]
    streams = [check(hip.hipStreamCreate()) for _ in range(num_streams)]

    check(hip.hipMemcpy(h_arr, d_arr[0], size, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    check(hip.hipMemcpy(h_arr, d_arr[1], size, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    launching = 0.0
    for _ in range(ROUNDS):
        began = perf_counter()
        for i in range(ARRAYS):
            arguments = (d_arr[i], ctypes.c_int(N))
            check(hip.hipModuleLaunchKernel(fill_kernel, 1, 1, 1, 1, 1, 1, 0, None, None, arguments))
        launching += perf_counter() - began
        check(hip.hipMemcpy(d_arr[0], h_arr, size, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
        check(hip.hipDeviceSynchronize())

    check(hip.hipMemcpy(h_arr, d_arr[ARRAYS - 1], size, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    for stream in streams:
        check(hip.hipStreamDestroy(stream))
    for array in d_arr:
        check(hip.hipFree(array))
    check(hip.hipModuleUnload(module))
    if not np.array_equal(h_arr, np.arange(N)):
        raise SystemExit(f"wrong: {h_arr}")
    launches = ROUNDS * ARRAYS
    print(f"{num_streams} streams: {launches} launches, {1e6 * launching / launches:.2f} us each")


if __name__ == "__main__":
    main()

"""What a kernel's driver knows of it."""

import launchpath as lp

SOURCE = """
__constant__ float table[64];
__global__ void __launch_bounds__(64) k(float* x) {
    __shared__ float s[256];
    s[threadIdx.x] = x[threadIdx.x] * table[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def test_attributes(device):
    got = lp.compile(SOURCE, device).k.attributes
    assert got.max_threads_per_block == 64
    assert got.shared_size_bytes == 1024
    assert all(value is None or (type(value) is int and value >= 0) for value in got)
    if device.info["driver"] == "opencl":
        assert got.local_size_bytes is not None
        assert (got.num_regs, got.const_size_bytes, got.ptx_version, got.binary_version) == (None,) * 4
    else:
        assert got.num_regs > 0 and got.const_size_bytes is not None and got.binary_version > 0
        assert (got.ptx_version is None) == (device.info["driver"] == "hip")

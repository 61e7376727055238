"""Reading cubins, as NVRTC makes them."""

import pytest

from launchpath._compiler.binary import cubin, elf
from launchpath._compiler.rtc.library import library_file
from launchpath._compiler.rtc.library.library import Program, load
from launchpath.errors import ArgumentValueError
from tests.unit.support.rtc import by_nvrtc, cuda

TEXT = """
struct Big { char c[9000]; };
struct S { char a; double b; };
__device__ int counter[4];
__constant__ float coefficients[3] = {1, 2, 3};
extern "C" __global__ void many(const float *x, int n, S s, short h, unsigned char b, double d, float3 f) {
  __shared__ float st[32];
  st[threadIdx.x] = x[0];
  __syncthreads();
  counter[0] = n + s.b + h + b + d + f.x + coefficients[n] + st[n];
}
extern "C" __global__ void __launch_bounds__(128) none() { counter[1] = 1; }
extern "C" __global__ void large(Big b, int n) { counter[2] = b.c[n]; }
"""


def image(architecture="sm_90"):
    program = Program(TEXT, "k.cu", {}, [f"--gpu-architecture={architecture}"], [], "cubin")
    return load(library_file.choose(cuda())).compile(program).code


@by_nvrtc
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_120"])
def test_read(architecture):
    contents = cubin.read(image(architecture), "x.cubin")
    assert contents.architecture == architecture
    kernels = {kernel.entry: kernel for kernel in contents.kernels}
    assert [(p.offset, p.size) for p in kernels["many"].places] == [
        (0, 8), (8, 4), (16, 16), (32, 2), (34, 1), (40, 8), (48, 12),
    ]  # fmt: skip
    assert [(p.offset, p.size) for p in kernels["large"].places] == [(0, 9000), (9000, 4)]
    assert (kernels["none"].places, kernels["none"].max_threads) == ((), 128)
    assert (kernels["many"].shared, kernels["none"].shared) == (128, 0)
    assert dict(contents.globals) == {"counter": 16, "coefficients": 12}


@by_nvrtc
def test_damaged():
    data = image()
    assert elf.machine(data) == elf.CUDA
    for end in (64, 100, 1000, len(data) // 2, len(data) - 100):
        with pytest.raises(ArgumentValueError, match="x.cubin is"):
            cubin.read(data[:end], "x.cubin")
    at = data.index(b"\x04\x17\x0c\x00")
    with pytest.raises(ArgumentValueError, match="damaged: its information about kernel 'many' is truncated"):
        cubin.read(data[: at + 2] + b"\xff\xff" + data[at + 4 :], "x.cubin")


@by_nvrtc
def test_bytes_changed_anywhere_are_no_crash():
    data = image()
    for at in range(16, len(data), 37):
        try:
            cubin.read(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :], "x.cubin")
        except ArgumentValueError as error:
            assert "x.cubin" in str(error)


@pytest.mark.parametrize(
    ("architecture", "device", "runs"),
    [("sm_80", "sm_86", True), ("sm_86", "sm_80", False), ("sm_90", "sm_100", False), ("sm_120", "sm_121", True)],
)
def test_runs_on(architecture, device, runs):
    assert cubin.runs_on(architecture, device) == runs

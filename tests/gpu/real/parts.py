"""Programs of several files on a GPU: `pytest tests/gpu/real/parts.py tests/conformance/test_language_parts.py`.

Each is linked by nvJitLink where that is installed, by the driver from cubins, and by the driver from PTX, as for devices
that are newer than NVRTC.
"""

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler.rtc.library import library_file, linker, machine
from launchpath._compiler.target import target_of

COMMON = """#pragma once
struct Shape { __device__ virtual float area() const; float side; };
extern __device__ int counter;
extern __constant__ float table[];
__device__ float weigh(float x, int i);
template <class T> __device__ T twice(T x) { return 2 * x; }
"""
FILES = {
    "common.h": COMMON,
    "a.cu": """#include "common.h"
__device__ int counter = 5;
__constant__ float table[3] = {1, 2, 3};
static __device__ int hidden = 1;
__device__ float weigh(float x, int i) { return x * table[i % 3] + hidden; }
__device__ float Shape::area() const { return side * side; }
__global__ void first(int *o) { o[0] = atomicAdd(&counter, 1); o[1] = hidden; }
""",
    "b.cu": """#include "common.h"
static __device__ int hidden = 100;
__global__ void second(float *o, const float *x, int n) {
    extern __shared__ float block[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    block[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    Shape shape;
    shape.side = 2;
    if (i < n) o[i] = weigh(block[threadIdx.x], i) + twice(hidden) + shape.area();
}
""",
}


@pytest.fixture(params=["nvJitLink", "driver", "driver, from PTX"])
def program(request, device, tmp_path, monkeypatch):
    if device.info["driver"] != "cuda":
        pytest.skip("hipRTC's linker takes bitcode alone")
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    monkeypatch.setenv("LAUNCHPATH_COMPILE_PROCESS", "0")
    if request.param == "nvJitLink":
        if not linker.choose(library_file.choose(target_of(device.info))):
            pytest.skip("no nvJitLink")
    else:
        monkeypatch.setenv(linker.VARIABLE, linker.NONE)
    if request.param.endswith("PTX"):
        number = target_of(device.info).compute
        monkeypatch.setattr(machine, "_architecture", lambda *_: ("ptx", number, f"compute_{number}"))
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    program = lp.compile(paths=[tmp_path / "a.cu", tmp_path / "b.cu"], device=device)
    program.folder = tmp_path
    return program


def check(program, folder, device):
    n = 1000
    x = np.arange(n, dtype="float32")
    out = lp.zeros(n, "float32", device)
    program.second[4, 256, None, 1024](out, lp.asarray(x, device=device), n)
    assert np.array_equal(out.to_numpy(), x * (np.arange(n) % 3 + 1) + 1 + 200 + 4)
    two = lp.zeros(2, "int32", device)
    for count in (5, 6):
        program.first[1, 1](two)
        assert two.to_numpy().tolist() == [count, 1]
    assert int(program.symbol("counter").to_numpy()) == 7
    # Static variables of one name are two.
    program.symbol(f"{folder}/b.cu:hidden").fill(10)
    program.symbol(f"{folder}/a.cu:hidden").fill(3)
    program.second[4, 256, None, 1024](out, lp.asarray(x, device=device), n)
    assert np.array_equal(out.to_numpy(), x * (np.arange(n) % 3 + 1) + 3 + 20 + 4)


def test_functions_variables_and_virtual_functions_of_other_files(program, device):
    assert set(program.kernels) == {"first", "second"}
    check(program, program.folder, device)


def test_saved(program, device):
    program.save(program.folder / "saved.lp")
    check(lp.load(program.folder / "saved.lp", device), program.folder, device)


def test_what_the_driver_does_not_link(device):
    if device.info["driver"] != "cuda":
        pytest.skip("hipRTC's linker takes bitcode alone")
    with pytest.raises(lp.CompileError):
        device.driver_device.link([("nothing.ptx", b"nothing", True)])

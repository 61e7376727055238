"""Programs that are saved, and loaded again: here, elsewhere, and damaged."""

import os
import re

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler.cache.entry import Entry
from tests.foreign_source import GLOBALS, KERNELS, compiled
from tests.python import python

SPIRV = pytest.mark.opencl_only("SPIR-V is for OpenCL devices; tests/gpu and tests/unit load other binaries")


SOURCE = """
template <class T, int N> __global__ void scale(T *x, T by) { x[blockIdx.x * N + threadIdx.x] *= by; }
__device__ int calls = 40;
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ float *first = &weights[1];
struct P { float f; bool b; };
__global__ void all(float *out, P p) {
    extern __shared__ float s[];
    s[threadIdx.x] = weights[threadIdx.x] + first[0];
    __syncthreads();
    if (threadIdx.x == 0) { out[0] = s[3] + p.f * p.b; calls++; }
}
"""
RUNS = """
import sys
import numpy as np
import launchpath as lp
device = [d for d in lp.devices() if d.info["platform"] == sys.argv[2]][int(sys.argv[3])]
program = lp.load(sys.argv[1], device)
x, out = lp.zeros(64, "float32", device), lp.zeros(1, "float32", device)
x.fill(3.0)
program["scale<float, 32>"][2, 32](x, 2.0)
program.all[1, 4, None, 16](out, np.array((2.5, True), np.dtype([("f", "f4"), ("b", "?")], align=True)))
assert (x.to_numpy() == 6).all()
assert "clang.cindex" not in sys.modules
print(out.to_numpy()[0], program.symbol("calls").to_numpy(), ",".join(program.kernels))
"""


@pytest.fixture(scope="module")
def saved(device, tmp_path_factory):
    file = tmp_path_factory.mktemp("saved") / "program.lp"
    lp.compile(SOURCE, device, names=["scale<float, 32>"]).save(file)
    return file


def run_saved(program, device):
    x, out = lp.zeros(64, "float32", device), lp.zeros(1, "float32", device)
    x.fill(3.0)
    program["scale<float, 32>"][2, 32](x, 2.0)
    program.all[1, 4, None, 16](out, np.array((2.5, True), np.dtype([("f", "f4"), ("b", "?")], align=True)))
    assert (x.to_numpy() == 6).all() and out.to_numpy()[0] == 8.5
    assert program.symbol("calls").to_numpy() == 41


@pytest.mark.parametrize("kind", [str, os.fspath, "bytes", "bytearray", "memoryview", "path"])
def test_a_saved_program_runs_as_before(device, saved, kind):
    data = saved.read_bytes()
    forms = {"bytes": data, "bytearray": bytearray(data), "memoryview": memoryview(data), "path": saved}
    run_saved(lp.load(forms[kind] if kind in forms else kind(saved), device), device)


def test_in_another_process_without_a_compiler(device, saved):
    alike = [other for other in lp.devices() if other.info["platform"] == device.info["platform"]]
    arguments = [saved, device.info["platform"], alike.index(device)]
    done = python("-c", RUNS, *arguments, env={"LAUNCHPATH_CLANG": "/nonexistent", "LAUNCHPATH_CACHE": "0"})
    assert done.stdout.split() == ["8.5", "41", "scale<float,", "32>,all"] or done.stdout.startswith("8.5 41 ")


def test_a_loaded_program_can_be_saved_again(device, saved, tmp_path):
    again = tmp_path / "again.lp"
    lp.load(saved, device).save(again)
    run_saved(lp.load(again, device), device)


def test_a_folder_that_is_not_there_is_named(device, saved, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        lp.load(saved, device).save(tmp_path / "none" / "program.lp")
    assert caught.value.filename == str(tmp_path / "none" / "program.lp")


@SPIRV
def test_loaded_spirv_can_be_saved(device, tmp_path):
    file = tmp_path / "kernels.lp"
    lp.load(compiled(GLOBALS), device).save(file)
    program = lp.load(file, device)
    place = lp.asarray([0, 1], "int32", device)
    program.count[1, 1](place)
    assert place.to_numpy()[0] == 27 and program.symbol("counter").to_numpy() == 8


@SPIRV
def test_a_saved_image_of_spirv_runs_anywhere(device):
    from launchpath._compiler.image import Image
    from launchpath._compiler.spirv.foreign.adoption import adopt

    adopted = adopt(compiled(KERNELS))
    data = Image("spirv", adopted.module.encode(), adopted.kernels).to_entry(source="kernels").encode()
    out = lp.zeros(1, "float64", device)
    lp.load(data, device).wide[1, 1](out, 1, 2.0, 3.0)
    assert out.to_numpy()[0] == 6


def test_a_program_saved_for_another_device(two_devices, tmp_path):
    device, other = two_devices
    file = tmp_path / "nothing.lp"
    lp.compile("__global__ void nothing() {}", device).save(file)
    names = rf"{re.escape(device.name)}, .*this device is {re.escape(other.name)}, .*compile it again"
    with pytest.raises(lp.ArgumentValueError, match=rf"nothing\.lp was saved for {names}"):
        lp.load(file, other)


def test_a_program_saved_under_another_driver(device, saved):
    entry = Entry.decode(saved.read_bytes())
    entry.meta["device"]["driver_version"] = "0.1.2"
    with pytest.raises(lp.ArgumentValueError, match=r"was saved for .*, 0\.1\.2; this device is"):
        lp.load(entry.encode(), device)


def test_a_binary_that_the_driver_refuses(device, saved):
    entry = Entry.decode(saved.read_bytes())
    broken = Entry(entry.meta, {**entry.blobs, "code": b"no binary of any kind"})
    with pytest.raises(lp.ArgumentValueError, match="saved for this device, but the driver now refuses it"):
        lp.load(broken.encode(), device)


@pytest.mark.parametrize("where", [0.0, 0.001, 0.1, 0.5, 0.999])
def test_a_saved_program_cut_short(device, saved, where):
    data = saved.read_bytes()
    with pytest.raises(lp.ArgumentValueError, match=r"^the data is (truncated|empty)"):
        lp.load(data[: int(len(data) * where)], device)


@pytest.mark.parametrize("where", [0.01, 0.3, 0.7, 0.9999])
def test_a_damaged_saved_program(device, saved, where, tmp_path):
    data = bytearray(saved.read_bytes())
    data[int(len(data) * where)] ^= 4
    file = tmp_path / "damaged.lp"
    file.write_bytes(data)
    with pytest.raises(lp.ArgumentValueError, match=r"damaged\.lp is damaged"):
        lp.load(file, device)


def test_bytes_after_the_end(device, saved):
    with pytest.raises(lp.ArgumentValueError, match="1 bytes follow its end"):
        lp.load(saved.read_bytes() + b"\n", device)


def test_signatures_are_for_spirv(device, saved):
    with pytest.raises(lp.ArgumentValueError, match="is a saved program, which has its signatures"):
        lp.load(saved, device, {"all": "float *out"})

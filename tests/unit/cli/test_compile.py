"""``launchpath compile`` and ``launchpath info``."""

import json
import os
import subprocess
import sys
from subprocess import DEVNULL

import pytest

import launchpath as lp
from launchpath._programs.description import describe
from tests.command import run, succeeded
from tests.foreign_source import KERNELS, compiled
from tests.unit.support import binaries

needs_device = pytest.mark.skipif(not lp.devices(), reason="no device")

SOURCE = """
#include "factor.h"
__constant__ float table[4] = {1, 2, 3, 4};
__global__ void __launch_bounds__(64) scale(float *x, int n) {
    __shared__ float s[64];
    int unused;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) x[threadIdx.x] = s[threadIdx.x] * table[1] * FACTOR * N;
}
template <class T> __global__ void other(T *x) { x[0] = 1; }
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "factor.h").write_text("#define FACTOR 5\n")
    (tmp_path / "scale.hip").write_text(SOURCE)
    return tmp_path / "scale.hip"


@pytest.mark.compiles
@needs_device
def test_a_file_is_compiled_described_and_loaded(file, tmp_path):
    to, data = tmp_path / "scale.lp", tmp_path / "out.json"
    options = ("-DN=2", "-I", tmp_path / "headers", "--names", "other<double>", "--fast-math", "--option=--fmad=false")
    done = succeeded("compile", file, "-o", to, *options, "--json", data)
    assert "options: -DN=2 --use_fast_math --fmad=false" in done.output
    assert "warning: unused variable 'unused'" in done.output
    description = json.loads(data.read_text())
    stages = [stage["name"] for stage in description["stages"]]
    assert stages[0] in ("start the compiler", "read the cache") and stages[-1] == "write the file"
    assert description["seconds"] >= sum(stage["seconds"] for stage in description["stages"])
    device = lp.current_device()
    x = lp.full(64, 3, "float32", device=device)
    program = lp.load(to, device)
    program.scale[1, 64](x, 1)
    assert x.to_numpy()[:2].tolist() == [60, 3]
    assert "other<double>" in program.kernels
    shown = run("info", to, "--json", "-")
    described = json.loads(shown.stdout)
    assert {key: described[key] for key in described if key != "file"} == {
        key: description[key] for key in described if key != "file"
    }
    (part,) = described["parts"]
    scale = next(kernel for kernel in part["kernels"] if kernel["name"] == "scale")
    assert scale["signature"] == "scale(float *x, int n)" and scale["max_threads"] == 64
    assert (scale["shared"], scale["argument_bytes"]) == (256, 12)
    assert device.name in part["target"]


@pytest.mark.compiles
@needs_device
def test_several_files_are_a_program(tmp_path):
    first, second, to = tmp_path / "first.cu", tmp_path / "second.cu", tmp_path / "both.lp"
    first.write_text("__device__ float twice(float);\n__global__ void k(float *x) { x[0] = twice(x[0]); }\n")
    second.write_text(
        "__device__ float twice(float v) { return 2 * v; }\n__global__ void other(float *x) { x[0] = 7; }\n"
    )
    succeeded("compile", first, second, "-o", to)
    device = lp.current_device()
    x = lp.full(1, 3, "float32", device=device)
    program = lp.load(to, device)
    program.k[1, 1](x)
    assert x.to_numpy().tolist() == [6] and sorted(program.kernels) == ["k", "other"]
    lacking = run("compile", first, tmp_path / "third.cu")
    assert lacking.exit_code == 1 and f"cannot read {tmp_path / 'third.cu'}: No such file" in lacking.output
    assert run("compile").exit_code == 2


@pytest.mark.compiles
@needs_device
def test_stages_of_a_program_that_is_new_and_of_a_kept_program(file, tmp_path):
    arguments = ("compile", file, "-DN=3", "-I", tmp_path / "headers", "--json", tmp_path / "out.json")
    succeeded(*arguments)
    new = [stage["name"] for stage in json.loads((tmp_path / "out.json").read_text())["stages"]]
    assert new[:2] == ["start the compiler", "parser"] and "Clang" in new
    succeeded(*arguments)
    kept = [stage["name"] for stage in json.loads((tmp_path / "out.json").read_text())["stages"]]
    assert kept == ["read the cache", "driver", "read the device's binary"]


@pytest.mark.compiles
@needs_device
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--option=-arch=sm_80",), 2, "expected no architecture"),
        (("--std", "c++03"), 2, "standard: expected 'c++17'"),
        (("--device", "all", "--device", "9"), 3, "9"),
        ((), 1, "'factor.h' file not found"),
        (("-I", "HEADERS", "-DN=2", "--warnings", "error"), 1, "does not compile without warnings"),
    ],
)
def test_what_is_refused(file, tmp_path, arguments, code, words):
    done = run(
        "compile", file, *(str(tmp_path / "headers") if argument == "HEADERS" else argument for argument in arguments)
    )
    assert (done.exit_code, words in done.output) == (code, True), done.output


@pytest.mark.compiles
@needs_device
def test_warnings_that_are_hidden(file, tmp_path):
    done = run("compile", file, "-I", tmp_path / "headers", "-DN=2", "--warnings", "hide")
    assert done.exit_code == 0 and "warning:" not in done.output


def test_files_that_are_not_there_or_nothing_that_is_loaded(tmp_path):
    done = run("info", tmp_path / "none.lp")
    assert (done.exit_code, "No such file" in done.output) == (1, True)
    (tmp_path / "text.lp").write_text("nothing")
    done = run("info", tmp_path / "text.lp")
    assert (done.exit_code, "expected a program that launchpath saved, SPIR-V" in done.output) == (1, True)


@pytest.mark.parametrize(
    ("data", "form", "target", "kernel"),
    [(binaries.PTX, "PTX", "sm_52", "plain"), (binaries.hsaco(), "an HSACO", "gfx90a", "plain")],
    ids=["ptx", "hsaco"],
)
def test_binaries(data, form, target, kernel):
    description = describe(data, "k")
    (part,) = description.parts
    assert (description.form, description.size) == (form, len(data))
    assert kernel in [entry.name for entry in part.kernels]
    assert part.target


@pytest.mark.processes
def test_bundles_and_fat_binaries():
    spirv = compiled(KERNELS)
    entries = {
        "hipv4-amdgcn-amd-amdhsa--gfx90a": binaries.hsaco(), "hip-spirv64-unknown-unknown--": spirv,
        "hip-spirv64-amd-amdhsa--amdgcnspirv": spirv,
    }  # fmt: skip
    description = describe(binaries.bundle_of(entries), "k")
    assert description.form == "a bundle of Clang's"
    assert [(part.form, part.target, len(part.kernels) > 0) for part in description.parts] == [
        ("hsaco", "gfx90a", True), ("spirv", "spirv64", True), ("spirv", "amdgcnspirv", False)
    ]  # fmt: skip
    description = describe(binaries.fatbin(("ptx", 52, binaries.PTX, 0, 0)), "k")
    assert (description.form, [part.form for part in description.parts]) == ("a fat binary of CUDA's", ["ptx"])


@pytest.mark.processes
def test_spirv(tmp_path):
    (tmp_path / "kernels.spv").write_bytes(compiled(KERNELS))
    done = succeeded("info", tmp_path / "kernels.spv")
    assert "target: any device (spirv, " in done.output and "wide(" in done.output


@pytest.mark.processes
@needs_device
def test_later_processes_begin_with_precompiled_headers(tmp_path):
    source = tmp_path / "host.hip"
    cache = tmp_path / "cache"
    around = {**os.environ, "LAUNCHPATH_CACHE_DIR": str(cache), "LAUNCHPATH_COMPILE_PROCESS": ""}
    kept = []
    for number in range(2):
        source.write_text(f"#include <vector>\ntemplate <class T> __global__ void k(T *x) {{ *x = {number}; }}\n"
                          "int main() { std::vector<int> v; k<<<1, 1>>>(v.data()); }\n")  # fmt: skip
        subprocess.run([sys.executable, "-m", "launchpath", "compile", source], env=around, check=True, stdout=DEVNULL)
        kept.append({path.name for path in (cache / "precompiled").glob("*.attached")})
    # Without the C++ library and with it.
    assert len(kept[0]) == 2
    assert kept[0] == kept[1]

"""Programs of several source files that use each other's device code."""

import numpy as np
import pytest

import launchpath as lp
from launchpath.errors import ArgumentValueError, CompileError
from tests.parts import COMMON, FIRST

FILES = {
    "common.h": COMMON,
    "a.cu": FIRST,
    "b.cu": """#include "common.h"
static __device__ int hidden = 100;
static __device__ int help() { return hidden; }
__global__ void second(int* o) {
    extern __shared__ int block[];
    counter++;
    o[0] = add(1, 2) + help();
    o[1] = (int)(table[2] * Scale{2}.of(3));
    o[2] = counter + seen++;
    block[threadIdx.x] = o[0];
    __syncthreads();
    o[3] = block[0];
}
int main() { second<<<1, 1, 4>>>(nullptr); scale<float><<<1, 1>>>(nullptr, 2.f); }
""",
    "main.cpp": """#include <vector>
#include "common.h"
int main() { std::vector<int> v; scale<<<1, 1>>>((double*)nullptr, 2.); }
""",
}


@pytest.fixture(autouse=True)
def _links(device):
    if device.info["driver"] == "hip":
        pytest.skip("hipRTC's linker takes bitcode alone")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def paths(folder):
    return [folder / name for name in ("a.cu", "b.cu", "main.cpp")]


@pytest.fixture
def parts(device, paths):
    return lp.compile(paths=paths, device=device)  # from the cache, but for the first


def test_files_share_functions_and_variables_that_are_not_static(device, parts):
    assert sorted(parts.kernels) == ["first", "scale<double>", "scale<float>", "second"]
    out = lp.zeros(4, "int32", device)
    parts.second[1, 1, None, 4](out)
    assert out.to_numpy().tolist() == [104, 18, 9, 104]
    parts.first[1, 1](out)
    assert out.to_numpy().tolist() == [4, 6, 5, 104]
    values = lp.asarray(np.ones(1), device=device)
    parts["scale<double>"][1, 1](values, 3.0)
    parts["scale<short>"]  # another instance sees the same variables
    assert values.to_numpy()[0] == 3


def test_their_symbols(device, parts, paths):
    a, b, _ = paths
    assert {"counter", "table", f"{a}:hidden", f"{b}:hidden"} <= parts.symbols.keys()
    table = parts.symbol("table")
    assert (table.dtype, table.shape) == (np.dtype("float32"), (3,))
    out = lp.zeros(4, "int32", device)
    parts.symbol(f"{a}:hidden").fill(20)
    parts.first[1, 1](out)
    parts.symbol(f"{a}:hidden").fill(1)
    assert out.to_numpy()[0] == 23


def test_static_variables_of_one_name_and_of_another(device, tmp_path):
    texts = {"a.cu": ("own", 3), "b.cu": ("own", 30), "c.cu": ("alone", 300)}
    paths = [tmp_path / name for name in texts]
    for path, (name, value) in zip(paths, texts.values(), strict=True):
        kernel = f"__global__ void use_{path.stem}(int *to) {{ *to = {name}; }}"
        path.write_text(f"static __device__ int {name} = {value};\n{kernel}\n")
    program = lp.compile(paths=paths, device=device)
    values = [int(program.symbol(name).item()) for name in (f"{paths[0]}:own", f"{paths[1]}:own", "alone")]
    assert values == [3, 30, 300]


@pytest.mark.sample(1)
def test_static_variables_of_many_files(device, tmp_path):
    """Clang's digests of the numbers 13 and 17 begin with a zero, which it leaves out."""
    paths = [tmp_path / f"f{number}.cu" for number in range(18)]
    for number, path in enumerate(paths):
        kernel = f"__global__ void use_{number}(int *to) {{ *to = own; }}"
        path.write_text(f"static __device__ int own = {number};\n{kernel}\n")
    program = lp.compile(paths=paths, device=device)
    assert [int(program.symbol(f"{path}:own").item()) for path in paths] == [*range(18)]


def test_the_cache_knows_all_files(device, folder):
    files = [folder / "one.cu", folder / "two.cu"]
    files[0].write_text("__device__ int value();\n__global__ void k(int* o) { o[0] = value(); }\n")
    for value in (1, 2, 1):
        files[1].write_text(f"__device__ int value() {{ return {value}; }}\n")
        out = lp.zeros(1, "int32", device)
        lp.compile(paths=files, device=device).k[1, 1](out)
        assert out.to_numpy()[0] == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n__device__ int add(int a, int b) { return 1; }\n__global__ void k(int* o) { o[0] = add(1, 2); }",
         "{}:2:1: error: 'add(int, int)' is defined here and at {}:6: a program has one of a name"),
        ("__global__ void first(int* o) { o[0] = 1; }", "{}:1:17: error: 'first' is defined here and at {}:8: "),
        ("__device__ int counter;", "{}:1:1: error: 'counter' is defined here and at {}:2: "),
        ("__device__ int wrong() {\n  return missing; }", "{}:2:10: error: "),
    ],
)  # fmt: skip
def test_errors_name_the_file(device, folder, text, message):
    path = folder / "c.cu"
    path.write_text(text)
    with pytest.raises(CompileError) as caught:
        lp.compile(paths=[folder / "a.cu", path], device=device)
    assert message.format(path, folder / "a.cu") in str(caught.value)


@pytest.mark.parametrize(
    ("text", "opencl", "cuda"),
    [
        ("__device__ int nothing(int);\n__global__ void k(int* o) { o[0] = nothing(1); }",
         "{}:2:17: error: kernel 'k' uses nothing(int), which kernels do not have here; if another file",
         "{}:1:1: error: 'nothing(int)' is declared here and used, but no file of the program defines it"),
        ("extern __device__ int nothing;\n__global__ void k(int* o) { o[0] = nothing; }",
         "the global 'nothing' is declared and used, but not defined",
         "{}:1:1: error: 'nothing' is declared here and used, but no file of the program defines it"),
    ],
)  # fmt: skip
def test_what_no_file_defines(device, folder, text, opencl, cuda):
    path = folder / "c.cu"
    path.write_text(text)
    with pytest.raises(CompileError) as caught:
        lp.compile(paths=[folder / "a.cu", path], device=device)
    wanted = cuda if device.info["driver"] == "cuda" else opencl
    assert wanted.format(path) in str(caught.value)


def test_paths_that_are_none(device, folder):
    path = folder / "a.cu"
    with pytest.raises(TypeError, match="paths: expected a list of paths, got"):
        lp.compile(paths=str(path), device=device)
    with pytest.raises(ArgumentValueError, match="paths: expected at least one path"):
        lp.compile(paths=[], device=device)
    with pytest.raises(ArgumentValueError, match="paths: expected different files"):
        lp.compile(paths=[path, path], device=device)
    with pytest.raises(TypeError, match="compile: expected a source, a path or paths, got several"):
        lp.compile(path=path, paths=[path], device=device)
    with pytest.raises(TypeError, match="name: expected none beside several paths"):
        lp.compile(paths=[path, folder / "b.cu"], name="x", device=device)
    with pytest.raises(
        CompileError,
        match=r"no kernel 'other<int>' in .*a.cu, .*b.cu; they have (first, scale, second|scale, first, second)",
    ):
        lp.compile(paths=[path, folder / "b.cu"], names=["other<int>"], device=device)
    with pytest.raises(CompileError, match=r"main.cpp: expected a kernel, got only templates .*: scale<class T>"):
        (folder / "host.cpp").write_text('#include "common.h"\nint main() {}\n')
        lp.compile(paths=[folder / "host.cpp"], name="main.cpp", device=device)

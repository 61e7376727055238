"""What is read of sources, of the linker's errors, and of options, without a compiler."""

from types import SimpleNamespace

import pytest

from launchpath._compiler.clang import frontend
from launchpath._host.compiler import archives, compilation, device_side, host_side, link, missing, uses
from launchpath._host.compiler.command import read
from launchpath._host.runtime import memory


def test_libraries_that_are_lacking():
    text = missing.text(["cublasSgemm_v2", "cublasCreate_v2", "MPI_Init", "other", "cublasCreate_v2"])
    assert text.splitlines() == [
        "launchpath c++: error: MPI: the program calls MPI_Init: launchpath does not have that library",
        "launchpath c++: error: cuBLAS: the program calls cublasCreate_v2 and cublasSgemm_v2: launchpath does not have "
        "that library",
    ]


@pytest.mark.parametrize("name", ["cudaMalloc", "hipMalloc", "rocrand_init", "main", "foo(int)", "cublas", "nccl"])
def test_functions_of_no_such_library(name):
    assert missing.library_of(name) is None


def test_errors_of_the_linker():
    text = (
        "ld.lld: warning: cannot find entry symbol launchpath_entry\n"
        "ld.lld: error: undefined symbol: cufftExecC2C\n>>> referenced by a.o\n"
        "ld.lld: error: undefined symbol: f(int)\n>>> referenced by b.o\n"
    )
    messages, is_missing = link._with_missing(text)
    assert is_missing
    assert "cannot find entry" in messages and "undefined symbol: f(int)\n>>> referenced by b.o" in messages
    assert "a.o" not in messages and "cuFFT: the program calls cufftExecC2C" in messages
    # A shared library may have the program's functions, but not those of a library that is lacking.
    messages, is_missing = link._with_missing("ld.lld: warning: undefined symbol: f(int)\n>>> referenced by b.o\n")
    assert not messages and not is_missing


def test_libraries_that_are_had(tmp_path):
    (tmp_path / "libcufft.so").touch()
    words = ["a.o", "-lcudart", "-lm", "-lcublas", "-lcufft", "-lfoo", "/x/libcudart.so", "-rpath", "y"]
    assert link._resolved(words, [str(tmp_path)]) == ["a.o", "-lcufft", "-lfoo", "-rpath", "y"]


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("#include <hip/hip_runtime.h>", "hip"), ("# include <cuda_runtime.h>", "cuda"), ("#include <vector>", None),
        ('#include "inner.h"', "cuda"), ("// cuda_runtime.h", None), ("#include <curand.h>", "cuda"),
    ],
)  # fmt: skip
def test_the_headers_that_a_source_includes(tmp_path, text, dialect):
    (tmp_path / "inner.h").write_text("#include <cuda.h>\n")
    source = tmp_path / "a.cpp"
    source.write_text(text)
    assert uses.api(str(source), []) == dialect


@pytest.mark.parametrize(
    ("text", "macros", "has"),
    [
        ("__global__ void f() {}", "", True), ("int main() {}", "", False), ("int main() {}", "K=__global__", True),
        ("f<<<1, 1>>>();", "", True), ("#include <cub/cub.cuh>", "", False), ('#include "inner.h"', "", True),
        ("#include <inner.h>", "", True), ("__device__\nint v[2] = {1, 2};", "", True), ("__device__ int v{3};", "", True),
        ("struct F { __device__ int f(int x) const { return x; } };", "", False), ("#define D __device__\n", "", True),
        ("__device__ __align__(16) float t[4];", "", True), ("auto f = [=] __device__ (int x) { };", "", False),
    ],
)  # fmt: skip
def test_device_code(tmp_path, text, macros, has):
    (tmp_path / "inner.h").write_text("__constant__ int x;")
    source = tmp_path / "a.cu"
    source.write_text(text)
    assert uses.has_device_code(str(source), [str(tmp_path)], macros) is has
    # Functions of the device may be another file's.
    assert uses.has_device_code(str(source), [str(tmp_path)], macros, is_relocatable=True) is (has or "__dev" in text)


@pytest.mark.parametrize(
    ("text", "thrust", "any"),
    [
        ("#include <thrust/complex.h>", False, False), ("#include <thrust/device_vector.h>", True, True),
        ("#include <cub/cub.cuh>", False, False), ("cub::DeviceScan::ExclusiveSum(a);", False, True),
        ("#include <thrust/random/uniform_int_distribution.h>", False, False), ('#include "inner.h"', True, True),
    ],
)  # fmt: skip
def test_algorithms_that_host_code_runs(tmp_path, text, thrust, any):
    (tmp_path / "inner.h").write_text("#include <thrust/sort.h>\n")
    source = tmp_path / "a.cu"
    source.write_text(text)
    assert uses.algorithms(str(source), []) == (thrust, any)


def test_algorithms_are_refused_where_memory_is_not_the_hosts(monkeypatch, capsys):
    monkeypatch.setattr(memory, "current", lambda: SimpleNamespace(info={"kind": "gpu"}, name="GPU of the test"))
    assert [memory.wait(0), memory.wait(0)] == [801, 801]
    messages = capsys.readouterr().err
    assert messages.count("GPU of the test") == 1 and "expected a CPU device" in messages


def test_a_toolkits_headers_come_last(tmp_path):
    (tmp_path / "cuda_runtime_api.h").touch()
    source = tmp_path / "a.cu"
    source.touch()
    words = host_side.arguments(
        read([str(source), f"-I{tmp_path}", "-I/elsewhere"]), read([str(source)]).sources[0], "a.o", "compile"
    )
    assert words[words.index(str(tmp_path)) - 1] == "-idirafter" and words[words.index("/elsewhere") - 1] == "-I"


@pytest.mark.parametrize(
    ("name", "words", "standard"),
    [
        ("a.cu", "-std=c++11", "-std=c++17"), ("a.cu", "", "-std=gnu++17"), ("a.hip", "-std=c++20", "-std=c++20"),
        ("a.cpp", "-std=c++11", "-std=c++11"), ("a.c", "-std=c++11", None), ("a.c", "-std=c99", "-std=c99"),
        ("a.cu", "-std=gnu++14", "-std=gnu++17"),
    ],
)  # fmt: skip
def test_standards(tmp_path, name, words, standard):
    source = tmp_path / name
    source.touch()
    command = read([str(source), *words.split()])
    made = host_side.arguments(command, command.sources[0], None, "compile")
    assert next((word for word in made if word.startswith("-std=")), None) == standard


def test_the_options_of_the_device_side(tmp_path):
    source = tmp_path / "a.cu"
    source.touch()
    words = "-DN=4 -Iinc -isystem sys -std=c++14 -use_fast_math -rdc=true -include x.h -O3 -Wall -arch=sm_80"
    options = device_side.options(read([str(source), *words.split()]))
    assert options.words == ("-DN=4", "-Iinc", "-Isys", "--std=c++14", "--use_fast_math")
    assert options.includes == ("x.h",) and options.is_relocatable


def test_the_macros_of_the_cxx_library_are_those_of_kernels():
    """Types of the library's mean the same on both sides."""
    ours = {macro for macro in archives.MACROS if not macro.startswith(("_LIBCPP_HAS_MUSL", "_LIBCXXABI"))}
    kernels = {macro for macro in frontend._LIBCXX if "MUSL" not in macro}
    assert kernels <= ours
    assert ours - kernels == {
        "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS", "_LIBCPP_TYPEINFO_COMPARISON_IMPLEMENTATION=2",
    }  # fmt: skip


def test_precompiled_headers_are_no_dependency(tmp_path):
    path = tmp_path / "a.d"
    for words in (["-MF", str(path)], ["-o", str(tmp_path / "a.o")], ["-o", "x", "-MF", str(path)]):
        path.write_text("a.o: a.cu /x/defines.h \\\n  /proc/12/fd/7 \\\n  x.h\n")
        compilation._without_temporary(words, "/x")
        assert path.read_text() == "a.o: a.cu  \\\n  x.h\n"
    path.write_text("a.o: a.cu \\\n  /proc/12/fd/7\n")
    compilation._without_temporary(["-MF", str(path)], "/x")
    assert path.read_text() == "a.o: a.cu \\\n  \n"

"""Programs of several files for CUDA devices, linked by nvJitLink or left to the driver."""

from pathlib import Path
from typing import Any

import pytest

from launchpath._compiler.binary import cubin
from launchpath._compiler.compile import compile
from launchpath._compiler.image import Image
from launchpath._compiler.rtc.library import library_file, linker
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError
from tests import parts
from tests.unit.support.rtc import by_nvrtc, cuda, failed, hip, needs_nvrtc

SHARED = "__global__ void shared_by_both(int* o) { o[0] = add(1, 2); }\n"
COMMON = parts.COMMON.replace("inline ", f"{SHARED}inline ", 1)
A = parts.FIRST
B = """#include "common.h"
static __device__ int hidden = 100;
__global__ void second(int* o) {
    counter++;
    o[0] = add(1, 2) + hidden + (int)Scale{2}.of(table[2]) + seen++;
    printf("%d", o[0]);
}
int main() { second<<<1, 1, 4>>>(nullptr); scale<float><<<1, 1>>>(nullptr, 2.f); }
"""


def several(folder: Path, files: dict[str, str], *names: str, alone: bool = False, **options: Any) -> Image:
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "common.h").write_text(COMMON)
    to = options.pop("to", cuda())
    first, *others = sources.from_paths([folder / name for name in files], None, **options)
    return compile(first, names, to, alone, others)


def refused(folder: Path, files: dict[str, str], **options: Any) -> str:
    with pytest.raises(CompileError) as caught:
        several(folder, files, **options)
    return str(caught.value).replace(f"{folder}/", "")


HOST = """#include <vector>
#include "common.h"
int main() { std::vector<int> v; scale<<<1, 1>>>((double*)nullptr, 2.); }
"""
PROGRAM = {"a.cu": A, "b.cu": B, "host.cpp": HOST}


def _nvjitlink() -> str:
    try:
        return linker.choose(library_file.choose(cuda()))
    except CompileError:
        return ""


@needs_nvrtc
@pytest.mark.compiles
@pytest.mark.parametrize("linked", ["nvJitLink", linker.NONE])
def test_every_kernel_of_all_files_waits(tmp_path, monkeypatch, linked):
    if linked == linker.NONE:
        monkeypatch.setenv(linker.VARIABLE, linker.NONE)
    elif not _nvjitlink():
        pytest.skip("no nvJitLink")
    image = several(tmp_path, PROGRAM, to=cuda()._replace(dependent=True, trigger_threads=1000))
    assert image.waiting == {entry for entry, _ in image.kernels} != set()
    assert not several(tmp_path, PROGRAM).waiting


needs_nvjitlink = pytest.mark.skipif(not _nvjitlink(), reason="no nvJitLink")


@pytest.fixture(params=[pytest.param("nvJitLink", marks=needs_nvjitlink), "driver"])
def by(request, monkeypatch):
    if request.param == "driver":
        monkeypatch.setenv(linker.VARIABLE, linker.NONE)
    return request.param


@pytest.mark.compiles
@pytest.mark.sample(1)
@needs_nvrtc
def test_what_they_become(tmp_path, by):
    image = several(tmp_path, PROGRAM)
    entries = {signature.name: entry for entry, signature in image.kernels}
    assert entries == {
        "shared_by_both": "_Z14shared_by_bothPi", "first": "_Z5firstPi", "second": "_Z6secondPi",
        "scale<float>": "_Z5scaleIfEvPT_S0_", "scale<double>": "_Z5scaleIdEvPT_S0_",
    }  # fmt: skip
    symbols = {
        symbol.name.replace(f"{tmp_path}/", ""): (symbol.entry, symbol.dtype, symbol.shape) for symbol in image.symbols
    }
    assert symbols == {
        "counter": ("counter", "int32", ()), "table": ("table", "float32", (3,)),
        "a.cu:seen": ("seen", "int32", ()), "a.cu:hidden": ("hidden", "int32", ()),
        "b.cu:seen": ("__lp_1_seen", "int32", ()), "b.cu:hidden": ("__lp_1_hidden", "int32", ()),
        "host.cpp:seen": ("__lp_2_seen", "int32", ()),
    }  # fmt: skip
    assert image.kind == "cubin" and image.native
    if by == "nvJitLink":
        assert not image.parts
        contents = cubin.read(image.code, "linked")
        assert {kernel.entry for kernel in contents.kernels} == set(entries.values())
        assert {symbol.entry for symbol in image.symbols} <= {name for name, _ in contents.globals}
    else:
        assert not image.code
        assert [(name.rpartition("/")[2], is_text) for name, _, is_text in image.parts] == [
            ("a.cu", False), ("b.cu", False), ("host.cpp", False)
        ]  # fmt: skip


@by_nvrtc
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n__device__ int add(int a, int b) { return 1; }\n__global__ void k(int* o) { o[0] = add(1, 2); }",
         "c.cu:2:1: error: 'add(int, int)' is defined here and at a.cu:6: a program has one of a name"),
        ("__global__ void first(int* o) { o[0] = 1; }", "c.cu:1:17: error: 'first' is defined here and at a.cu:8: "),
        ("__device__ int counter;", "c.cu:1:1: error: 'counter' is defined here and at a.cu:2: "),
        ("__device__ int nothing(int);\n__global__ void k(int* o) { o[0] = nothing(1); }",
         "c.cu:1:1: error: 'nothing(int)' is declared here and used, but no file of the program defines it"),
        ("template <class T> __device__ T none(T);\n__global__ void k(int* o) { o[0] = none(1); }",
         "c.cu:1:1: error: 'int none<int>(int)' is declared here and used, but no file of the program defines it"),
        ("extern __device__ int nothing;\n__global__ void k(int* o) { o[0] = nothing; }",
         "c.cu:1:1: error: 'nothing' is declared here and used, but no file of the program defines it"),
        ("__device__ int wrong() {\n  return missing; }", 'c.cu:2:10: error: identifier "missing" is undefined'),
    ],
)  # fmt: skip
def test_errors_name_the_file(tmp_path, text, message):
    assert message in refused(tmp_path, {"a.cu": A, "c.cu": text})


@by_nvrtc
def test_what_a_single_file_does_not_define():
    text = "__device__ int nothing(int);\n__global__ void k(int* o) { o[0] = nothing(1); }"
    assert (
        "user.cu:1:1: error: 'nothing(int)' is declared here and used, but not defined; if another file of the program "
        "defines it, pass all with paths=[...]"
    ) in failed(text)


@by_nvrtc
def test_a_later_instance_with_globals_that_another_files_function_reaches(tmp_path):
    user = """__device__ int plain(int x);
__device__ int counted(int x);
template <class T> __global__ void free(T* o) { *o = plain(1); }
template <class T> __global__ void bound(T* o) { *o = counted(1); }
__global__ void k(int* o) { }
"""
    other = """__device__ int count;
__device__ int plain(int x) { return x; }
__device__ int counted(int x) { return count += x; }
"""
    files = {"a.cu": user, "b.cu": other}
    image = several(tmp_path, files, "free<int>", alone=True)
    assert [signature.name for _, signature in image.kernels] == ["free<int>"]
    assert image.symbols == ()
    assert [symbol.name for symbol in several(tmp_path, files, "bound<int>", alone=True).symbols] == ["count"]


@by_nvrtc
def test_templates_of_variables_and_names_without_c(tmp_path):
    header = "template <class T> __device__ T box[2];\n"
    files = {
        "a.cu": header
        + 'extern "C" __device__ int plain() { return 1; }\n__global__ void k(int* o) { *o = box<int>[1]; }',
        "b.cu": header + 'extern "C" __device__ int plain();\n'
        "namespace n { static __device__ int own = 1; }\n"
        "__global__ void l(int* o) { *o = box<int>[0] + (int)box<float>[1] + plain() + n::own; }",
    }
    image = several(tmp_path, files)
    assert {(symbol.name, symbol.dtype, symbol.shape) for symbol in image.symbols} == {
        ("n::own", "int32", ()), ("box<int>", "int32", (2,)), ("box<float>", "float32", (2,)),
    }  # fmt: skip


@by_nvrtc
def test_kernels_with_more_arguments_than_a_launch_takes(tmp_path):
    big = "struct Big { int a[4000]; };\n__device__ int of(const Big& b);\n"
    files = {
        "a.cu": big + "__global__ void k(Big b, int* o) { *o = of(b); }",
        "b.cu": big + "__device__ int of(const Big& b) { return b.a[3]; }",
    }
    image = several(tmp_path, files, to=cuda()._replace(parameter_bytes=4096))
    assert [signature.block for _, signature in image.kernels] == [True]


@by_nvrtc
def test_dynamic_shared_memory_of_another_files_function(tmp_path):
    files = {
        "a.cu": "__device__ int last(int n);\n__global__ void k(int n, int* o) { *o = last(n); }",
        "b.cu": "__device__ int last(int n) { extern __shared__ int all_of_it[]; return all_of_it[n - 1]; }",
    }
    assert [signature.dynamic_shared for _, signature in several(tmp_path, files).kernels] == [True]
    files["b.cu"] = "__device__ int last(int n) { return n; }"
    assert [signature.dynamic_shared for _, signature in several(tmp_path, files).kernels] == [False]


@by_nvrtc
def test_ptx_for_a_device_that_nvrtc_does_not_know_is_left_to_the_driver(tmp_path):
    image = several(tmp_path, {"a.cu": A, "b.cu": B}, to=cuda("sm_300"))
    assert [is_text for _, _, is_text in image.parts] == [True, True]
    assert b".global .align 4 .u32 __lp_1_hidden = 100;" in image.parts[1][1]
    assert {symbol.entry for symbol in image.symbols} >= {"counter", "table", "hidden", "__lp_1_hidden"}
    twice = refused(tmp_path, {"a.cu": A, "c.cu": "__device__ int counter;"}, to=cuda("sm_300"))
    assert "'counter' is defined here and at a.cu:2" in twice


@needs_nvrtc
def test_hip_devices_refuse_them(tmp_path):
    assert "expected a single file, got a.cu, b.cu: for HIP devices launchpath does not link files" in refused(
        tmp_path, {"a.cu": A, "b.cu": B}, to=hip()
    )


# -- the linker


def test_the_library_that_the_environment_names(tmp_path, monkeypatch):
    compiler = library_file.LibraryFile("cuda", "/lib/libnvrtc.so.13", 13)
    monkeypatch.setenv(linker.VARIABLE, str(tmp_path / "none.so"))
    with pytest.raises(CompileError, match=r"LAUNCHPATH_NVJITLINK_LIBRARY names .*none.so, which is not a file"):
        linker.choose(compiler)
    (tmp_path / "none.so").write_bytes(b"")
    assert linker.choose(compiler) == str(tmp_path / "none.so")
    with pytest.raises(CompileError, match=r"none.so cannot be loaded: "):
        linker.load(linker.choose(compiler))
    with pytest.raises(CompileError, match="libc.so.6 is not an nvJitLink library: it has no nvJitLinkCreate"):
        linker.load("libc.so.6")


def test_it_is_of_the_compilers_major_version(tmp_path, monkeypatch):
    monkeypatch.delenv(linker.VARIABLE, raising=False)
    monkeypatch.setattr(linker, "_installed", lambda: ("/a/libnvJitLink.so.13", "/b/libnvJitLink.so.12"))
    for major, path in ((13, "/a/libnvJitLink.so.13"), (12, "/b/libnvJitLink.so.12"), (11, "")):
        assert linker.choose(library_file.LibraryFile("cuda", "/lib/libnvrtc.so", major)) == path


@needs_nvjitlink
def test_what_it_refuses():
    library = linker.load(_nvjitlink())
    with pytest.raises(CompileError, match="bad input: does not match type NVJITLINK_INPUT_CUBIN"):
        library.link([("a", b"no cubin")], "sm_90", False)

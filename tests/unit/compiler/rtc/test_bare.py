"""Plain sources that NVRTC compiles without our headers: the kernels are the same, and no word has another meaning."""

import itertools
import re
from pathlib import Path

import pytest

from launchpath._compiler import header_folders
from launchpath._compiler.plain import plain
from launchpath._compiler.plain import words as plain_names
from launchpath._compiler.rtc import bare, direct
from launchpath._compiler.rtc.library import headers, library, library_file
from launchpath._compiler.rtc.library.library import Program
from launchpath._compiler.rtc.text.prelude_words import WORDS
from launchpath._compiler.source.text import tokens
from scripts import prelude_words
from tests.unit.compiler.extraction.test_plain import source, texts
from tests.unit.support.rtc import by_nvrtc, cuda

BARE = """
extern "C" __global__ void scale(float a, const float *__restrict__ x, float *y, int n) {
    __shared__ float part[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? sqrtf(x[i]) : 0.0f;
    __syncthreads();
    if (i < n) y[i] = __expf(part[63 - threadIdx.x]) * NUMBER;
}
"""
WITH_HEADERS = {
    "a function": "__global__ void k(float *x) { x[0] = exp(x[1]); }",
    "an atomic": "__global__ void k(int *x) { atomicAdd(x, 1); }",
    "an atomic of the system": "__global__ void k(int *x) { atomicAdd_system(x, 1); }",
    "a shuffle": "__global__ void k(int *x) { x[0] = __shfl_sync(~0u, x[0], 1); }",
    "a type": "__global__ void k(uint32_t *x) {}",
    "a vector": "__device__ float f(float2 *v) { return v->x; } __global__ void k(float *x) {}",
    "a function that makes a vector": "__global__ void k(float *x) { x[0] = make_float2(1, 2).x; }",
    "a macro": "__global__ void k(float *x) { x[0] = INFINITY; }",
    "a built-in function": "__global__ void k(int *x) { x[0] = __builtin_popcount(x[0]); }",
    "the size of a warp": "__global__ void k(int *x) { x[0] = warpSize; }",
    "a name of NVRTC's": "__device__ int tex2D(int *x, int y) { return x[y]; } __global__ void k(int *x) { tex2D(x, 0); }",
    "an include": "#include <hip/hip_runtime.h>\n__global__ void k(int *x) {}",
}


def is_bare(text: str, is_cuda: bool, **around: object) -> bool:
    read = plain.read(source(text, is_cuda, **around))
    assert read is not None
    return bare.is_bare(read)


def test_the_words_are_those_of_the_headers() -> None:
    assert prelude_words.WRITTEN.read_text() == prelude_words.text(), "run make prelude-words"


def test_names_that_macros_put_together() -> None:
    """Each begins or ends like a word that makes a source not bare, or is within a class or a namespace."""
    known = re.compile(
        r"atomic\w+|__builtin_amdgcn_|__lp|__reduce_|_sync|_system|workitem_id_|workgroup_id_|workgroup_size_|grid_size_"
        r"|name|suffix|axis|value|op|f|l|u|ul|_v|_?(?:MANT_DIG|DIG|(?:MIN|MAX)(?:_10)?(?:_EXP)?|EPSILON|TRUE_MIN)"
    )
    for text in prelude_words.headers().values():
        parts = [token.text.decode() for token in tokens(text)]
        for at, (first, second) in enumerate(itertools.pairwise(parts)):
            if first == second == "#":
                around = [part for part in (parts[at - 1], parts[at + 2]) if part.isidentifier()]
                assert all(known.fullmatch(part) for part in around), around


@pytest.mark.parametrize("is_cuda", [False, True])
def test_what_is_bare(is_cuda: bool) -> None:
    assert is_bare(BARE, is_cuda)
    assert is_bare(BARE, is_cuda, defines={"NUMBER": "2.0f"})
    assert not is_bare(BARE, is_cuda, defines={"NUMBER": "M_PI"})
    assert not is_bare(BARE, is_cuda, defines={"NDEBUG": None})


@pytest.mark.parametrize("is_cuda", [False, True])
@pytest.mark.parametrize("case", WITH_HEADERS)
def test_sources_that_need_the_headers(case: str, is_cuda: bool) -> None:
    assert not is_bare(WITH_HEADERS[case], is_cuda)


@by_nvrtc
@pytest.mark.parametrize("is_cuda", [False, True])
def test_the_kernels_are_the_same(is_cuda: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen_texts = [BARE.replace("NUMBER", "3"), *list(texts().values())[::8]]
    chosen = [read for text in chosen_texts if (read := plain.read(source(text, is_cuda))) and bare.is_bare(read)]
    assert len(chosen) > 3
    without = [direct.compile(read, cuda()) for read in chosen]
    monkeypatch.setattr(bare, "is_bare", lambda _: False)
    for read, image in zip(chosen, without, strict=True):
        expected = direct.compile(read, cuda())
        if image is None or expected is None:  # neither compiles it
            assert image is expected
            continue
        assert image._replace(code=b"") == expected._replace(code=b"")
        # NVRTC keeps three variables of its own if there are HIP's atomic functions.
        assert image.code == expected.code or (not is_cuda and len(image.code) < len(expected.code))


@by_nvrtc
def test_functions_that_nvrtc_leaves_out() -> None:
    """A bare source has none of their names: beside its own functions they would be overloads."""
    nvrtc = library.load(library_file.choose(cuda()))
    (minimal,) = bare.options(nvrtc) or pytest.skip("NVRTC leaves nothing out")
    data = next(Path(nvrtc.file.path).parent.glob("libnvrtc-builtins.so*")).read_bytes()
    texts = [text.decode() for text in re.findall(rb"[\t\n\r -~]{1000,}", data)]
    called = {name for text in texts for name in re.findall(r"\b([A-Za-z]\w*)[ ]*\(", text)}
    usual = sorted(name for name in called if plain_names.is_name(name))
    assert {"tex2D", "surf2Dread"} <= {*usual}

    def lacking(*options: str) -> set[str]:
        names: set[str] = set()
        for first in range(0, len(usual), 50):  # NVRTC stops after 100 errors
            text = "\n".join(f"typedef decltype(&::{name}) lp_test_{name};" for name in usual[first : first + 50])
            program = Program(text, "/minimal.cu", {}, ["--gpu-architecture=sm_90", *options], [], "cubin")
            names.update(re.findall(r'the global scope has no "(\w+)"', nvrtc.compile(program).log))
        return names

    left_out = lacking(minimal) - lacking()
    assert "tex2D" in left_out
    assert [name for name in left_out if not re.match(bare._OTHERS, name) and name not in WORDS] == []


@by_nvrtc
@pytest.mark.parametrize("is_cuda", [False, True])
def test_free_words_mean_nothing_in_the_headers(is_cuda: bool) -> None:
    """They are no macros; names of parameters are declared nowhere, and functions are NVRTC's alone."""
    file = library_file.choose(cuda())
    nvrtc = library.load(file)
    folders = [*headers.bundled(file), *headers.folders(nvrtc), *header_folders.ABSENT]
    macros = ["__LP_CUDA__", "__NVCC__"] if is_cuda else ["__HIPCC__", "__HIP_DEVICE_COMPILE__"]
    options = ["--gpu-architecture=sm_90", "--std=c++17", *(f"-I{folder}" for folder in folders)]

    def log(lines: list[str], before: str = "#include <launchpath/rtc.h>") -> str:
        text = "\n".join([*(f"#define {macro} 1" for macro in [*macros, "__LAUNCHPATH__"]), before, *lines, ""])
        return nvrtc.compile(Program(text, "/free.cu", {}, options, [], "cubin")).log

    words = sorted(word for word in bare.FREE if not word.startswith("__") or word in bare._CALLED)
    defined = log([line for word in words for line in (f"#ifdef {word}", f'#error "macro {word}"', "#endif")])
    assert re.findall(r"macro (\w+)", defined) == []
    inner = sorted(bare._INNER)
    for some in itertools.batched(inner, 50) if hasattr(itertools, "batched") else (inner[:50], inner[50:]):
        undeclared = log([f"typedef decltype(&::{word}) lp_test_{word};" for word in some])
        assert set(re.findall(r'the global scope has no "(\w+)"', undeclared)) == {*some}
    functions = [f"typedef decltype(&::{word}) lp_test_{word};" for word in sorted(bare._CALLED)]
    assert log(functions) == log(functions, "") == ""

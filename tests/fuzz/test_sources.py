"""Damaged sources: an error at a place, or kernels; and sources that are written otherwise, which must mean the same."""

import functools
import re
from pathlib import Path
from random import Random

import pytest

from launchpath._compiler import parameter_list
from launchpath._compiler.compile import compile
from launchpath._compiler.extraction.unit import ParsedUnit, parse
from launchpath._compiler.source import normal
from launchpath._compiler.source import source as sources
from launchpath._compiler.source.active import Active
from launchpath._compiler.source.source import Source
from launchpath._compiler.source.text import Joined, tokens
from launchpath._compiler.target import Target
from launchpath.errors import CompileError
from tests.fuzz.cases import run
from tests.fuzz.damage import damaged, damaged_text, rewritten

CORPUS = Path(__file__).parents[1] / "corpus"
OWN = """#include <hip/hip_runtime.h>
#define STEP(A) d[i] += (A); \\
  d[i] *= 2; /* a comment
  of two lines */ d[i] += 1;
#if defined(__HIP__) && \\
  !defined(NOT_THERE)
#define V 2 // goes on \\
  + 1
#endif
#pragma pack(push, 1)
struct P { char a; int b; };
#pragma pack(pop)
namespace n { template <class T, int N> __device__ T twice(T x) { return x * N; } }
__constant__ float table[3] = {1, 2, 3};
template <class T> __global__ void scale(T* d, P p) { d[threadIdx.x] = n::twice<T, V>(d[0]) + p.b + table[1]; }
extern "C" __global__ void __launch_bounds__(64) k(int* d, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  // continued \\
  d[i] = -1;
  STEP(n)
  const char* text = R"(a \\ b)";
  s[i] = d[i] + text[3] + 'a';
  __syncthreads();
  d[i] = s[63 - i];
}
int main() { int* d = 0; scale<<<1, 64>>>(d, P{}); k<<<dim3(1), 64, 0>>>(d, 3); return 0; }
"""
SPIRV = Target("spirv", {"__LP_FLAT__": None}, frozenset({"cl_khr_fp64"}), "a platform")
# Deeper than that no person nests; the parser's own stack is not what is tested here.
_DEEPEST = 200
_INCLUDE = re.compile(r"\s*#\s*(?:include|import)")


@functools.cache
def corpus() -> list[str]:
    paths = [path for path in sorted(CORPUS.rglob("*")) if path.suffix in (".hip", ".cu", ".cpp")]
    return [OWN, *(path.read_text() for path in paths if path.stat().st_size < 8000)]


def is_deep(text: bytes) -> bool:
    depth = 0
    for token in tokens(text):
        depth += (token.text in (b"(", b"[", b"{", b"<")) - (token.text in (b")", b"]", b"}", b">"))
        if depth > _DEEPEST:
            return True
    return False


def random_source(random: Random, texts: list[str]) -> Source:
    text = damaged_text(random, random.choice(texts), 3)
    return sources.from_text(damaged(random, text.encode()) if random.random() < 0.1 else text.encode())


def check_places(unit: ParsedUnit) -> None:
    """What is taken out of the source has each line where it was."""
    for path, text in unit.reduced().items():
        original = unit.files[path].active.original
        assert text.count(b"\n") >= original.count(b"\n")


def test_what_is_read_by_hand() -> None:
    def case(random: Random) -> None:
        data = damaged(random, damaged_text(random, random.choice(corpus()), 4).encode())
        text = normal.normal(data, "x")
        assert normal.normal(text, "x") == text
        joined = Joined(text)
        for token in joined.tokens():
            assert 0 <= token.start < token.end <= len(text)
            assert Joined(text[token.start : token.end]).text == token.text or token.text in b"{}[]"
        active = Active(text)
        assert len(active.text) == len(text)
        assert active.text.count(b"\n") == text.count(b"\n")
        assert active.macros.keys() >= set()
        assert all(
            active.directives[i].end <= active.directives[i + 1].start for i in range(len(active.directives) - 1)
        )

    run("by hand", case, 150)


def test_damaged_sources() -> None:
    def case(random: Random) -> None:
        source = random_source(random, corpus())
        if is_deep(source.text):
            return
        try:
            unit = parse(source)
        except CompileError as error:
            assert str(error).startswith(f"{source.name}:"), error
            raise
        check_places(unit)

    run("damaged sources", case, 8)


def test_damaged_sources_through_all_of_the_compiler() -> None:
    def case(random: Random) -> None:
        source = random_source(random, [OWN])
        if not is_deep(source.text):
            compile(source, (), SPIRV)

    run("compiled sources", case, 1)


def test_other_line_ends_mean_the_same() -> None:
    def case(random: Random) -> None:
        text = random.choice(corpus())
        other = sources.from_text(rewritten(random, text))
        same = sources.from_text(text)
        assert normal.normal(other.text, "x") == normal.normal(same.text, "x")

    run("line ends", case, 100)


@pytest.mark.parametrize("number", [1, 2])
def test_other_line_ends_give_the_same_code(number: int) -> None:
    expected = compile(sources.from_text(OWN), (), SPIRV)

    def case(random: Random) -> None:
        image = compile(sources.from_text(rewritten(random, OWN)), (), SPIRV)
        assert image.code == expected.code
        assert image.kernels == expected.kernels

    run(f"same code {number}", case, 1)


def test_parameter_lists() -> None:
    lists = (
        "const float *x, float *y, float a, int n",
        "struct P { int a; float b; }; P p, float *out",
        "__global uint *x",
    )

    def case(random: Random) -> None:
        text = damaged_text(random, random.choice(lists), 2)
        if not is_deep(text.encode("utf-8", "replace")):
            parameter_list.signature("k", text)

    run("parameter lists", case, 3)

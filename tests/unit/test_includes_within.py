"""Files that are included within a declaration: the body of a function, a class, an enum, an initializer."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import Target
from tests.unit.rtc import compiled, cuda, needs_nvrtc

HEADERS = {
    "constants.h": "const int rows = ROWS;\nconst float weights[] = {1, 2};\n#define AT(i) (weights[(i) % rows])\n",
    "table.inc": "1.5f, 2.5f,\n",
    "ops.def": "OP(ADD, +)\nOP(SUB, -)\n",
    "members.inc": '#include "inner.inc"\nHelper helper;\n',
    "inner.inc": "float x;\n__device__ float get() const { return x + offset; }\n",
    "shared.h": "#pragma once\nstruct Shared { int a; };\nstatic void host_only(std::vector<int> *v) { v->clear(); }\n",
}
PROGRAM = """
#include <vector>
#include "shared.h"
#define ROWS 2
__device__ float offset = 1;
struct Helper { int a; };
struct Unused { int b; };
const float host_table[] = {
#include "table.inc"
};
__constant__ float table[] = {
#include "table.inc"
};
enum Ops {
#define OP(name, sign) OP_##name,
#include "ops.def"
#undef OP
  OP_COUNT
};
struct Member {
#include "members.inc"
};
__device__ int apply(int op, int a, int b) {
  switch (op) {
#define OP(name, sign) case OP_##name: return a sign b;
#include "ops.def"
#undef OP
  }
  return 0;
}
__global__ void k(float *p, Member m) {
#include "constants.h"
  p[0] = AT(threadIdx.x) + rows + table[0] + apply(OP_SUB, 3, OP_COUNT) + m.get() + sizeof(Shared);
}
void host(std::vector<float> *v) {
#include "constants.h"
  v->push_back(AT(2));
}
int main() { host(nullptr); }
"""


@pytest.fixture(scope="module")
def unit():
    return parse(sources.from_text(PROGRAM, "k.cu", headers=HEADERS))


def test_the_text_goes_with_what_includes_it(unit):
    texts = {unit.name_of(path): text.decode() for path, text in unit.reduced().items()}
    assert {name for name in HEADERS if name != "shared.h" and texts[name].split() != HEADERS[name].split()} == set()
    assert "host_only" not in texts["shared.h"]
    assert "struct Shared" in texts["shared.h"]
    lines = texts["k.cu"].splitlines()
    assert [line for line in lines if "constants.h" in line] == ['#include "constants.h"']
    assert "struct Helper { int a; };" in lines
    assert "struct Unused" not in texts["k.cu"]


@needs_nvrtc
def test_nvrtc_reads_them():
    image = compiled(PROGRAM, headers=HEADERS)
    assert [signature.name for _, signature in image.kernels] == ["k"]
    assert {symbol.name for symbol in image.symbols} == {"offset", "table"}


@needs_nvrtc
def test_globals_that_are_reached_by_them():
    text = (
        '__device__ int used; __device__ int other; template <class T> __global__ void k(T *p) {\n#include "b.inc"\n}'
    )
    image = compiled(text, "k<int>", alone=True, to=cuda(), headers={"b.inc": "*p = used;"})
    assert [symbol.name for symbol in image.symbols] == ["used"]


def test_clang_reads_them():
    image = compile(sources.from_text(PROGRAM, "k.cu", headers=HEADERS), [], Target("spirv", {}, frozenset(), "SPIR-V"))
    assert [signature.name for _, signature in image.kernels] == ["k"]

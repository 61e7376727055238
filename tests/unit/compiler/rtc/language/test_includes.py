"""What is included: the user's files by names of their own, what the library finds, and what nobody has."""

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.rtc.text.includes import quoted, resolve
from launchpath._compiler.source import source as sources
from tests.unit.support.rtc import by_nvrtc, cuda


@pytest.fixture
def unit(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "same.h").write_text("#pragma once\n__device__ int deep() { return 1; }\n")
    (tmp_path / "same.h").write_text("#pragma once\n__device__ int outer() { return 2; }\n")
    (tmp_path / "deep" / "a.h").write_text('#pragma once\n#include "same.h"\n')
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "there.h").write_text("")
    path = tmp_path / "k.cu"
    path.write_text(
        '#include "same.h"\n#include "deep/a.h"\n#include "given.h"\n#include <nowhere.h>\n#include <there.h>\n'
        "__global__ void k(int *p) { *p = deep() + outer(); }\nint main() {}\n"
    )
    source = sources.from_path(path, headers={"given.h": "// given\n"})
    return parse(source._replace(system=(str(tmp_path / "library"),)))


def test_headers_of_the_same_name_stay_apart(unit, tmp_path):
    program = resolve(unit, unit.reduced(), [str(tmp_path / "library")])
    lines = program.text.splitlines()
    assert lines[0].startswith('#include "launchpath_user/')
    assert lines[0] != lines[1] != lines[2]
    assert lines[3].strip() == ""  # what Clang did not find either
    assert lines[4] == "#include <there.h>"
    assert resolve(unit, unit.reduced(), []).missing == {"there.h": (unit.source.path, 5)}
    inner = next(text for name, text in program.headers.items() if name.endswith("/a.h"))
    there = next(name for name, text in program.headers.items() if "deep()" in text)
    assert f'#include "{there}"' in inner
    assert inner.startswith(f'#line 1 "{tmp_path / "deep" / "a.h"}"\n')
    assert len(program.headers) == 4


def test_lines_stay(unit):
    program = resolve(unit, unit.reduced(), [])
    assert program.text.count("\n") == unit.source.text.count(b"\n")
    assert "__global__" in program.text.splitlines()[5]


def test_quoting():
    assert quoted('C:\\a "b".h') == '"C:\\\\a \\"b\\".h"'


@by_nvrtc
def test_a_source_that_includes_itself(tmp_path):
    path = tmp_path / "main.cu"
    path.write_text("""#ifndef TYPE
#define TYPE float
#define KERNEL f
#endif
__global__ void KERNEL(TYPE* o) { o[0] = 1; }
#ifndef AGAIN
#define AGAIN
#undef TYPE
#undef KERNEL
#define TYPE int
#define KERNEL i
#include "main.cu"
#endif
""")
    assert len(compile(sources.from_path(path), (), cuda()).kernels) == 2


@by_nvrtc
def test_macros_name_headers(tmp_path):
    (tmp_path / "disk.h").write_text("#define TWO 2\n")
    path = tmp_path / "main.cu"
    path.write_text("""#include <boost/preprocessor/iteration/iterate.hpp>
#define GIVEN <given.h>
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define STEM disk
#include GIVEN
#include TEXT(STEM.h)
#include BOOST_PP_ITERATE()
__global__ void k(int* o) { o[0] = ONE + TWO; }
int main() { k<<<1, 1>>>(nullptr); }
""")
    source = sources.from_path(path, headers={"given.h": "#define ONE 1\n"})
    assert len(compile(source, (), cuda()).kernels) == 1

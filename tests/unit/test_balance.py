"""Sources that are not whole: the message names the place and the thing."""

import pytest

from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError

F = "__global__ void f(int* x) { *x = 1; }\n"
G = "__global__ void g(int* x)\n{\n  *x = 1;\n"


def message(text: str, **around: object) -> str:
    with pytest.raises(CompileError) as caught:
        parse(sources.from_text(text, "a.cu", **around))
    return str(caught.value).splitlines()[0]


@pytest.mark.parametrize(
    ("text", "at", "about"),
    [
        (G, "2:1", "this '{' of 'g' is not closed: expected '}' before the end of the file"),
        (F + G, "3:1", "this '{' of 'g' is not closed: expected '}' before the end of the file"),
        (G + F, "2:1", "this '{' of 'g' is not closed: expected '}' before the function in line 4"),
        (G + "if (x) {\n}\n" + F, "2:1", "this '{' of 'g' is not closed: expected '}' before the function in line 6"),
        ("int main() { f<<<1, 1>>>(0);\n" + F, "1:12", "this '{' of 'main' is not closed"),
        ("namespace a {\n" + F, "1:13", "this '{' is not closed"),
        ("namespace a {\n" + G + F + "}\n", "3:1", "this '{' of 'g' is not closed"),
        (F + "struct P {\n  int a;\n", "2:10", "this '{' is not closed"),
        (F + "}\n", "2:1", "extraneous closing brace ('}'): no '{' is open here"),
        ("__global__ void g(int* x) { *x = 1; }}\n" + F, "1:38", "extraneous closing brace"),
        (F + "\n/* a\n" + F, "3:1", "unterminated /* comment: no */ ends it"),
        (F + 'auto s = R"(a";\n' + F, "2:10", "raw string missing terminating delimiter"),
        (F + "#ifdef A\n" + F, "2:2", "unterminated conditional directive: no #endif ends it"),
        (F + "#endif\n", "2:2", "#endif without #if"),
        (
            F + "__gloabl__ void g(int* x) { *x = 1; }",
            "2:1",
            "unknown type name '__gloabl__'; did you mean '__global__'",
        ),
        (
            "__kernel void g(__global int* x) { *x = 1; }",
            "1:1",
            "unknown type name '__kernel': for a kernel of OpenCL C, write '__global__ void', and pointers without",
        ),
        (F + "__kernel void g(int* x) { *x = 1; }", "2:1", "unknown type name '__kernel': for a kernel of OpenCL C"),
        ("kernel void g(global int* x) { *x = 1; }", "1:1", "unknown type name 'kernel': for a kernel of OpenCL C"),
        (F + "= __global__ void g(int* x) { *x = 1; }", "2:1", "expected unqualified-id"),
        (F + "__global__ void main(int* x) { *x = 1; }", "2:17", "a kernel cannot be named 'main'"),
    ],
)
def test_what_is_not_whole(text, at, about):
    assert message(text).startswith(f"a.cu:{at}: error: {about}")


def test_braces_of_macros_and_of_included_files_are_whole():
    text = f"#define BEGIN namespace a {{\n#define END }}\nBEGIN\n{F}END\n"
    assert [*parse(sources.from_text(text)).kernels] == ["a::f"]
    headers = {"begin.h": "namespace a {\n", "end.h": "}\n"}
    text = f'#include "begin.h"\n{F}#include "end.h"\n'
    assert [*parse(sources.from_text(text, headers=headers)).kernels] == ["a::f"]


def test_a_header_that_is_not_whole():
    text = message(f'#include "a.h"\n{F}', headers={"a.h": "__device__ void g() {\r\n"})
    assert text.startswith("a.h:1:21: error: this '{' of 'g' is not closed")


def test_places_are_those_of_the_file_as_it_is_written(tmp_path):
    (tmp_path / "a.h").write_bytes(b"\xef\xbb\xbf#define A \\\r\n 1\r\n\r\n// \xe9\r\n__device__ void g() {\r\n")
    text = message(f'#include "a.h"\n{F}', include_paths=[tmp_path])
    assert "a.h:5:21: error: this '{' of 'g' is not closed" in text

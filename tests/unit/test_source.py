"""What may be around a source: each that is wrong is refused with what was expected."""

import pytest

from launchpath._compiler.source import source as sources
from launchpath.errors import ArgumentValueError, CompileError

KERNEL = "__global__ void k(int* x) { *x = 1; }"


@pytest.mark.parametrize(
    ("around", "message"),
    [
        ({"headers": 5}, "headers: expected a dict of texts by name, got 5"),
        ({"headers": {"a": 5}}, "headers['a']: expected text (str or bytes), got 5"),
        ({"headers": {5: ""}}, "headers: expected the name of a header (str), got 5"),
        ({"headers": {"../a": ""}}, "headers: expected a name as in #include <name>, got '../a'"),
        ({"headers": {"a": "\ud800"}}, "a:1: expected text, got the lone surrogate"),
        ({"standard": 17}, "standard: expected 'c++17', 'c++20' or later, got 17"),
        ({"standard": "c++29"}, "standard: expected 'c++17', 'c++20' or later, got 'c++29'"),
        ({"defines": 5}, "defines: expected a dict of values by macro, got 5"),
        ({"defines": {"A=1": None}}, "defines: expected the name of a macro, got 'A=1': pass a dict"),
        ({"defines": {"A(x": 1}}, "defines: expected the name of a macro, got 'A(x'"),
        ({"defines": {"A": b"1"}}, "defines['A']: expected text, a bool, a number or None, got b'1'"),
        ({"defines": {"A": "1\n2"}}, "defines['A']: expected a single line of text, got '1\\n2'"),
        ({"defines": {"A": "1 \\ "}}, "defines['A']: expected a single line of text"),
        ({"defines": {"A": "1 /*/"}}, "defines['A']: expected a single line of text"),
        ({"defines": {"A": 'R"('}}, "defines['A']: expected a single line of text"),
        ({"defines": {"A": "\ud800"}}, "defines['A']: expected text that is UTF-8"),
        ({"defines": {"A": 10**5000}}, "defines['A']: expected a number that a C++ literal can express"),
        ({"include_paths": 5}, "include_paths: expected a list of folders, got 5"),
        ({"include_paths": [5]}, "include_paths: expected a path (str or path-like), got 5"),
        ({"include_paths": ["\0"]}, "include_paths: expected a path, got '\\x00'"),
        ({"name": 5}, "name: expected text (str), got 5"),
        ({"name": "a\nb"}, "name: expected a single line of text, got 'a\\nb'"),
        ({"name": "\ud800"}, "name: expected text that is UTF-8"),
        ({"text": 5}, "source: expected text (str or bytes), got 5"),
        ({"text": "\ud800"}, "<source>:1: expected text, got the lone surrogate"),
        ({"text": "k.cu"}, "expected a source, got the name of a file: pass it as path='k.cu'"),
    ],
)
def test_what_is_wrong(around, message):
    with pytest.raises((ArgumentValueError, CompileError, TypeError)) as caught:
        sources.from_text(**{"text": KERNEL} | around)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("path", "message"),
    [(5, "path: expected a path (str or path-like), got 5"), ("\0", "path: expected a path"), ("\udce9", "path: ")],
)
def test_paths_that_are_none(path, message):
    with pytest.raises((ArgumentValueError, TypeError)) as caught:
        sources.from_path(path)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("names", [5, [5], {"a": 1}, b"a", ["\ud800"], [""], ["a\0"]])
def test_names_that_are_none(names):
    with pytest.raises((ArgumentValueError, TypeError), match="names: expected"):
        sources.names_of_kernels(names)


def test_what_is_right():
    source = sources.from_text(
        KERNEL.encode("utf-8-sig"),
        name="dir/ä \\.cu",
        defines={"A": True, "B(x, ...)": "x // /*", "C": 1.5, "D": None},
        headers={"a/b.h": b"// \xe9\r\n", "a": "x"},
        standard="gnu++20",
    )
    assert source.text == KERNEL.encode()
    assert source.defines == (("A", "1"), ("B(x, ...)", "x // /*"), ("C", "1.5"), ("D", None))
    assert source.headers == (("a/b.h", "// é\n"), ("a", "x"))
    assert sources.names_of_kernels("a<1>") == ("a<1>",)

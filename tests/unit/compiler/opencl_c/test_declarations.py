"""The functions that OpenCL C declares for itself: the same as in the header that they replace."""

import glob
import re
from functools import cache
from pathlib import Path

import pytest

from launchpath._compiler.opencl_c.text import declarations
from launchpath._compiler.opencl_c.text.declarations import declarations_of, declared
from launchpath._compiler.target import DECLARATIONS
from tests.unit.compiler.opencl_c.opencl_c import written

_HEADERS = ("/usr/share/pocl/include/opencl-c.h", "/usr/lib/llvm-*/lib/clang/*/include/opencl-c.h")
_ATTRIBUTES = {"__ovld": "overloadable", "__cnfn": "const", "__conv": "convergent", "__purefn": "pure"}
# Conditions that hold wherever a text has declarations: OpenCL C 1.2 or later, and not C++ for OpenCL.
_HOLDS = re.compile(r"if defined\(__OPENCL_CPP_VERSION__\) \|\| \(__OPENCL_C_VERSION__ >= CL_VERSION_1_[12]\)")
_CPLUSPLUS = "__OPENCL_CPP_VERSION__"


def _tables() -> set[str]:
    names = {"barrier", "mem_fence"}
    for _, table in declarations._OF_KINDS:
        names |= {name for group in table.values() for name in group.split()}
    names |= {name for group in declarations._OF_THREADS.values() for name in group.split()}
    names |= {f"v{operation}{lanes}" for operation in ("load", "store") for lanes in (2, 3, 4, 8, 16)}
    return names | {f"{prefix}_{each}" for prefix in ("atom", "atomic") for each in declarations._ATOMIC}


def _parsed(text: str) -> dict[str, set[tuple[frozenset[str], frozenset[str], str]]]:
    """Give each function's overloads: conditions, attributes, and the types of result and parameters."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\\\n", " ", text, flags=re.DOTALL)
    functions: dict[str, set[tuple[frozenset[str], frozenset[str], str]]] = {}
    around: list[str] = []
    code = ""
    for line in text.splitlines():
        if directive := re.match(r"\s*#\s*(\w+)\s*(.*)", line):
            word, rest = directive.groups()
            if word in ("if", "ifdef", "ifndef"):
                around.append(f"{word} {rest.strip()}")
            elif word == "endif":
                around.pop()
            elif word in ("else", "elif"):
                around[-1] = f"else of {around[-1]}"
            continue
        *whole, code = f"{code} {line}".split(";")
        for declaration in whole:
            attributes = {word for part in re.findall(r"__attribute__\(\(([^()]*)\)\)", declaration)
                          for word in part.split(", ")}  # fmt: skip
            bare = re.sub(r"__attribute__\(\([^()]*\)\)", " ", declaration)
            attributes |= {name for word, name in _ATTRIBUTES.items() if re.search(rf"\b{word}\b", bare)}
            words = re.sub(rf"\b({'|'.join(_ATTRIBUTES)})\b", " ", bare)
            match = re.fullmatch(r"\s*(\w+)\s+(\w+)\s*\(([^()]*)\)\s*", words)
            if match is not None:
                result, name, parameters = match.groups()
                types = ", ".join(_type(each) for each in parameters.split(","))
                conditions = frozenset(_condition(each) for each in around if not _HOLDS.match(each)) - {""}
                functions.setdefault(name, set()).add((conditions, frozenset(attributes), f"{result}({types})"))
    return functions


def _type(parameter: str) -> str:
    """Give the type of a parameter, without its name."""
    words = re.findall(r"\w+|\*", parameter)
    named = len(words) > 1 and words[-1] != "*" and words[-2] not in ("volatile", "const")
    return " ".join(words[:-1] if named else words)


def _condition(text: str) -> str:
    """Give a condition in one spelling."""
    if text == "ifndef _OPENCL_H_":
        return ""
    parts = re.findall(r"defined\((\w+)\)", text) or [text.rsplit(maxsplit=1)[-1]]
    return " ".join(sorted(parts))


@cache
def header() -> str:
    paths = [path for pattern in _HEADERS for path in sorted(glob.glob(pattern))]
    if not paths:
        pytest.skip("Clang's opencl-c.h is not here")
    return Path(paths[0]).read_text()


def _joined(overloads: set[tuple[frozenset[str], frozenset[str], str]]) -> set[tuple[str, frozenset[str], str]]:
    """Give overloads with all their conditions as one text, less those of C++ for OpenCL."""
    return {
        (" ".join(sorted(" ".join(conditions).split())), attributes, types)
        for conditions, attributes, types in overloads
        if _CPLUSPLUS not in conditions
    }


def test_every_function_is_declared_as_in_the_header() -> None:
    theirs = _parsed(header())
    for name in sorted(_tables()):
        ours = _parsed("\n".join(declarations_of(name)))[name]
        assert _joined(ours) == _joined(theirs[name]), name
        assert declarations_of(name).count("#endif") == sum(line.startswith("#if") for line in declarations_of(name))


@pytest.mark.compiles
def test_a_text_declares_what_it_calls() -> None:
    text = written("__global__ void k(float *x) { x[threadIdx.x] = sqrtf(fmaf(x[0], x[1], x[2])); }")
    block = text.partition(f"#ifdef {DECLARATIONS}\n")[2]
    functions = _parsed(f"#if 1\n{block[: block.index(chr(10) + '__kernel')]}")
    assert {"sqrt", "fma", "get_local_id"} <= set(functions)
    assert "float(float, float, float)" in {types for *_, types in functions["fma"]}
    assert "sin" not in functions


def test_a_text_with_an_unknown_function_has_no_declarations() -> None:
    known = "static void f(void) { barrier(1); }\n"
    assert declared(known, ["f"])
    assert not declared(known + "void g(void) { wait_group_events(0, 0); }", ["f", "g"])
    assert declared(known + "void g(void) { vload3(0, 0); }", ["f", "g"])
    assert not declared(known + "void g(void) { vload5(0, 0); }", ["f", "g"])
    assert not declared(known, []), "a function that the text is not known to define"


def test_strings_and_directives_call_nothing() -> None:
    assert declared('#define unknown(x) x\nvoid f(void) { printf("a \\" other(%d)", 1); }', ["f"])

"""Parameters that are read where they are: never one that the kernel may write, for launches share that memory."""

import re

import pytest

from launchpath._compiler.extraction import instances as extracted
from launchpath._compiler.extraction.parameters import layout
from launchpath._compiler.extraction.unit import ParsedUnit, parse
from launchpath._compiler.rtc.arguments.in_place import Edit, applied, in_place
from launchpath._compiler.source import source as sources
from tests.unit.compiler.rtc.in_place_cases import DEFINES, HEADERS, READ, TYPES, WRITTEN


def edits(text: str, *names: str, **around: object) -> tuple[ParsedUnit, dict[str, list[Edit]]]:
    return edits_of(sources.from_text(text, "user.cu", **around), *names)


def edits_of(source: sources.Source, *names: str) -> tuple[ParsedUnit, dict[str, list[Edit]]]:
    unit = parse(source)
    unit.roots = set(re.findall(r"\w+", " ".join(names)))
    chosen = extracted.instances(unit, [*names])
    kernels = {kernel.name.rpartition("::")[2] for kernel in unit.kernels.values()}
    return unit, in_place(unit, chosen, layout.layout(unit, chosen, unit.reduced()), kernels)


def changed(text: str, *names: str) -> str:
    unit, changes = edits(text, *names)
    every = [edit for part in changes.values() for edit in part]
    return applied(every, unit.source.path, unit.reduced()[unit.source.path]).decode()


@pytest.fixture(scope="module")
def read() -> dict[str, bool]:
    """Whether `b` is read in place, by the case: each has a namespace of one source."""
    cases = {**{f"written {name}": case for name, case in WRITTEN.items()}, **{f"read {n}": c for n, c in READ.items()}}
    text = TYPES
    for number, case in enumerate(cases.values()):
        kernel = f"__global__ void k{number}({case.parameter}, float *out) {{ {case.body} }}"
        text += f"namespace n{number} {{\n{case.before}\n{kernel}\n}}\n"
    _, changes = edits(text, defines=DEFINES, headers=HEADERS)
    return {name: bool(changes[f"k{number}"]) for number, name in enumerate(cases)}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_may_be_written_is_copied(read, name):
    assert not read[f"written {name}"]


@pytest.mark.parametrize("name", READ)
def test_what_is_only_read_is_not_copied(read, name):
    assert read[f"read {name}"]


BIG = "struct Big { float data[64]; int n; };\n"


def test_every_declaration_is_changed():
    text = BIG + (
        "namespace a { __global__ void k(int i, Big b, float *out);\n"
        "__global__ void k(int i, const Big b, float *out) { i++; *out = b.n + i; } }\n"
    )
    assert changed(text) == text.replace("Big b", "Big const&b", 1).replace("Big b", "Big&b", 1)


@pytest.mark.parametrize(
    "declared",
    ["Big, float *out", "Big\tb, float *out", "Big(b), float *out", "PARAMETER, float *out", "Big b = {}, float *out"],
)
def test_what_cannot_be_changed_everywhere_is_left(declared):
    text = (
        f"#define PARAMETER Big b\n{BIG}__global__ void k({declared});\n"
        "__global__ void k(Big b, float *out) { *out = b.n; }\n"
    )
    assert "&b" not in changed(text)


TEMPLATE = (
    BIG
    + "struct Other { float data[64]; mutable int n; };\n"
    + "template <bool W> struct Put { template <class T> static __device__ void to(const T &x) {} };\n"
    + "template <> struct Put<true> { template <class T> static __device__ void to(const T &x) { ((T &)x).n = 1; } };\n"
    + "template <class T> __device__ float f(const T &x) { return x.n; }\n"
    + "template <class T, bool W> __global__ void k(T b, float *out) {\n"
    + "  if constexpr (W) b.n = 1;\n"
    + "  *out = f(b) + b.data[b.n];\n"
    + "}\n"
    + "template <> __global__ void k<int, false>(int b, float *out) { *out = b; }\n"
)  # fmt: skip


@pytest.mark.parametrize(
    ("names", "is_read"),
    [
        (["k<Big, false>"], True),
        (["k<Big, false>", "k<int, false>"], True),
        (["k<Big, true>"], False),
        (["k<Big, false>", "k<Big, true>"], False),
        (["k<Other, false>"], False),
    ],
)
def test_a_template_is_judged_by_its_instances(names, is_read):
    assert ("T const&b" in changed(TEMPLATE, *names)) == is_read


def test_a_parameter_that_is_a_pointer_in_an_instance():
    text = "template <class T> __global__ void k(T b, int *out) { *out = sizeof(b); }\n"
    text = BIG + text
    assert "&b" not in changed(text, "k<Big>", "k<int *>")
    assert "T const&b" in changed(text, "k<int>", "k<Big>")


def test_numbers_are_copied():
    assert "&b" not in changed("__global__ void k(int b, const int bb, float *out) { *out = b + bb; }\n")


def test_kernels_that_are_chosen_by_their_types():
    text = BIG + "__global__ void k(Big b, int *x) { *x = b.n; }\n__global__ void k(int b, float *x) { *x = b; }\n"
    assert "&b" not in changed(text)


def test_errors_of_a_kernel_do_not_name_another():
    text = BIG + (
        "__global__ void k(Big b, int *x) { *x = b.n + nothing; }\n__global__ void l(Big b, int *x) { *x = b.n; }\n"
    )
    _, changes = edits(text)
    assert {name: len(part) for name, part in changes.items()} == {"k": 0, "l": 1}


def test_a_function_that_writes_is_remembered():
    text = BIG + (
        "__device__ void put(const int &x, int n);\n"
        "__device__ void again(const int &x, int n) { if (n) put(x, n - 1); }\n"
        "__device__ void put(const int &x, int n) { if (n) again(x, n); else (int &)x = 1; }\n"
    )
    text += "".join(
        f"__global__ void k{i}(Big b, int *x) {{ {function}(b.n, *x); *x = b.n; }}\n"
        for i, function in enumerate(["put", "again", "put", "again"])
    )
    _, changes = edits(text)
    assert not any(changes.values())


@pytest.mark.parametrize("is_own", [True, False])
def test_functions_of_headers_that_are_not_the_users_own(tmp_path, is_own):
    (tmp_path / "of.h").write_text("__device__ inline int of(const int &x) { return x; }\n")
    text = f'#include "of.h"\n{BIG}__global__ void k(Big b, int *x) {{ *x = of(b.n); }}\n'
    source = sources.from_text(text, "user.cu", include_paths=[tmp_path])
    if not is_own:
        source = source._replace(folders=(), system=(str(tmp_path),))
    _, changes = edits_of(source)
    assert bool(changes["k"]) == is_own

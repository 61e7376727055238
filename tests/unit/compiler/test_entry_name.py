"""The names by which drivers know kernels: the source's own, as near as a platform takes them."""

import re
from pathlib import Path

import pytest

from launchpath._compiler import target
from launchpath._compiler.kernels.entry_name import entry_names
from launchpath._compiler.opencl_c.text.taken import is_taken

HEADERS = ("/usr/share/pocl/include", "/usr/lib/llvm-15/lib/clang/15.0.6/include")


def identifier(name: str) -> str:
    return entry_names([name], identifiers=True)[name]


def text(name: str) -> str:
    return entry_names([name], identifiers=False)[name]


@pytest.mark.parametrize(
    ("name", "as_text", "as_identifier"),
    [
        ("foo", "foo", "foo"),
        ("_foo", "_foo", "_foo"),
        ("größe", "größe", "größe"),
        ("ns::bar<float>", "ns::bar<float>", "ns_bar_float"),
        ("::ns::bar< float >", "ns::bar< float >", "ns_bar_float"),
        ("pair<int, 4>", "pair<int|4>", "pair_int_4"),
        ("pair<int,-4>", "pair<int|-4>", "pair_int_minus_4"),
        ("k<float *>", "k<float *>", "k_float_ptr"),
        ("k<(1 + 2)>", "k<[1 + 2]>", "k_1_2"),
        ("k(int *, float)", "k[int *|float]", "k_int_ptr_float"),
        ("k<std::vector<int\n>>", "k<std::vector<int >>", "k_std_vector_int"),
        ("k<';'>", r"k<'\x3b'>", "k"),
        ("exp", "::exp", "exp_kernel"),
        ("memcpy", "::memcpy", "memcpy_kernel"),
        ("max", "max", "max_kernel"),
        ("half", "half", "half_kernel"),
        ("main", "main", "main_kernel"),
        ("printf", "printf", "printf_kernel"),
        ("__mine", "__mine", "mine_kernel"),
        ("_Z3addPf", "_Z3addPf", "_Z3addPf"),
        ("1$", "1$", "kernel_1"),
        ("$", "$", "kernel_kernel"),
    ],
)
def test_spelling(name: str, as_text: str, as_identifier: str) -> None:
    assert text(name) == as_text
    assert identifier(name) == as_identifier
    assert as_identifier.isidentifier()


def test_all_names_are_different_and_a_kernel_that_can_has_its_own() -> None:
    kernels = ["ns::bar<float>", "ns_bar_float", "ns::bar< float >", "::ns_bar_float", "a<b,c>", "a<b|c>"]
    for identifiers in (False, True):
        entries = entry_names(kernels, identifiers)
        assert entries.keys() == {*kernels}
        assert len({*entries.values()}) == len(kernels)
        assert entries["ns_bar_float"] == "ns_bar_float"
    assert entries["ns::bar<float>"] == "ns_bar_float_2"


def test_identifiers_are_as_long_as_the_name_of_a_file_may_be() -> None:
    kernels = [f"k<{'long_name_of_a_type, ' * 50}{i}>" for i in range(3)] + ["k" * 300, "ä" * 300]
    entries = [*entry_names(kernels, identifiers=True).values()]
    assert len({*entries}) == len(kernels)
    assert all(100 < len(entry.encode()) < 200 and entry.isidentifier() for entry in entries)
    assert text("k" * 300) == "k" * 300


@pytest.mark.parametrize(
    "name",
    ["get_forces", "convert_rgb", "as_matrix", "atomic_histogram", "half_step", "native_code", "shuffle_rows", "image",
     "float_sum", "async_copy", "read_images", "vload_all", "memory", "barrier_free", "reduce", "kernel_1", "gelu"],
)  # fmt: skip
def test_names_that_only_look_like_a_platforms_are_kept(name: str) -> None:
    assert identifier(name) == name


def _built_in() -> set[str]:
    names: set[str] = set()
    for folder in filter(Path.is_dir, map(Path, HEADERS)):
        for header in folder.glob("opencl-c*.h"):
            lines = header.read_text(errors="replace").splitlines()
            names |= {match[1] for line in lines if (match := re.match(r"#define (\w+)", line))}
            names |= {match[1] for line in lines if (match := re.match(r"[\w ]+\b__ovld\b[\w ]*[ *](\w+)\(", line))}
            names |= {match[1] for line in lines if (match := re.match(r"typedef .*?(\w+)(?: __att.*)?;", line))}
    return {name for name in names if not name.startswith("_")}


@pytest.mark.skipif(not _built_in(), reason="no headers of OpenCL C are installed")
def test_no_function_type_or_macro_of_opencl_c_is_a_kernels_name() -> None:
    names = _built_in()
    assert len(names) > 1000 and {"exp", "get_global_id", "convert_int4_sat_rte", "CLK_LOCAL_MEM_FENCE"} <= names
    assert sorted(name for name in names if not is_taken(name)) == []


def test_which_platforms_take_any_name() -> None:
    info = {"dialect": "spirv", "kind": "cpu", "platform": "p", "parameter_bytes": 1024}
    any_name, identifiers = target.target_of(info), target.target_of(info | {"workarounds": ("identifier-names",)})
    assert not any_name.takes_identifiers and identifiers.takes_identifiers
    assert target.target_of(info | {"dialect": "clc"}).takes_identifiers
    assert any_name.identity != identifiers.identity  # the cache's key has it

"""What host code sees of HIP's and CUDA's runtime: functions, layouts and numbers, next to HIP's own bindings."""

import inspect
import re
from pathlib import Path

import pytest

from launchpath import hip
from launchpath._compiler import header_folders

from . import bound_layouts, host_side

pytestmark = [pytest.mark.compiles, pytest.mark.processes]  # Clang reads host code

API = Path(header_folders.CLANG) / "launchpath" / "api"
SHARED = ("errors.h", "types.h", "types_host.h", "texture.h")
LISTS = ("functions.h", "functions_arrays.h", "functions_graphs.h", "hip/hip_functions.h")
CALL = re.compile(r"^__LP_CALL\w*\((\w+)\)\((.*?)\);$", re.MULTILINE | re.DOTALL)
# Defined in the headers themselves.
INLINE = {"hipCreateChannelDesc"}


def shared_names(pattern):
    return {name for file in SHARED for name in re.findall(pattern, (API / file).read_text())}


def calls():
    """Give the functions by name, each with its parameters as they are written."""
    found = {}
    for file in LISTS:
        for name, parameters in CALL.findall((API / file).read_text()):
            words = re.sub(r"__LP_API\((\w+)\)", r"hip\1", " ".join(parameters.split()))
            assert f"hip{name}" not in found
            found[f"hip{name}"] = [part.partition(" = ")[0] for part in words.split(", ")] if words else []
    return found


def test_all_functions_are_declared():
    assert not hip.SUPPORTED - calls().keys() - INLINE


def test_parameters_are_those_of_python():
    for name, parameters in calls().items():
        if name not in hip.SUPPORTED:
            continue
        inputs = list(inspect.signature(getattr(hip, name)).parameters)
        if inputs == ["arguments"]:  # hipGetDeviceProperties, which has two forms
            inputs = ["deviceId"]
        declared = [re.fullmatch(r"(.*\W)(\w+)", parameter).groups() for parameter in parameters]
        names = [parameter for _, parameter in declared]
        assert [parameter for parameter in names if parameter in inputs] == inputs, name
        outputs = [kind for kind, parameter in declared if parameter not in inputs]
        assert all(kind.endswith("*") for kind in outputs), name


@pytest.mark.parametrize("dialect", ["hip", "cuda"])
def test_every_list_is_statements_alone(dialect):
    for file in LISTS:
        rest = CALL.sub("", (API / file).read_text())
        assert not [line for line in rest.splitlines() if line and not line.startswith(("//", "#"))], file
    assert not host_side.errors("int main() { return 0; }\n", dialect)


def members(name, renamed, word):
    places = {part.replace("HipArray", f"{word.title()}Array"): at for part, at in bound_layouts.offsets(name).items()}
    return [f'static_assert(offsetof({renamed}, {part}) == {at}, "{renamed}.{part}");' for part, at in places.items()]


def layout(structs, word):
    lines = ["#include <stddef.h>"]
    for name in structs:
        renamed = re.sub("^hip", word, name)
        lines.append(f"static_assert(sizeof({renamed}) == {bound_layouts.size(name)}, {renamed!r});".replace("'", '"'))
        if name == "hipDeviceArch_t":  # of bits
            continue
        lines += members(name, renamed, word)
    return lines


def test_layouts_and_numbers_of_hip():
    structs = bound_layouts.structs()
    assert len(structs) > 100
    lines = layout(structs, "hip")
    numbers = bound_layouts.enumerators()
    assert len(numbers) > 500
    lines += [f'static_assert((long long){name} == {number}, "{name}");' for name, number in numbers.items()]
    assert not host_side.errors("\n".join(lines), "hip")


def test_layouts_of_cuda_are_those_of_hip():
    shared = {f"hip{name}" for name in shared_names(r"(?:struct|union) __LP_API\((\w+)\) \{")}
    # CUDA's has more members, behind HIP's.
    structs = [name for name in bound_layouts.structs() if name in shared and name != "hipTextureDesc"]
    assert len(structs) > 40
    lines = layout(structs, "cuda")
    # Of other names.
    properties = bound_layouts.size("hipDeviceProp_t"), bound_layouts.size("hipPointerAttribute_t")
    lines.append(f"static_assert(sizeof(cudaDeviceProp) == {properties[0]});")
    lines.append(f"static_assert(sizeof(cudaPointerAttributes) == {properties[1]});")
    lines += members("hipDeviceProp_t", "cudaDeviceProp", "cuda")
    assert not host_side.errors("\n".join(lines), "cuda")


def test_numbers_of_cuda_are_those_of_hip_but_for_the_listed():
    names = shared_names(r"__LP_API\((\w+)\) =")
    numbers = bound_layouts.enumerators()
    both = {name: numbers[f"hip{name}"] for name in names if f"hip{name}" in numbers}
    assert len(both) > 200
    del both["BoundaryModeTrap"], both["BoundaryModeClamp"]  # constants of kernels
    lines = [f'static_assert((long long)cuda{name} == {number}, "{name}");' for name, number in both.items()]
    assert not host_side.errors("\n".join(lines), "cuda")


def test_the_listed_numbers_of_cuda():
    listed = re.findall(r"^__LP_\w+\((\w+), (\d+), (\w*)\)$", (API / "cuda_numbers.h").read_text(), re.MULTILINE)
    numbers = bound_layouts.enumerators()
    assert len(listed) > 100
    assert not [twin for _, _, twin in listed if twin and twin not in numbers]
    lines = [f'static_assert((int){name} == {number}, "{name}");' for name, number, _ in listed]
    assert not host_side.errors("\n".join(lines), "cuda")

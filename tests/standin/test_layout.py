"""The numbers, structs and functions of the drivers and of their stand-ins, held against the vendors' own headers."""

import re
import subprocess

import pytest

from .build import FOLDER, ROOT, compile_c, compiler
from .headers import include_folder

LAYOUT = FOLDER / "layout"
GPU = ROOT / "src" / "launchpath" / "_core" / "driver" / "gpu" / "library"
OLDER = "-D__CUDA_API_VERSION_INTERNAL"  # declares each version of a function that a CUDA library still exports
OUR_ENUM = ["-Wno-enum-conversion", "-Wno-enum-compare"]  # the numbers have no other type
CHECKS = [("cuda", "standin.c"), ("cuda", "forward_cuda.c"), ("cuda", "cuda.c"), ("hip", "forward.c"), ("hip", "hip.c")]


def syntax(which, path, *options):
    return compile_c("-fsyntax-only", f"-I{include_folder(which)}", f"-I{GPU}", *options, path)


@pytest.mark.parametrize(("which", "name"), CHECKS)
def test_numbers_and_structs(which, name):
    result = syntax(which, LAYOUT / name)
    assert not result.returncode, result.stderr


def test_a_wrong_number_is_noticed(tmp_path):
    (tmp_path / "wrong.c").write_text('#include <cuda.h>\n#include "same.h"\nSAME(CUDA_ERROR_NOT_FOUND, 501);\n')
    result = syntax("cuda", tmp_path / "wrong.c", f"-I{LAYOUT}")
    assert "CUDA_ERROR_NOT_FOUND is not 501" in result.stderr


@pytest.mark.parametrize("path", sorted((FOLDER / "cuda").glob("*/*.c")), ids=lambda path: path.stem)
def test_the_stand_in_exports_what_nvidia_declares(path):
    result = syntax("cuda", path, "-DSTANDIN_CHECK", OLDER, *OUR_ENUM)
    assert not result.returncode, result.stderr


@pytest.mark.parametrize("path", sorted((FOLDER / "hip").glob("*.c")), ids=lambda path: path.stem)
def test_the_forwarding_library_exports_what_hip_declares(path):
    result = syntax("hip", path, "-DFORWARD_CHECK")
    assert not result.returncode, result.stderr


@pytest.mark.parametrize("which", ["cuda", "hip"])
def test_every_number_of_the_driver_is_held_against_a_header(which):
    other = "HIP" if which == "cuda" else "CUDA"
    text = (GPU / "constants.h").read_text()
    names = [name for name in re.findall(r"#define (\w+) ", text) if not name.startswith(f"{other}_")]
    held = (LAYOUT / f"{which}.c").read_text() + (LAYOUT / "both.h").read_text()
    assert names
    assert [name for name in names if not re.search(rf"\b{name}\b", held)] == []


# Functions that came after HIP 5.2, whose headers Debian has.
LATER = {
    "hipModuleLaunchCooperativeKernel",
    "hipUserObjectCreate",
    "hipUserObjectRetain",
    "hipUserObjectRelease",
    "hipGraphRetainUserObject",
    "hipGraphReleaseUserObject",
}


@pytest.mark.parametrize("which", ["cuda", "hip"])
def test_every_function_of_the_driver_is_declared_like_that(which, tmp_path):
    """Handles and addresses are `void *` there, enums are `int`: sizes and kinds have to be the same."""
    declared, wanted = _declarations(which, tmp_path)
    different = {}
    for field, cuda, hip in re.findall(r'GPU_FUNCTION\((\w+), "(\w*)", "(\w*)"', (GPU / "functions.h").read_text()):
        name = cuda if which == "cuda" else hip
        parameters = declared.get(name) or declared.get(f"{name}_v2")
        if name and parameters != wanted[field] and not (parameters is None and name in LATER):
            different[name] = (wanted[field], parameters)
    assert len(wanted) > 40
    assert not different


def _declarations(which, tmp_path):
    """Return the header's functions by name and the driver's by field, as lists of parameters' kinds."""
    from clang import cindex

    header = {"cuda": "<cuda.h>", "hip": "<hip/hip_runtime_api.h>"}[which]
    path = tmp_path / "both.c"
    path.write_text(f'#include {header}\n#include "functions.h"\n')
    builtin = subprocess.run(
        [*compiler(), "-print-file-name=include"], capture_output=True, text=True, check=True
    ).stdout.strip()
    options = [f"-I{include_folder(which)}", f"-I{GPU}", "-D__HIP_PLATFORM_AMD__", OLDER, "-isystem", builtin]
    unit = cindex.Index.create().parse(str(path), args=options)
    errors = [diagnostic.spelling for diagnostic in unit.diagnostics if diagnostic.severity >= cindex.Diagnostic.Error]
    assert not errors
    declared, wanted = {}, {}
    for cursor in unit.cursor.get_children():
        if cursor.kind == cindex.CursorKind.FUNCTION_DECL:
            declared[cursor.spelling] = _kinds(cursor.type)
        elif cursor.kind == cindex.CursorKind.TYPEDEF_DECL and cursor.spelling == "gpu_functions":
            for field in cursor.underlying_typedef_type.get_canonical().get_fields():
                wanted[field.spelling] = _kinds(field.type.get_pointee())
    return declared, wanted


def _kinds(function):
    from clang.cindex import TypeKind

    def kind(type_):
        type_ = type_.get_canonical()
        if type_.kind in (TypeKind.POINTER, TypeKind.ULONGLONG):  # CUdeviceptr is a number of that size
            return "address"
        if type_.kind in (TypeKind.FLOAT, TypeKind.DOUBLE):
            return f"float{8 * type_.get_size()}"
        return f"{8 * type_.get_size()}"

    function = function.get_canonical()
    if function.kind == TypeKind.FUNCTIONNOPROTO:  # `f()`
        return []
    return [kind(argument) for argument in function.argument_types()]

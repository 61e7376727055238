"""A folder that build systems take for a toolkit of CUDA's and of ROCm's: programs, headers, libraries, CMake's files.

Its programs are the driver. Its headers and libraries are empty: the driver has launchpath's own. It is made at first
use, in the folder of the cache, for the Python that runs.
"""

from __future__ import annotations

import os
import shlex
import sys

from ..._version import __version__
from . import library, link, missing

CUDA_VERSION = "12.0.0"
HIP_VERSION = "6.0.0"
_BUILT_FROM = "launchpath"  # ROCm's program says a commit there; projects split its version at the "-"
ARCHITECTURE = "70"
HIP_ARCHITECTURE = "gfx900"

_PYTHON = (
    "import sys; from launchpath._host.compiler.driver import run; "
    "sys.exit(run(sys.argv[3:], sys.argv[1], sys.argv[2] or None))"
)
_PROGRAM = """#!/bin/sh
exec {python} -c '{code}' {name} '{dialect}' "$@"
"""
_CONFIG = """#!/bin/sh
case "$1" in
  -p|--path|-R|--rocmpath) echo "{root}";;
  -l|--hipclangpath) echo "{root}/bin";;
  -P|--platform) echo amd;;
  -c|--compiler) echo clang;;
  -r|--runtime) echo rocclr;;
  -C|--cpp_config) echo " -D__HIP_PLATFORM_AMD__=1";;
  *) echo {version};;
esac
"""
_PROGRAMS = {"nvcc": "", "hipcc": "hip", "amdclang++": "", "launchpath-c++": ""}
# The driver searches this folder behind its own, so none of these is read where the driver compiles.
_HEADER = "#include_next <{name}>\n"
_HEADERS = (
    "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "hip/hip_runtime.h", "hip/hip_runtime_api.h",
)  # fmt: skip
_TARGETS = """if(NOT TARGET {name}::host)
  add_library({name}::host INTERFACE IMPORTED)
  add_library({name}::device INTERFACE IMPORTED)
  add_library({name}::amdhip64 INTERFACE IMPORTED)
{options}endif()
set(HIP_PLATFORM "amd")
set(HIP_COMPILER "clang")
set(HIP_RUNTIME "rocclr")
set(HIP_VERSION "{version}")
set({name}_VERSION "{version}")
set({name}_FOUND TRUE)
set({name}_INCLUDE_DIRS "")
set({name}_LIBRARIES {name}::host)
"""
_OPTIONS = """  set_property(TARGET hip::device PROPERTY INTERFACE_COMPILE_OPTIONS
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x hip>")
"""
# Projects with the language HIP then find the package hip.
_PREFIX = '  list(APPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_LIST_DIR}/../../..")\n'
_VERSION = """set(PACKAGE_VERSION "{version}")
set(PACKAGE_VERSION_COMPATIBLE TRUE)
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
"""
_FORMAT = "2"  # another one for other files than before


def folder() -> str:
    """Give the folder; make it if it is not there.

    Raises
    ------
    CompileError
        It cannot be made.
    """
    return library.found_or_built("toolkit", _key(), _build)


def _key() -> str:
    return f"{_FORMAT} {__version__} {sys.executable}"


def _build(root: str) -> None:
    final = library.own_folder("toolkit", _key())
    for name, dialect in _PROGRAMS.items():
        text = _PROGRAM.format(code=_PYTHON, python=shlex.quote(sys.executable), name=name, dialect=dialect)
        _write(root, f"bin/{name}", text, 0o755)
    _write(root, "bin/hipconfig", _CONFIG.format(root=final, version=f"{HIP_VERSION}-{_BUILT_FROM}"), 0o755)
    for name in _HEADERS:
        _write(root, f"include/{name}", _HEADER.format(name=name))
    _write(root, "version.json", f'{{"cuda": {{"name": "launchpath", "version": "{CUDA_VERSION}"}}}}\n')
    _write(root, "nvvm/libdevice/README", "launchpath needs no library here.\n")
    for package, options in (("hip-lang", _PREFIX), ("hip", _OPTIONS)):
        text = _TARGETS.format(name=package, version=HIP_VERSION, options=options)
        _write(root, f"lib/cmake/{package}/{package}-config.cmake", text)
        _write(root, f"lib/cmake/{package}/{package}-config-version.cmake", _VERSION.format(version=HIP_VERSION))
    os.makedirs(os.path.join(root, "lib64"))
    empty = os.path.join(root, "lib64", "empty.o")
    link.empty_object(empty)
    for name in missing.STUBS_SHARED:
        link.stub(empty, os.path.join(root, "lib64", f"lib{name}.so"))
    for name in missing.STUBS_STATIC:
        link.archive([empty], os.path.join(root, "lib64", f"lib{name}.a"))


def _write(root: str, name: str, text: str, mode: int = 0o644) -> None:
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)

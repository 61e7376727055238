"""What a compilation or a link starts from: ziglang's Clang and linker, this machine's C library, the headers."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import sys
from collections.abc import Iterable
from functools import cache

from ..._compiler import header_folders
from ..._compiler.clang import frontend
from ...errors import CompileError
from . import archives

MACHINE = "x86_64-unknown-linux-gnu"
# Where others are installed whose headers and libraries programs may use.
_OTHER_HEADERS = ("/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include")
_OTHER_LIBRARIES = (
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/lib/x86_64-linux-gnu",
    "/lib64",
)
# What unwinds stacks where a thread ends by pthread_exit: exceptions need the same.
_UNWINDER = "libgcc_s.so.1"
_C_LIBRARY = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1", _UNWINDER)
_LOADER = "ld-linux-x86-64.so.2"
_OF_OLD_GLIBC = re.compile(r"(ld|lib[a-z]+)-2\.\d+\.so")


def zig() -> str:
    """Give ziglang's program.

    Raises
    ------
    CompileError
        It is not installed, or not for this machine.
    """
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64":
        raise CompileError(
            f"expected Linux on x86-64, for which programs with host code are compiled, got {sys.platform} on "
            f"{platform.machine()}: compile their kernels with launchpath.compile"
        )
    program = find_zig()
    if program is None:
        raise CompileError(f"compiling host code: expected the package ziglang, got none: {frontend.INSTALL_HINT}")
    return program


@cache
def find_zig() -> str | None:
    """Find ziglang's program."""
    from importlib.util import find_spec  # noqa: PLC0415 (slow to import)

    spec = find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return None
    return os.path.join(spec.submodule_search_locations[0], "zig")


def c_headers() -> list[str]:
    """Name the folders of the headers of C."""
    return archives.system_folders(zig())


def cxx_headers() -> list[str]:
    """Name the folders of the headers of C++, which come before those of C."""
    lib = os.path.join(os.path.dirname(zig()), "lib")
    return [header_folders.NATIVE, os.path.join(lib, "libcxx/include"), os.path.join(lib, "libcxxabi/include")]


def own_headers() -> list[str]:
    """Name the folders of launchpath's headers, which come behind those of C and C++."""
    return [*frontend.HEADERS, *header_folders.ABSENT]


def other_headers() -> list[str]:
    """Name the folders of the headers of this machine's other libraries, which come last."""
    return [folder for folder in _OTHER_HEADERS if os.path.isdir(folder)]


@cache
def glibc_minor() -> int:
    """Give the number behind "2." of this machine's glibc.

    Raises
    ------
    CompileError
        The C library is another one.
    """
    name, version = platform.libc_ver()
    major, _, minor = version.partition(".")
    if name != "glibc" or major != "2" or not minor.isdigit():
        raise CompileError(
            f"expected glibc 2, with which programs are linked, got {name or 'another C library'} {version}"
        )
    return int(minor)


@cache
def c_library() -> tuple[str, ...]:
    """Give the paths of this machine's C library as this process has it loaded, the loader's last.

    Raises
    ------
    CompileError
        It is not glibc.
    """
    for name in _C_LIBRARY:
        try:
            ctypes.CDLL(name)
        except OSError:
            continue  # newer ones are parts of libc.so.6
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
        paths = {line.rstrip("\n").split(maxsplit=5)[-1] for line in file if "/" in line}
    by_name = by_names(paths)
    library_paths = [by_name[name] for name in (*_C_LIBRARY, _LOADER) if name in by_name]
    if "libc.so.6" not in by_name:
        raise CompileError(
            "expected glibc, with which programs are linked, got another C library: its libc.so.6 is missing"
        )
    if _UNWINDER not in by_name:
        raise CompileError(f"expected {_UNWINDER}, with which programs are linked, got none: install libgcc")
    return tuple(library_paths)


def by_names(paths: Iterable[str]) -> dict[str, str]:
    """Give the paths of libraries by the names by which programs ask for them.

    Up to glibc 2.33 its own libraries are files such as libc-2.31.so, to which those names are links.
    """
    by_name = {os.path.basename(path): path for path in paths}
    for file, path in list(by_name.items()):
        if match := _OF_OLD_GLIBC.fullmatch(file):
            names = (_LOADER,) if match[1] == "ld" else _C_LIBRARY
            by_name |= {name: path for name in names if match[1] == "ld" or name.startswith(f"{match[1]}.so.")}
    return by_name


@cache
def interpreter() -> str:
    """Give the path of the loader of programs."""
    usual = f"/lib64/{_LOADER}"
    return usual if os.path.exists(usual) else next((path for path in c_library() if path.endswith(_LOADER)), usual)


def library_folders() -> list[str]:
    """Name the folders in which ``-l`` looks last: that of the C library, and the usual ones."""
    folders = [os.path.dirname(c_library()[0]), *_OTHER_LIBRARIES]
    return [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]

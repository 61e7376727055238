"""What build systems ask a compiler: its version, its machine, where its parts are."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..._version import __version__
from . import cxx_library, toolchain

# nvcc's version as its language's macros have it.
_CUDA = "12.0"
_HELP = """Usage: {name} [options] FILE...

A compiler driver as hipcc, nvcc and g++ are: it takes their options. Programs run without a GPU's toolkit.

  .cu                  CUDA: host code and kernels
  .hip                 HIP: host code and kernels
  .cpp .cc .cxx .c     host code only, unless -x cu, -x hip, --cuda or --hip stands before
  .o .a .so            linked

Environment: the device that kernels run on is chosen when the program runs, by LAUNCHPATH_DEVICE.
More: docs/host_programs.md
"""


def answer(words: Sequence[str], name: str) -> str | None:
    """Give the answer to a question; None if the words ask none."""
    for word in words:
        option, _, value = word.partition("=")
        if word in ("--version", "-V"):
            return version(name) + "\n"
        if word in ("--help", "-h", "-help"):
            return _HELP.format(name=name)
        if word in ("-dumpversion", "-dumpfullversion"):
            return f"{clang_version()}\n"
        if word == "-dumpmachine" or word in ("-print-multiarch", "--print-target-triple", "-print-target-triple"):
            return "x86_64-linux-gnu\n" if "multiarch" in word else f"{toolchain.MACHINE}\n"
        if option in ("-print-prog-name", "--print-prog-name"):
            return f"{_program(value)}\n"
        if option in ("-print-file-name", "--print-file-name"):
            return f"{_file(value)}\n"
        if word in ("-print-search-dirs", "--print-search-dirs"):
            folders = ":".join(toolchain.library_folders())
            return f"programs: ={os.path.dirname(toolchain.zig())}\nlibraries: ={folders}\n"
        if word in ("-print-libgcc-file-name", "--print-libgcc-file-name"):
            return "libcompiler_rt.a\n"
        if word in ("-print-resource-dir", "--print-resource-dir"):
            return f"{os.path.join(os.path.dirname(toolchain.zig()), 'lib')}\n"
        if word in ("--list-gpu-arch", "-list-gpu-arch"):
            return "compute_70\n"
        if word in ("--list-gpu-code", "-list-gpu-code"):
            return "sm_70\n"
    return None


def version(name: str) -> str:
    """Give the text of ``--version``: first in launchpath's words, then in those that build systems look for."""
    zig = next(iter(cxx_library.zig_version(toolchain.zig())), "unknown")
    return (
        f"{name} (launchpath) {__version__}\n"
        f"clang version {clang_version()} (ziglang {zig})\n"
        f"Cuda compilation tools, release {_CUDA}, V{_CUDA}.0\n"
        f"HIP version: 6.0.0\n"
        f"Target: {toolchain.MACHINE}\nThread model: posix\nInstalledDir: {os.path.dirname(toolchain.zig())}"
    )


def clang_version() -> str:
    """Give the version of ziglang's Clang."""
    from .compilation import _run  # noqa: PLC0415

    text = _run([toolchain.zig(), "clang", "--version"]).output.decode()
    return text.split("clang version ", 1)[-1].split()[0] if "clang version " in text else "0"


def _program(name: str) -> str:
    known = {"ld": "ld.lld", "ld.lld": "ld.lld", "ar": "ar", "ranlib": "ranlib"}
    return name if name not in known else name


def _file(name: str) -> str:
    for folder in toolchain.library_folders():
        if os.path.exists(path := os.path.join(folder, name)):
            return path
    return name

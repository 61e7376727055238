"""What build systems ask a compiler: its version, its machine, where its parts are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from ..._report.console import console
from ..._report.wrapping import fitted
from ..._version import __version__
from . import archives, compilation, options, toolchain, toolkit

# CMake knows by the first of these lines which options a compiler has.
_NVCC = (
    "with the options of\nnvcc: NVIDIA (R) Cuda compiler driver\n"
    f"Cuda compilation tools, release {toolkit.CUDA_VERSION.rpartition('.')[0]}, V{toolkit.CUDA_VERSION}\n"
)
_HELP = """Usage: {name} [options] FILE...

A compiler driver as hipcc, nvcc and g++ are: it takes their options. Programs run without a GPU's toolkit.

  .cu                  CUDA: host code and kernels
  .hip                 HIP: host code and kernels
  .cpp .cc .cxx .c     host code only, unless -x cu, -x hip, --cuda or --hip stands before
  .o .a .so            linked

The device that kernels run on is chosen when the program runs, by LAUNCHPATH_DEVICE.

For build systems:

  --print-toolkit-dir  a folder that they take for CUDA's (CUDA_HOME) and for ROCm's (ROCM_PATH)
"""


def answer(words: Sequence[str], name: str) -> str | None:
    """Give the answer to a question; None if the words ask none."""
    is_value = False
    for word in words:
        if is_value:
            is_value = False
            continue
        match = options.find(word)
        is_value = match is not None and options.takes_next(match)
        question, _, value = word.partition("=")
        if value and question.lstrip("-") in _ABOUT and question.startswith("-"):
            return f"{_ABOUT[question.lstrip('-')](value)}\n"
        if word in _USUAL:
            return f"{_USUAL[word](name)}\n"
        if word.startswith("-") and word.lstrip("-") in _QUESTIONS:
            return f"{_QUESTIONS[word.lstrip('-')]()}\n"
    return None


def version(name: str) -> str:
    """Give the text of ``--version``: first in launchpath's words, then in those that build systems look for."""
    zig = next(iter(archives.zig_version(toolchain.zig())), "unknown")
    return (
        f"{name} (launchpath) {__version__}\n"
        f"{_NVCC if 'nvcc' in name else ''}"
        f"clang version {clang_version()} (ziglang {zig})\n"
        f"HIP version: {toolkit.HIP_VERSION}\n"
        f"Target: {toolchain.MACHINE}\nThread model: posix\nInstalledDir: {os.path.dirname(toolchain.zig())}"
    )


def verbose(name: str) -> str:
    """Give what ``-v`` says before the work: the version, and where CMake looks for the parts of a toolkit."""
    root = toolkit.folder()
    text = f"{version(name)}\nFound HIP installation: {root}, version {toolkit.HIP_VERSION}\n"
    text += f" -target-cpu {toolkit.HIP_ARCHITECTURE} \n"
    if "nvcc" in name:
        text += (
            f"#$ TOP={root}\n#$ NVVMIR_LIBRARY_DIR={root}/nvvm/libdevice\n#$ PATH={root}/bin\n"
            f'#$ LIBRARIES=  "-L{root}/lib64"\n#$ INCLUDES="-I{root}/include"  \n'
            f"#$ -arch compute_{toolkit.ARCHITECTURE}\n"
            f'#$ "{root}/bin/launchpath-c++" -o "a.out" "a.o" "-L{root}/lib64" -lcudart_static -lcudadevrt\n'
        )
    return text


def clang_version() -> str:
    """Give the version of ziglang's Clang."""
    text = compilation.run([toolchain.zig(), "clang", "--version"]).output.decode()
    return text.split("clang version ", 1)[-1].split()[0] if "clang version " in text else "0"


def _file(name: str) -> str:
    for folder in toolchain.library_folders():
        if os.path.exists(path := os.path.join(folder, name)):
            return path
    return name


def _folders() -> str:
    folders = ":".join(toolchain.library_folders())
    return f"programs: ={os.path.dirname(toolchain.zig())}\nlibraries: ={folders}"


# With one dash or two, as others have them.
_QUESTIONS: dict[str, Callable[[], str]] = {
    "dumpversion": clang_version, "dumpfullversion": clang_version, "dumpmachine": lambda: toolchain.MACHINE,
    "print-target-triple": lambda: toolchain.MACHINE, "print-multiarch": lambda: "x86_64-linux-gnu",
    "print-search-dirs": _folders, "print-libgcc-file-name": lambda: "libcompiler_rt.a",
    "print-resource-dir": lambda: os.path.join(os.path.dirname(toolchain.zig()), "lib"),
    "print-targets": lambda: "  Registered Targets:\n    x86-64 - 64-bit X86: EM64T and AMD64",
    "print-toolkit-dir": toolkit.folder, "list-gpu-arch": lambda: f"compute_{toolkit.ARCHITECTURE}",
    "list-gpu-code": lambda: f"sm_{toolkit.ARCHITECTURE}",
}  # fmt: skip


def _help(name: str) -> str:
    return "\n".join(fitted(_HELP.format(name=name).rstrip(), console().width))


_ABOUT: dict[str, Callable[[str], str]] = {
    "print-prog-name": lambda name: name,  # as of compilers that have no program of that name
    "print-file-name": _file,
}
_USUAL: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("--version", "-V"), version),
    **dict.fromkeys(("--help", "-h", "-help"), _help),
}

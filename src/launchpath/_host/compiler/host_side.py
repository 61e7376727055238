"""The host side of a source: what Clang is told.

HIP's and CUDA's dialects are both HIP to Clang, with other macros. Its stubs of kernels then call the same functions.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys

from ..._compiler.clang import frontend
from ..._compiler.source.source import OF_HEADERS
from . import archives, cccl, toolchain, uses
from .command import CUDA, DIALECTS, Command, Input

# Options that only the language of kernels needs; `frontend` has the reasons.
_DIALECT = (
    "--offload-host-only", "-nogpuinc", "-nogpulib", "-fdeclspec", "-foffload-implicit-host-device-templates",
    "-Wno-c++11-narrowing", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument",
    "-Xclang", "-aux-triple", "-Xclang", frontend.TRIPLE,
)  # fmt: skip
_OURS = ("__LAUNCHPATH__", "__LP_HOST__", "__LP_NATIVE__")
_MACROS = {
    True: (
        "__LP_CUDA__",
        "__CUDACC__",
        "__NVCC__",
        "__CUDACC_VER_MAJOR__=12",
        "__CUDACC_VER_MINOR__=0",
        "__CUDACC_VER_BUILD__=0",
    ),
    False: ("__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_SPIRV__"),
}
_RUNTIME = {True: "cuda_runtime.h", False: "hip/hip_runtime.h"}
_USUAL_STANDARD = "gnu++17"
_OLDER = re.compile(r"(c|gnu)\+\+(?:98|03|0x|11|1y|14)")
_PLAIN_C = frozenset(("c", "assembler-with-cpp", "c-header"))
_PREPROCESSED = frozenset(("assembler", "cpp-output", "c++-cpp-output"))
# A folder with one of these is an installed toolkit's.
_OF_TOOLKITS = ("cuda_runtime_api.h", "hip/hip_runtime_api.h")
_OUTPUTS = {"compile": ["-c"], "assemble": ["-S"], "preprocess": ["-E"], "syntax": ["-fsyntax-only"]}


def arguments(command: Command, source: Input, target: str | None, mode: str, api: str | None = None,
              defines: str | None = None) -> list[str]:  # fmt: skip
    """Make the command of Clang's driver for a source.

    Parameters
    ----------
    command : Command
    source : Input
    target : str or None
        The file to write; None: the standard output, or none.
    mode : str
        As `Command.mode`.
    api : str, optional
        The dialect whose headers a source of C++ includes.
    defines : str, optional
        A file with the macros of `text_of_macros`.
    """
    words = [toolchain.zig(), "clang", "--no-default-config", "-target", toolchain.MACHINE]
    words += ["-fcolor-diagnostics"] if sys.stderr.isatty() else []
    words += _text(command, source, api, defines)
    words += command.host
    if source.language in DIALECTS and command.relocatable:
        words += ["-fgpu-rdc", f"-cuid={identity(source, target)}"]
    if source.language in DIALECTS and not command.has_level:
        words.append("-O2")
    if command.openmp:
        words.append("-fopenmp")
    words += [*_OUTPUTS.get(mode, []), source.path]
    return [*words, "-o", target] if target is not None else words


def _text(command: Command, source: Input, api: str | None, defines: str | None) -> list[str]:
    """Make what is about the text: the language, macros and headers."""
    if source.language in _PREPROCESSED:
        return ["-fPIC", "-x", source.language]
    is_dialect, is_cuda = source.language in DIALECTS, source.language == CUDA
    words = ["-fPIC", "-nostdinc", f"-D__GLIBC_MINOR__={toolchain.glibc_minor()}"]
    # Headers of the dialects are for Clang's HIP.
    words += ["-x", "hip", *_DIALECT] if is_dialect or api else ["-x", source.language]
    words += _standard(command, source, api is not None)
    if source.language not in _PLAIN_C:
        words += ["-nostdinc++", *(f"-D{macro}" for macro in archives.MACROS)]
    if is_dialect:
        words += ["-U__HIP__", "-U__HIPCC__"] if is_cuda else []
        words += [f"-D{macro}" for macro in (*_OURS, *_MACROS[is_cuda])]
    elif api:
        words += ["-U__HIP__", "-U__HIPCC__", *(f"-D{macro}" for macro in _OURS)]
        words += ["-D__LP_CUDA__"] if api == CUDA else []
    algorithms = uses.algorithms(source.path, folders(command)) if is_dialect or api else uses.NO_ALGORITHMS
    words += ["-D__LP_ALGORITHMS__"] if algorithms.any else []
    words += cccl.macros(command) if algorithms.thrust else []
    words += [f"-{letter}{text}" for letter, text in command.macros if defines is None or changes_headers(text)]
    last = []
    for folder in command.folders:
        if is_toolkit(folder):
            last.append(folder)
        else:
            words += ["-I", folder]
    for option, folder in command.system_folders:
        words += [option, folder]
    cxx = [] if source.language in _PLAIN_C else toolchain.cxx_headers()
    before = cccl.folders() if algorithms.thrust else []
    for folder in (*before, *cxx, *toolchain.c_headers(), *toolchain.own_headers()):
        words += ["-isystem", folder]
    for folder in (*last, *toolchain.other_headers()):
        words += ["-idirafter", folder]
    if is_dialect:
        words += ["-include", frontend.PRELUDE, "-include", _RUNTIME[is_cuda]]
    elif api:
        words += ["-include", frontend.PRELUDE]
    words += ["-include", defines] if defines is not None else []
    for header in command.includes:
        words += ["-include", header]
    return words


def folders(command: Command) -> list[str]:
    """Name the user's folders of headers."""
    return [*command.folders, *(folder for _, folder in command.system_folders)]


def _standard(command: Command, source: Input, uses_api: bool) -> list[str]:
    if source.language not in DIALECTS and not uses_api:
        is_c = source.language in _PLAIN_C
        return [f"-std={command.standard}"] if command.standard and is_c == ("+" not in command.standard) else []
    # C++17 has all of the older standards, as on the device side.
    standard = command.standard if "++" in command.standard else _USUAL_STANDARD
    return ["-std=" + _OLDER.sub(r"\1++17", standard)]


def is_toolkit(folder: str) -> bool:
    """Whether a folder has CUDA's or ROCm's own headers, which come behind launchpath's."""
    return any(os.path.exists(os.path.join(folder, name)) for name in _OF_TOOLKITS)


def text_of_macros(command: Command) -> str:
    """Give the text that defines the macros which launchpath's headers are not to see: it comes behind them."""
    lines = []
    for letter, text in command.macros:
        if not changes_headers(text):
            name, has_value, value = text.partition("=")
            lines.append(f"#undef {text}" if letter == "U" else f"#define {name} {value if has_value else 1}")
    return "\n".join(["#pragma GCC system_header", *lines, ""]) if lines else ""


def identity(source: Input, target: str | None) -> str:
    """Give a name to an object of device code that is linked: of two objects of a program the names differ."""
    return hashlib.sha256(os.fsencode(f"{os.path.abspath(source.path)}\n{os.path.abspath(target or '')}")).hexdigest()


def text_of_handle(source: Input, target: str | None) -> str:
    """Define where an object's constructor keeps its handle.

    With ``-fgpu-rdc`` Clang declares it for a linker of device code to define.
    """
    from ..._compiler import parts  # noqa: PLC0415 (few programs link device code)

    name = f"__hip_gpubin_handle_{parts.digest(identity(source, target))}"
    lines = (rf'.pushsection .bss.{name},\"aw\",@nobits', f".hidden {name}", f".globl {name}", ".balign 8", f"{name}:",
             ".zero 8", ".popsection")  # fmt: skip
    # Clang registers nothing of a file of device functions alone, which other files call.
    variable = "static __device__ __attribute__((used)) char __lp_registered;\n"
    return variable + "__asm__(" + " ".join(f'"{line}\\n"' for line in lines) + ");\n"


def changes_headers(macro: str) -> bool:
    """Whether the headers before a source may depend on a macro of the user's, as ``NAME=VALUE``."""
    name = macro.partition("=")[0].partition("(")[0]
    return name.startswith("_") or name in OF_HEADERS or name == "NDEBUG" or name.startswith(("CUDA", "HIP"))

"""Host code that is compiled to run, by Clang alone: what the headers have to serve."""

import subprocess
from pathlib import Path

from launchpath._compiler import header_folders
from launchpath._compiler.clang import frontend

_OURS = (header_folders.CLANG, header_folders.COMMON, header_folders.CLANG_FORWARDING, *header_folders.ABSENT)
_SYSTEM = (
    "libcxx/include", "libcxxabi/include", "include", "libc/include/x86-linux-gnu", "libc/include/generic-glibc",
    "libc/include/x86-linux-any", "libc/include/any-linux-any",
)  # fmt: skip
_NOT_FOR_HOSTS = ("-fcuda-is-device", "-Wno-deprecated-attributes")
_CUDA = ("-D__LP_CUDA__", "-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=0")


def command(dialect: str, *options: str) -> list[str]:
    """Make the command for a source of "cuda" or "hip", which is read from standard input."""
    lib = Path(frontend.command()[0]).parent / "lib"
    language = [option for option in frontend._LANGUAGE if option not in _NOT_FOR_HOSTS]
    words = [*frontend.command(), "-cc1", "-triple", "x86_64-unknown-linux-gnu", "-aux-triple", frontend.TRIPLE]
    words += ["-std=gnu++17", *language]
    for folder in (*(str(lib / part) for part in _SYSTEM), *_OURS):
        words += ["-isystem", folder]
    words += [f"-D{macro}" for macro in frontend._LIBCXX if "MUSL" not in macro]
    words += ["-D_LIBCPP_HAS_MUSL_LIBC=0", "-D__GLIBC_MINOR__=31", "-D_GNU_SOURCE", "-D__LP_HOST__", "-D__LP_NATIVE__"]
    words += [*_CUDA, "-U__HIP__", "-U__HIPCC__"] if dialect == "cuda" else []
    main = "cuda_runtime.h" if dialect == "cuda" else "hip/hip_runtime.h"
    words += ["-include", "launchpath/device.h", "-include", main]
    words += ["-w", "-mrelocation-model", "pic", "-pic-level", "2", "-target-cpu", "x86-64", *options]
    return [*words, "-x", "hip", "-"]


def errors(source: str, dialect: str, *options: str) -> str:
    """Compile a source and give Clang's errors."""
    words = command(dialect, *(options or ("-fsyntax-only",)))
    done = subprocess.run(words, input=source, capture_output=True, text=True, check=False)
    return (done.stderr or "no message") if done.returncode else ""


def ir(source: str, dialect: str) -> str:
    """Compile a source and give LLVM's text, with small functions inlined."""
    words = command(dialect, "-O1", "-emit-llvm", "-o", "-")
    done = subprocess.run(words, input=source, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout

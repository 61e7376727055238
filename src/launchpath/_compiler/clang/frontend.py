"""The C++ compiler: Clang, in HIP's device mode, from source to SPIR-V.

Clang comes with the package ``ziglang``, which carries it with all targets, and with libc++'s and libc's headers.
``LAUNCHPATH_CLANG`` names another Clang (22 or later, with the SPIR-V target), which has its own libc++ headers.
The extra ``compile`` installs ``ziglang`` and ``libclang``: programs that are only loaded need neither.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ...errors import CompileError
from .. import header_folders
from ..cache import own_sources
from ..messages.unused import UNUSED
from ..source.options import NONE, Options
from ..source.source import DEFINES, VIRTUAL, Source
from ..source.source import HEADERS as HEADERS_GIVEN

CLANG_VARIABLE = "LAUNCHPATH_CLANG"
HEADERS = (header_folders.CLANG, header_folders.COMMON, header_folders.CLANG_FORWARDING)
PRELUDE = "launchpath/device.h"
PRECOMPILED = os.path.join(header_folders.CLANG, "launchpath", "precompiled.h")
_PACKAGES = (("ziglang", "ziglang"), ("libclang", "clang"))  # each with its module
INSTALL_HINT = (
    "install launchpath with its extra compile, in a clone by `pip install '.[compile]'` "
    f"(another Clang than ziglang's: name it in {CLANG_VARIABLE})"
)

WITHOUT_HINT = f"without the package ziglang there is only a small part of the C++ library: {INSTALL_HINT}"

# SPIR-V 1.3 is the first with sub-group operations; later ones change nothing that is used here.
TRIPLE = "spirv64v1.3-unknown-unknown"
HOST_TRIPLE = "x86_64-unknown-linux-musl"

_LANGUAGE = (
    "-x", "hip", "-fcuda-is-device", "-fhip-new-launch-api", "-fcuda-allow-variadic-functions",
    "-ffp-contract=fast", "-fgnuc-version=4.2.1", "-fdeclspec", "-fcxx-exceptions", "-fexceptions",
    "-fdeprecated-macro", "-ferror-limit", "0", "-fno-spell-checking", "-fno-caret-diagnostics", "-nostdsysteminc",
    "-nobuiltininc",
    "-Wno-deprecated-attributes",  # of deduction guides with __device__, which headers of libraries have by the dozen
    "-fcheck-new",  # `new` gives the null pointer if the heap is full
    "-foffload-implicit-host-device-templates",  # templates of the C++ library are then for kernels as well
    "-Wno-c++11-narrowing",  # float4{threadIdx.x, ...}: nvcc only warns of it
)  # fmt: skip

# Macros that libc++ expects from its installation.
_LIBCXX = (
    "_LIBCPP_ABI_VERSION=1", "_LIBCPP_ABI_NAMESPACE=__1", "_LIBCPP_HAS_THREADS=1", "_LIBCPP_HAS_MONOTONIC_CLOCK=1",
    "_LIBCPP_HAS_TERMINAL=1", "_LIBCPP_HAS_MUSL_LIBC=1", "_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0",
    "_LIBCPP_HAS_FILESYSTEM=1", "_LIBCPP_HAS_RANDOM_DEVICE=1", "_LIBCPP_HAS_LOCALIZATION=1", "_LIBCPP_HAS_UNICODE=1",
    "_LIBCPP_HAS_WIDE_CHARACTERS=1", "_LIBCPP_HAS_NO_STD_MODULES", "_LIBCPP_HAS_TIME_ZONE_DATABASE=1",
    "_LIBCPP_PSTL_BACKEND_SERIAL", "_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "_LIBCPP_HARDENING_MODE_DEFAULT=_LIBCPP_HARDENING_MODE_NONE",
    "_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
)  # fmt: skip

# Functions of single precision are the fast ones.
FAST_MATH = "__LP_FAST_MATH__"

# The host's own compilation: only its launches are looked for.
LAUNCHES = "__LP_LAUNCHES__"
HOST: Mapping[str, str | None] = {"__LP_HOST__": None, LAUNCHES: None}
_DEVICE_ONLY = frozenset({"__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__"})

# The functions of HIP's or CUDA's API, for host code that is kept beside kernels.
HOST_CALLS = "__LP_HOST_CALLS__"

# Nothing is private: kernels that are private members are compiled, as hipcc and nvcc launch them within the class.
OPEN = "__LP_OPEN__"

# Headers that nvcc's and hipcc's own headers, and those of the GNU C++ library, include as well.
EVERY_HEADER = "__LP_EVERY_HEADER__"
_BROUGHT_ALONG = ("algorithm", "climits", "cstdlib", "cstring", "limits", "new", "type_traits", "utility")

# Macros by which Clang names the language: `Source.macros` chooses those that a source sees.
_DIALECTS = ("__HIP__", "__HIPCC__", "__HIP_DEVICE_COMPILE__", "__CUDA__", "__CUDA_ARCH__")

# - SPIR-V's copy of memory takes no overlaps, but the backend writes it for loops that shift an array.
# - CUDA programs pass values on that are only set in some threads; Clang may take that for a promise about the threads.
# - Programs read a vector's elements by `(&v.x)[i]`: Clang may take that for the first member whatever `i` is, and drop
#   what is stored to the others. It judges by the members of structs; by types alone it does not.
CARE = (
    "-mllvm", "-disable-loop-idiom-memcpy", "-mllvm", "-disable-loop-idiom-memset", "-no-enable-noundef-analysis",
    "-no-struct-path-tbaa",
)  # fmt: skip

# - The reduction of loops' strength counts `x & 31` in 5 bits, and the backend writes 8 for it without a mask: silently
#   wrong. The device's compiler reduces them by itself.
# - Without function pointers the backend writes null for the address of a function that no pointer calls. With them it
#   writes what `llvm_text.backend` then replaces by numbers.
SPIRV = (
    "-O2", "-emit-obj", *CARE, "-mllvm", "-disable-lsr",
    "-mllvm",
    "--spirv-ext=+SPV_EXT_relaxed_printf_string_address_space,+SPV_KHR_shader_clock,+SPV_KHR_bit_instructions,"
    "+SPV_INTEL_function_pointers",
)  # fmt: skip

LLVM = ("-O2", "-emit-llvm", *CARE)

# Threading of jumps gives the threads that skip a branch a copy of what follows it. Lanes that share memory in step
# have to come to it together. Clang itself leaves the pass out for GPUs.
_IN_STEP = ("-mllvm", "-jump-threading-threshold=0")
_ORDERED = re.compile(rb"\b(?:volatile|__syncwarp|__threadfence_block|asm|__asm__|__asm)\b")
_ENDS = re.compile(rb"\breturn\s*;")
_MEETS = re.compile(rb"sync|barrier")

# Clang inlines the functions that take any group: it then knows the group, and refuses a barrier that no device has.
_TAKES_GROUPS = re.compile(rb"\bthread_group\b")
_GROUPS_KNOWN = ("-mllvm", "-inline-threshold=2000")

BITCODE = ("-disable-llvm-passes", "-emit-llvm-bc")

# For checks of accesses, from LLVM's text with lines:
# - Far more functions are inlined. A called function has to look up at each access what a pointer in a struct leads to;
#   where the function is inlined, that is known.
# - Equal accesses of two branches stay two accesses: a common access would have no line.
CHECKED = (
    "-debug-info-kind=line-tables-only", "-dwarf-version=4", "-mllvm", "-inline-threshold=2000",
    "-mllvm", "-sink-common-insts=false", "-mllvm", "-hoist-common-insts=false",
)  # fmt: skip


def optimized(mode: tuple[str, ...], form: str, options: Options = NONE) -> tuple[str, ...]:
    """Adapt a mode to the form into which the SPIR-V is translated, and to the options.

    PoCL 3.1 loses threads where a branch jumps out of a branch that holds a barrier, and at -O2 Clang makes such jumps
    of sources that have none. Clang also unrolls loops before PoCL makes its loops over the threads: PoCL's are then
    slower.
    """
    level = "-O1" if form == "clc" else "-O2"
    if options.optimization is not None:
        level = f"-O{options.optimization}"
    words = [level if option == "-O2" else option for option in mode]
    if options.fast_math:  # no more than CUDA's: infinities, NaNs and the order of operations stay
        words += ["-fapprox-func", "-freciprocal-math", "-fdenormal-fp-math-f32=preserve-sign,preserve-sign"]
    if not options.fmad:
        words.append("-ffp-contract=off")
    return (*words, *UNUSED, *options.extra)


def in_step(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Give the options for sources whose lanes may share memory in step.

    There are none where threads may return early: the ways of the others through barriers, as they are without the
    threading of jumps, are too much for Intel's runtime in some kernels.
    """
    text = b"\n".join(files.values())
    return _IN_STEP if b"__shared__" in text and _ORDERED.search(text) and not _ENDS.search(text) else ()


def with_known_groups(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Give the options for sources that have functions of any cooperative group."""
    return _GROUPS_KNOWN if any(map(_TAKES_GROUPS.search, files.values())) else ()


def with_returns(options: Options, files: Mapping[str, bytes]) -> Options:
    """Give the options for sources whose threads may return before a barrier, for a CPU.

    Below -O2 all returns of a kernel come to one place, and a variable says which threads go on from there.
    `spirv.barriers.returns` does not see which threads end.
    """
    if options.optimization in (0, 1) and any(map(_MEETS.search, files.values())):
        return options._replace(optimization=2)
    return options


_SYSTEM = (
    "libcxx/include", "libcxxabi/include", "include", "libc/include/x86_64-linux-musl", "libc/include/generic-musl",
    "libc/include/x86-linux-any", "libc/include/any-linux-any",
)  # fmt: skip


# Without Clang, the parser uses launchpath's small C++ library for NVRTC.
_WITHOUT = (header_folders.RTC, *header_folders.RTC_LIBRARY, header_folders.RTC_FORWARDING)


class Clang(NamedTuple):
    """A Clang: the command that starts it, the folders of its headers, and its identity.

    The command is empty where Clang is not installed. Programs for NVRTC and hipRTC can still be parsed.
    """

    command: tuple[str, ...]
    system: tuple[str, ...]
    identity: str


_adopted: list[Clang] = []


def adopt(clang: Clang) -> None:
    """Let `find` return the Clang of another process: programs are cached under that Clang's identity."""
    _adopted[:] = [clang]
    find.cache_clear()


@cache
def find() -> Clang:
    """Find Clang; without a command if there is none.

    Raises
    ------
    CompileError
        ``LAUNCHPATH_CLANG`` names no program.
    """
    if _adopted:
        return _adopted[0]
    chosen = os.environ.get(CLANG_VARIABLE)
    if chosen:
        if not os.access(chosen, os.X_OK) or os.path.isdir(chosen):
            raise CompileError(f"{CLANG_VARIABLE} names {chosen}, which is not a program")
        return Clang((chosen,), (), _identity(chosen))
    from importlib.util import find_spec  # noqa: PLC0415

    spec = find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return Clang((), _WITHOUT, "none")
    folder = spec.submodule_search_locations[0]
    program = os.path.join(folder, "zig.exe" if os.name == "nt" else "zig")
    system = tuple(os.path.join(folder, "lib", part) for part in _SYSTEM)
    return Clang((program, "clang"), system, _identity(program))


def command() -> tuple[str, ...]:
    """Give the command that starts Clang.

    Raises
    ------
    CompileError
        There is none.
    """
    if not find().command:
        raise CompileError(lacking())
    return find().command


def check_parser() -> None:
    """Refuse where libclang is not installed: nothing is compiled without it.

    Raises
    ------
    CompileError
    """
    from importlib.util import find_spec  # noqa: PLC0415

    if find_spec("clang") is None:
        raise CompileError(lacking())


def lacking(packages: str = "") -> str:
    """Say which packages are expected, which of them are there (or `packages`), and how to install them."""
    from importlib.util import find_spec  # noqa: PLC0415

    if not packages:
        installed = [package for package, module in _PACKAGES if find_spec(module)]
        packages = f"{installed[0]} alone" if installed else "neither"
    return (
        f"compiling a source or a signature: expected the packages ziglang and libclang, got {packages}: {INSTALL_HINT}"
    )


def _identity(program: str) -> str:
    state = os.stat(program)
    return f"{os.path.basename(program)} {state.st_size} {state.st_mtime_ns}"


def headers_before(source: Source, macros: Mapping[str, str | None]) -> list[str]:
    """Name the headers that every source of its kind begins with; the caller's own macros come behind them."""
    headers = [PRELUDE]
    if source.cuda:  # nvcc includes it by itself
        headers.append("cuda_runtime.h")
    elif "__LP_HOST__" in macros:  # who launches needs it
        headers.append("hip/hip_runtime.h")
    if EVERY_HEADER in macros:
        headers += _BROUGHT_ALONG
    return headers


def language(source: Source, macros: Mapping[str, str | None]) -> list[str]:
    """Make the part of the command that is the same for all sources of a kind: program, language, macros."""
    # On the device's side Clang gives kernels a type of their own, which no pointer to a function of the host's fits.
    host = LAUNCHES in macros
    triple, other = (HOST_TRIPLE, TRIPLE) if host else (TRIPLE, HOST_TRIPLE)
    options = [option for option in _LANGUAGE if not host or option != "-fcuda-is-device"]
    start = [*command(), "-cc1", "-triple", triple, "-aux-triple", other, f"-std={source.standard}"]
    return [*start, *options, *surroundings(source, macros)]


def arguments(source: Source, macros: Mapping[str, str | None], precompiled: str | None = None) -> list[str]:
    """Make the command that every run has: language, headers, macros.

    `precompiled` is a file that holds the headers which come before the source.
    """
    # The text of `__FILE__`, which `assert` prints, in files that are passed as texts.
    names = [f"-fmacro-prefix-map={HEADERS_GIVEN}/="]
    if source.path.startswith(f"{VIRTUAL}/") and "=" not in source.path:
        names.append(f"-fmacro-prefix-map={source.path}={source.name}")
    return [*language(source, macros), *names, *before(source, macros, precompiled)]


def surroundings(source: Source, macros: Mapping[str, str | None]) -> list[str]:
    """Make the arguments for the folders of headers and for the macros; libclang takes them too."""
    macros = {**source.macros, **macros}
    if LAUNCHES in macros:
        macros = {name: value for name, value in macros.items() if name not in _DEVICE_ONLY}
    parts = [part for folder in source.virtual_folders for part in ("-I", folder)]
    for system in roots(source):
        parts += ["-isystem", system]
    parts += ["-fno-access-control"] if OPEN in macros else []
    parts += [f"-D{macro}" for macro in _LIBCXX]
    parts += [f"-U{macro}" for macro in _DIALECTS]
    return [*parts, *(f"-D{name}={1 if value is None else value}" for name, value in macros.items())]


def before(source: Source, macros: Mapping[str, str | None], precompiled: str | None = None) -> list[str]:
    """Make the arguments for the headers before the source; libclang takes them too."""
    if precompiled is not None:
        return ["-include-pch", precompiled, "-include", DEFINES]
    return [part for header in (*headers_before(source, macros), DEFINES) for part in ("-include", header)]


def alone(source: Source) -> Source:
    """Give a source without its caller's headers."""
    return source._replace(folders=(), headers=()) if source.virtual_folders else source


def roots(source: Source) -> tuple[str, ...]:
    """Give the folders of the system's headers and of ours."""
    return (*HEADERS, *find().system, *source.system, *header_folders.ABSENT)


def assembler() -> list[str]:
    """Make the command that goes on from LLVM's own text."""
    return [*command(), "-cc1", "-triple", TRIPLE, "-x", "ir"]


def identity() -> str:
    """What tells the compiler, and the headers and passes that go with it, from others."""
    headers = header_folders.identity(*HEADERS, *header_folders.ABSENT)
    return f"{find().identity} {headers} {own_sources.identity()}"

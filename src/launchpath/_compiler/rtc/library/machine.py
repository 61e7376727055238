"""The input of a device's compiler besides the source: architecture, options, and the macros of the dialect."""

from __future__ import annotations

from typing import NamedTuple

from launchpath.errors import CompileError

from ...messages.unused import UNUSED
from ...source.options import Options, refuse
from ...source.source import Source
from ...target import CUDA, Target
from .. import waiting
from .library import Library

Macros = dict[str, str | None]

# By the number in NVRTC's version from which on an option is known.
_SINCE = (
    ((11, 5), "--device-int128"),
    # Clang does not warn about these either: float4{threadIdx.x}, marks without effect.
    ((11, 5), "--diag-suppress=2361,20012"),
)
_MANY_ARGUMENTS = (12, 1)  # from which kernels may take more than that many bytes
_FEW = 4096
_LINES = (11, 2)  # from which on NVRTC writes lines
# The newest C++ by NVRTC's version, and the standards that are newer.
_NEWEST = (((13, 5), "c++23"), ((12, 0), "c++20"), ((0, 0), "c++17"))
_LATER = {"c++23": ("c++26",), "c++20": ("c++23", "c++26"), "c++17": ("c++20", "c++23", "c++26")}
_STANDARDS = {"c++1y": "c++14", "c++1z": "c++17", "c++2a": "c++20", "c++2b": "c++23", "c++2c": "c++26"}


class Machine(NamedTuple):
    """What to compile for."""

    kind: str  # the kind of the library's binary: ``cubin``, ``ptx`` or ``hsaco``
    options: list[str]  # for the library, folders of headers apart
    predefined: Macros  # macros that the library defines by itself
    added: Macros  # further macros for the library
    # the option for declarations without a mark, such as constexpr functions and tables: they are the device's too
    unmarked: list[str]
    waits: str = ""  # with which kernels begin, see `waiting`; empty if they begin with nothing

    @property
    def macros(self) -> tuple[tuple[str, str | None], ...]:
        """All macros, as `Source.machine` has them."""
        return tuple((self.predefined | self.added).items())


def machine(source: Source, target: Target, library: Library, is_part: bool = False) -> Machine:
    """Say what to compile a source for.

    Parameters
    ----------
    source : Source
    target : Target
    library : Library
    is_part : bool
        It is part of a program of several files, which are linked.

    Raises
    ------
    CompileError
        The library knows nothing that the device can run.
    """
    return _cuda(source, target, library, is_part) if target.form == CUDA else _hip(source, target)


def parameter_bytes(target: Target, library: Library) -> int:
    """The most bytes that a launch takes by value: the device and the library's binaries limit it. 0 is no limit."""
    if target.form == CUDA and library.version < _MANY_ARGUMENTS:
        return min(target.parameter_bytes, _FEW)
    return target.parameter_bytes


def _cuda(source: Source, target: Target, library: Library, is_part: bool) -> Machine:
    kind, compute, architecture = _architecture(target, library)
    major, minor = library.version
    options = [
        f"--gpu-architecture={architecture}", f"--std={_nvrtc_standard(source, library)}",
        f"--relocatable-device-code={'true' if is_part else 'false'}",
    ]  # fmt: skip
    options += [option for since, option in _SINCE if (major, minor) >= since]
    options += _nvrtc_options(source.options, kind, library)
    macros: Macros = {
        "__CUDACC__": None, "__CUDACC_RTC__": None, "__CUDA_ARCH__": str(compute * 10),
        "__CUDACC_VER_MAJOR__": str(major), "__CUDACC_VER_MINOR__": str(minor),
    }  # fmt: skip
    added: Macros = {"__LP_CUDA__": None, "__NVCC__": None}
    if not source.cuda:
        names = ("__HIPCC__", "__HIP_DEVICE_COMPILE__", "__HIP_PLATFORM_NVIDIA__", "__HIP_PLATFORM_NVCC__")
        added = dict.fromkeys(names)
    return Machine(
        kind,
        [*filter(None, options)],
        macros,
        added | {"__LAUNCHPATH__": None},
        ["--device-as-default-execution-space"],
        _waits(source, target, compute, library),
    )


def _waits(source: Source, target: Target, compute: int, library: Library) -> str:
    """The statement with which kernels wait for the kernel before them, where dependent launches are wanted."""
    is_able = compute >= waiting.COMPUTE and library.version >= waiting.SINCE
    if not (is_able and target.dependent and source.options.dependent):
        return ""
    return waiting.statement(target.trigger_threads)


def _architecture(target: Target, library: Library) -> tuple[str, int, str]:
    """The kind of binary, and the number and name of the architecture: PTX if the device is newer than NVRTC."""
    compute, supported = target.compute, library.architectures
    if not supported or compute in supported:
        return "cubin", compute, target.architecture
    older = [architecture for architecture in supported if architecture <= compute]
    if not older:
        raise CompileError(
            f"{library.file.path} (NVRTC {library.version[0]}.{library.version[1]}) supports sm_{supported[0]} and "
            f"later, the device is {target.architecture}: install an older NVRTC, such as nvidia-cuda-nvrtc-cu12"
        )
    if target.version != (0, 0) and library.version > target.version:
        raise CompileError(
            f"{library.file.path} (NVRTC {library.version[0]}.{library.version[1]}) does not support "
            f"{target.architecture}, and its PTX is too new for the driver, of CUDA {target.version[0]}."
            f"{target.version[1]}: install an NVRTC of CUDA {target.version[0]}.{target.version[1]}"
        )
    return "ptx", older[-1], f"compute_{older[-1]}"


def _hip(source: Source, target: Target) -> Machine:
    options = [
        f"--offload-arch={target.architecture}", f"-std={_standard(source)}", "-ferror-limit=0",
        "-Wno-pass-failed",  # of loops that ask to be unrolled and are not
        "-Wno-c++11-narrowing",  # float4{threadIdx.x, ...}: nvcc only warns of it
        *UNUSED, *_hiprtc_options(source.options, target),
    ]  # fmt: skip
    chip = target.architecture.partition(":")[0]
    macros: Macros = dict.fromkeys(("__HIP__", "__HIPCC__", "__HIPCC_RTC__", "__HIP_DEVICE_COMPILE__"))
    macros |= dict.fromkeys(("__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__", "__AMDGCN__", "__AMDGPU__", f"__{chip}__"))
    added: Macros = {}
    if source.cuda:
        # Without an architecture CUDA's sources take themselves for host code.
        added = {"__LP_CUDA__": None, "__CUDACC__": None, "__NVCC__": None, "__CUDA_ARCH__": "700"}
        added |= {"__CUDACC_VER_MAJOR__": "12", "__CUDACC_VER_MINOR__": "0"}
    return Machine("hsaco", options, macros, added | {"__LAUNCHPATH__": None}, [])


def _nvrtc_options(options: Options, kind: str, library: Library) -> list[str]:
    """The caller's options in NVRTC's words. The driver assembles PTX, and does not know these options."""
    words = ["--use_fast_math"] if options.fast_math else []
    if not options.fmad:
        words.append("--fmad=false")
    if library.version >= _LINES and options.line_info is not False:
        words.append("--generate-line-info")
    if options.maxrregcount is not None and kind != "ptx":  # in PTX it is a directive, see `ptx.limited`
        words.append(f"--maxrregcount={options.maxrregcount}")
    if options.optimization is not None:
        if kind == "ptx":
            raise CompileError(
                f"optimization: expected None, got {options.optimization}: NVRTC {library.version[0]}."
                f"{library.version[1]} makes PTX for this device, and the driver optimizes that: install a newer NVRTC"
            )
        words.append(f"--ptxas-options=-O{options.optimization}")
    return [*words, *options.extra]


def _hiprtc_options(options: Options, target: Target) -> list[str]:
    refuse(options, target)
    words = [f"-O{3 if options.optimization is None else options.optimization}"]
    if options.fast_math:
        words += ["-ffast-math", "-fno-finite-math-only"]  # CUDA's fast math knows infinities and NaNs
    if not options.fmad:
        words.append("-ffp-contract=off")
    if options.line_info:
        words.append("-gline-tables-only")
    return [*words, *options.extra]


def _nvrtc_standard(source: Source, library: Library) -> str:
    """The source's standard, or the newest that NVRTC knows: that may have all that the program uses."""
    standard = _standard(source)
    newest = next(name for since, name in _NEWEST if library.version >= since)
    return newest if standard in _LATER.get(newest, ()) else standard


def _standard(source: Source) -> str:
    """The language standard as these compilers spell it: without GNU dialects, and names from before a standard."""
    plain = source.standard.replace("gnu", "c")
    return _STANDARDS.get(plain, plain)

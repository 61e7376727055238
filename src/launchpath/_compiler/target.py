"""Targets: the form of a device's programs, and the features of its kernels."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

SPIRV, SIMULATED, CUDA, HIP = "spirv", "simulated", "cuda", "hip"
NATIVE = (CUDA, HIP)  # their drivers take what their own compilers make: NVRTC and hipRTC

# The macro with which OpenCL C declares the functions that it calls, see `opencl_c.text.declarations`.
DECLARATIONS = "LP_DECLARATIONS"

# In the log of programs whose results can be wrong on the device.
NO_STEP = (
    "threads exchange values through shared memory without a barrier, and the threads of a warp do not run in step on "
    "this device, so results can be wrong"
)
UNFENCED = (
    "threads read elements that other threads of the warp write, without a barrier, and compilers change the order of "
    "such reads and writes, so results can be wrong"
)
DOUBTFUL = (NO_STEP, UNFENCED)


class Target(NamedTuple):
    """What to compile for."""

    # ``spirv``, ``clc-generic`` and ``clc`` (OpenCL C with and without a generic address space), ``cuda``, ``hip``, or
    # ``simulated``
    form: str
    macros: dict[str, str | None]  # macros for the headers
    extensions: frozenset[str]  # the device's OpenCL extensions
    platform: str
    architecture: str = ""  # ``sm_90``, ``gfx90a`` or the like, of CUDA and HIP devices
    version: tuple[int, int] = (0, 0)  # the version of CUDA or HIP that the driver is of; zeros if it is not known
    library: str = ""  # the driver's library
    # the most bytes that the device takes with a launch by value. Kernels that take more get the address of a packed
    # block. 0 if there is no limit
    parameter_bytes: int = 0
    # of OpenCL devices that take SPIR-V: whether kernels' names have to be C's identifiers
    identifier_names: bool = False
    dependent: bool = False  # whether kernels are to wait at their entry, see `rtc.waiting`
    trigger_threads: int = 0  # grids of so many threads at most let the next kernel start before they wait themselves
    bounds: bool = False  # whether each access to memory is checked, see `spirv.checks`

    @property
    def identity(self) -> str:
        """Everything of it that the compiled text depends on."""
        parts = [self.form, self.platform, self.architecture, str(self.parameter_bytes), str(self.identifier_names)]
        parts += [*sorted(self.macros), *sorted(self.extensions)]
        parts += ["bounds"] if self.bounds else []
        parts += [f"dependent {self.trigger_threads}"] if self.dependent else []
        return "\n".join(parts)

    @property
    def takes_identifiers(self) -> bool:
        """Whether a kernel's name is a C identifier on it, whatever the source has."""
        return self.identifier_names or self.form != SPIRV

    @property
    def compute(self) -> int:
        """CUDA's compute capability as a number: 90 for ``sm_90``; 0 for other devices."""
        match = re.fullmatch(r"sm_(\d+)\w*", self.architecture)
        return int(match[1]) if match else 0


def target_of(info: Mapping[str, Any]) -> Target:
    """The target that a device is, by its ``info``."""
    extensions = frozenset(info.get("extensions", ()))
    form, limit = info["dialect"], int(info.get("parameter_bytes", 0))
    if form in NATIVE:
        version = re.search(r"(\d+)\.(\d+)", str(info.get("version", "")))
        numbers = (int(version[1]), int(version[2])) if version else (0, 0)
        library = str(info.get("library", ""))
        architecture = str(info["architecture"])
        return Target(
            form, {}, extensions, str(info["platform"]), architecture, numbers, library, limit,
            dependent=bool(info.get("dependent_launches")),
            trigger_threads=int(info["early_trigger_threads"]) if info.get("early_triggers") == "all" else 0,
        )  # fmt: skip
    macros: dict[str, str | None] = {}
    if info["kind"] == "cpu" or form == "clc":
        macros["__LP_FLAT__"] = None
    needed = {
        "__LP_NO_WARPS__": {"cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"},
        "__LP_NO_FP16__": {"cl_khr_fp16"},
        "__LP_NO_FP64__": {"cl_khr_fp64"},
        "__LP_NO_CLOCK__": {"cl_khr_kernel_clock"},
    }
    for macro, required in needed.items():
        if not required <= extensions:
            macros[macro] = None
    identifiers = "identifier-names" in info.get("workarounds", ())
    return Target(
        form, macros, extensions, str(info["platform"]), parameter_bytes=limit, identifier_names=identifiers,
        bounds=bool(info.get("checks_bounds")), dependent=bool(info.get("dependent_launches")),
    )  # fmt: skip


def device_identity(info: Mapping[str, Any]) -> dict[str, str]:
    """Tell a device, its driver and the driver's version from others, by the device's ``info``."""
    return {key: str(info.get(key, "")) for key in ("name", "vendor", "platform", "version", "driver_version")}

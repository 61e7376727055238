"""Targets: what a device takes, and what its kernels may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

SPIRV, SIMULATED = "spirv", "simulated"


class Target(NamedTuple):
    """What to compile for.

    Attributes
    ----------
    form : str
        ``spirv``, ``clc-generic`` and ``clc`` (OpenCL C with and without a generic address space), or ``simulated``.
    macros : dict of str to None
        What the headers are told.
    extensions : frozenset of str
        The device's OpenCL extensions.
    platform : str
    """

    form: str
    macros: dict[str, str | None]
    extensions: frozenset[str]
    platform: str

    @property
    def identity(self) -> str:
        """Everything of it that the compiled text depends on."""
        return "\n".join([self.form, self.platform, *sorted(self.macros), *sorted(self.extensions)])


def of(info: Mapping[str, Any]) -> Target:
    """The target that a device is, by its ``info``."""
    extensions = frozenset(info.get("extensions", ()))
    form = info["dialect"]
    macros: dict[str, str | None] = {}
    if info["kind"] == "cpu" or form == "clc":
        macros["__LP_FLAT__"] = None
    needed = {
        "__LP_NO_WARPS__": {"cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"},
        "__LP_NO_FP16__": {"cl_khr_fp16"},
        "__LP_NO_FP64__": {"cl_khr_fp64"},
        "__LP_NO_CLOCK__": {"cl_khr_kernel_clock"},
    }
    for macro, wanted in needed.items():
        if not wanted <= extensions:
            macros[macro] = None
    return Target(form, macros, extensions, str(info["platform"]))

"""The error for constructs that OpenCL C cannot express."""

from __future__ import annotations

from ...errors import CompileError

SPIRV_PLATFORMS = "platforms that take SPIR-V (Intel's OpenCL)"


class UnsupportedConstruct(CompileError):
    """Source that is right but cannot be expressed in the OpenCL C of the device.

    Attributes
    ----------
    construct : str
        What it is, in the source's terms.
    platforms : str
        Which platforms take it.
    """

    def __init__(self, construct: str, platforms: str = SPIRV_PLATFORMS, why: str = "") -> None:
        self.construct, self.platforms, self.why = construct, platforms, why
        reason = f" ({why})" if why else ""
        super().__init__(f"{construct} cannot be expressed in this device's OpenCL C{reason}; it runs on {platforms}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.construct, self.platforms, self.why)

"""The OpenCL C of a device: the features that the written text may use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

FLAT, GENERIC = "clc", "clc-generic"
DIALECTS = (FLAT, GENERIC)


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect and the extensions that come with it."""

    # there is a generic address space, and unqualified pointers point there (OpenCL C 2.0, or 3.0 with the feature).
    # Without that the device is a CPU, whose address spaces are one flat space: pointers that may point into several
    # are spelled ``__global``, and reach it through an integer
    generic: bool
    extensions: frozenset[str] | None  # the device's; None if unknown, then all are taken to be there

    @classmethod
    def named(cls, name: str, extensions: Iterable[str] | None = None) -> Dialect:
        """Give the dialect with this name, ``clc`` or ``clc-generic``."""
        if name not in DIALECTS:
            raise ValueError(f"dialect: expected {' or '.join(DIALECTS)}, got {name!r}")
        return cls(name == GENERIC, None if extensions is None else frozenset(extensions))

    def has(self, extension: str) -> bool:
        """Whether the device has an extension, as far as is known."""
        return self.extensions is None or extension in self.extensions

    @property
    def takes_ptx(self) -> bool:
        """Whether it is NVIDIA's, whose OpenCL C takes PTX."""
        return self.generic and any(name.startswith("cl_nv_") for name in self.extensions or ())

    def names(self, extension: str) -> bool:
        """Whether the device is known to have an extension."""
        return self.extensions is not None and extension in self.extensions

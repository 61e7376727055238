"""A source in work, for a device whose own compiler makes the code."""

from __future__ import annotations

from dataclasses import dataclass

from ..extraction.unit import ParsedUnit
from ..signature import Signature
from ..work import Work
from .native import Native


@dataclass(slots=True, kw_only=True)
class NativeWork(Work[ParsedUnit]):
    """What is known of a source's kernels, and the device's own compiler, `native`."""

    native: Native

    def is_too_large(self, signature: Signature) -> bool:
        """Whether a kernel's arguments are more than a launch takes, and come as the address of a block."""
        return 0 < self.native.parameter_bytes < signature.end

"""What was found in SPIR-V that others made, and signatures to give for it."""

from __future__ import annotations

from typing import Any

from launchpath._compiler.parameter_list import signature
from launchpath._compiler.signature import Signature
from launchpath._compiler.spirv.foreign import Adopted


def signatures(adopted: Adopted) -> dict[str, Signature]:
    return {one.name: one for _, one in adopted.kernels}


def parameters(found: Signature) -> list[tuple[Any, ...]]:
    return [(one.name, one.ctype, one.kind, one.size, one.offset, one.pointee, one.const) for one in found.parameters]


def signatures_of(**lists: str) -> dict[str, Signature]:
    return {kernel: signature(kernel, text) for kernel, text in lists.items()}

"""What was found in SPIR-V that others made, and signatures to give for it."""

from typing import Any

from launchpath._compiler.parameter_list import signature
from launchpath._compiler.signature import Signature
from launchpath._compiler.spirv.foreign.adoption import Adopted


def signatures(adopted: Adopted) -> dict[str, Signature]:
    return {signature.name: signature for _, signature in adopted.kernels}


def parameters(signature: Signature) -> list[tuple[Any, ...]]:
    return [
        (
            parameter.name,
            parameter.ctype,
            parameter.kind,
            parameter.size,
            parameter.offset,
            parameter.pointee,
            parameter.const,
        )
        for parameter in signature.parameters
    ]


def signatures_of(**lists: str) -> dict[str, Signature]:
    return {kernel: signature(kernel, text) for kernel, text in lists.items()}

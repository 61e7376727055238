"""A source in work: its kernels, what they take, and the warnings so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from .kernels import messages as kernel_messages
from .kernels.instance import Instance
from .llvm_text import build
from .messages.log import Message
from .signature import Layout, Signature
from .source.unit import Unit, refused
from .target import Target

U = TypeVar("U", bound=Unit)


@dataclass(slots=True)
class Work(Generic[U]):
    """What is known of a source's kernels once it has been read."""

    unit: U
    target: Target
    instances: list[Instance]  # the kernels to compile
    layout: Layout  # what they take
    alone: bool  # they join a program that is there
    warnings: list[Message]
    # the names of device variables in the source, by those in SPIR-V
    symbols: dict[str, str] = field(default_factory=dict)

    @property
    def kernels(self) -> list[tuple[Instance, Signature]]:
        """The kernels with what they take."""
        return list(zip(self.instances, self.layout.signatures, strict=True))

    def check_parameters(self) -> None:
        """Refuse parameters of types that are the host's, and choose how a launch passes the others."""
        unit = self.unit
        for kernel, signature in self.kernels:
            for ctype in (each.ctype for each in signature.parameters if "std::" in each.ctype):
                from .messages.hints import host_parameter  # noqa: PLC0415 (most sources need no hints)

                if problem := host_parameter(ctype):
                    text = f"kernel '{kernel.name}': {problem}"
                    raise refused(unit, [kernel_messages.message_at(unit, kernel, "error", text)])
        self.layout.signatures[:] = [
            replace(signature, block=self.is_too_large(signature)) for signature in self.layout.signatures
        ]

    def is_too_large(self, signature: Signature) -> bool:
        """Whether a kernel's arguments are more than a launch takes, and come as the address of a block."""
        return 0 < self.target.parameter_bytes < signature.size

    def log(self, *more: str) -> str:
        """Give the warnings at the source's own lines, and what compilers and passes said besides."""
        remarks = [build.rendered(self.unit, self.instances, [warning]) for warning in self.warnings]
        return "\n".join([*remarks, *filter(None, more)])

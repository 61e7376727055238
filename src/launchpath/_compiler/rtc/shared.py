"""The dynamic shared memory of kernels that NVRTC or hipRTC compiled: which variable of it each kernel reaches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..kernels.dynamic_shared import used

if TYPE_CHECKING:
    from ..extraction.unit import ParsedUnit
    from ..kernels.instance import Instance
    from ..signature import Signature

Kernels = tuple[tuple[str, "Signature"], ...]


def by_ptx(kernels: Kernels, texts: Iterable[bytes]) -> Kernels:
    """Give kernels with the variables that they reach, as NVRTC's PTX shows it: a cubin does not.

    Parameters
    ----------
    kernels : tuple of (str, Signature)
    texts : iterable of bytes
        The PTX of each file of the program; nothing is known of files without it.
    """
    codes = [text.decode(errors="replace") for text in texts if text]
    if not any(".extern .shared" in text for text in codes):
        return kernels
    from ..binary.ptx_shared import reached  # noqa: PLC0415 (few programs have dynamic shared memory)

    variables = reached(codes)
    return tuple((entry, replace(signature, dynamic_variable=variables.get(entry))) for entry, signature in kernels)


def by_hsaco(kernels: Kernels, code: bytes, unit: ParsedUnit, instances: list[Instance]) -> Kernels:
    """Give kernels with the variables that they reach, as the binary and the source's own kernels show it."""
    if not any(signature.dynamic_shared for _, signature in kernels):
        return kernels
    from ..binary import hsaco  # noqa: PLC0415 (it brings a reader of ELF files, which is slow to import)

    by_metadata = {kernel.entry: kernel.dynamic_variable for kernel in hsaco.read(code, unit.source.name).kernels}
    variables = [_in_source(unit, instance) for instance in instances]
    return tuple(
        (entry, replace(signature, dynamic_variable=by_metadata.get(entry) if variable is None else variable))
        for (entry, signature), variable in zip(kernels, variables, strict=True)
    )


def _in_source(unit: ParsedUnit, instance: Instance) -> str | None:
    """Find the variable that a kernel declares and uses in its own text. Of a template, some instances may use it."""
    declaration = instance.declaration
    piece = unit.piece_at(declaration.path, declaration.line, declaration.column)
    if piece is None or declaration.template:
        return None
    return used(unit.files[declaration.path].active.text[piece.start : piece.end])

"""Compile a plain source by NVRTC, with as few imports as it takes.

NVRTC gets what `build` would give it at its first attempt. Where that fails nothing else is tried, and there is no
message: the source is then compiled as others are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import header_folders
from ..extraction.instances import instances as chosen
from ..kernels import instance
from ..plain.plain import Plain
from ..source.source import VIRTUAL
from ..target import Target
from . import bare, body, waiting
from .library import headers, library_file
from .library.library import Program, load
from .library.machine import machine, parameter_bytes
from .shared import by_ptx
from .text import entry_waits
from .text.prelude import prelude
from .text.tail import tail

if TYPE_CHECKING:
    from ..image import Image


def compile(plain: Plain, target: Target) -> Image | None:
    """Compile.

    Parameters
    ----------
    plain : Plain
        Without machine and system: what NVRTC gets does not depend on those.
    target : Target
        A CUDA device.

    Returns
    -------
    Image or None
        None if NVRTC refuses the program, or if arguments are too many for a launch.

    Raises
    ------
    CompileError
        There is no NVRTC, or it fails.
    """
    unit, layout = plain
    source = unit.source
    library = load(library_file.choose(target))
    machine_ = machine(source, target, library)
    most = parameter_bytes(target, library)
    if any(0 < most < signature.end for signature in layout.signatures):
        return None
    if machine_.kind == "ptx" and source.options.maxrregcount is not None:  # a directive in the code, see `registers`
        return None
    instances = chosen(unit, [])
    expressions = [each.expression for each in instances]
    is_bare = bare.is_bare(plain)
    texts, before = unit.reduced(), []
    if machine_.waits:
        texts, _ = entry_waits.waiting(texts)
        before = [waiting.definition(machine_.waits)]
    text = prelude(source, machine_.added, before, is_bare) + texts[source.path].decode(errors="replace")
    text += tail(instances, expressions, layout)
    options = [*machine_.options]
    if is_bare:  # it includes nothing
        options += bare.options(library)
    else:
        folders = [*headers.bundled(library.file), *headers.folders(library), *header_folders.ABSENT]
        options += [f"-I{folder}" for folder in folders]
    name = f"{VIRTUAL}/{source.path.rpartition('/')[2]}"
    ptx = bool(machine_.waits) or any(signature.dynamic_shared for signature in layout.signatures)
    result = library.compile(Program(text, name, {}, options, expressions, machine_.kind, ptx))
    if not result.succeeded:
        return None
    from ..image import Image  # noqa: PLC0415 (another thread imports it while NVRTC works)

    log = "\n".join(_remarks(plain, instances, result.log))
    kernels = tuple(
        (result.names[expression], signature)
        for expression, signature in zip(expressions, layout.signatures, strict=True)
    )
    waits = waiting.entries(result.ptx, machine_.waits) if machine_.waits else frozenset[str]()
    kernels = by_ptx(kernels, [result.ptx])
    digest = body.digest(result.ptx, machine_.waits) if waits else ""
    return Image(machine_.kind, result.code, kernels, log=log, waiting=waits, body=digest)


def _remarks(plain: Plain, instances: list[instance.Instance], log: str) -> list[str]:
    """The warnings about the text itself, and NVRTC's."""
    unit = plain.unit
    if not unit.remarks and not log:
        return []
    from ..llvm_text import build  # noqa: PLC0415 (it brings much, and most programs have no warnings)
    from .text import messages  # noqa: PLC0415

    remarks = [build.rendered(unit, instances, [remark]) for remark in unit.remarks]
    return [*filter(None, [*remarks, build.rendered(unit, instances, messages.read(log))])]

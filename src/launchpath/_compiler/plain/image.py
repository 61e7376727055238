"""From a plain source, whose kernels and what they take stand in its tokens, to what an OpenCL device takes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..extraction.instances import instances
from ..source.source import Source
from ..stages import stage
from ..target import Target
from ..work import Work
from . import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    from ..clang.run import Outcome
    from ..image import Image

    class Clang(Protocol):
        """As `clang.run.clang`; it calls `meanwhile` while Clang works."""

        def __call__(
            self,
            source: Source,
            files: Mapping[str, bytes],
            macros: Mapping[str, str | None],
            mode: Sequence[str],
            *,
            meanwhile: Callable[[], object],
        ) -> Outcome: ...


def read(source: Source, target: Target) -> Work[Any] | None:
    """Read a source; None if it is not plain.

    Raises
    ------
    CompileError
        A kernel's parameters are the host's.
    """
    with stage("parser"):
        reading = plain.read(source)
    if reading is None:
        return None
    work = Work(reading.unit, target, instances(reading.unit, []), reading.layout, False, [*reading.unit.remarks])
    work.check_parameters()
    return work


def compile(work: Work[Any], clang: Clang) -> Image | None:
    """Compile what has been read; None if that fails."""
    from . import spirv as plain_spirv  # noqa: PLC0415 (only some platforms need it)

    with stage("Clang"):
        outcome = plain_spirv.compile(work.unit, work.kernels, work.target, clang, _import_passes)
    if not outcome.succeeded:
        return None
    from ..adapted import adapted  # noqa: PLC0415
    from ..llvm_text import build  # noqa: PLC0415

    return adapted([work], outcome.output, build.rendered(work.unit, work.instances, outcome.messages))


def _import_passes() -> None:
    """Import the passes over SPIR-V: they are not needed until Clang has ended, which is another process."""
    for module in ("adapted", "spirv.prepare", "spirv.entry_points"):
        import_module(f"launchpath._compiler.{module}")

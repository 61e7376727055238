"""Compile a source to the form that a device's driver builds."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from ..errors import CompileError
from .image import Image
from .plain import image as plain_image
from .source.options import refuse
from .source.source import Source
from .stages import stage
from .target import HIP, NATIVE, SIMULATED, Target
from .work import Work


def compile(
    source: Source, names: Iterable[str], target: Target, alone: bool = False, others: Sequence[Source] = ()
) -> Image:
    """Compile a source, or the several of a program.

    Parameters
    ----------
    source : Source
    names : iterable of str
        Name expressions of templates wanted, besides those that the source itself launches.
    target : Target
    alone : bool
        Leave out every kernel that `names` does not name.
    others : sequence of Source
        Further files of the program: each may use the device functions and variables of all.

    Returns
    -------
    Image
        Code for the target, its kernels' entry points with what they take, and the device globals.

    Raises
    ------
    CompileError
        At the source's own lines.
    """
    if others and target.form == HIP:
        from .parts import refusal  # noqa: PLC0415 (few programs have several files)

        raise CompileError(refusal([source, *others]))
    if target.form not in NATIVE:
        refuse(source.options, target)
    names = [*names]
    if not (names or alone or others or target.bounds):
        with suppress(CompileError):  # it comes again, with all that Clang says
            if (image := _plain(source, target)) is not None:
                return image
    sources = [source, *others]
    if target.form in NATIVE:
        from .rtc.compile import compile as compile_native  # noqa: PLC0415 (only some platforms need it)

        return compile_native(sources, names, target, alone)
    return _whole(sources, names, target, alone)


def _plain(source: Source, target: Target) -> Image | None:
    """Compile a plain source: its kernels, and what they take, stand in its tokens. None if it is not plain."""
    if target.form in NATIVE:
        from .rtc.compile import plain as plain_native  # noqa: PLC0415 (only some platforms need it)

        return plain_native(source, target)
    if (work := plain_image.read(source, target)) is None:
        return None
    if target.form == SIMULATED:
        return _simulated([work], target)
    from .clang.run import clang  # noqa: PLC0415 (only some platforms need it)

    return plain_image.compile(work, clang)


def _whole(sources: list[Source], names: list[str], target: Target, alone: bool) -> Image:
    """For OpenCL devices: Clang reads all of each source, and makes SPIR-V of the kernels."""
    from .adapted import adapted  # noqa: PLC0415 (only some platforms need it)
    from .whole import compile as whole  # noqa: PLC0415

    _import_passes()
    with stage("Clang"):
        files = whole.read(sources, names, target, alone)
        works = [
            Work(each.unit, target, each.instances, each.layout, alone, each.warnings, each.symbols) for each in files
        ]
        data, log = whole.to_spirv(files, target) if target.form != SIMULATED else (b"", "")
    image = adapted(works, data, log) if target.form != SIMULATED else _simulated(works, target)
    if alone and image.globals_size and any(work.unit.takes_addresses for work in works):
        # Pointers that the program's other kernels have stored may be to functions that are not in this module.
        raise CompileError(
            f"{sources[0].name}: expected instances that were requested when compiling, since its device code takes "
            f"addresses of functions: names={names}"
        )
    return image._replace(
        files={path: digest for each in reversed(files) for path, digest in each.unit.files_read.items()},
        templates={name: parameters for each in reversed(files) for name, parameters in each.templates.items()},
    )


def _import_passes() -> None:
    """Import the passes over SPIR-V: they are not needed until Clang has ended, which is another process."""
    threading.Thread(target=import_module, args=(f"{__package__}.spirv.prepare",), daemon=True).start()


def _simulated(works: list[Work[Any]], target: Target) -> Image:
    """For the simulated device, whose kernels are Python functions of the same names: the source as it is."""
    kernels = tuple((kernel.name, signature) for work in works for kernel, signature in work.kernels)
    waits = target.dependent and works[0].unit.source.options.dependent
    waiting = frozenset(entry for entry, _ in kernels if waits)
    return Image(SIMULATED, b"\n".join(work.unit.source.text for work in works), kernels, waiting=waiting)

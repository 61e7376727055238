"""Compiling sources to programs, with the cache on disk before it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from launchpath.device import Device, as_device
from launchpath.errors import ArgumentValueError, CompileError, LaunchpathError
from launchpath.program import Program

if TYPE_CHECKING:
    from launchpath.compiler.compile import Compiled
    from launchpath.compiler.source import Source
    from launchpath.compiler.target import Target
    from launchpath.image import Found, Image

_FORMAT = "3"  # of what a cached entry means; a change makes every older one no hit


def compile(
    source: str | bytes | None = None,
    device: Device | int | str | None = None,
    *,
    path: str | os.PathLike[str] | None = None,
    name: str | None = None,
    names: Iterable[str] = (),
    defines: Mapping[str, str | int | None] | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
    headers: Mapping[str, str] | None = None,
    standard: str = "c++17",
) -> Program:
    """Compile HIP or CUDA C++ for a device.

    Parameters
    ----------
    source : str or bytes
        Kernels (``__global__`` functions) and what they need. Host code in it, a ``main`` and launches with ``<<<>>>``
        among them, is left out; kernel templates are compiled as it launches them.
    device : Device, int or str, optional
        A device, or what `launchpath.device` takes; the current device if left out.
    path : str or path-like
        A file in place of ``source``; what it includes with quotes is looked for beside it.
    name : str, optional
        What messages call the source; the file's path if left out.
    names : iterable of str
        Name expressions of kernel templates to compile: ``["reduce<float, 256>"]``. Others are compiled when they are
        first looked up in the program.
    defines : dict, optional
        Macros: ``{"N": 16, "FAST": None}``.
    include_paths : iterable of path-like
        Folders to look for headers in.
    headers : dict of str to str, optional
        Headers given as text, by the name in their ``#include``.
    standard : str
        The language standard, ``c++17`` or later.

    Returns
    -------
    Program

    Raises
    ------
    CompileError
        The source does not compile, or has no such kernel; the message gives the compiler's words at the source's own
        lines. For what a device cannot express it says which construct, and which platforms take it. Or a package that
        compiling needs is not installed; the message says what to install.
    OSError
        The file cannot be read.
    TypeError, ValueError
        An argument is not what it should be; the message says what was expected.
    LaunchpathError
        The process was forked after a device had been opened.
    """
    from launchpath.compiler import source as sources  # noqa: PLC0415 (importing launchpath must stay fast)
    from launchpath.compiler import target as targets  # noqa: PLC0415

    if (source is None) == (path is None):
        raise TypeError(f"compile: expected a source or a path, got {'neither' if source is None else 'both'}")
    wanted = sources.names_of_kernels(names)
    device = as_device(device)
    device.driver.refuse_forked()
    around = {"defines": defines, "include_paths": include_paths, "headers": headers, "standard": standard}
    if path is not None:
        made = sources.from_path(path, name, **around)
    else:
        made = sources.from_text(source, "<source>" if name is None else name, **around)  # type: ignore[arg-type]
    target = targets.of(device.info)

    def find(instances: tuple[str, ...], fresh: bool = False) -> Found:
        return _find(made, instances or wanted, target, device, fresh, bool(instances))

    program = _program(device, find, made.name)
    if targets.NO_STEP in program.log:  # nobody reads a log of a program that compiles
        lines = [line for line in program.log.splitlines() if targets.NO_STEP in line]
        warnings.warn("\n".join(lines), RuntimeWarning, stacklevel=2)
    return program


def _program(device: Device, find: Callable[..., Found], name: str) -> Program:
    found = find(())
    try:
        return Program(device, found, find, name)
    except CompileError as error:
        if found.keep is not None:
            log = error.log or str(error)
            raise CompileError(f"{name} does not compile for {device.name!r}:\n{log}", error.log) from None
    except LaunchpathError:
        if found.keep is not None:
            raise
    # The driver refuses a binary that it made itself: it has changed without saying so.
    return Program(device, find((), True), find, name)


def _find(source: Source, names: tuple[str, ...], target: Target, device: Device, fresh: bool, alone: bool) -> Found:
    """Find the image of a source in the cache, or make it."""
    from launchpath.compiler import cache as caches  # noqa: PLC0415
    from launchpath.image import Found, from_entry  # noqa: PLC0415

    cache = caches.default() if target.form != "simulated" else None
    key = _key(source, names, target, device, alone) if cache is not None else ""
    if cache is not None and not fresh and (entry := cache.get(key)) is not None:
        try:
            return Found(from_entry(entry), None)
        except ArgumentValueError:
            pass
    image, files = _compiled(source, names, target, device, alone)

    def keep(binary: bytes) -> None:
        if cache is not None:
            entry = image.with_binary(binary, device).to_entry(
                source=source.name, files=files, options=_options(source)
            )
            cache.put(key, entry)

    return Found(image, keep)


def _options(source: Source) -> str:
    """What tells compilations of a source apart, as a compiler's command would have it."""
    options = [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in source.defines]
    return " ".join([*options, *([f"-std={source.standard}"] if source.standard != "c++17" else [])])


def _key(source: Source, names: tuple[str, ...], target: Target, device: Device, alone: bool) -> str:
    from launchpath import __version__  # noqa: PLC0415
    from launchpath.compiler import cache as caches  # noqa: PLC0415
    from launchpath.compiler import frontend  # noqa: PLC0415
    from launchpath.image import identity  # noqa: PLC0415

    around = [repr(source.defines), repr(source.folders), repr(source.headers), source.standard, str(source.cuda)]
    return caches.key(
        _FORMAT, __version__, source.text, source.name, source.path, *around, repr(names), str(alone), target.identity,
        repr(identity(device)), frontend.identity(), _library(target),
    )  # fmt: skip


def _library(target: Target) -> str:
    """What tells the library that compiles for a device from others; empty if Clang does it alone."""
    from launchpath.compiler.target import NATIVE  # noqa: PLC0415

    if target.form not in NATIVE:
        return ""
    from launchpath.compiler.rtc import found, headers  # noqa: PLC0415

    return f"{found.choose(target).identity}\n{headers.identity()}"


def _compiled(
    source: Source, names: tuple[str, ...], target: Target, device: Device, alone: bool
) -> tuple[Image, dict[str, str | None]]:
    """Compile, and say which files were looked at."""
    from launchpath.compiler.process import pool  # noqa: PLC0415
    from launchpath.image import Image  # noqa: PLC0415

    made: Compiled = pool.call(pool.COMPILE, source.name, source, names, target, alone)
    code = made.code if isinstance(made.code, bytes) else made.code.encode()
    kernels, relocations = tuple(made.kernels), tuple(made.relocations)
    image = Image(
        made.kind, code, kernels, tuple(made.symbols), made.image, made.globals_size, relocations, made.users, made.log
    )
    return image, made.files

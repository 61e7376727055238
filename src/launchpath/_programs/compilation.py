"""Compile sources to programs, with the cache on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from launchpath._programs import compile_warnings
from launchpath._programs.program import Program
from launchpath._programs.progress import Progress
from launchpath._streams.device import Device, as_device
from launchpath._version import __version__
from launchpath.errors import ArgumentValueError, CompileError, LaunchpathError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike
    from launchpath._compiler.image import Image
    from launchpath._compiler.source.source import Source
    from launchpath._compiler.target import Target

_FORMAT = "8"  # of what a cached entry means; a change makes every older one no hit


def compile(
    source: str | bytes | None = None,
    device: DeviceLike | None = None,
    *,
    path: str | os.PathLike[str] | None = None,
    paths: Iterable[str | os.PathLike[str]] | None = None,
    name: str | None = None,
    names: Iterable[str] = (),
    defines: Mapping[str, str | int | None] | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
    headers: Mapping[str, str] | None = None,
    standard: str | None = None,
    language: str | None = None,
    fast_math: bool = False,
    maxrregcount: SupportsIndex | None = None,
    line_info: bool | None = None,
    optimization: SupportsIndex | None = None,
    warnings: bool | Literal["error"] = True,
    options: Iterable[str] = (),
    dependent: bool = True,
) -> Program:
    """Compile HIP or CUDA C++ for a device.

    Parameters
    ----------
    source : str or bytes
        Kernels (``__global__`` functions) and what they need. Its host code is ignored, including ``main`` and launches
        with ``<<<>>>``; kernel templates are compiled for the arguments of those launches.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`; the current device if omitted.
    path : str or path-like
        A file in place of ``source``; its includes with quotes are searched for in its folder.
    paths : iterable of path-like, optional
        The files of a program that use each other's device functions and variables, as with ``-rdc=true``. They are for
        OpenCL and CUDA devices.
    name : str, optional
        The name of the source in messages; the file's path if omitted.
    names : iterable of str
        Name expressions of kernel templates to compile: ``["reduce<float, 256>"]``. Other instances are compiled when
        they are first looked up in the program.
    defines : dict, optional
        Macros: ``{"N": 16, "FAST": None}``.
    include_paths : iterable of path-like
        Folders to search for headers.
    headers : dict of str to str, optional
        Headers as text, by the name in their ``#include``.
    standard : str, optional
        The language standard: ``gnu++17`` (the default, as with hipcc and nvcc), ``c++17`` or later.
    language : str, optional
        ``"hip"`` or ``"cuda"``: the dialect, instead of the one that the source's includes and its file's name tell.
    fast_math : bool
        Fast approximations of functions and divisions in single precision, as by NVRTC's ``--use_fast_math``.
    maxrregcount : int, optional
        The most registers of a thread, of CUDA devices; other compilers take no such number.
    line_info : bool, optional
        Lines of the source in the binary, for profilers and debuggers: for CUDA and HIP devices. CUDA devices have them
        if it is omitted.
    optimization : int, optional
        0 to 3; the compiler's own level if omitted.
    warnings : bool or "error"
        Whether the compiler's warnings are shown (`CompileWarning`, by Python's `warnings`), or are errors. The
        program's ``log`` has them in either case.
    options : iterable of str
        Further options. NVRTC's words for the parameters above, for ``defines``, ``include_paths`` and ``standard``
        (``["--use_fast_math", "-maxrregcount=32", "-DN=16", "-std=c++20"]``) and ``--fmad=false`` mean the same on
        every device; others go to the compiler of the device's platform as they are: NVRTC, hipRTC, or Clang.
    dependent : bool
        Whether the kernels may start while the kernel before them ends, and wait for it at their entry: on CUDA devices
        of compute capability 9.0 and later. The results are the same.

    Returns
    -------
    Program

    Raises
    ------
    CompileError
        The source does not compile, or has no such kernel; the message has the compiler's output at the source's own
        lines. If a device does not support a construct, the message names it, and the platforms that support it. Or a
        package that compiling needs is not installed; the message names it.
    OSError
        The file cannot be read.
    TypeError, ValueError
        An argument has the wrong type or value; the message has the expected one.
    LaunchpathError
        The process was forked after a device had been opened.
    """
    work = compilation(
        source, device, path=path, paths=paths, name=name, names=names, defines=defines, include_paths=include_paths,
        headers=headers, standard=standard, language=language, fast_math=fast_math, maxrregcount=maxrregcount,
        line_info=line_info, optimization=optimization, warnings=warnings, options=options, dependent=dependent,
    )  # fmt: skip
    program = work.program()
    work.tell(program.log, 2)
    return program


def compilation(
    source: str | bytes | None,
    device: DeviceLike | None,
    *,
    path: str | os.PathLike[str] | None = None,
    paths: Iterable[str | os.PathLike[str]] | None = None,
    name: str | None = None,
    names: Iterable[str] = (),
    defines: Mapping[str, str | int | None] | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
    headers: Mapping[str, str] | None = None,
    standard: str | None = None,
    language: str | None = None,
    fast_math: bool = False,
    maxrregcount: SupportsIndex | None = None,
    line_info: bool | None = None,
    optimization: SupportsIndex | None = None,
    warnings: compile_warnings.Choice = True,
    options: Iterable[str] = (),
    dependent: bool = True,
    with_host: bool = False,
) -> Compilation:
    """Check what `compile` is asked for; see there, and `Source` for `with_host`."""
    from launchpath._compiler.source import options as requested  # noqa: PLC0415 (importing launchpath must stay fast)
    from launchpath._compiler.source import source as sources  # noqa: PLC0415

    if sum(origin is not None for origin in (source, path, paths)) != 1:
        several = any(origin is not None for origin in (source, path, paths))
        raise TypeError(
            f"compile: expected a source, a path or paths, got {'several of them' if several else 'neither'}"
        )
    kernel_names = sources.names_of_kernels(names)
    device = as_device(device)
    device.driver_device.refuse_forked()
    options_given = requested.options(fast_math, maxrregcount, line_info, optimization, dependent)
    words = requested.read(options, options_given)
    compile_warnings.choice(warnings)
    chosen: compile_warnings.Choice = warnings if words.warnings is None else words.warnings
    around = {
        "defines": words.macros(defines), "include_paths": words.with_folders(include_paths), "headers": headers,
        "standard": words.standard or sources.USUAL_STANDARD if standard is None else standard,
        "options": words.options, "language": language, "with_host": with_host,
    }  # fmt: skip
    others: list[Source] = []
    if paths is not None:
        checked_source, *others = sources.from_paths(paths, name, **around)
    elif path is not None:
        checked_source = sources.from_path(path, name, **around)
    else:
        checked_source = sources.from_text(source, "<source>" if name is None else name, **around)  # type: ignore[arg-type]
    return Compilation(checked_source, device, kernel_names, chosen, tuple(others))


class Compilation:
    """A source that is compiled for a device, or found in the cache; its program asks it for further instances.

    Parameters
    ----------
    source : Source
    device : Device
    names : tuple of str
        Name expressions of the instances wanted from the start.
    warnings : bool or "error"
        Whether warnings are shown, or errors.
    others : tuple of Source
        Further files of the program.
    """

    def __init__(
        self,
        source: Source,
        device: Device,
        names: tuple[str, ...],
        warnings: compile_warnings.Choice = True,
        others: tuple[Source, ...] = (),
    ) -> None:
        from launchpath._compiler import target  # noqa: PLC0415
        from launchpath._compiler.cache import cache  # noqa: PLC0415

        self.source, self.device, self.names, self.warnings, self.others = source, device, names, warnings, others
        self.target = target.target_of(device.info)
        self._cache = cache.default() if self.target.form != target.SIMULATED else None

    def __reduce__(self) -> tuple[Any, ...]:
        return Compilation, (self.source, self.device, self.names, self.warnings, self.others)

    def program(self) -> Program:
        """Make the program.

        Raises
        ------
        CompileError, ConfigurationError, LaunchpathError
            See `compile`.
        """
        from launchpath._compiler.stages import stage  # noqa: PLC0415

        with Progress(self.source.name) as progress:
            image = self.image()
            progress.stage = "the device's compiler"
            return self._program(image, stage("driver"))

    def _program(self, image: Image, timed: AbstractContextManager[None]) -> Program:
        try:
            with timed:
                return Program(self.device, image, self, self.source.name)
        except CompileError as error:
            if image.is_fresh:
                log = error.log or str(error)
                problem = f"{self.source.name} does not compile for {self.device.name!r}:\n{log}"
                raise CompileError(problem, error.log) from None
        except LaunchpathError:
            if image.is_fresh:
                raise
        # The driver refuses a binary that it made itself: it has changed without saying so.
        fresh = self._compiled(self.names, False, self._key(self.names, False))
        return Program(self.device, fresh, self, self.source.name)

    def tell(self, log: str, stacklevel: int) -> None:
        """Show a log's warnings to the caller's caller, see `compile_warnings.tell`.

        Raises
        ------
        CompileError
            Warnings are errors.
        """
        compile_warnings.tell(log, self.source.name, self.warnings, stacklevel + 1)

    def image(self, instances: tuple[str, ...] = ()) -> Image:
        """Give the program's image, or one of further instances alone, from the cache or by the compiler.

        Raises
        ------
        CompileError
            At the source's own lines.
        """
        names, alone = instances or self.names, bool(instances)
        key = self._key(names, alone)
        if self._cache is not None and (entry := self._cache.get(key)) is not None:
            from launchpath._compiler.image import from_entry  # noqa: PLC0415

            with suppress(ArgumentValueError):
                return from_entry(entry)
        return self._compiled(names, alone, key)

    def with_triggers(self, threads: int) -> Compilation:
        """Give the same compilation, of kernels that let the next one start at once in grids of so many threads."""
        other = Compilation(self.source, self.device, self.names, False, self.others)
        other.target = self.target._replace(trigger_threads=threads)
        return other

    def keep(self, image: Image, binary: bytes) -> None:
        """Put an image into the cache with the binary that the device made of it, if it is not from there."""
        if self._cache is None or not image.key:
            return
        from launchpath._compiler.target import device_identity  # noqa: PLC0415

        about = {"source": self.source.name, "files": dict(image.files), "options": self.options}
        self._cache.put(image.key, image.with_binary(binary, device_identity(self.device.info)).to_entry(**about))

    @property
    def options(self) -> str:
        """What tells compilations of a source apart, as a compiler's command has it."""
        from launchpath._compiler.source.source import USUAL_STANDARD  # noqa: PLC0415

        source = self.source
        words = [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in source.defines]
        words += [f"-std={source.standard}"] if source.standard != USUAL_STANDARD else []
        return " ".join([*words, *source.options.words])

    def _compiled(self, names: tuple[str, ...], alone: bool, key: str) -> Image:
        from launchpath._compiler import target  # noqa: PLC0415
        from launchpath._compiler.clang import frontend  # noqa: PLC0415

        frontend.check_parser()
        from launchpath._programs.builds import apart, own_process, preparation  # noqa: PLC0415

        is_whole = not (names or alone or self.others)
        image = None
        if is_whole and self.target.form == target.CUDA:
            image = own_process.compiled(self.source, self.target)
        if image is not None:
            return image._replace(key=key)
        if self.target.form not in target.NATIVE:
            frontend.command()  # refuses, where there is none, before a process is started
        arguments = self.source, names, self.target, alone, self.others
        preparation_there = apart.preparation(self.device, (self.source, *self.others))
        with preparation.beside(self.device) if preparation_there is None else nullcontext():
            if preparation_there is None and is_whole:
                image = own_process.compiled_by_clang(self.source, self.target)
            if image is None:
                from launchpath._compiler.process import pool  # noqa: PLC0415

                image = pool.call(pool.COMPILE, self.source.name, *arguments, before=preparation_there)
        return image._replace(key=key, is_prepared=preparation_there is not None)

    def _key(self, names: tuple[str, ...], alone: bool) -> str:
        """Give the key of the cache's entry; empty if there is no cache."""
        if self._cache is None:
            return ""
        from launchpath._compiler.cache import cache  # noqa: PLC0415
        from launchpath._compiler.clang import frontend  # noqa: PLC0415
        from launchpath._compiler.target import device_identity  # noqa: PLC0415

        source = self.source
        around = [repr(source.defines), repr(source.folders), repr(source.headers), source.standard, str(source.cuda)]
        around += [repr(source.options), source.language, repr(source.remarks)]
        around += ["with host code"] if source.with_host else []
        for other in self.others:  # what is around them is the same
            around += [repr(other.text), other.name, other.path, str(other.cuda), repr(other.remarks)]
        return cache.key(
            _FORMAT, __version__, source.text, source.name, source.path, *around, repr(names), str(alone),
            self.target.identity, repr(device_identity(self.device.info)), frontend.identity(),
            _library(self.target, bool(self.others)),
        )  # fmt: skip


def _library(target: Target, links: bool) -> str:
    """Tell the libraries that compile and link for a device from others; empty if Clang does it alone."""
    from launchpath._compiler.target import CUDA, NATIVE  # noqa: PLC0415

    if target.form not in NATIVE:
        return ""
    from launchpath._compiler.rtc.library import headers, library_file  # noqa: PLC0415

    file = library_file.choose(target)
    linker_identity = ""
    if links and target.form == CUDA:
        from launchpath._compiler.rtc.library import linker  # noqa: PLC0415 (few programs have several files)

        linker_identity = linker.identity(file)
    return f"{file.identity}\n{headers.identity()}\n{linker_identity}"

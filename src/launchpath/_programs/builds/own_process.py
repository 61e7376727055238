"""Compile small sources in the program's own process, where starting another would take longer than compiling.

Those are plain sources. For CUDA devices NVRTC works on a thread for builds (see `building`): an interrupt or the limit
gets out at once, and what it then makes is dropped. For OpenCL devices Clang is a process of its own (see
`launchpath._compiler.plain.in_process`). Meanwhile, and beside another thread that compiles here, sources are compiled
in other processes, which work side by side.
"""

from __future__ import annotations

import _thread
import os
from typing import TYPE_CHECKING

from launchpath._programs.builds import building
from launchpath.errors import CompileError

if TYPE_CHECKING:
    from launchpath._compiler.image import Image
    from launchpath._compiler.plain.plain import Plain
    from launchpath._compiler.source.source import Source
    from launchpath._compiler.target import Target

# NVRTC reads and optimizes by recursion, and where its thread's stack ends, the program dies. That was seen with 8 MiB
# and 4000 operators in a row (its parser), and with 2 MiB and 550 loops in a row, which are 15 KiB (its optimizer).
_STACK = 8 << 20  # bytes of a thread
_MOST = 1 << 13  # bytes of source text
# The same for OpenCL devices: the passes over SPIR-V are Python's, and this process's other threads wait for them.
_MOST_WITH_PASSES = 1000
_LONGEST = 300  # tokens of a statement
_under_way: list[None] = []  # an entry for each compilation in this process; a second does no harm


def compiled(source: Source, target: Target) -> Image | None:
    """Compile a source in this process; None if it is for another process, or does not compile.

    Parameters
    ----------
    source : Source
    target : Target
        Of a CUDA device.

    Raises
    ------
    CompileError
        It took longer than the limit.
    """
    if _under_way or not _is_small(source, _MOST) or not _has_stack():
        return None
    from launchpath._compiler.rtc.library import library_file  # noqa: PLC0415 (importing launchpath must stay fast)

    file = library_file.choose(target)

    def opened(_: building.Build[None]) -> None:
        library_file.open_library(file)

    with building.Preparing(file.path, opened):
        from launchpath._compiler.plain import plain  # noqa: PLC0415 (beside NVRTC, which is being opened)
        from launchpath._compiler.rtc import direct  # noqa: PLC0415
        from launchpath._compiler.stages import stage  # noqa: PLC0415

        with stage("parser"):
            read = plain.read(source)
    if read is None or not _has_short_statements(read):
        return None

    def build(running: building.Build[Image | None]) -> Image | None:
        _under_way.append(None)
        try:
            running.check()
            return direct.compile(read, target)
        except CompileError:  # the other way has the message
            return None
        finally:
            _under_way.pop()

    with stage("device's compiler"):
        return building.run(build, f"{source.name}: NVRTC", _import_image)


def compiled_by_clang(source: Source, target: Target) -> Image | None:
    """Compile a source for an OpenCL device in this process; see `compiled`."""
    from launchpath._compiler.target import NATIVE, SIMULATED  # noqa: PLC0415 (importing launchpath must stay fast)

    if _under_way or target.form in (*NATIVE, SIMULATED) or target.bounds or not _is_small(source, _MOST_WITH_PASSES):
        return None
    from launchpath._compiler.plain import in_process  # noqa: PLC0415

    _under_way.append(None)
    try:
        return in_process.compile(source, target)
    except in_process.TookTooLong:
        raise
    except (in_process.NotHere, CompileError, OSError, RecursionError):  # the other way has the message
        return None
    finally:
        _under_way.pop()


def _import_image() -> None:
    """Import what `direct` makes of NVRTC's result."""
    import launchpath._compiler.image  # noqa: F401, PLC0415 (while NVRTC works)


def _is_small(source: Source, most: int) -> bool:
    """Whether a source may be small and plain, and its user has not chosen where it is compiled."""
    from launchpath._compiler import process  # noqa: PLC0415 (importing launchpath must stay fast)

    return len(source.text) <= most and b"template" not in source.text and not os.environ.get(process.SWITCH)


def _has_stack() -> bool:
    """Whether threads have the stack that most systems give them."""
    if size := _thread.stack_size():
        return size >= _STACK
    try:
        import resource  # noqa: PLC0415 (not on every system)
    except ImportError:
        return False
    limit = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return limit >= _STACK and limit != resource.RLIM_INFINITY  # glibc's threads have 2 MiB then


def _has_short_statements(read: Plain) -> bool:
    count = 0
    for file in read.unit.files.values():
        for token in file.active.tokens:
            count = 0 if token.text in (b";", b"{", b"}") else count + 1
            if count > _LONGEST:
                return False
    return True


def _after_fork_in_child() -> None:
    _under_way.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)

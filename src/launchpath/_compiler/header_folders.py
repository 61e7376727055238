"""The folders of launchpath's own headers: Clang's, those of NVRTC and hipRTC, and those that both sides include.

The common headers include headers that each side has under the same names: ``launchpath/keywords.h``, ``types.h``,
``vector.h`` and ``threads/warp.h``. Each side also has headers that only forward, which the build writes from
`forwarding`. NVRTC and hipRTC have no C and C++ library, so `RTC_LIBRARY` has one: C's headers with C++'s names for
them, and those that only C++ has.

`NATIVE` is for host code that is compiled to run, in front of the C++ library. Where such code has thrust's algorithms,
NVIDIA's CCCL is behind `BEFORE_CCCL`, and the device side has their names from `THRUST_DEVICE`.

`ABSENT` comes last, on both sides: a library's own header is used where it is installed, see `host_libraries`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from ..errors import CompileError
from .cache import fingerprint, own_sources

_HERE = os.path.dirname(os.path.abspath(__file__))
CLANG, RTC, COMMON, LIBRARIES, FORWARDING, NATIVE, THRUST = (
    os.path.join(_HERE, name)
    for name in (
        "headers",
        "headers_rtc",
        "headers_common",
        "headers_libraries",
        "_forward",
        "headers_native",
        "headers_thrust",
    )
)
CLANG_FORWARDING, RTC_FORWARDING = (os.path.join(FORWARDING, name) for name in ("clang", "rtc"))
RTC_LIBRARY = (os.path.join(RTC, "c_library"), os.path.join(RTC, "cpp_library"))
THRUST_DEVICE = os.path.join(FORWARDING, "thrust_device")
BEFORE_CCCL = (THRUST, os.path.join(FORWARDING, "thrust"))
ABSENT = (LIBRARIES, os.path.join(FORWARDING, "libraries"))


# Headers that the C++ library asks for, by `__has_include`, and that are in no folder of ours or of the system's.
_ASKED_FOR = frozenset({"android", "builtins.h", "llvm-libc-decls", "unwind.h", "varargs.h", "xlocale.h"})


def read_names(paths: Iterable[str], roots: Sequence[str]) -> list[str]:
    """The names in the folders of the system's headers and of ours by which some of their files were included."""
    names = set(_ASKED_FOR)
    for path in paths:
        inside = [path[len(root) + 1 :] for root in roots if path.startswith(f"{root}/")]
        names.update(name.partition("/")[0] for name in inside)
    return sorted(names)


def hides(folders: Iterable[str], headers: Iterable[str], names: Collection[str]) -> bool:
    """Whether a caller's header may be read in place of a header of the system's or of ours that includes it by name.

    Parameters
    ----------
    folders : iterable of str
        Those that the caller names.
    headers : iterable of str
        Headers that the caller passes as texts, by name.
    names : collection of str
        Those of `read_names`.
    """
    user_names = {header.partition("/")[0] for header in headers}
    for folder in folders:
        user_names |= _names(folder)
    return not user_names.isdisjoint(names)


def _names(folder: str) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:  # a compiler finds nothing there either
        return set()


def identity(*folders: str) -> str:
    """The identity of the headers in these folders: it differs where a checkout of this package has changed them.

    Of the headers that the build writes only the folders are looked at. They are two thirds of all headers, and nothing
    but the build writes them: it removes all of them and makes new folders.

    Raises
    ------
    CompileError
        A folder is missing: those that the build writes are not there in a checkout that was never built. Or a file is
        in its place.
    """
    try:
        return "\n".join(map(_identity, folders))
    except FileNotFoundError as error:
        advice = "install launchpath again; in a checkout, make setup writes it"
        raise CompileError(f"launchpath's headers are incomplete: {error.filename} is missing; {advice}") from error
    except NotADirectoryError as error:
        raise own_sources.no_folder(error) from error


@cache
def _identity(folder: str) -> str:
    is_built = folder.startswith(FORWARDING)
    return fingerprint.key("\n".join(sorted(_folders(folder) if is_built else _files(folder))))


def _folders(folder: str) -> Iterator[str]:
    """The state of a folder and of those in it: each file that is new, gone or renamed changes one."""
    yield f"{folder} {os.stat(folder).st_mtime_ns}"
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _folders(entry.path)


def _files(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _files(entry.path)
        else:
            state = entry.stat()
            yield f"{entry.path} {state.st_size} {state.st_mtime_ns}"

"""Read a source with libclang, and with it the user's own headers that it includes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...errors import CompileError
from .. import header_folders
from ..cache.fingerprint import fingerprint
from ..clang import frontend, library_headers, precompiled
from ..messages.log import Message
from ..source.active import Active
from ..source.normal import normal
from ..source.source import DEFINES, Source, encoding_remark
from . import clang, host_libraries, parsed_headers

_OPTIONS = clang.PREPROCESSING | clang.SKIP_BODIES | clang.KEEP_GOING


class Reading(NamedTuple):
    """The parser's view of a source."""

    parsed: Any
    errors: list[clang.Diagnostic]
    files: dict[str, bytes]  # the texts of the user's own files by path
    active: dict[str, Active]  # the same without the skipped parts
    digests: dict[str, str]  # those of the files that lie on disk
    with_library: bool  # whether the C++ library's headers were read before it
    remarks: list[Message]  # warnings about files that are not UTF-8


def read(source: Source, files: Mapping[str, bytes], macros: Mapping[str, str | None]) -> Reading:
    """Read a source, with `files` in place of what lies there, and with precompiled headers where they change nothing.

    Hold `clang.lock` for as long as the result is used.
    """
    if library_headers.wants(source):
        headers = parsed_headers.find(source, macros, library_headers.HEADERS)
        reading = headers and _with(source, files, macros, headers.file)
        if (
            headers
            and reading
            and not library_headers.may_conflict(map(_message, reading.errors), ())
            and not library_headers.depends(reading.active.values(), headers.macros)
        ):
            return reading._replace(with_library=True)
    headers = parsed_headers.find(source, macros)
    if headers is not None and (reading := _with(source, files, macros, headers.file)) is not None:
        return reading
    return _read(source, files, macros, None)


def _message(error: clang.Diagnostic) -> Message:
    return Message(error.place.path, error.place.line, error.place.column, "error", error.message)


def _with(source: Source, files: Mapping[str, bytes], macros: Mapping[str, str | None], headers: str) -> Reading | None:
    """Read with precompiled headers; None if the parser refuses them."""
    try:
        reading = _read(source, files, macros, headers)
    except CompileError:  # it says no more, or a file cannot be read, which is seen again
        reading = None
    if reading is None or precompiled.is_refused(error.message for error in reading.errors):
        precompiled.drop(headers)
        return None
    return reading


def _read(
    source: Source, unsaved: Mapping[str, bytes], macros: Mapping[str, str | None], headers: str | None
) -> Reading:
    """Read; headers that are not in their normal form are read again, for the parser's places are those of its text."""
    files = dict(unsaved)
    digests: dict[str, str] = {}
    remarks: list[Message | None] = []
    while True:
        parsed = clang.translation_unit(source, unsaved, macros, _OPTIONS, headers)
        paths = _user_files(parsed, source)
        changed = {}
        for path in paths:
            if path not in files:
                data = _content(path)
                digests[path] = fingerprint(data).hex()
                files[path] = normal(data, path)
                remarks.append(encoding_remark(data, path))
                if files[path] != data:
                    changed[path] = files[path]
        if not changed:
            times = clang.inclusions(parsed)
            times[source.path] += 1  # the source is read once more than it includes itself
            active = {path: Active(files[path], clang.skipped(parsed, path, times[path])) for path in paths}
            return Reading(parsed, clang.errors(parsed), files, active, digests, False, [*filter(None, remarks)])
        unsaved = {**unsaved, **changed}


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise CompileError(f"{path} is included, but cannot be read: {error.strerror}") from error


def _user_files(parsed: Any, source: Source) -> list[str]:
    """The paths of the user's own files, and of headers that are to be taken apart as those are."""
    folders = (*frontend.HEADERS, *frontend.find().system, *source.system, *header_folders.ABSENT)
    system = tuple(f"{folder}/" for folder in folders)
    paths: dict[str, None] = {source.path: None}
    for path, includer in clang.files(parsed).items():
        is_system = path == DEFINES or path.startswith(system)
        if not is_system or (includer in paths and host_libraries.is_one_of(path, source.system)):
            paths.setdefault(path)
    return list(paths)

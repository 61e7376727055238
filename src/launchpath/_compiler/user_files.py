"""The user's own files: what a source and the headers that it includes say, in their normal form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import CompileError
from . import clang, frontend
from .fingerprint import fingerprint
from .log import Message
from .normal import normal
from .source import DEFINES, Source, encoding_remark


def _is_system(path: str, source: Source) -> bool:
    folders = (*frontend.HEADERS, *frontend.find().system, *source.system)
    return path == DEFINES or path.startswith(tuple(f"{folder}/" for folder in folders))


class Read(NamedTuple):
    """A translation unit, the texts of the user's files, digests of those on disk, and warnings about encodings."""

    unit: Any
    texts: dict[str, bytes]
    digests: dict[str, str]
    remarks: list[Message]


def read(source: Source, files: dict[str, bytes], macros: Mapping[str, str | None]) -> Read:
    """Parse.

    The parser's places are those of the text that it reads: headers that are not in their normal form are parsed again.
    """
    options = clang.PREPROCESSING | clang.SKIP_BODIES | clang.KEEP_GOING
    digests: dict[str, str] = {}
    remarks: list[Message | None] = []
    given = dict(files)
    while True:
        parsed = clang.translation_unit(source, given, macros, options)
        own = [path for path in clang.files(parsed) if path == source.path or not _is_system(path, source)]
        changed = False
        for path in own:
            if path not in files:
                data = _read(path)
                digests[path] = fingerprint(data).hex()
                files[path] = normal(data, path)
                remarks.append(encoding_remark(data, path))
                if files[path] != data:
                    given[path] = files[path]
                    changed = True
        if not changed:
            return Read(parsed, {path: files[path] for path in own}, digests, [*filter(None, remarks)])


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise CompileError(f"{path} is included, but cannot be read: {error.strerror}") from error

"""The user's own files of a source: their texts, as Clang reads them, and what else is asked of them."""

from __future__ import annotations

from contextlib import suppress

from ... import header_folders
from ...cache import fingerprint
from ...clang import frontend, library_headers
from ...messages.log import Message
from ...source import assembly
from ...source.active import Active
from ...source.normal import normal
from ...source.source import DEFINES, VIRTUAL, Source, encoding_remark
from .launches import without_launches


class Files:
    """The files of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.originals: dict[str, bytes] = {}  # by path, in their normal form
        self.texts: dict[str, bytes] = {}  # the same as Clang gets them: launches are calls
        self.digests: dict[str, str] = {}  # of those that lie on disk
        self.remarks: list[Message] = []  # warnings about files that are not UTF-8
        folders = (*frontend.HEADERS, *frontend.find().system, *source.system, *header_folders.ABSENT)
        self._system = tuple(f"{folder}/" for folder in folders)
        for path, text in library_headers.own_files(source):
            self._add(path, text)

    def add(self, paths: tuple[str, ...]) -> bool:
        """Add the files that Clang has included; False if it has read all of them as they are now."""
        is_changed = False
        virtual = self.source.virtual_headers()
        for path in paths:
            if path in self.texts or path == DEFINES or path.startswith(self._system):
                continue
            data = virtual.get(path)
            if data is None:
                try:
                    with open(path, "rb") as file:
                        data = file.read()
                except OSError:
                    continue
            self._add(path, data)
            is_changed = is_changed or self.texts[path] != data
        return is_changed

    def active(self) -> dict[str, Active]:
        """Give the tokens of each file."""
        return {path: Active(text) for path, text in self.originals.items()}

    def _add(self, path: str, data: bytes) -> None:
        text = self.originals[path] = normal(data, path)
        self.texts[path] = assembly.with_any_register(without_launches(text))
        if path != self.source.path and not path.startswith(f"{VIRTUAL}/"):
            with suppress(OSError):
                self.digests[path] = fingerprint.fingerprint(data).hex()
            if (remark := encoding_remark(data, path)) is not None:
                self.remarks.append(remark)

"""Bundles: the device code of an object, as the sources and options that it is compiled of for each device.

A bundle is compressed JSON behind a magic number and its size. It has every file that the source includes, so that an
object goes to another machine; where the files are as they were, they are compiled where they are, and the cache knows
the result.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from launchpath._compiler.cache import cache
from launchpath._compiler.kernels.template import ONLY_TEMPLATES
from launchpath._compiler.source.unit import NO_KERNEL
from launchpath._programs.compilation import compile
from launchpath._programs.program import Program
from launchpath._streams.device import Device, default_device
from launchpath.errors import CompileError, NoDeviceError

if TYPE_CHECKING:
    from launchpath._host.compiler.device_side import DeviceOptions

MAGIC = b"LPBUNDLE"
_HEAD = struct.Struct("<8sQ")
_FORMAT = 1
_IN_PROGRAM = "-D__LP_PROGRAM__"  # for headers: a kernel that a device cannot run is refused when it runs


def make(path: str, language: str, options: DeviceOptions, device: Device | None = None) -> bytes:
    """Make the bundle of a source's device code, which is compiled for a device now.

    Parameters
    ----------
    path : str
    language : str
        ``hip`` or ``cuda``.
    options : DeviceOptions
    device : Device, optional
        The default device if omitted; a machine without any makes a bundle that is compiled where it runs.

    Raises
    ------
    CompileError
        At the source's own lines.
    """
    if options.includes:
        raise CompileError(f"-include {options.includes[0]}: expected no files before a source with device code")
    words = list(_absolute(options.words))
    recipe = Recipe(os.path.abspath(path), language, words)
    files = [recipe.path]
    with suppress(NoDeviceError):
        try:
            program = recipe.compile(device or default_device())
        except CompileError as error:
            if not any(text in str(error) for text in (NO_KERNEL, ONLY_TEMPLATES)):
                raise
            return _HEAD.pack(MAGIC, 0)  # a source that launches nothing, which no kernel is looked for in
        files += [each for each in program._files_read if each not in files]
    content = {"format": _FORMAT, **recipe._asdict(), "files": {each: _text(each) for each in files}}
    data = zlib.compress(json.dumps(content).encode(), 1)
    return _HEAD.pack(MAGIC, len(data)) + data


def binary(path: str, language: str, options: DeviceOptions) -> bytes:
    """Compile a source's device code for the default device, as a file that `launchpath.load` takes.

    Raises
    ------
    CompileError
        At the source's own lines.
    """
    if options.includes:
        raise CompileError(f"-include {options.includes[0]}: expected no files before a source with device code")
    return Recipe(os.path.abspath(path), language, list(_absolute(options.words))).compile(default_device())._to_bytes()


class Recipe(NamedTuple):
    """What a program is compiled of."""

    path: str
    language: str  # ``hip`` or ``cuda``
    options: Sequence[str]  # with absolute paths

    def compile(self, device: Device) -> Program:
        """Make the program for a device."""
        options = [*self.options, _IN_PROGRAM]
        return compile(path=self.path, device=device, language=self.language, options=options, warnings=False)

    def below(self, root: str) -> Recipe:
        """Give the same of files that lie below a folder."""
        options = [f"-I{root}{word[2:]}" if word.startswith("-I") else word for word in self.options]
        return self._replace(path=root + self.path, options=options)


def _absolute(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        yield f"-I{os.path.abspath(word[2:])}" if word.startswith("-I") else word


def wrong(problem: str) -> CompileError:
    """Make the error of what is no bundle."""
    return CompileError(f"device code of a program: {problem}: compile its sources with launchpath c++", problem)


def content(address: int) -> bytes:
    """Return the bundle at an address.

    Raises
    ------
    CompileError
        There is something else.
    """
    magic, size = _HEAD.unpack(ctypes.string_at(address, _HEAD.size))
    if magic != MAGIC:
        raise wrong(f"expected launchpath's, got what begins with {magic!r}")
    return ctypes.string_at(address + _HEAD.size, size)


def program(data: bytes, device: Device) -> Program:
    """Make the program of a bundle's content for a device.

    Raises
    ------
    CompileError
        It was made by another launchpath, or does not compile for the device.
    """
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data))
        if content["format"] != _FORMAT:
            raise wrong(f"expected format {_FORMAT}, got {content['format']}")
        recipe, files = Recipe(content["path"], content["language"], content["options"]), content["files"]
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise wrong(f"expected a bundle, got {error}") from error
    if any(_text(each, absent="") != text for each, text in files.items()):
        recipe = recipe.below(_extracted(data, files))
    return recipe.compile(device)


def _text(path: str, absent: str | None = None) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        if absent is None:
            raise
        return absent


def _extracted(data: bytes, files: Mapping[str, str]) -> str:
    """Write a bundle's files below a folder of the cache, where each has its own path; return the folder."""
    root = os.path.join(
        cache.settings().folder or tempfile.gettempdir(), "bundles", hashlib.sha256(data).hexdigest()[:32]
    )
    for path, text in files.items():
        place = root + path
        if not os.path.exists(place):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            temporary = f"{place}.{os.getpid()}"
            with open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
            os.replace(temporary, place)
    return root

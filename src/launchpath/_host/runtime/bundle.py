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
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from launchpath._compiler.cache import cache
from launchpath._programs.compilation import compile
from launchpath._programs.program import Program
from launchpath._streams.device import Device
from launchpath.errors import CompileError

MAGIC = b"LPBUNDLE"
_HEAD = struct.Struct("<8sQ")
_FORMAT = 1


class Options(NamedTuple):
    """What the device's side is compiled with, see `launchpath.compile`."""

    language: str  # ``hip`` or ``cuda``
    defines: Mapping[str, str | None] = {}
    include_paths: Sequence[str] = ()
    standard: str | None = None
    fast_math: bool = False
    optimization: int | None = None


def make(path: str, options: Options, device: Device | None = None) -> bytes:
    """Make the bundle of a source's device code; with a device it is compiled for that one now.

    Raises
    ------
    CompileError
        At the source's own lines.
    """
    files = [os.path.abspath(path)]
    if device is not None:
        program = _compile(files[0], options, device)
        files += [each for each in program._files_read if each not in files]
    recipe = {
        "format": _FORMAT,
        "path": files[0],
        "options": {**options._asdict(), "defines": dict(options.defines), "include_paths": [*options.include_paths]},
        "files": {each: _text(each) for each in files},
    }
    data = zlib.compress(json.dumps(recipe).encode(), 1)
    return _HEAD.pack(MAGIC, len(data)) + data


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
        recipe: dict[str, Any] = json.loads(zlib.decompress(data))
        if recipe["format"] != _FORMAT:
            raise wrong(f"expected format {_FORMAT}, got {recipe['format']}")
        options, path, files = Options(**recipe["options"]), recipe["path"], recipe["files"]
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise wrong(f"expected a bundle, got {error}") from error
    if any(_text(each, absent="") != text for each, text in files.items()):
        root = _extracted(data, files)
        path = root + path
        options = options._replace(include_paths=[root + os.path.abspath(each) for each in options.include_paths])
    return _compile(path, options, device)


def _compile(path: str, options: Options, device: Device) -> Program:
    return compile(
        path=path, device=device, language=options.language, defines=options.defines, standard=options.standard,
        include_paths=options.include_paths, fast_math=options.fast_math, optimization=options.optimization,
        warnings=False,
    )  # fmt: skip


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
    root = os.path.join(cache.settings().folder or tempfile.gettempdir(), "bundles", hashlib.sha256(data).hexdigest()[:32])
    for path, text in files.items():
        place = root + path
        if not os.path.exists(place):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            temporary = f"{place}.{os.getpid()}"
            with open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
            os.replace(temporary, place)
    return root

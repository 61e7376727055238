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
from launchpath._compiler.source.unit import NO_KERNEL, OTHER_FILES
from launchpath._programs.compilation import compilation
from launchpath._programs.program import Program
from launchpath._streams.device import Device, default_device
from launchpath.errors import CompileError, NoDeviceError

if TYPE_CHECKING:
    from launchpath._host.compiler.device_side import DeviceOptions

MAGIC = b"LPBUNDLE"
_HEAD = struct.Struct("<8sQ")
_FORMAT = 1
_KERNEL = 'extern "C" __global__ void __lp_kernel_beside_variables() {}\n'  # a program has one at least
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
    includes = [os.path.abspath(each) for each in options.includes]
    words = [*_absolute(options.words), _IN_PROGRAM]
    recipe = Recipe(os.path.abspath(path), language, words, includes, options.is_relocatable)
    files = [recipe.path, *includes]
    with suppress(NoDeviceError):
        try:
            program = recipe.compile(device or default_device())
        except CompileError as error:
            has_no_kernel = any(text in str(error) for text in (NO_KERNEL, ONLY_TEMPLATES))
            if options.is_relocatable and (has_no_kernel or OTHER_FILES in str(error)):
                files += options.files  # it is compiled with the program's other files, where the program runs
            elif has_no_kernel:
                recipe = recipe._replace(is_without_kernels=True)
                program = recipe.compile(device or default_device())
                if not program.symbols:
                    return _HEAD.pack(MAGIC, 0)  # a source that launches nothing, which nothing is looked for in
                files += program._files_read
            else:
                raise
        else:
            files += program._files_read
    content = {"format": _FORMAT, **recipe._asdict(), "files": {each: _text(each) for each in dict.fromkeys(files)}}
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
    recipe = Recipe(os.path.abspath(path), language, [*_absolute(options.words), _IN_PROGRAM])
    try:
        return recipe.compile(default_device())._to_bytes()
    except CompileError as error:
        if NO_KERNEL not in str(error):
            raise
    return recipe._replace(is_without_kernels=True).compile(default_device())._to_bytes()


class Recipe(NamedTuple):
    """What a program is compiled of."""

    path: str
    language: str  # ``hip`` or ``cuda``
    options: Sequence[str]  # with absolute paths
    includes: Sequence[str] = ()  # files before the source
    is_relocatable: bool = False  # it uses other files' device code, or they use its
    is_without_kernels: bool = False  # it has variables alone

    def compile(self, device: Device) -> Program:
        """Make the program for a device."""
        parameters: dict[str, Any] = {"language": self.language, "options": self.options, "with_host": True}
        if self.includes or self.is_without_kernels:
            text = "".join(f'#include "{each}"\n' for each in (*self.includes, self.path))
            text += _KERNEL if self.is_without_kernels else ""
            return compilation(text, device, name=self.path, warnings=False, **parameters).program()
        return compilation(None, device, path=self.path, warnings=False, **parameters).program()

    def below(self, root: str) -> Recipe:
        """Give the same of files that lie below a folder."""
        options = [f"-I{root}{word[2:]}" if word.startswith("-I") else word for word in self.options]
        return self._replace(path=root + self.path, options=options, includes=[root + each for each in self.includes])


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


def recipe(data: bytes) -> Recipe:
    """Return what the program of a bundle's content is compiled of, with its files where they are now.

    Raises
    ------
    CompileError
        It was made by another launchpath.
    """
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data))
        if content["format"] != _FORMAT:
            raise wrong(f"expected format {_FORMAT}, got {content['format']}")
        files = content["files"]
        parsed = Recipe(**{name: content[name] for name in Recipe._fields if name in content})
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise wrong(f"expected a bundle, got {error}") from error
    if any(_text(each, absent="") != text for each, text in files.items()):
        return parsed.below(_extracted(data, files))
    return parsed


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

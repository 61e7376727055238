"""nvJitLink, CUDA's linker: a library that needs no device. Where there is none the device's driver links."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Iterator
from functools import cache

from launchpath._installed import SYSTEM_FOLDERS, cuda_folders, libraries_in, loader_folders, major_version, namespace
from launchpath.errors import CompileError

from .library_file import LibraryFile

VARIABLE = "LAUNCHPATH_NVJITLINK_LIBRARY"
NONE = "none"  # the variable's value for the driver's linker
HINT = "pip install nvidia-nvjitlink (for CUDA 12 nvidia-nvjitlink-cu12), which links such files without the driver"

# Where Python packages keep it, below `nvidia`.
_PACKAGES = ("cu13/lib", "nvjitlink/lib", "cu12/lib")
_CUBIN = 1  # nvJitLinkInputType


class Linker:
    """A loaded library."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._library = ctypes.CDLL(path)
            self._library["nvJitLinkCreate"]
        except OSError as error:
            raise CompileError(f"{path} cannot be loaded: {error}") from error
        except AttributeError:
            raise CompileError(f"{path} is not an nvJitLink library: it has no nvJitLinkCreate") from None
        major, minor = ctypes.c_uint(), ctypes.c_uint()
        if hasattr(self._library, "nvJitLinkVersion"):
            self._library["nvJitLinkVersion"](ctypes.byref(major), ctypes.byref(minor))
        self.version = (major.value, minor.value)  # CUDA's; zeros of a library that does not tell, before 12.3

    def link(self, parts: Iterable[tuple[str, bytes]], architecture: str, lines: bool) -> bytes:
        """Link cubins to a single cubin.

        Parameters
        ----------
        parts : iterable of (str, bytes)
            Names, for messages, and cubins.
        architecture : str
            ``sm_90``.
        lines : bool
            Whether to keep the source's lines.

        Raises
        ------
        CompileError
            With the library's message.
        """
        options = [f"-arch={architecture}".encode(), *([b"-lineinfo"] if lines else [])]
        handle = ctypes.c_void_p()
        code = self._library["nvJitLinkCreate"](
            ctypes.byref(handle), len(options), (ctypes.c_char_p * len(options))(*options)
        )
        if code:
            raise CompileError(f"nvJitLinkCreate failed with {code} for {architecture}, in {self.path}")
        try:
            for name, data in parts:
                size = ctypes.c_size_t(len(data))
                self._check(
                    "AddData", self._library["nvJitLinkAddData"](handle, _CUBIN, data, size, name.encode()), handle
                )
            self._check("Complete", self._library["nvJitLinkComplete"](handle), handle)
            return self._bytes("LinkedCubin", handle)
        finally:
            self._library["nvJitLinkDestroy"](ctypes.byref(handle))

    def _check(self, name: str, code: int, handle: ctypes.c_void_p) -> None:
        if code:
            log = self._bytes("ErrorLog", handle).rstrip(b"\0").decode(errors="replace").strip()
            raise CompileError(log or f"nvJitLink{name} failed with {code}, in {self.path}", log)

    def _bytes(self, name: str, handle: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        self._library[f"nvJitLinkGet{name}Size"](handle, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value or 1)
        self._library[f"nvJitLinkGet{name}"](handle, data)
        return data.raw[: size.value]


def choose(compiler: LibraryFile) -> str:
    """Give the path of the library that links a compiler's binaries; empty if there is none.

    It must be of the compiler's major version, or later. `Linker.version` then tells whether it is new enough.

    Raises
    ------
    CompileError
        The library that the environment names is not there.
    """
    named = os.environ.get(VARIABLE)
    if named == NONE:
        return ""
    if named:
        if not os.path.isfile(named):
            raise CompileError(f"{VARIABLE} names {named}, which is not a file")
        return os.path.abspath(named)
    return next((path for path in _installed() if major_version(path) == compiler.major), "")


def identity(compiler: LibraryFile) -> str:
    """The library's identity, without loading it."""
    path = choose(compiler)
    return LibraryFile(compiler.dialect, path, 0).identity if path else ""


@cache
def load(path: str) -> Linker:
    """Load a library, once in a process."""
    return Linker(path)


@cache
def _installed() -> tuple[str, ...]:
    return tuple(_every())


def _every() -> Iterator[str]:
    packages = [os.path.join(folder, part) for folder in namespace("nvidia") for part in _PACKAGES]
    system = [*loader_folders(), *cuda_folders("lib64", "lib", "targets/x86_64-linux/lib"), *SYSTEM_FOLDERS]
    for folders in (packages, system):
        yield from sorted(libraries_in(folders, "libnvJitLink.so."), key=major_version, reverse=True)

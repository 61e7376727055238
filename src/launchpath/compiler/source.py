"""What is to be compiled: a text or a file, and everything around it that decides what it means."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..errors import CompileError

# Where a text that has no file lies for the compilers; its folder can be included from.
VIRTUAL = "/__launchpath__"
HEADERS = f"{VIRTUAL}/include"
DEFINES = f"{VIRTUAL}/defines.h"

_HIP_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]hip", re.MULTILINE)
_CUDA_INCLUDE = re.compile(
    rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:cuda|curand|cub|helper_cuda|device_launch)", re.MULTILINE
)
_FILE_NAME = re.compile(r"[^\n;{}()]*\.(?:cuh?|hip|h|hpp|hh|hxx|cc|cpp|cxx|c|cl|txt|inl|ptx|spv|lp)\s*")
_CUDA_CALL = re.compile(rb"\bcuda[A-Z]\w+\s*\(")


class Source(NamedTuple):
    """A source.

    Attributes
    ----------
    text : bytes
    name : str
        What messages call it.
    path : str
        Where the compilers find it: the file's own path, or one below `VIRTUAL`.
    cuda : bool
        Whether it is CUDA's dialect (``__CUDACC__``, no operators on ``float4``) rather than HIP's.
    defines : tuple of (str, str or None)
        Macros, in order.
    folders : tuple of str
        Include paths, in order.
    headers : tuple of (str, str)
        Headers given as strings: name as in the ``#include``, text.
    standard : str
        ``c++17`` and the like.
    machine : tuple of (str, str or None)
        The macros of what it is compiled for, in place of the dialect's, where another compiler makes the code.
    system : tuple of str
        Folders of that compiler's headers.
    """

    text: bytes
    name: str
    path: str
    cuda: bool
    defines: tuple[tuple[str, str | None], ...] = ()
    folders: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    standard: str = "c++17"
    machine: tuple[tuple[str, str | None], ...] = ()
    system: tuple[str, ...] = ()

    @property
    def macros(self) -> dict[str, str | None]:
        """The macros of the dialect. The caller's own are in `DEFINES`, for our headers are not to see them."""
        if self.machine:
            return dict(self.machine)
        if self.cuda:
            macros: dict[str, str | None] = {"__LP_CUDA__": None, "__CUDACC__": None, "__NVCC__": None}
            macros |= {"__CUDA_ARCH__": "700", "__CUDACC_VER_MAJOR__": "12", "__CUDACC_VER_MINOR__": "0"}
        else:
            macros = dict.fromkeys(("__HIP__", "__HIPCC__", "__HIP_DEVICE_COMPILE__", "__HIP_PLATFORM_SPIRV__"))
        return macros | {"__LAUNCHPATH__": None}

    @property
    def virtual_folders(self) -> tuple[str, ...]:
        """The include paths, and that of the headers given as strings."""
        return (*self.folders, HEADERS) if self.headers else self.folders

    def given_headers(self) -> dict[str, bytes]:
        """The headers given as strings, by the path where the compilers find them."""
        return {f"{HEADERS}/{name}": text.encode() for name, text in self.headers}

    def virtual_files(self) -> dict[str, bytes]:
        """All texts that are in no file, the source's own apart."""
        lines = [f"#define {name} {1 if value is None else value}\n" for name, value in self.defines]
        return {DEFINES: "".join(lines).encode()} | self.given_headers()


def from_text(text: str, name: str = "<source>", **around: object) -> Source:
    """Make a source of a text; see `Source` for what may be around it."""
    if not isinstance(text, str):
        raise TypeError(f"source must be text (str), not {type(text).__name__}; for a file give path=")
    if _FILE_NAME.fullmatch(text):
        raise CompileError(f"{text!r} is the name of a file, not a source: give it as path={text!r}")
    safe = re.sub(r"[^\w.+-]", "_", name.rsplit("/", 1)[-1])
    return _make(text.encode(), name, f"{VIRTUAL}/{safe or 'source'}", **around)  # type: ignore[arg-type]


def from_path(path: str | os.PathLike[str], name: str | None = None, **around: object) -> Source:
    """Make a source of a file.

    Raises
    ------
    OSError
        The file cannot be read.
    """
    where = os.fspath(path)
    with open(where, "rb") as file:
        text = file.read()
    return _make(text, name or where, os.path.abspath(where), **around)  # type: ignore[arg-type]


def _make(
    text: bytes,
    name: str,
    path: str,
    defines: Mapping[str, object] | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
    headers: Mapping[str, str] | None = None,
    standard: str = "c++17",
) -> Source:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise CompileError(f"{name}:{line}: the source is not UTF-8 text (byte {text[error.start]:#04x})") from None
    if b"\0" in text:
        line = text.count(b"\n", 0, text.index(b"\0")) + 1
        raise CompileError(f"{name}:{line}: the source is not text: it holds a zero byte")
    if not re.fullmatch(r"(?:c|gnu)\+\+(?:1[7z]|2[0-9a-z])", standard):
        raise ValueError(f"standard must be c++17, c++20 or later, not {standard!r}")
    for macro in defines or {}:
        if not re.fullmatch(r"[A-Za-z_]\w*(?:\([\w\s,.]*\))?", macro):
            raise ValueError(f"{macro!r} is no name for a macro")
    if isinstance(include_paths, (str, os.PathLike)):
        include_paths = [include_paths]
    values = tuple((macro, None if value is None else str(value)) for macro, value in (defines or {}).items())
    folders = tuple(os.path.abspath(os.fspath(folder)) for folder in include_paths)
    return Source(text, name, path, _is_cuda(text, path), values, folders, tuple((headers or {}).items()), standard)


def _is_cuda(text: bytes, path: str) -> bool:
    if _HIP_INCLUDE.search(text):
        return False
    return path.endswith((".cu", ".cuh")) or bool(_CUDA_INCLUDE.search(text) or _CUDA_CALL.search(text))

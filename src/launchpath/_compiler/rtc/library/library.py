"""NVRTC and hipRTC behind one interface. Their C interfaces differ in the names of functions and of binaries."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from launchpath.errors import CompileError

from ...target import CUDA, HIP
from . import stack_limit
from .library_file import LibraryFile, open_library

_COMPILATION = 6  # {NVRTC,HIPRTC}_ERROR_COMPILATION: the log has the reason
_UNKNOWN_NAME = 10  # HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID
_STUB = "__hiprtc_"  # and a number from 1: the variables that hipRTC makes of name expressions
_PTX, _CUBIN, _HSACO = "ptx", "cubin", "hsaco"


class Program(NamedTuple):
    """What to compile."""

    text: str
    name: str  # the text's file name; the mangled names of functions and variables with internal linkage contain it
    headers: Mapping[str, str]  # headers passed as text, by the name in their ``#include``
    options: list[str]
    expressions: list[str]  # the expressions that need lowered names: addresses of kernels and of device globals
    kind: str  # ``cubin``, ``ptx`` or ``hsaco``
    ptx: bool = False  # whether the PTX is wanted beside a cubin, which does not tell what NVRTC knows of it


class Result(NamedTuple):
    """A compilation's outcome: whether it succeeded, the code, the names by expression, the log, and the PTX."""

    succeeded: bool
    code: bytes
    names: dict[str, str]
    log: str
    ptx: bytes = b""


class Library:
    """A loaded library."""

    def __init__(self, file: LibraryFile) -> None:
        self.file = file
        self._prefix = "nvrtc" if file.dialect == CUDA else "hiprtc"
        # NVRTC needs no lock; hipRTC's own has had races.
        self._guard = stack_limit.guard if file.dialect == CUDA else threading.Lock()
        try:
            self._library = open_library(file)
            self._library[f"{self._prefix}CompileProgram"]
        except OSError as error:
            raise CompileError(f"{file.path} cannot be loaded: {error}") from error
        except AttributeError:
            raise CompileError(
                f"{file.path} is not a {self._prefix} library: it has no function for compiling"
            ) from None
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("Version", ctypes.byref(major), ctypes.byref(minor))
        # NVRTC's is CUDA's. hipRTC has a version of its own, from which ROCm's does not follow
        self.version = (major.value, minor.value)
        # the architectures of NVRTC's binaries: 90 for ``sm_90``; empty for hipRTC, and NVRTC before CUDA 11.2
        self.architectures = self._architectures()

    def compile(self, program: Program) -> Result:
        """Compile; errors in the source are in the log.

        Raises
        ------
        CompileError
            The library refuses its arguments, or fails.
        """
        with self._guard:
            return self._compile(program)

    def _compile(self, program: Program) -> Result:
        handle = ctypes.c_void_p()
        texts = _strings(program.headers.values())
        self._call(
            "CreateProgram", ctypes.byref(handle), program.text.encode(), program.name.encode(), len(texts), texts,
            _strings(program.headers),
        )  # fmt: skip
        try:
            for expression in program.expressions:
                self._call("AddNameExpression", handle, expression.encode())
            options = _strings(program.options)
            code = self._function("CompileProgram")(handle, len(options), options)
            log = self._bytes("GetProgramLog", handle).rstrip(b"\0").decode(errors="replace").strip()
            if code:
                if code != _COMPILATION and not log:
                    raise self._error("CompileProgram", code)
                return Result(False, b"", {}, log)
            read = {_PTX: "GetPTX", _CUBIN: "GetCUBIN", _HSACO: "GetCode"}[program.kind]
            binary = self._bytes(read, handle)
            names = {expression: self._lowered(handle, expression) for expression in program.expressions}
            if None in names.values():
                from ...binary import hsaco  # noqa: PLC0415 (it brings a reader of ELF files, which is slow to import)

                stubs = hsaco.stubs(binary, _STUB)
                for number, expression in enumerate(names, 1):
                    names[expression] = names[expression] or stubs.get(f"{_STUB}{number}")
            for expression, name in names.items():
                if not name:
                    raise CompileError(f"{self.file.path} gives no name for {expression!r}")
            ptx = self._ptx(handle, program, binary)
            return Result(True, binary, {key: name for key, name in names.items() if name}, log, ptx)
        finally:
            self._function("DestroyProgram")(ctypes.byref(handle))

    def _ptx(self, handle: ctypes.c_void_p, program: Program, binary: bytes) -> bytes:
        """Give the PTX, if it is wanted and there is some."""
        if program.kind == _PTX or not program.ptx or self.file.dialect != CUDA:
            return binary if program.kind == _PTX and program.ptx else b""
        try:
            return self._bytes("GetPTX", handle)
        except CompileError:  # a version that keeps none where it makes a cubin
            return b""

    def install_headers(self, folder: str) -> bool:
        """Unpack the headers that NVRTC 13.3 and later bring along; False if it brings none."""
        if not hasattr(self._library, "nvrtcInstallBundledHeaders"):
            return False
        error_text = ctypes.c_char_p()
        return not self._function("InstallBundledHeaders")(folder.encode(), 0, ctypes.byref(error_text))

    def _architectures(self) -> tuple[int, ...]:
        if not hasattr(self._library, f"{self._prefix}GetNumSupportedArchs"):
            return ()
        count = ctypes.c_int()
        self._call("GetNumSupportedArchs", ctypes.byref(count))
        numbers = (ctypes.c_int * count.value)()
        self._call("GetSupportedArchs", numbers)
        return tuple(sorted(numbers))

    def _lowered(self, handle: ctypes.c_void_p, expression: str) -> str | None:
        """Give a name; None if hipRTC does not know it, which its older versions do not of overloads and casts."""
        name = ctypes.c_char_p()
        code = self._function("GetLoweredName")(handle, expression.encode(), ctypes.byref(name))
        if code and not (code == _UNKNOWN_NAME and self.file.dialect == HIP):
            raise self._error("GetLoweredName", code)
        return (name.value or b"").decode() or None

    def _bytes(self, name: str, handle: ctypes.c_void_p) -> bytes:
        """Read bytes by a pair of functions: the first returns the size, the second the bytes."""
        size = ctypes.c_size_t()
        self._call(f"{name}Size", handle, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value or 1)
        self._call(name, handle, data)
        return data.raw[: size.value]

    def _function(self, name: str) -> ctypes._NamedFuncPointer:
        return self._library[f"{self._prefix}{name}"]

    def _call(self, name: str, *arguments: object) -> None:
        code = self._function(name)(*arguments)
        if code:
            raise self._error(name, code)

    def _error(self, name: str, code: int) -> CompileError:
        text = self._function("GetErrorString")
        text.restype = ctypes.c_char_p
        message = (text(code) or b"").decode(errors="replace")
        return CompileError(f"{self._prefix}{name} failed: {message or 'error'} ({code}), in {self.file.path}")


@cache
def load(file: LibraryFile) -> Library:
    """Load a library, once in a process."""
    return Library(file)


def _strings(texts: Iterable[str]) -> ctypes.Array[ctypes.c_char_p]:
    encoded = [text.encode() for text in texts]
    return (ctypes.c_char_p * len(encoded))(*encoded)

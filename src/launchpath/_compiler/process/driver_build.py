"""Build a program by an OpenCL library's own compiler, in a process that may die of it.

The core does the same in the process of the program; the binary that comes of it is loaded there. All is done on one
thread, because some compilers prepare themselves for each thread, and beside the rest of a compilation.
"""

from __future__ import annotations

import _thread
import atexit
import ctypes
import os
import queue
from collections.abc import Callable
from ctypes import POINTER, byref, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from functools import cache, partial
from typing import Any, NamedTuple

_NAME = 0x0902  # CL_PLATFORM_NAME
_DEVICE_NAME = 0x102B
_ALL_TYPES = 0xFFFFFFFF
_LOG, _SIZES, _BINARIES = 0x1183, 0x1165, 0x1166

# What the thread is to call, and where its result or error goes. A ThreadPoolExecutor would import 10 ms of modules.
_requests: queue.SimpleQueue[tuple[Callable[[], Built | None], _Answer]] = queue.SimpleQueue()
_started: list[None] = []
_prepared: set[tuple[Opening, Device]] = set()


class Opening(NamedTuple):
    """How to open an OpenCL library."""

    first: tuple[str, ...]  # libraries that it needs, to be opened before it, in order
    library: str
    environment: tuple[tuple[str, str], ...]  # variables that it reads


class Device(NamedTuple):
    """A device by the names of its platform and of itself."""

    platform: str
    name: str


class Built(NamedTuple):
    """The device's binary, empty if the compiler refuses the program, and the compiler's log."""

    binary: bytes
    log: str


_Answer = queue.SimpleQueue[tuple[Built | None, BaseException | None]]


def build(opening: Opening, device: Device, code: bytes, options: str) -> Built | None:
    """Build SPIR-V.

    Returns
    -------
    Built or None
        None if nothing can be built here: the library, the device or its binary is not to be had.
    """
    result, error = _submit(opening, device, code, options).get()
    if error is not None:
        raise error
    return result


def prepare(opening: Opening, device: Device, code: bytes) -> None:
    """Open a library, and build a module so that later builds are faster; once. This does not wait for it."""
    if (opening, device) not in _prepared:
        _prepared.add((opening, device))
        _submit(opening, device, code, "")


def _submit(opening: Opening, device: Device, code: bytes, options: str) -> _Answer:
    os.environ.update(opening.environment)
    if not _started:
        _started.append(None)
        _thread.start_new_thread(_serve, ())
        atexit.register(_finish)
    answer: _Answer = queue.SimpleQueue()
    _requests.put((partial(_build, opening, device, code, options), answer))
    return answer


def _serve() -> None:
    while True:
        function, answer = _requests.get()
        try:
            answer.put((function(), None))
        except BaseException as error:
            answer.put((None, error))


def _finish() -> None:
    """Wait for the thread: libraries are not to be unloaded while it works."""
    answer: _Answer = queue.SimpleQueue()
    _requests.put((lambda: None, answer))
    answer.get()


def _build(opening: Opening, device: Device, code: bytes, options: str) -> Built | None:
    try:
        return _opened(opening, device).build(code, options)
    except (OSError, AttributeError, LookupError):
        return None


class _Opened:
    """A device with a context."""

    def __init__(self, library: Any, device: int) -> None:
        self._library, self._device = library, c_void_p(device)
        code = c_int32()
        library.clCreateContext.restype = library.clCreateProgramWithIL.restype = c_void_p
        library.clCreateContext.argtypes = [c_void_p, c_uint32, POINTER(c_void_p), c_void_p, c_void_p, POINTER(c_int32)]
        library.clCreateProgramWithIL.argtypes = [c_void_p, c_char_p, c_size_t, POINTER(c_int32)]
        library.clBuildProgram.argtypes = [c_void_p, c_uint32, POINTER(c_void_p), c_char_p, c_void_p, c_void_p]
        library.clReleaseProgram.argtypes = [c_void_p]
        about = [c_uint32, c_size_t, c_void_p, POINTER(c_size_t)]
        library.clGetProgramInfo.argtypes = [c_void_p, *about]
        library.clGetProgramBuildInfo.argtypes = [c_void_p, c_void_p, *about]
        self._context = library.clCreateContext(None, 1, byref(self._device), None, None, byref(code))

    def build(self, code: bytes, options: str) -> Built | None:
        library, status = self._library, c_int32()
        program = (
            library.clCreateProgramWithIL(self._context, code, len(code), byref(status)) if self._context else None
        )
        if not program:
            return None
        try:
            failed = library.clBuildProgram(program, 1, byref(self._device), options.encode(), None, None)
            log = self._log(program)
            if failed:
                return Built(b"", log or f"clBuildProgram failed with code {failed}")
            size = c_size_t()
            if library.clGetProgramInfo(program, _SIZES, ctypes.sizeof(size), byref(size), None) or not size.value:
                return None
            binary = ctypes.create_string_buffer(size.value)
            address = c_void_p(ctypes.addressof(binary))
            if library.clGetProgramInfo(program, _BINARIES, ctypes.sizeof(address), byref(address), None):
                return None
            return Built(binary.raw, log)
        finally:
            library.clReleaseProgram(program)

    def _log(self, program: int) -> str:
        size = c_size_t()
        ask = self._library.clGetProgramBuildInfo
        if ask(program, self._device, _LOG, 0, None, byref(size)) or size.value <= 1:
            return ""
        text = ctypes.create_string_buffer(size.value)
        return "" if ask(program, self._device, _LOG, size.value, text, None) else text.value.decode(errors="replace")


@cache
def _opened(opening: Opening, chosen: Device) -> _Opened:
    """Open a library, and find a device of it; a LookupError, which is not cached, if it has none of that name."""
    for path in opening.first:
        ctypes.CDLL(path)
    library = ctypes.CDLL(opening.library)
    for platform in _list(library.clGetPlatformIDs):
        if _text(library.clGetPlatformInfo, platform, _NAME) == chosen.platform:
            for device in _list(library.clGetDeviceIDs, c_void_p(platform), c_uint64(_ALL_TYPES)):
                if _text(library.clGetDeviceInfo, device, _DEVICE_NAME) == chosen.name:
                    return _Opened(library, device)
    raise LookupError(f"{opening.library} has no device {chosen.name!r} of {chosen.platform!r}")


def _list(ask: Any, *arguments: Any) -> list[int]:
    count = c_uint32()
    if ask(*arguments, 0, None, byref(count)) or not count.value:
        return []
    handles = (c_void_p * count.value)()
    return [] if ask(*arguments, count, handles, None) else [handle for handle in handles if handle]


def _text(ask: Any, handle: int, key: int) -> str:
    size = c_size_t()
    if ask(c_void_p(handle), c_uint32(key), c_size_t(0), None, byref(size)):
        return ""
    text = ctypes.create_string_buffer(size.value + 1)
    ask(c_void_p(handle), c_uint32(key), size, text, None)
    return text.value.decode(errors="replace").strip()

"""hipRTC: programs that are compiled while the program runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from rocm.bindings import hiprtc as _hiprtc

from launchpath import errors
from launchpath._programs.compilation import compile as compile_program
from launchpath._programs.program import Program
from launchpath.hip._bindings import address
from launchpath.hip._current import current

__all__ = [
    "hiprtcAddNameExpression",
    "hiprtcCompileProgram",
    "hiprtcCreateProgram",
    "hiprtcDestroyProgram",
    "hiprtcGetCode",
    "hiprtcGetCodeSize",
    "hiprtcGetErrorString",
    "hiprtcGetLoweredName",
    "hiprtcGetProgramLog",
    "hiprtcGetProgramLogSize",
    "hiprtcVersion",
    "types",
]

types: Any = _hiprtc
Result = types.hiprtcResult
# Options of AMD's and NVIDIA's compilers that say what launchpath knows or decides by itself: the device, and how much
# the device's own compiler optimizes.
_IGNORED = ("--offload-arch=", "--gpu-architecture=", "-arch=", "-O", "-g", "-w", "-Wall", "-Wno-")


@dataclass
class _Program:
    source: str
    name: str
    headers: dict[str, str]
    names: list[str] = field(default_factory=list)
    log: str = ""
    compiled: Program | None = None
    code: bytes = b""


class _RtcError(Exception):
    def __init__(self, code: Any) -> None:
        self.code = code
        super().__init__(code.name)


_programs: dict[int, _Program] = {}


def _find(prog: Any) -> _Program:
    known = _programs.get(address(prog))
    if known is None:
        raise _RtcError(Result.HIPRTC_ERROR_INVALID_PROGRAM)
    return known


def _compiled(prog: Any) -> tuple[_Program, Program]:
    known = _find(prog)
    if known.compiled is None:
        raise _RtcError(Result.HIPRTC_ERROR_INVALID_PROGRAM)
    return known, known.compiled


def _text(value: Any, code: Any) -> str:
    try:
        return value if isinstance(value, str) else bytes(value).decode()
    except (TypeError, UnicodeDecodeError):
        raise _RtcError(code) from None


def hiprtcVersion() -> tuple[Any, int, int]:
    """Return the version of hipRTC that the types are of."""
    from rocm.bindings import hip  # noqa: PLC0415 (a runner may have put launchpath's own in its place)

    return Result.HIPRTC_SUCCESS, int(hip.HIP_VERSION_MAJOR), int(hip.HIP_VERSION_MINOR)


def hiprtcGetErrorString(result: Any) -> tuple[Any, bytes]:
    """Return the name of a result."""
    try:
        return Result.HIPRTC_SUCCESS, bytes(Result(int(result)).name, "ascii")
    except ValueError:
        return Result.HIPRTC_SUCCESS, b"Invalid HIPRTC error code"


def hiprtcCreateProgram(src: Any, name: Any, numHeaders: int, headers: Any, includeNames: Any) -> tuple[Any, Any]:
    """Create a program of a source in HIP C++, and of headers as text by the names that it includes them by."""
    wrong = Result.HIPRTC_ERROR_INVALID_INPUT
    try:
        if src is None or numHeaders < 0:
            raise _RtcError(wrong)
        texts = [_text(header, wrong) for header in (headers or ())[:numHeaders]]
        names = [_text(each, wrong) for each in (includeNames or ())[:numHeaders]]
        if len(texts) != numHeaders or len(names) != numHeaders:
            raise _RtcError(wrong)
        title = _text(name, wrong) if name is not None else ""
        program = _Program(_text(src, wrong), title or "<source>", dict(zip(names, texts, strict=True)))
    except _RtcError as error:
        return error.code, None
    handle = types._hiprtcProgram(id(program)) if hasattr(types, "_hiprtcProgram") else types.hiprtcProgram(id(program))
    _programs[id(program)] = program
    return Result.HIPRTC_SUCCESS, handle


def hiprtcDestroyProgram(prog: Any) -> tuple[Any]:
    """Destroy a program; modules that were loaded from its code stay."""
    if _programs.pop(address(prog), None) is None:
        return (Result.HIPRTC_ERROR_INVALID_PROGRAM,)
    return (Result.HIPRTC_SUCCESS,)


def hiprtcAddNameExpression(prog: Any, name_expression: Any) -> tuple[Any]:
    """Let the program have an instance of a template: ``b"reduce<float, 256>"``."""
    try:
        known = _find(prog)
        if known.compiled is not None:
            return (Result.HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,)
        known.names.append(_text(name_expression, Result.HIPRTC_ERROR_INVALID_INPUT))
    except _RtcError as error:
        return (error.code,)
    return (Result.HIPRTC_SUCCESS,)


def hiprtcCompileProgram(prog: Any, numOptions: int, options: Any) -> tuple[Any]:
    """Compile a program for this thread's device.

    Options are ``-D``, ``-U``, ``-I`` and ``-std=``, with their values behind them or as the next option. Those that
    choose an architecture or an optimization are ignored.
    """
    try:
        known = _find(prog)
        given = [_text(option, Result.HIPRTC_ERROR_INVALID_OPTION) for option in (options or ())[:numOptions]]
        arguments = _arguments(given)
    except _RtcError as error:
        return (error.code,)
    try:
        # The name of a kernel that is no template is no instance.
        names = [name for name in known.names if "<" in name]
        known.compiled = compile_program(
            known.source, current(), name=known.name, names=names, headers=known.headers, **arguments
        )
        known.log, known.code = known.compiled.log, known.compiled._to_bytes()
    except errors.CompileError as error:
        known.log = str(error)
        return (Result.HIPRTC_ERROR_COMPILATION,)
    except (errors.LaunchpathError, TypeError, ValueError) as error:
        known.log = str(error)
        return (Result.HIPRTC_ERROR_INVALID_INPUT,)
    return (Result.HIPRTC_SUCCESS,)


def _arguments(options: list[str]) -> dict[str, Any]:
    defines: dict[str, str | int | None] = {}
    folders: list[str] = []
    arguments: dict[str, Any] = {"defines": defines, "include_paths": folders}
    rest = iter(options)
    for option in rest:
        flag, value = option[:2], option[2:]
        if flag in ("-D", "-U", "-I"):
            value = (value or next(rest, "")).strip()
            if not value:
                raise _RtcError(Result.HIPRTC_ERROR_INVALID_OPTION)
        if flag == "-D":
            name, has_value, text = value.partition("=")
            defines[name] = text if has_value else "1"
        elif flag == "-U":
            defines.pop(value, None)
        elif flag == "-I":
            folders.append(os.fspath(value))
        elif option.startswith(("-std=", "--std=")):
            arguments["standard"] = option.partition("=")[2].replace("gnu++", "c++")
        elif not option.startswith(_IGNORED):
            raise _RtcError(Result.HIPRTC_ERROR_INVALID_OPTION)
    return arguments


def _into(buffer: Any, data: bytes) -> None:
    view = memoryview(buffer).cast("B")
    if view.readonly or len(view) < len(data):
        raise _RtcError(Result.HIPRTC_ERROR_INVALID_INPUT)
    view[: len(data)] = data


def hiprtcGetProgramLogSize(prog: Any) -> tuple[Any, Any]:
    """Return the bytes of the compiler's messages, with the zero behind them."""
    try:
        return Result.HIPRTC_SUCCESS, len(_find(prog).log.encode()) + 1
    except _RtcError as error:
        return error.code, None


def hiprtcGetProgramLog(prog: Any, log: Any) -> tuple[Any]:
    """Write the compiler's messages into a buffer."""
    try:
        _into(log, _find(prog).log.encode() + b"\0")
    except _RtcError as error:
        return (error.code,)
    return (Result.HIPRTC_SUCCESS,)


def hiprtcGetCodeSize(prog: Any) -> tuple[Any, Any]:
    """Return the bytes of the compiled program."""
    try:
        return Result.HIPRTC_SUCCESS, len(_compiled(prog)[0].code)
    except _RtcError as error:
        return error.code, None


def hiprtcGetCode(prog: Any, code: Any) -> tuple[Any]:
    """Write the compiled program into a buffer, for `hipModuleLoadData` on the same kind of device."""
    try:
        _into(code, _compiled(prog)[0].code)
    except _RtcError as error:
        return (error.code,)
    return (Result.HIPRTC_SUCCESS,)


def hiprtcGetLoweredName(prog: Any, name_expression: Any) -> tuple[Any, Any]:
    """Return the name by which `hipModuleGetFunction` finds an instance."""
    try:
        known = _find(prog)
        if known.compiled is None:
            return Result.HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, None
        name = _text(name_expression, Result.HIPRTC_ERROR_INVALID_INPUT)
        if name not in known.names or name not in known.compiled:
            return Result.HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID, None
    except _RtcError as error:
        return error.code, None
    return Result.HIPRTC_SUCCESS, known.compiled[name].name.encode()

"""hipRTC: programs that are compiled while the program runs."""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rocm.bindings import hiprtc as _hiprtc

from launchpath import errors
from launchpath._programs.compilation import compile as compile_program
from launchpath._programs.program import Program
from launchpath.hip._devices.current import current
from launchpath.hip._types.bindings import Pointer
from launchpath.hip._types.errors import HipError
from launchpath.hip._types.handles import Handles
from launchpath.hip._types.types import PYTHONS_OWN, refuse_types
from launchpath.hip._types.values import put_bytes

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


_programs: Handles[_Program] = Handles(types.hiprtcProgram, Result.HIPRTC_ERROR_INVALID_PROGRAM)


def function(outputs: int = 0) -> Callable[[Callable[..., Any]], Callable[..., tuple[Any, ...]]]:
    """Make a function of hipRTC's of a body that returns its outputs and raises HipError.

    The thread's last error of HIP stays.

    Parameters
    ----------
    outputs : int
        How many outputs it has. They follow the result in the tuple that is returned; after a failure they are None.

    Returns
    -------
    callable
        The decorator.
    """

    def decorate(body: Callable[..., Any]) -> Callable[..., tuple[Any, ...]]:
        @functools.wraps(body)
        def call(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
            try:
                values = body(*args, **kwargs)
            except HipError as error:
                return (error.code, *(None,) * outputs)
            except PYTHONS_OWN as error:
                refuse_types(types, body, args, kwargs, error)
                return (Result.HIPRTC_ERROR_INVALID_INPUT, *(None,) * outputs)
            if outputs == 0:
                return (Result.HIPRTC_SUCCESS,)
            return (Result.HIPRTC_SUCCESS, values) if outputs == 1 else (Result.HIPRTC_SUCCESS, *values)

        call.outputs = outputs  # type: ignore[attr-defined]
        return call

    return decorate


def _compiled(prog: Any) -> _Program:
    subject = _programs.find(prog)
    if subject.compiled is None:
        raise HipError(Result.HIPRTC_ERROR_INVALID_PROGRAM)
    return subject


def _text(value: Any, code: Any) -> str:
    try:
        if isinstance(value, (bytes, bytearray, memoryview)):
            return bytes(value).decode()
    except UnicodeDecodeError:
        pass
    if not isinstance(value, str):  # other objects may be iterated without an end, or be the number of bytes
        raise HipError(code, f"expected a text, got {value!r}")
    return value


def _texts(values: Any, count: int, code: Any) -> list[str]:
    """Return the first of an array of texts."""
    if values is not None and not isinstance(values, (tuple, list)):
        raise HipError(code, f"expected a tuple of texts, got {values!r}")
    if not 0 <= count <= len(values or ()):
        raise HipError(code, f"expected {count} texts, got {len(values or ())}")
    return [_text(each, code) for each in (values or ())[:count]]


@function(2)
def hiprtcVersion() -> tuple[int, int]:
    """Return the version of hipRTC that the types are of."""
    from rocm.bindings import hip  # noqa: PLC0415 (a runner may have put launchpath's own in its place)

    return int(hip.HIP_VERSION_MAJOR), int(hip.HIP_VERSION_MINOR)


@function(1)
def hiprtcGetErrorString(result: Any) -> bytes:
    """Return the name of a result."""
    try:
        return bytes(Result(int(result)).name, "ascii")
    except ValueError:
        return b"Invalid HIPRTC error code"


@function(1)
def hiprtcCreateProgram(src: Any, name: Any, numHeaders: int, headers: Any, includeNames: Any) -> Any:
    """Create a program of a source in HIP C++, and of headers as text by the names that it includes them by."""
    wrong = Result.HIPRTC_ERROR_INVALID_INPUT
    texts, names = _texts(headers, numHeaders, wrong), _texts(includeNames, numHeaders, wrong)
    title = _text(name, wrong) if name is not None else ""
    return _programs.add(_Program(_text(src, wrong), title or "<source>", dict(zip(names, texts, strict=True))))


@function()
def hiprtcDestroyProgram(prog: Any) -> None:
    """Destroy a program; modules that were loaded from its code stay.

    AMD's programs pass its reference, ``prog.createRef()``, as HIP's C function takes it; the program itself does too.
    """
    if type(prog) is Pointer and int(prog):
        prog = ctypes.c_void_p.from_address(int(prog)).value
    _programs.remove(prog)


@function()
def hiprtcAddNameExpression(prog: Any, name_expression: Any) -> None:
    """Let the program have an instance of a template: ``b"reduce<float, 256>"``."""
    subject = _programs.find(prog)
    if subject.compiled is not None:
        raise HipError(Result.HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    subject.names.append(_text(name_expression, Result.HIPRTC_ERROR_INVALID_INPUT))


@function()
def hiprtcCompileProgram(prog: Any, numOptions: int, options: Any) -> None:
    """Compile a program for this thread's device.

    Options are ``-D``, ``-U``, ``-I`` and ``-std=``, with their values behind them or as the next option,
    ``-ffast-math`` and ``-ffp-contract=``. Those that choose an architecture or an optimization are ignored. The log
    has a line for each option that is ignored or refused.
    """
    subject = _programs.find(prog)
    try:
        arguments, ignored = _arguments(_texts(options, numOptions, Result.HIPRTC_ERROR_INVALID_OPTION))
    except HipError as error:
        subject.log = f"hiprtc: error: {error}\n"
        raise
    notes = "".join(map(_about_ignored, ignored))
    try:
        # The name of a kernel that is no template is no instance.
        names = [name for name in subject.names if "<" in name]
        compiled = compile_program(
            subject.source,
            current(),
            name=subject.name,
            names=names,
            headers=subject.headers,
            warnings=False,
            **arguments,
        )
        subject.log, subject.code = notes + compiled.log, compiled._to_bytes()
        subject.compiled = compiled  # last: other threads take it to mean that the rest is there
    except errors.CompileError as error:
        subject.log = notes + str(error)
        raise HipError(Result.HIPRTC_ERROR_COMPILATION, subject.log) from error
    except (errors.LaunchpathError, TypeError, ValueError) as error:
        subject.log = notes + str(error)
        raise HipError(Result.HIPRTC_ERROR_INVALID_INPUT, subject.log) from error


def _about_ignored(option: str) -> str:
    reason = "the program is compiled for the device" if "arch=" in option else "launchpath decides it"
    return f"hiprtc: warning: option {option!r} is ignored: {reason}\n"


def _arguments(options: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Read options: the arguments of a compilation, and the options that are ignored."""
    defines: dict[str, str | int | None] = {}
    folders: list[str] = []
    ignored: list[str] = []
    arguments: dict[str, Any] = {"defines": defines, "include_paths": folders}
    rest = iter(options)
    for option in rest:
        flag, value = option[:2], option[2:]
        if flag in ("-D", "-U", "-I"):
            value = (value or next(rest, "")).strip()
            if not value:
                raise HipError(Result.HIPRTC_ERROR_INVALID_OPTION, f"option {option!r}: expected a value, got none")
        if flag == "-D":
            name, has_value, text = value.partition("=")
            defines[name] = text if has_value else "1"
        elif flag == "-U":
            defines.pop(value, None)
        elif flag == "-I":
            folders.append(os.fspath(value))
        elif option.startswith(("-std=", "--std=")):
            arguments["standard"] = option.partition("=")[2]
        elif option == "-ffast-math":
            arguments["fast_math"] = True
        elif option.startswith("-ffp-contract="):
            arguments["options"] = ["--fmad=false"] if option.endswith("=off") else []
        elif option.startswith(_IGNORED):
            ignored.append(option)
        else:
            raise HipError(
                Result.HIPRTC_ERROR_INVALID_OPTION,
                f"unrecognized option {option!r}: launchpath's hiprtc takes -D, -U, -I, -std=, -ffast-math and "
                "-ffp-contract=",
            )
    return arguments, ignored


def _into(buffer: Any, data: bytes) -> None:
    try:
        put_bytes(buffer, data)
    except HipError as error:
        raise HipError(Result.HIPRTC_ERROR_INVALID_INPUT, str(error)) from None


@function(1)
def hiprtcGetProgramLogSize(prog: Any) -> int:
    """Return the bytes of the compiler's messages, with the zero behind them."""
    return len(_programs.find(prog).log.encode()) + 1


@function()
def hiprtcGetProgramLog(prog: Any, log: Any) -> None:
    """Write the compiler's messages into a buffer."""
    _into(log, _programs.find(prog).log.encode() + b"\0")


@function(1)
def hiprtcGetCodeSize(prog: Any) -> int:
    """Return the bytes of the compiled program."""
    return len(_compiled(prog).code)


@function()
def hiprtcGetCode(prog: Any, code: Any) -> None:
    """Write the compiled program into a buffer, for `hipModuleLoadData` on the same kind of device."""
    _into(code, _compiled(prog).code)


@function(1)
def hiprtcGetLoweredName(prog: Any, name_expression: Any) -> bytes:
    """Return the name by which `hipModuleGetFunction` finds an instance."""
    subject = _programs.find(prog)
    if subject.compiled is None:
        raise HipError(Result.HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    name = _text(name_expression, Result.HIPRTC_ERROR_INVALID_INPUT)
    if name not in subject.names or name not in subject.compiled:
        raise HipError(Result.HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    return subject.compiled[name].name.encode()

"""Calls of HIP's and CUDA's functions by compiled programs: C's arguments, read and given to `launchpath.hip`.

A program's stub passes its name and the addresses of its arguments. What goes in are the parameters that the function
of `launchpath.hip` has, by their names; the others are where its outputs are to be written, in their order.
"""

from __future__ import annotations

import ctypes
import inspect
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from launchpath import hip
from launchpath._environment import switch
from launchpath._host.runtime import cuda, images, memory, node_arrays, table, variables
from launchpath.hip._types.bindings import types
from launchpath.hip._types.errors import fail, is_own

_POINTER = 8  # bytes
_NUMBERS: dict[tuple[int, bool], Any] = {
    (1, True): ctypes.c_int8, (2, True): ctypes.c_int16, (4, True): ctypes.c_int32, (8, True): ctypes.c_int64,
    (1, False): ctypes.c_uint8, (2, False): ctypes.c_uint16, (4, False): ctypes.c_uint32, (8, False): ctypes.c_uint64,
}  # fmt: skip
_SUCCESS, _NOT_SUPPORTED, _UNKNOWN = 0, 801, 999
_NO_INPUT = 3  # hiprtcResult's and nvrtcResult's INVALID_INPUT


class Parameter(NamedTuple):
    """A parameter of a C function."""

    name: str
    type: str
    size: int  # bytes of it by value
    form: str  # ``number``, ``pointer``, ``float`` or ``struct``


@cache
def _table() -> dict[str, tuple[bool, list[Parameter]]]:
    return {
        name: (is_text, [Parameter(*each) for each in parameters])
        for name, (is_text, parameters) in table.read()["functions"].items()
    }


def answer(name: bytes, address: int) -> int:
    """Answer a call of a program.

    Parameters
    ----------
    name : bytes
        Of the function.
    address : int
        Where the addresses of its arguments are.

    Returns
    -------
    int
        Its code, or the address of its text.
    """
    try:
        call = _calls[name]
    except KeyError:
        call = _calls.setdefault(name, _call(name.decode()))
    try:
        return call(address)
    except Exception as error:  # there is nothing above but C
        _log(name.decode(), error)
        return _UNKNOWN


# Functions whose code is an answer, and not their own failure.
_ASKS = frozenset(
    f"{word}{name}"
    for word in ("hip", "cuda")
    for name in ("GetLastError", "PeekAtLastError", "ExtGetLastError", "StreamQuery", "EventQuery")
)

_calls: dict[bytes, Callable[[int], int]] = {}


def _log(name: str, problem: object) -> None:
    if switch("LAUNCHPATH_LOG", False):
        sys.stderr.write(f"launchpath: {name}: {problem}\n")


def _report_failure(name: str, code: Any) -> None:
    """Write why the last function failed: once, if only launchpath knows of it; else with ``LAUNCHPATH_LOG``."""
    if is_own():
        _write_once(hip.reason())
    elif name not in _ASKS:
        _log(name, f"{code.name}: {hip.reason()}")


@cache
def _write_once(reason: str) -> None:
    sys.stderr.write(f"launchpath: {reason}\n")


def _refuse(address: int) -> int:
    """End a function of launchpath's part of the program with an error: start.h."""
    name, number, reason = (ctypes.c_uint64 * 3).from_address(address)
    texts = [ctypes.c_char_p.from_address(place).value or b"" for place in (name, reason)]
    code = fail(hip.hipError_t(ctypes.c_int.from_address(number).value), texts[1].decode())
    _log(texts[0].decode(), f"{code.name}: {texts[1].decode()}")
    return int(cuda.error_of(texts[0].decode(), code))


# What launchpath's own part of a program calls.
_OWN: dict[str, Callable[[int], int]] = {
    "launchpath_refuse": _refuse,
    "launchpath_place_managed": variables.place_managed,
    "launchpath_work": memory.write_work,
    "launchpath_wait": memory.wait,
}


def _call(name: str) -> Callable[[int], int]:
    if name in _OWN:
        return _OWN[name]
    twin = _twin(cuda.hip_name(name))
    if name not in _table() or twin is None:
        return lambda _address: _refused(name)
    is_text, parameters = _table()[name]
    readers, writers = _directions(name, twin, parameters)
    convert = cuda.conversion(name)
    optional = _MAY_BE_NULL.get(twin.__name__, frozenset())
    required = [index for index, _ in writers if parameters[index].name not in optional]

    def call(address: int) -> int:
        places = (ctypes.c_void_p * len(parameters)).from_address(address) if parameters else ()
        for index in required:
            if not ctypes.c_uint64.from_address(places[index] or 0).value:
                return _without_place(name, twin.__name__, parameters[index].name)
        inputs = [read(places) for read in readers]
        if convert is not None:
            inputs = convert(inputs)
        returned = twin(*inputs)
        if not isinstance(returned, tuple):
            return int(returned)
        code, *outputs = returned
        if is_text:
            return 0 if outputs[0] is None else _text(cuda.text_of(name, outputs[0]))
        if code != _SUCCESS:
            _report_failure(name, code)
            code = cuda.error_of(name, code)
        if twin.__name__ in node_arrays.FUNCTIONS:
            if code == _SUCCESS:
                to = [ctypes.c_uint64.from_address(places[index] or 0).value for index, _ in writers]
                node_arrays.write(to, outputs)
            return int(code)
        for (index, write), output in zip(writers, outputs, strict=False):
            place = ctypes.c_uint64.from_address(places[index] or 0).value
            if output is not None and place:
                write(place, output)
        return int(code)

    return call


# Outputs that a program may have no place for.
_MAY_BE_NULL = {
    "hipArrayGetInfo": frozenset({"desc", "extent", "flags"}),
    "hipCtxPopCurrent": frozenset({"ctx"}),
    "hipDeviceGetStreamPriorityRange": frozenset({"leastPriority", "greatestPriority"}),
    "hipGraphGetEdges": frozenset({"from_", "to"}),
    "hipGraphGetNodes": frozenset({"nodes"}),
    "hipGraphGetRootNodes": frozenset({"pRootNodes"}),
    "hipGraphInstantiate": frozenset({"pErrorNode", "pLogBuffer"}),
    "hipGraphNodeGetDependencies": frozenset({"pDependencies"}),
    "hipGraphNodeGetDependentNodes": frozenset({"pDependentNodes"}),
    "hipKernelGetParamInfo": frozenset({"paramSize"}),
    "hipLibraryGetGlobal": frozenset({"dptr", "bytes"}),
    "hipLibraryLoadData": frozenset({"jitOptions", "libraryOptions"}),
    "hipLibraryLoadFromFile": frozenset({"jitOptions", "libraryOptions"}),
    "hipMemGetAddressRange": frozenset({"pbase", "psize"}),
    "hipModuleGetGlobal": frozenset({"dptr", "bytes"}),
    "hipModuleLoadDataEx": frozenset({"options"}),
    "hipStreamGetCaptureInfo": frozenset({"pId"}),
    "hipStreamGetCaptureInfo_v2": frozenset({"id_out", "graph_out", "dependencies_out", "numDependencies_out"}),
}


def _without_place(name: str, twin: str, parameter: str) -> int:
    """Refuse a call that has no place for an output."""
    reason = f"{parameter}: expected a place for the output, got a null pointer"
    if twin.startswith("hiprtc"):
        _log(name, reason)
        return _NO_INPUT
    code = fail(hip.hipError_t.hipErrorInvalidValue, reason)
    _log(name, f"{code.name}: {reason}")
    return int(cuda.error_of(name, code))


def _twin(name: str) -> Callable[..., Any] | None:
    """Return the function of `launchpath.hip`, or of `launchpath.hiprtc`; None if there is none."""
    if name.startswith("hiprtc"):
        from launchpath import hiprtc  # noqa: PLC0415 (few programs need it)

        return getattr(hiprtc, name) if name in hiprtc.FUNCTIONS else None
    return getattr(hip, name, None) if name in hip.SUPPORTED else None


def _refused(name: str) -> int:
    _log(name, "launchpath does not have this function")
    return _NOT_SUPPORTED


def _directions(
    name: str, twin: Callable[..., Any], parameters: list[Parameter]
) -> tuple[list[Callable[[Any], Any]], list[tuple[int, Callable[[int, Any], None]]]]:
    """Give the readers of what goes in, in Python's order, and the writers of what comes out."""
    wanted = _WANTED.get(twin.__name__) or list(inspect.signature(twin).parameters)
    indices = {each.name: index for index, each in enumerate(parameters)}
    lacking = [each for each in wanted if each not in indices]
    if lacking:
        raise TypeError(f"{name}: expected parameters {', '.join(wanted)}, got {', '.join(indices)}")
    readers = [_from_places(parameters, indices[each], name in _IMAGES) for each in wanted]
    writers = [(index, _writer(each)) for index, each in enumerate(parameters) if each.name not in wanted]
    return readers, writers


# Of functions of `launchpath.hip` that take any arguments.
_WANTED = {"hipGetDeviceProperties": ["deviceId"]}


_IMAGES = frozenset({"hipModuleLoadData", "hipModuleLoadDataEx", "hipLibraryLoadData"})


def _from_places(parameters: list[Parameter], index: int, has_image: bool) -> Callable[[Any], Any]:
    """Make the reader of a parameter, from the addresses of all arguments."""
    if parameters[index].type == "const char *const *":
        # As many texts as the last number before says.
        count = max(each for each in range(index) if parameters[each].type == "int")
        return lambda places: _texts_at(ctypes.c_uint64.from_address(places[index]).value,
                                        ctypes.c_int.from_address(places[count]).value)  # fmt: skip
    read = _reader(parameters[index], has_image)
    return lambda places: read(places[index])


def _texts_at(address: int, count: int) -> list[bytes] | None:
    if not address or count <= 0:
        return None
    return [ctypes.string_at(each) for each in (ctypes.c_uint64 * count).from_address(address)]


def _text_at(place: int) -> bytes | None:
    address = ctypes.c_uint64.from_address(place).value
    return ctypes.string_at(address) if address else None


def _reader(parameter: Parameter, has_image: bool = False) -> Callable[[int], Any]:
    if has_image and parameter.name in ("image", "code"):
        return lambda place: images.bytes_at(ctypes.c_uint64.from_address(place).value)
    if parameter.type == "const char *":
        return _text_at
    if parameter.form == "pointer":
        return lambda place: ctypes.c_uint64.from_address(place).value or None
    if parameter.form == "float":
        real = ctypes.c_float if parameter.size == 4 else ctypes.c_double
        return lambda place: real.from_address(place).value
    if parameter.form == "struct":
        kind, size = getattr(types, _struct_name(parameter.type)), parameter.size

        def read(place: int) -> Any:
            value = kind()
            ctypes.memmove(int(value), place, size)
            return value

        return read
    number = _NUMBERS[parameter.size, "unsigned" not in parameter.type and "size_t" not in parameter.type]
    return lambda place: number.from_address(place).value


def _struct_name(type_: str) -> str:
    return cuda.hip_type(type_.replace("const", "").replace("struct", "").replace("*", "").strip())


def _writer(parameter: Parameter) -> Callable[[int, Any], None]:
    """Write an output where a pointer points to."""
    pointee = parameter.type.rstrip().removesuffix("*").rstrip()
    size = _POINTER if pointee.endswith("*") else _SIZES.get(pointee.replace("const", "").strip(), 0)

    def write(place: int, value: Any) -> None:
        if isinstance(value, float):
            (ctypes.c_float if pointee == "float" else ctypes.c_double).from_address(place).value = value
        elif hasattr(value, "c_sizeof") and not pointee.endswith("*"):
            ctypes.memmove(place, int(value), value.c_sizeof())
        elif isinstance(value, bytes) and not pointee.endswith("*"):
            ctypes.memmove(place, value, len(value))
        elif isinstance(value, bytes):
            ctypes.c_uint64.from_address(place).value = _text(value)
        else:
            width = size or (4 if isinstance(value, int) else _POINTER)  # an enum, or a handle
            _NUMBERS[width, False].from_address(place).value = int(value) & (1 << 8 * width) - 1

    return write


_SIZES = {
    "size_t": 8, "unsigned long long": 8, "unsigned long": 8, "long long": 8, "uint64_t": 8, "int": 4,
    "unsigned int": 4,
    "unsigned": 4, "char": 1, "hipTextureObject_t": 8, "hipSurfaceObject_t": 8, "cudaTextureObject_t": 8,
    "cudaSurfaceObject_t": 8,
}  # fmt: skip

_texts: dict[bytes, Any] = {}  # that programs have pointers to


def _text(value: bytes) -> int:
    if value not in _texts:
        _texts[value] = ctypes.create_string_buffer(value)
    return ctypes.addressof(_texts[value])

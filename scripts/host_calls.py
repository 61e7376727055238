"""Make what compiled programs call: stubs of HIP's and CUDA's functions, and a table of their arguments for Python.

Both come from the headers of `src/launchpath/_compiler/headers/launchpath/api`, where each function is one statement:
``__LP_CALL(MallocPitch)(void **ptr, size_t *pitch, size_t width, size_t height);``. A stub passes the addresses of its
arguments on, so what it knows of a type is how it is passed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

HEADERS = Path("src/launchpath/_compiler/headers/launchpath/api")
HOST = Path("src/launchpath/_host")
STUBS, TABLE = HOST / "start" / "stubs.c", HOST / "runtime" / "calls.json"
ADDRESSES = HOST / "start" / "addresses.c"

_STATEMENT = re.compile(r"^__LP_CALL(|_TEXT|_INT)\((\w+)\)\s*\(([^;]*)\);", re.MULTILINE)
_PARAMETER = re.compile(r"(?P<type>.*?)\b(?P<name>\w+)\s*(?P<array>\[\w*\])?(?:\s*=.*)?$", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

# Types that are passed by value, by their names without `hip`, `cuda` and `__LP_API`: bytes of structs, and of numbers.
_STRUCTS = {
    "dim3": 12, "Extent": 24, "PitchedPtr": 32, "Pos": 24, "ChannelFormatDesc": 20, "IpcMemHandle_t": 64,
    "IpcEventHandle_t": 64, "MemLocation": 8, "MemcpyAttributes": 24,
}  # fmt: skip
_NUMBERS = {
    "int": 4, "unsigned int": 4, "unsigned": 4, "float": 4, "double": 8, "size_t": 8, "unsigned long long": 8,
    "long long": 8,
    "unsigned long": 8, "unsigned char": 1, "unsigned short": 2, "char": 1, "uint32_t": 4, "uint64_t": 8, "int32_t": 4,
    "TextureObject_t": 8, "SurfaceObject_t": 8, "MemGenericAllocationHandle_t": 8,
}  # fmt: skip
# Pointers by the names of their types.
_POINTERS = re.compile(
    r"(?:Stream|Event|Graph|GraphNode|GraphExec|MemPool|UserObject|Array|Array_const|MipmappedArray|MipmappedArray_const|"
    r"GraphicsResource|Module|Function|Ctx|Deviceptr|deviceptr|HostFn|StreamCallback|ExternalMemory|ExternalSemaphore|"
    r"LinkState|Library|Kernel|rtcProgram|rtcLinkState|Program)_t|rtcProgram|nvrtcProgram|hiprtcProgram|LinkState"
)


class Parameter(NamedTuple):
    """A parameter of a function."""

    name: str
    type: str  # with `hip` or `cuda` in place of the macros
    size: int  # bytes of it by value
    form: str  # how it is passed: ``number``, ``pointer``, ``float`` or ``struct``


class Function(NamedTuple):
    """A function of HIP's or CUDA's."""

    name: str
    is_text: bool  # it returns a text, and no code
    parameters: tuple[Parameter, ...]


def functions(text: str, word: str) -> list[Function]:
    """List the functions that a header declares; `word` is the dialect's first word."""
    text = _COMMENT.sub("", text)
    found = []
    for kind, name, parameters in _STATEMENT.findall(text):
        separated = [] if parameters.strip() in ("", "void") else _separated(parameters)
        found.append(
            Function(f"{word}{name}", kind == "_TEXT", tuple(_parameter(each, word, name) for each in separated))
        )
    return found


def _separated(parameters: str) -> list[str]:
    depth, parts = 0, [""]
    for sign in parameters:
        depth += (sign in "(<{") - (sign in ")>}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [" ".join(part.split()) for part in parts]


def _parameter(text: str, word: str, function: str) -> Parameter:
    text = re.sub(r"__LP_(?:API|RTC)\((\w+)\)", rf"{word}\1", text)
    text = re.sub(r"__LP_API_(\w+)", lambda match: _NAMED.get(match[1], match[1]).replace("*", word), text)
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise SystemExit(f"{function}: expected a type and a name, got {text!r}")
    type_ = " ".join(match["type"].replace("*", " *").split()).replace("* *", "**")
    if match["array"]:
        type_ += " *"
    return Parameter(match["name"], type_, *_passed(type_, word, function))


_NAMED = {
    "STREAM": "*Stream", "EVENT": "*Event", "PROPERTIES": "*DeviceProp", "POINTER_ATTRIBUTES": "*PointerAttributes",
    "DEVICE_ATTRIBUTE": "*DeviceAttribute_t", "LIMIT": "*Limit_t", "CACHE": "*FuncCache_t", "P2P": "*DeviceP2PAttr",
}  # fmt: skip


def _passed(type_: str, word: str, function: str) -> tuple[int, str]:
    if "*" in type_ or "(" in type_:
        return 8, "pointer"
    plain = re.sub(r"\b(?:const|struct|enum)\b", "", type_).strip()
    short = plain.removeprefix(word).removeprefix("hip")
    if short in _STRUCTS:
        return _STRUCTS[short], "struct"
    if plain in _NUMBERS or short in _NUMBERS:
        return _NUMBERS.get(plain, _NUMBERS.get(short, 0)), "float" if plain in ("float", "double") else "number"
    if _POINTERS.fullmatch(short) or plain.endswith("ptr_t"):
        return 8, "pointer"
    return 4, "number"  # an enum


def _stub(function: Function) -> str:
    declared = ", ".join(f"{_c_type(parameter)} a{index}" for index, parameter in enumerate(function.parameters))
    addresses = ", ".join(f"&a{index}" for index in range(len(function.parameters))) or "0"
    result = "const char *" if function.is_text else "int"
    cast = "(const char *)(uintptr_t)" if function.is_text else "(int)"
    entry, works = PLAIN.get(function.name.removeprefix("hip").removeprefix("cuda"), ("", False))
    plainly = ""
    if entry:
        numbers = ", ".join(f"a{index}" for index in range(len(function.parameters)))
        plainly = f"const int c = launchpath_host_here()->{entry}({numbers}); "
        plainly += f"if (c >= 0) {{ {'launchpath_works(); ' if works else ''}return c; }} "
    if not plainly and not function.is_text:
        return f"CALLED({function.name}, ({declared or 'void'}), {addresses})"
    return (
        f"{result} {function.name}({declared or 'void'}) {{ {plainly}void *const a[] = {{{addresses}}}; "
        f'return {cast}launchpath_call("{function.name}", a); }}'
    )


def _c_type(parameter: Parameter) -> str:
    if parameter.form == "struct":
        return f"struct bytes_{parameter.size}"
    if parameter.form == "float":
        return "float" if parameter.size == 4 else "double"
    return {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}[parameter.size]


# CUDA's enumerators whose numbers are not those of HIP's twins.
_NUMBER = re.compile(r"^__LP_(ATTRIBUTE|ERROR|P2P)\((\w+), (\d+), (\w*)\)", re.MULTILINE)


def numbers() -> dict[str, dict[int, str]]:
    """Give the names of HIP's twins by CUDA's numbers, for each enum; an empty name where there is no twin."""
    found: dict[str, dict[int, str]] = {}
    for kind, _, number, twin in _NUMBER.findall((HEADERS / "cuda_numbers.h").read_text()):
        found.setdefault(kind, {})[int(number)] = twin
    return found


# What is written by hand, in start.c and its neighbours.
OWN = frozenset(
    [
        *(f"{word}{name}" for word in ("hip", "cuda") for name in ("LaunchKernel", "GetLastError", "PeekAtLastError")),
        *("hipGetProcAddress", "hipGetDriverEntryPoint", "hipExtModuleLaunchKernel", "hipHccModuleLaunchKernel"),
        *("hipMemRangeGetAttributes", "cudaMemRangeGetAttributes", "hipDrvPointerGetAttributes"),
    ]
)


# What launchpath_host.h answers without Python, by the names without their first word: the entry of its table, and
# whether it may give a device work, see _host/start/memory.c.
PLAIN = {
    "Malloc": ("allocate", False), "Free": ("free", False), "MemcpyAsync": ("copy", True),
    "Memcpy": ("copy_and_wait", True), "MemsetAsync": ("fill", True), "Memset": ("fill_default", True),
    "EventRecord": ("event_record", False), "EventQuery": ("event_query", False),
    "EventSynchronize": ("event_synchronize", False), "StreamWaitEvent": ("stream_wait_event", False),
    "StreamQuery": ("stream_query", False), "StreamSynchronize": ("stream_synchronize", False),
    "DeviceSynchronize": ("device_synchronize", False), "GetDevice": ("get_device", False),
    "SetDevice": ("set_device", False),
}  # fmt: skip


# The first words of functions, by how their header's name begins; all else both runtimes have.
_WORDS = {"hip": ("hip",), "cuda": ("cuda",), "rtc": ("hiprtc", "nvrtc"), "hiprtc": ("hiprtc",)}


def read() -> dict[str, Function]:
    """Read all headers."""
    found: list[Function] = []
    for path in sorted(HEADERS.rglob("*.h"), key=lambda path: path.name):
        text = path.read_text()
        for word in _WORDS.get(path.stem.partition("_")[0], ("hip", "cuda")):
            found += functions(text, word)
    return {function.name: function for function in found}


def write() -> None:
    """Write the stubs, the functions by their names, and the table."""
    table = read()
    sizes = sorted({each.size for function in table.values() for each in function.parameters if each.form == "struct"})
    lines = [
        "/* Built by scripts/host_calls.py. */",
        '#include "start.h"',
        # With the name in it once: wheels carry this file.
        "#define CALLED(name, parameters, ...) \\",
        "    int name parameters { void *const a[] = {__VA_ARGS__}; return (int)launchpath_call(#name, a); }",
        *(f"struct bytes_{size} {{ uint32_t words[{size // 4}]; }};" for size in sizes),
        *(_stub(function) for name, function in table.items() if name not in OWN),
        "",
    ]
    _put(STUBS, "\n".join(lines))
    named = sorted(name for name in table if name.startswith("hip") and not name.startswith("hiprtc"))
    lines = [
        "/* Built by scripts/host_calls.py. */",
        '#include "by_name.h"',
        f"#define NAMES(X) {' '.join(f'X({name})' for name in named)}",
        "#define DECLARED(name) extern int name();",
        "#define NAMED(name) {#name, (void *)name},",
        "NAMES(DECLARED)",
        "const launchpath_named launchpath_all[] = {NAMES(NAMED)};",
        f"const size_t launchpath_all_count = {len(named)};",
        "",
    ]
    _put(ADDRESSES, "\n".join(lines))
    rows = {
        name: [function.is_text, [[each.name, each.type, each.size, each.form] for each in function.parameters]]
        for name, function in table.items()
    }
    _put(TABLE, json.dumps({"functions": rows, "numbers": numbers()}, indent=0) + "\n")


def _put(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


if __name__ == "__main__":
    write()

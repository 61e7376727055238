"""PTX: CUDA's assembly, which the driver compiles. This reads its declarations: kernels, their parameters, globals."""

from __future__ import annotations

import re
from dataclasses import replace

from ...errors import ArgumentValueError
from .kernels import BinaryKernel, Contents, Place
from .ptx_shared import reached

# A search that fails ends before the next place where one begins: else the time would grow with the text's square.
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_VERSION = re.compile(r"^[ \t]*\.version[ \t]+(\d+)\.(\d+)", re.MULTILINE)
_TARGET = re.compile(r"^[ \t]*\.target[ \t]+(sm_\w+|compute_\w+)", re.MULTILINE)
_WIDTH = re.compile(r"^[ \t]*\.address_size[ \t]+(\d+)", re.MULTILINE)
_ENTRY = re.compile(
    r"\.entry\s+([\w$%.]+)\s*(?:\(([^(){};]*)\))?\s*((?:\.(?!entry)\w+(?:[\s,]+[\w]+)*\s*)*)[{;]", re.DOTALL
)
_PARAMETER = re.compile(
    r"^\.param(?P<words>(?:\s+\.[a-z]\w*(?:\s+\d{1,9})?)*)\s+(?P<name>[\w$%]+)\s*(?:\[(?P<count>\d{0,9})\])?$",
    re.DOTALL,
)
_MOST = re.compile(r"\.(?:maxntid|reqntid)\s+([\d\s,]+)")
_GLOBAL = re.compile(
    r"^[ \t]*(?:\.(?:visible|weak)\s+)?\.(?:global|const)"
    r"((?:\s+\.(?!global|const|visible|weak)[a-z]\w*(?:\s+\d{1,9})?)*)\s+([\w$%]+)\s*((?:\[\d{0,9}\])*)\s*[=;]",
    re.MULTILINE,
)
_WORD = re.compile(r"\.([a-z]+\d*(?:x2)?)(?:\s+(\d{1,9}))?")


def read(data: bytes, name: str) -> Contents:
    """Read PTX.

    Raises
    ------
    ArgumentValueError
        It is malformed, or of 32 bits.
    """
    text = _COMMENT.sub("", data.decode("utf-8", "replace"))
    target, width = _TARGET.search(text), _WIDTH.search(text)
    if target is None or not _VERSION.search(text):
        raise ArgumentValueError(f"{name} is not readable PTX: it lacks .version or .target")
    if width is None or width[1] != "64":
        raise ArgumentValueError(
            f"{name}: expected PTX with 64-bit addresses, got PTX with {width[1] if width else 32}-bit addresses"
        )
    contents = Contents("ptx", data, target[1])
    variables = reached([text])
    for match in _ENTRY.finditer(text):
        kernel = _kernel(match[1], match[2] or "", match[3], name)
        contents.kernels.append(replace(kernel, dynamic_variable=variables.get(kernel.entry)))
    contents.globals = [(match[2], _bytes(match[1], match[3])) for match in _GLOBAL.finditer(text)]
    return contents


def is_ptx(data: bytes) -> bool:
    """Whether these bytes begin as PTX does; compilers write comments before it."""
    head = data[:65536]
    return b"\0" not in data[:-1] and b".version" in head and b".target" in head and b".address_size" in head


def _kernel(entry: str, parameters: str, directives: str, name: str) -> BinaryKernel:
    places: list[Place] = []
    end = 0
    for text in filter(None, (part.strip() for part in parameters.split(","))):
        match = _PARAMETER.match(text)
        if match is None:
            raise ArgumentValueError(f"{name}: parameter {len(places)} of kernel {entry!r} cannot be read: {text!r}")
        words = {word[1]: word[2] for word in _WORD.finditer(match["words"])}
        kind, size = _type(words, name, entry)
        align = int(words.get("align") or 0) if "ptr" not in words else 0  # a pointer's is its pointee's
        if match["count"]:
            kind, size = "struct", size * int(match["count"])
            align = align or 1
        align = align or size
        start = -(-end // align) * align
        places.append(Place(start, size, kind, ""))
        end = start + size
    most = _MOST.search(directives)
    threads = None
    if most:
        threads = 1
        for number in re.findall(r"\d{1,9}", most[1])[:3]:
            threads *= int(number)
    return BinaryKernel(entry, tuple(places), 0, threads)


def _type(words: dict[str, str | None], name: str, entry: str) -> tuple[str | None, int]:
    """`Parameter.kind` and bytes of a parameter; of ``.b32`` and the like the kind is not known."""
    for word in words:
        match = re.fullmatch(r"([busf])(8|16|32|64)", word)
        if match is None:
            continue
        size = int(match[2]) // 8
        if size == 8 and match[1] != "f":
            return "pointer", 8  # as which it is written
        if match[1] == "f":
            return f"float{match[2]}", size
        return (None, size) if match[1] == "b" else (f"int{match[2]}", size)  # signs are as often wrong as right
    raise ArgumentValueError(
        f"{name}: kernel {entry!r} has a parameter that a launch cannot pass (.{', .'.join(words)})"
    )


def _bytes(words: str, dimensions: str) -> int:
    match = re.search(r"\.[busf](\d{1,3})\b", words)
    size = int(match[1]) // 8 if match else 0
    for count in re.findall(r"\[(\d*)\]", dimensions):
        size *= int(count or 0)
    return size

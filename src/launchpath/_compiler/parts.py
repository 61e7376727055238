"""Programs of several source files, which use each other's device functions and variables, as ``-fgpu-rdc`` has them.

Each file is compiled by itself to LLVM's bitcode, and Clang links all files before it optimizes. So a ``static`` name
of a file is not seen in another file, and two files may include the same header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import CompileError
from .kernels import instance
from .messages.log import Message
from .source.unit import Unit, refused
from .spirv.names import demangle

if TYPE_CHECKING:
    from .source.source import Source
    from .spirv.globals.block import Symbol
    from .work import Work

_TWICE = re.compile(r"Linking globals named '([^']+)': symbol multiply defined")
_WORD = re.compile(r"[A-Za-z_]\w*")
STATIC = ".static."  # between the name of a static variable and Clang's digest of its file


def refusal(sources: Sequence[Source]) -> str:
    """Say why several files are refused on HIP devices."""
    names = ", ".join(source.name for source in sources)
    return (
        f"expected a single file, got {names}: for HIP devices launchpath does not link files, since hipRTC's linker "
        "takes LLVM's bitcode alone; compile a file that includes the others, or use an OpenCL or CUDA device"
    )


def twice(messages: Iterable[Message]) -> list[str]:
    """Give the mangled names that several files define, of the linker's messages."""
    return sorted({match[1] for message in messages if (match := _TWICE.search(message.text))})


def names(works: list[Work[Any]], symbols: Iterable[Symbol]) -> Iterator[tuple[Symbol, str, str]]:
    """Give each symbol with its name in the source, and its name in the program.

    Static variables of one name in several files have their files' names before theirs: ``a.cu:counter``.
    """
    files: dict[str, str] = {}
    if len(works) > 1:
        files = {digest(str(number)): work.unit.source.name for number, work in enumerate(works)}
    named = []
    for symbol in symbols:
        plain, _, of_file = symbol.name.partition(STATIC)
        named.append((symbol, demangle(plain), files.get(of_file, "")))
    all_names = [name for _, name, _ in named]
    for symbol, name, file in named:
        yield symbol, name, f"{file}:{name}" if file and all_names.count(name) > 1 else name


def digest(part: str) -> str:
    """Clang's digest of the value of ``-cuid=``, which it writes without leading zeros."""
    import hashlib  # noqa: PLC0415 (it loads OpenSSL, for programs of several files only)

    return f"{int.from_bytes(hashlib.md5(part.encode(), usedforsecurity=False).digest()[:8], 'little'):x}"


def place_of(work: Work[Any], kernel: instance.Instance) -> tuple[Unit, Message]:
    declaration = kernel.declaration
    return work.unit, Message(work.unit.name_of(declaration.path), declaration.line, declaration.column, "error", "")


def twice_of(name: str, places: list[tuple[Unit, Message]]) -> CompileError:
    """Make the error for names that two files define."""
    *_, (unit, last) = places
    return twice_error(name, [f"{message.file}:{message.line}" for _, message in places[:-1]], unit, last)


def twice_error(name: str, others: Iterable[str], unit: Unit, last: Message) -> CompileError:
    """Make the error for a name that files define at some places, and another file last."""
    text = f"{name!r} is defined here and at {', '.join(others)}: a program has one of a name; make each static, or "
    text += "rename one"
    return refused(unit, [Message(last.file, last.line, last.column, "error", text)])


def defined_twice(units: Iterable[Unit], entries: list[str]) -> CompileError:
    """Make the error for functions and variables of these mangled names, which several files define."""
    from .kernels.mangled import demangled  # noqa: PLC0415 (it loads ctypes, for messages alone)

    for entry in entries:
        name = demangled(entry) or entry
        places = [
            (unit, message) for unit in units for message, is_declaration in declared(unit, name) if not is_declaration
        ]
        if len(places) > 1:
            return twice_of(name, places)
    text = f"{', '.join(demangled(entry) or entry for entry in entries)}: defined in several files"
    return CompileError(text, text)


def undefined(uses: Iterable[tuple[Work[Any], str]]) -> CompileError | None:
    """Make the error for mangled names that files declare and use, and no file defines.

    A name that no file declares is the library's own, such as ``vprintf``.
    """
    from .kernels.mangled import demangled  # noqa: PLC0415 (it loads ctypes, for messages alone)

    places: dict[str, tuple[Unit, Message]] = {}
    for work, entry in uses:
        name = demangled(entry) or entry
        for message, _ in list(declared(work.unit, name))[:1]:
            places.setdefault(name, (work.unit, message))
    texts = []
    for name, (unit, message) in places.items():
        text = f"'{name}' is declared here and used, but no file of the program defines it"
        texts.append(str(refused(unit, [message._replace(text=text)])))
    return CompileError("\n".join(texts), "\n".join(texts)) if texts else None


def declared(unit: Unit, name: str) -> Iterator[tuple[Message, bool]]:
    """Say where a file has a function or a variable of a name, and whether that is a declaration alone."""
    words = _WORD.findall(re.sub(r"[<(].*", "", name))
    for path, file in unit.files.items():
        for piece in unit.declared(path):
            if words and words[-1] in piece.names and piece.is_device:
                text = file.active.text[piece.start : piece.end]
                yield unit.message_at(path, piece.start, ""), _is_declaration(text)


def _is_declaration(text: bytes) -> bool:
    return b"{" not in text and (b"extern" in text or b"(" in text)

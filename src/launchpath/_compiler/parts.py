"""Programs of several source files, which use each other's device functions and variables, as ``-fgpu-rdc`` has them.

Each file is compiled by itself to LLVM's bitcode, and Clang links all files before it optimizes. So a ``static`` name
of a file is not seen in another file, and two files may include the same header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import CompileError
from . import backend, build, instance
from .binary.mangled import demangled
from .log import Message
from .spirv.names import demangle
from .unit import Unit, refused

if TYPE_CHECKING:
    from .compile import Work
    from .source import Source
    from .spirv.globals import Symbol

_TWICE = re.compile(r"Linking globals named '([^']+)': symbol multiply defined")
_WORD = re.compile(r"[A-Za-z_]\w*")
_STATIC = ".static."  # between the name of a static variable and Clang's digest of its file


def refusal(sources: Sequence[Source]) -> str:
    """Say why several files are refused on HIP devices."""
    names = ", ".join(source.name for source in sources)
    return (
        f"expected a single file, got {names}: for HIP devices launchpath does not link files, since hipRTC's linker "
        "takes LLVM's bitcode alone; compile a file that includes the others, or use an OpenCL or CUDA device"
    )


def shared_out(names: list[str], units: list[Unit]) -> list[list[str]]:
    """Say which of the name expressions each unit is asked for: the first that has the template.

    Raises
    ------
    CompileError
        None has it.
    """
    if len(units) == 1:
        return [names]
    asked: list[list[str]] = [[] for _ in units]
    for name in names:
        number = next((i for i, unit in enumerate(units) if instance.declared(unit, name) is not None), None)
        if number is None:
            known = ", ".join(dict.fromkeys(kernel for unit in units for kernel in unit.kernels))
            files = ", ".join(unit.source.name for unit in units)
            raise CompileError(f"no kernel {name!r} in {files}; they have {known or 'none'}")
        asked[number].append(name)
    return asked


def choose(works: list[Work]) -> None:
    """Let each kernel come from a single file: all files that include a header have its kernels.

    Raises
    ------
    CompileError
        Two files have different kernels of a name.
    """
    first: dict[str, tuple[Work, instance.Instance]] = {}
    for work in works:
        kept = []
        for number, kernel in enumerate(work.instances):
            other, same = first.setdefault(instance.normal(kernel.name), (work, kernel))
            if same is kernel:
                kept.append(number)
            elif (same.declaration.path, same.declaration.line) != (kernel.declaration.path, kernel.declaration.line):
                raise _twice(kernel.name, [_place(other, same), _place(work, kernel)])
        work.instances = [work.instances[number] for number in kept]
        work.layout.signatures[:] = [work.layout.signatures[number] for number in kept]
        work.layout.types[:] = [work.layout.types[number] for number in kept]


def to_spirv(works: list[Work]) -> tuple[bytes, str]:
    """Compile each file and link them; see `build.to_spirv`."""
    modules, logs = [], []
    for number, work in enumerate(works):
        if not work.instances and not any(piece.device for file in work.unit.files.values() for piece in file.pieces):
            continue  # host code alone
        module, log = build.to_spirv(
            work.unit, work.instances, work.layout, work.target, work.laid_out_again, part=str(number)
        )
        modules.append(module)
        logs.append(log)
    unit = works[0].unit
    texts = (file.active.original for work in works for file in work.unit.files.values())
    outcome = build.linked(unit, modules, works[0].target, is_plain=not backend.may_be_rewritten(texts))
    if not outcome.succeeded:
        if names := {match[1] for message in outcome.messages if (match := _TWICE.search(message.text))}:
            raise defined_twice(works, sorted(names))
        log = build.rendered(unit, [], outcome.messages, errors=True)
        files = ", ".join(work.unit.source.name for work in works)
        raise CompileError(f"{files} do not compile together:\n{log}", log)
    return outcome.output, "\n".join(filter(None, logs))


def names(works: list[Work], symbols: Iterable[Symbol]) -> Iterator[tuple[Symbol, str, str]]:
    """Give each symbol with its name in the source, and its name in the program.

    Static variables of one name in several files have their files' names before theirs: ``a.cu:counter``.
    """
    files = {_digest(str(number)): work.unit.source.name for number, work in enumerate(works)}
    named = []
    for symbol in symbols:
        plain, _, digest = symbol.name.partition(_STATIC)
        named.append((symbol, demangle(plain), files.get(digest, "") if len(works) > 1 else ""))
    every = [name for _, name, _ in named]
    for symbol, name, file in named:
        yield symbol, name, f"{file}:{name}" if file and every.count(name) > 1 else name


def _digest(part: str) -> str:
    """Clang's digest of the value of ``-cuid=``."""
    import hashlib  # noqa: PLC0415 (it loads OpenSSL, for programs of several files only)

    return hashlib.md5(part.encode(), usedforsecurity=False).digest()[:8][::-1].hex()


def _place(work: Work, kernel: instance.Instance) -> tuple[Unit, Message]:
    at = kernel.declaration
    return work.unit, Message(work.unit.name_of(at.path), at.line, at.column, "error", "")


def _twice(name: str, places: list[tuple[Unit, Message]]) -> CompileError:
    """Make the error for names that two files define."""
    *_, (unit, last) = places
    others = ", ".join(f"{message.file}:{message.line}" for _, message in places[:-1])
    text = f"{name!r} is defined here and at {others}: a program has one of a name; make each static, or rename one"
    return refused(unit, [Message(last.file, last.line, last.column, "error", text)])


def defined_twice(works: list[Work], entries: list[str]) -> CompileError:
    """Make the error for functions and variables of these mangled names, which several files define."""
    for entry in entries:
        name = demangled(entry) or entry
        places = [
            (work.unit, message)
            for work in works
            for message, is_declaration in declared(work.unit, name)
            if not is_declaration
        ]
        if len(places) > 1:
            return _twice(name, places)
    text = f"{', '.join(demangled(entry) or entry for entry in entries)}: defined in several files"
    return CompileError(text, text)


def undefined(uses: Iterable[tuple[Work, str]]) -> CompileError | None:
    """Make the error for mangled names that files declare and use, and no file defines.

    A name that no file declares is the library's own, such as ``vprintf``.
    """
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
        for piece in file.pieces:
            if words and words[-1] in piece.names and piece.device:
                text = file.active.text[piece.start : piece.end]
                yield unit.message_at(path, piece.start, ""), _is_declaration(text)


def _is_declaration(text: bytes) -> bool:
    return b"{" not in text and (b"extern" in text or b"(" in text)

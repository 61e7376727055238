"""The input of a compilation: a text or a file, and all that affects its meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

from ...errors import ArgumentValueError, CompileError
from ..messages.shown import shown as _shown
from .dialect import is_cuda, language_of
from .normal import from_str, normal, other_encoding
from .options import NONE, Options

if TYPE_CHECKING:
    from ..messages.log import Message

# Where a text that has no file lies for the compilers; its folder can be included from.
VIRTUAL = "/__launchpath__"
HEADERS = f"{VIRTUAL}/include"
DEFINES = f"{VIRTUAL}/defines.h"
# Macros by which callers set up our headers.
OF_HEADERS = frozenset({"LAUNCHPATH_HEAP_BYTES", "__LP_PROGRAM__"})
NOT_UTF8 = "expected UTF-8"  # in the warning that `compile` gives

# Patterns as text: the time of those that a source has no use for is not spent.
_OWN_INCLUDE = rb"(?m)^[ \t]*#[ \t]*include[ \t]*[^ \t<]"  # the others are the compiler's
_FILE_NAME = r"[^\n;{}()]*\.(?:cuh?|hip|h|hpp|hh|hxx|cc|cpp|cxx|c|cl|txt|inl|ptx|spv|lp)\s*"
_STANDARD = r"(?:c|gnu)\+\+(?:17|1z|20|2a|23|2b|26|2c)"
USUAL_STANDARD = "gnu++17"  # of hipcc and nvcc
_WORD = r"[A-Za-z_]\w*"
_MACRO = rf"(?a:{_WORD}(?:\( *(?:{_WORD} *(?:, *{_WORD} *)*(?:, *\.\.\. *)?|\.\.\. *)?\))?)"


class Source(NamedTuple):
    """A source."""

    text: bytes
    name: str  # what messages call it
    path: str  # where the compilers find it: the file's own path, or one below `VIRTUAL`
    cuda: bool  # whether it is CUDA's dialect (``__CUDACC__``, no operators on ``float4``) rather than HIP's
    defines: tuple[tuple[str, str | None], ...] = ()  # macros, in order
    folders: tuple[str, ...] = ()  # include paths, in order
    headers: tuple[tuple[str, str], ...] = ()  # headers passed as strings: name as in the ``#include``, text
    standard: str = USUAL_STANDARD  # ``gnu++17`` (the usual one), ``c++20`` and the like
    # the other compiler's macros in place of the dialect's, where not Clang but another compiler makes the code
    machine: tuple[tuple[str, str | None], ...] = ()
    system: tuple[str, ...] = ()  # folders of that compiler's headers
    options: Options = NONE
    # warnings about the text, and about the headers passed as strings: they are not UTF-8
    remarks: tuple[Message, ...] = ()
    language: str = ""  # ``hip`` or ``cuda`` if the caller named it; empty if `cuda` comes from the text
    # whether compiled host code launches its kernels: all instances are compiled, and known by their mangled names
    with_host: bool = False

    @property
    def macros(self) -> dict[str, str | None]:
        """The macros of the dialect, and those by which callers set up our headers.

        The caller's other macros are in `DEFINES`, for our headers are not to see them.
        """
        if self.machine:
            return dict(self.machine)
        if self.cuda:
            macros: dict[str, str | None] = {"__LP_CUDA__": None, "__CUDACC__": None, "__NVCC__": None}
            macros |= {"__CUDA_ARCH__": "700", "__CUDACC_VER_MAJOR__": "12", "__CUDACC_VER_MINOR__": "0"}
        else:
            macros = dict.fromkeys(("__HIP__", "__HIPCC__", "__HIP_DEVICE_COMPILE__"))
            macros |= dict.fromkeys(("__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_SPIRV__"))  # hipcc defines the first
        ours = {name: value for name, value in self.defines if name in OF_HEADERS}
        return macros | {"__LAUNCHPATH__": None} | ours

    @property
    def virtual_folders(self) -> tuple[str, ...]:
        """The include paths, and the folder of the headers passed as strings."""
        return (*self.folders, HEADERS) if self.headers else self.folders

    def may_name(self, kernel: str) -> bool:
        """Whether the source may declare a kernel: its name is in the text, or a file or a macro may have it."""
        if self.headers or self.folders or b"##" in self.text or re.search(_OWN_INCLUDE, self.text):
            return True
        text = " ".join([self.text.decode(errors="replace"), *(value or "" for _, value in self.defines)])
        return kernel.rpartition("::")[2] in re.findall(r"\w+", text)

    def virtual_headers(self) -> dict[str, bytes]:
        """The headers passed as strings, by the paths where the compilers look for them."""
        return {f"{HEADERS}/{name}": text.encode() for name, text in self.headers}

    def virtual_files(self) -> dict[str, bytes]:
        """All texts that are in no file, the source's own apart."""
        lines = [f"#define {name} {1 if value is None else value}\n" for name, value in self.defines]
        return {DEFINES: "".join(lines).encode()} | self.virtual_headers()


def from_text(text: str | bytes, name: str = "<source>", **around: object) -> Source:
    """Make a source of a text; see `Source` for what may be around it."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"source: expected text (str or bytes), got {_shown(text)}; for a file pass path=")
    _check_name(name)
    if isinstance(text, str):
        if "{" not in text and re.fullmatch(_FILE_NAME, text):
            raise CompileError(f"expected a source, got the name of a file: pass it as path={text!r}")
        text = from_str(text, name)
    safe = re.sub(r"[^\w.+-]", "_", name.rsplit("/", 1)[-1], flags=re.ASCII)
    return _make(text, name, f"{VIRTUAL}/{safe.strip('.')[-100:] or 'source'}", **around)  # type: ignore[arg-type]


def from_path(path: str | os.PathLike[str], name: str | None = None, **around: object) -> Source:
    """Make a source of a file.

    Raises
    ------
    OSError
        The file cannot be read.
    """
    where = _file_name(path, "path")
    name = where if name is None else name
    _check_name(name)
    with open(where, "rb") as file:
        text = file.read()
    return _make(text, name, os.path.abspath(where), **around)  # type: ignore[arg-type]


def from_paths(paths: Iterable[str | os.PathLike[str]], name: str | None = None, **around: object) -> list[Source]:
    """Make sources of the files of a program; `name` is for a single file.

    Raises
    ------
    OSError
        A file cannot be read.
    """
    if isinstance(paths, (str, bytes, os.PathLike)) or not isinstance(paths, Iterable):
        raise TypeError(f"paths: expected a list of paths, got {_shown(paths)}")
    files = [*paths]
    if not files:
        raise ArgumentValueError("paths: expected at least one path, got none")
    if name is not None and len(files) > 1:
        raise TypeError("name: expected none beside several paths, whose own names messages have")
    sources = [from_path(path, name, **around) for path in files]
    for number, source in enumerate(sources):
        if source.path in [other.path for other in sources[:number]]:
            raise ArgumentValueError(f"paths: expected different files, got {source.name!r} twice")
    return sources


def names_of_kernels(names: object) -> tuple[str, ...]:
    """Check the name expressions that are asked for; a single one may come alone."""
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, Iterable) or isinstance(names, (bytes, Mapping)):
        raise TypeError(f"names: expected name expressions (str), got {_shown(names)}")
    checked = []
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"names: expected name expressions (str), got {_shown(name)}")
        _encoded(name, "names")
        if not name.strip() or not re.sub(r"\s", " ", name).isprintable():
            raise ArgumentValueError(f"names: expected name expressions, as 'reduce<float, 256>', got {_shown(name)}")
        checked.append(name)
    return tuple(checked)


def _make(
    text: bytes,
    name: str,
    path: str,
    defines: Mapping[str, object] | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
    headers: Mapping[str, str] | None = None,
    standard: str = USUAL_STANDARD,
    options: Options = NONE,
    language: str | None = None,
    with_host: bool = False,
) -> Source:
    remarks = [encoding_remark(text, name)]
    text = normal(text, name)
    if not isinstance(standard, str) or (standard != USUAL_STANDARD and not re.fullmatch(_STANDARD, standard)):
        wrong = ArgumentValueError if isinstance(standard, str) else TypeError
        raise wrong(f"standard: expected 'c++17', 'c++20' or later, got {_shown(standard)}")
    if isinstance(include_paths, (str, os.PathLike)):
        include_paths = [include_paths]
    if not isinstance(include_paths, Iterable) or isinstance(include_paths, bytes):
        raise TypeError(f"include_paths: expected a list of folders, got {_shown(include_paths)}")
    folders = tuple(os.path.abspath(_file_name(folder, "include_paths")) for folder in include_paths)
    checked_headers = tuple(_headers(headers))
    texts: Mapping[str, str | bytes] = headers or {}
    remarks += [encoding_remark(other, header) for header, other in texts.items() if isinstance(other, bytes)]
    dialect = language_of(language)
    cuda = dialect == "cuda" if dialect else is_cuda(text, path)
    return Source(
        text, name, path, cuda, tuple(_macros(defines)), folders, checked_headers, standard,
        options=options, remarks=tuple(filter(None, remarks)), language=dialect, with_host=with_host,
    )  # fmt: skip


def encoding_remark(text: bytes, name: str) -> Message | None:
    """Make the warning for a text that is not UTF-8; None if it is."""
    place = other_encoding(text)
    if place is None:
        return None
    from ..messages.log import Message  # noqa: PLC0415 (most texts are UTF-8)

    line, column, byte = place
    return Message(name, line, column, "warning", f"{NOT_UTF8}, got the byte {byte:#04x}: it is taken for Latin-1")


def _macros(defines: Mapping[str, object] | None) -> Iterator[tuple[str, str | None]]:
    """Check the macros: each becomes a line of text, which must end exactly where its value ends."""
    if not isinstance(defines, Mapping | None):
        raise TypeError(
            f"defines: expected a dict of values by macro, got {_shown(defines)}: pass a dict, as in {{'A': 1}}"
        )
    for macro, value in (defines or {}).items():
        if not isinstance(macro, str):
            raise TypeError(f"defines: expected the name of a macro (str), got {_shown(macro)}")
        if not re.fullmatch(_MACRO, macro):
            advice = ": pass a dict, as in {'A': 1}" if "=" in macro else ""
            raise ArgumentValueError(f"defines: expected the name of a macro, got {macro!r}{advice}")
        if macro.partition("(")[0] == "defined":
            raise ArgumentValueError(
                "defines: expected the name of a macro, got 'defined', which the preprocessor reserves"
            )
        text = None if value is None else _value(macro, value)
        if text is not None:
            line = _encoded(text, f"defines[{macro!r}]")
            if re.search(rb"[\r\n\0]|\\[ \t\v\f]*$", line) or _goes_on(line):
                raise ArgumentValueError(
                    f"defines[{macro!r}]: expected a single line of text, got {_shown(text)}: remove its line breaks"
                )
        yield macro, text


def _value(macro: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if type(value).__name__ in ("bool", "bool_"):  # NumPy's too, which is no number
        return str(int(bool(value)))
    if not isinstance(value, Real):
        is_row = isinstance(value, (list, tuple, set, frozenset))
        advice = f": pass the text that is to replace {macro}, as in '{{1, 2, 3}}'" if is_row else ""
        raise TypeError(f"defines[{macro!r}]: expected text, a bool, a number or None, got {_shown(value)}{advice}")
    try:
        return str(value)
    except ValueError:  # Python writes no integer that is so long
        raise ArgumentValueError(
            f"defines[{macro!r}]: expected a number that a C++ literal can express, got {_shown(value)}"
        ) from None


def _goes_on(line: bytes) -> bool:
    """Whether a comment or a raw string is not ended on a line."""
    if b"/*" not in line and b'R"' not in line:
        return False
    from .text import Joined  # noqa: PLC0415 (few macros need it)

    for kind, start, end in Joined(line).literals():
        if end == len(line) and kind == "comment" and line[start:].startswith(b"/*"):
            return end - start < 4 or not line.endswith(b"*/")
        if end == len(line) and kind == "raw":
            return not line.endswith(b'"')
    return False


def _headers(headers: Mapping[str, str] | None) -> Iterator[tuple[str, str]]:
    if not isinstance(headers, Mapping | None):
        raise TypeError(f"headers: expected a dict of texts by name, got {_shown(headers)}")
    for name, text in (headers or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"headers: expected the name of a header (str), got {_shown(name)}")
        _encoded(name, "headers")
        # It goes into a folder of its own, and no path may lead out of that.
        if not name.isprintable() or name.strip() != name or re.search(r'[<>"\\]', name) or _leads_out(name):
            raise ArgumentValueError(f"headers: expected a name as in #include <name>, got {_shown(name)}")
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"headers[{name!r}]: expected text (str or bytes), got {_shown(text)}")
        yield name, normal(from_str(text, name) if isinstance(text, str) else text, name).decode()


def _leads_out(name: str) -> bool:
    parts = name.split("/")
    return name.startswith("/") or not all(parts) or bool({".", ".."} & {*parts})


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"name: expected text (str), got {_shown(name)}")
    _encoded(name, "name")
    if not name or not name.isprintable():
        raise ArgumentValueError(f"name: expected a single line of text, got {_shown(name)}")


def _file_name(path: object, argument: str) -> str:
    """Check the name of a file or folder: the compilers take it as UTF-8, in one argument."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{argument}: expected a path (str or path-like), got {_shown(path)}")
    name = os.fsdecode(path)
    _encoded(name, argument)
    if not name or "\0" in name or "\n" in name:
        raise ArgumentValueError(f"{argument}: expected a path, got {_shown(name)}")
    return name


def _encoded(text: str, argument: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        lone = text[error.start]
        raise ArgumentValueError(
            f"{argument}: expected text that is UTF-8, got {_shown(text)} with the surrogate {lone!r}"
        ) from None

"""The normal form of source text inside the compiler: UTF-8, with lines that end in LF.

The changed text means the same to every C++ compiler, and stays on its line, so messages need no map of places. Other
modules get this form only: in it there is a single form of line ends, and of continued lines.
"""

from __future__ import annotations

import codecs
import re

from ...errors import CompileError

_BYTE_ORDER = codecs.BOM_UTF8
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTINUED = rb"(?m)\\[ \t\v\f]+$"  # as text: most sources have no backslash


def normal(text: bytes, name: str) -> bytes:
    """Bring a source into that form.

    - A byte order mark at its beginning is left out.
    - CR LF, and a CR alone, become LF; blanks between a backslash and the end of its line are left out. In raw strings
      only CR LF does, as in Clang.
    - Bytes that are not UTF-8 are taken for Latin-1 in comments, and become octal escapes in strings, where they mean
      the same.

    Parameters
    ----------
    text : bytes
    name : str
        What messages call the source.

    Raises
    ------
    CompileError
        It is no text: it has zero bytes, or bytes that are not UTF-8 where a name or a sign is expected.
    """
    if text.startswith(_WIDE):
        raise CompileError(f"{name}: expected UTF-8 text, got UTF-16: save it as UTF-8")
    if text.startswith(_BYTE_ORDER):
        text = text[len(_BYTE_ORDER) :]
    if b"\0" in text:
        line = text.count(b"\n", 0, text.index(b"\0")) + 1
        raise CompileError(f"{name}:{line}: expected text, got a zero byte")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    if b"\r" in text or (b"\\" in text and re.search(_CONTINUED, text)):
        text = _outside_raw_strings(text)
    try:
        text.decode()
    except UnicodeDecodeError:
        text = _as_utf8(text, name)
    return text


def other_encoding(text: bytes) -> tuple[int, int, int] | None:
    """Give line, column and value of the first byte that is not UTF-8; None if all of it is."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        offset = error.start
        return text.count(b"\n", 0, offset) + 1, offset - text.rfind(b"\n", 0, offset), text[offset]
    return None


def from_str(text: str, name: str) -> bytes:
    """Encode a source that is a str.

    Raises
    ------
    CompileError
        It has half of a surrogate pair, which no encoding has.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        problem = f"expected text, got the lone surrogate {text[error.start]!r}"
        raise CompileError(f"{name}:{line}: {problem}; pass source that is not UTF-8 as bytes") from None


def _outside_raw_strings(text: bytes) -> bytes:
    from .text import Joined  # noqa: PLC0415 (few sources need it)

    parts, offset = [], 0
    # A CR alone ends a line for Clang; replaced by one byte, it leaves every place where it was.
    joined = Joined(text.replace(b"\r", b"\n"))
    raw = [(joined.start(start), joined.end(end)) for kind, start, end in joined.literals() if kind == "raw"]
    for start, end in [*raw, (len(text), len(text))]:
        parts += [re.sub(_CONTINUED, rb"\\", text[offset:start].replace(b"\r", b"\n")), text[start:end]]
        offset = end
    return b"".join(parts)


def _as_utf8(text: bytes, name: str) -> bytes:
    from .text import Joined  # noqa: PLC0415 (few sources need it)

    parts, offset = [], 0
    joined = Joined(text)
    for kind, first, last in joined.literals():
        start, end = joined.start(first), joined.end(last)
        if kind == "raw":
            continue
        parts += [_checked(text, offset, start, name), text[start:end].decode(errors=f"launchpath {kind}").encode()]
        offset = end
    return b"".join([*parts, _checked(text, offset, len(text), name)])


def _checked(text: bytes, start: int, end: int, name: str) -> bytes:
    try:
        text[start:end].decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, start + error.start) + 1
        byte = text[start + error.start]
        raise CompileError(
            f"{name}:{line}: expected UTF-8, got the byte {byte:#04x}; only comments and strings may use "
            "another encoding: save it as UTF-8"
        ) from None
    return text[start:end]


def _latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


def _octal(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(f"\\{byte:03o}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("launchpath comment", _latin_1)
codecs.register_error("launchpath string", _octal)

"""Text of a trace file: on one line, valid as UTF-8, and not too long.

A file may be from anywhere, and each slot of 64 bytes may name the longest of its names. So no text is longer than
`LONGEST`: then what is written of a file grows with the file alone.
"""

from __future__ import annotations

import re
import zlib

LONGEST = 4096  # bytes of UTF-8
# Control characters, which move a terminal's cursor or end a line, and halves of characters, which UTF-8 does not have.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def name_text(data: bytes) -> str:
    """Give a name. Bytes that are not UTF-8 and control characters become escapes, as Python writes them.

    A text over `LONGEST` bytes is cut: it ends with its size and a checksum, so that different texts stay different.
    """
    return fact_text(data.decode("utf-8", "backslashreplace"))


def fact_text(text: str) -> str:
    """Give a text of the facts likewise. Half a character in it stands for a byte that was not UTF-8."""
    return cut(_ODD.sub(_escaped, text))


def joined(domain: str, name: str) -> str:
    """Give the name of a range in a domain: shorter than both may be, since there may be one for each pair of them."""
    return cut(f"{domain}: {name}", LONGEST // 8)


def cut(text: str, most: int = LONGEST) -> str:
    """Cut a text over `most` bytes of UTF-8."""
    if len(text) * 4 <= most:
        return text
    data = text.encode()
    if len(data) <= most:
        return text
    return f"{data[: most - 96].decode('utf-8', 'ignore')}... ({len(data)} bytes, {zlib.crc32(data):08x})"


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # Python's form of a byte
        return f"\\x{code - 0xDC00:02x}"
    return match[0].encode("unicode_escape").decode()

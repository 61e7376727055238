"""LLVM's text of a source whose host code has errors: Clang recovers from them, and goes on.

Clang makes no code of a source with errors. On request it does keep what it has understood in a precompiled header, and
makes code of what such a header has. A bit in the header says that there were errors, and is cleared here. So kernels,
and the launches beside the errors, are compiled as they are.

What an error stands in is lost. So all errors must be in functions of the host of which nothing is compiled for the
device: `tolerance` judges that by their places before, and by the functions that were compiled afterwards.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...clang import frontend, precompiled
from ...clang.run import Outcome, overlay, start
from ...source.source import Source

_KEPT = ("-emit-pch", "-fallow-pch-with-compiler-errors", "-fpch-instantiate-templates")
_EMPTY = "/launchpath-nothing.hip"
_CONTROL_BLOCK = 15
_ENTER, _DEFINE = 1, 2  # abbreviations of every block (LLVM's bitstream format)
_FIXED, _VARIABLE = 1, 2  # encodings of an operand


def recovered(
    source: Source,
    files: Mapping[str, bytes],
    macros: Mapping[str, str | None],
    mode: Sequence[str],
    headers: str | None,
) -> Outcome | None:
    """Compile a source to LLVM's text whatever errors it has.

    Parameters
    ----------
    source, files, macros, mode, headers
        As `clang.run.clang` has them; the mode is that for LLVM's text.

    Returns
    -------
    Outcome or None
        The text, and the messages of the errors; None where Clang gave up, or its header is of another form than that
        of Clang 20 to 22.
    """
    with tempfile.TemporaryDirectory(prefix="launchpath-") as folder:
        tree = os.path.join(folder, "kept.pch")
        listed = overlay(source, {**files, _EMPTY: b""}, folder)
        options = [word for word in mode if word != "-emit-llvm"]
        before = headers or precompiled.find(source, macros, mode)
        command = [*frontend.arguments(source, macros, before), "-ivfsoverlay", listed]
        first = start(source, [*command, *options, *_KEPT, source.path, "-o", tree])
        if not first.succeeded or not _clear_errors(tree):
            return None
        language = frontend.language(source, macros)
        rest = ["-ivfsoverlay", listed, *mode, "-include-pch", tree, _EMPTY, "-o", "-"]
        second = start(source, [*language, *rest])
        return Outcome(True, second.output, first.messages, first.included) if second.succeeded else None


def _clear_errors(path: str) -> bool:
    """Clear the bit that says that there were errors; False if there is no such header."""
    if not os.path.exists(path):
        return False
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        if (place := _errors_bit(bytes(data))) is None:
            return False
        file.seek(place >> 3)
        file.write(bytes([data[place >> 3] & ~(1 << (place & 7)) & 0xFF]))
    return True


class _Bits:
    """Reads numbers of any width from LLVM's bitstream."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.position = 32  # behind the file's mark

    def fixed(self, width: int) -> int:
        value = 0
        for place in range(width):
            value |= (self._data[self.position >> 3] >> (self.position & 7) & 1) << place
            self.position += 1
        return value

    def variable(self, width: int) -> int:
        value, shift = 0, 0
        while True:
            part = self.fixed(width)
            value |= (part & ((1 << (width - 1)) - 1)) << shift
            shift += width - 1
            if not part >> (width - 1):
                return value

    def align(self) -> None:
        self.position = (self.position + 31) & ~31


class _Operand(NamedTuple):
    encoding: int  # 0 for a literal
    value: int


def _errors_bit(data: bytes) -> int | None:
    """Give the place, in bits, of the flag that says that there were errors; None if the header has another form.

    It is the last number of one bit in the control block's first record, which is of the versions of Clang.
    """
    bits = _Bits(data)
    try:
        while bits.fixed(2) == _ENTER:
            block, width = bits.variable(8), bits.variable(4)
            bits.align()
            words = bits.fixed(32)
            if block == _CONTROL_BLOCK:
                return _flag(bits, width)
            bits.position += 32 * words
    except IndexError:
        pass
    return None


def _flag(bits: _Bits, width: int) -> int | None:
    if bits.fixed(width) != _DEFINE:
        return None
    operands = [*_operands(bits)]
    fixed = [operand.value for operand in operands if operand.encoding == _FIXED]
    if fixed != [16, 16, 16, 16, 1, 1, 1, 1] or bits.fixed(width) <= _DEFINE:
        return None
    bits.position += sum(fixed) - 1
    place = bits.position
    return place if bits.fixed(1) else None


def _operands(bits: _Bits) -> Iterable[_Operand]:
    """Read the definition of an abbreviation."""
    for _ in range(bits.variable(5)):
        if bits.fixed(1):
            yield _Operand(0, bits.variable(8))
        else:
            encoding = bits.fixed(3)
            yield _Operand(encoding, bits.variable(5) if encoding in (_FIXED, _VARIABLE) else 0)

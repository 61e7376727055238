"""A SPIR-V module as a list of instructions (Khronos, SPIR-V Specification 1.6, section 2.3)."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MAGIC = 0x07230203


class SpirvError(ValueError):
    """Bytes that are no SPIR-V module."""


@dataclass(slots=True)
class Instruction:
    """One instruction: its opcode, and its operands as words (result type and result id among them)."""

    opcode: int
    words: list[int]

    def replaced(self, words: list[int]) -> Instruction:
        """Return the same instruction with other operands."""
        return Instruction(self.opcode, words)

    def text(self, start: int) -> str:
        """Return the string literal that begins at operand `start`."""
        return decode_text(self.words[start:])[0]


@dataclass(slots=True)
class Module:
    """A module."""

    version: int  # as in the header: 0x00010300 is 1.3
    generator: int
    bound: int  # all ids are below it
    instructions: list[Instruction] = field(default_factory=list)  # in order

    @classmethod
    def decode(cls, data: bytes) -> Module:
        """Read a module.

        Raises
        ------
        SpirvError
            If the bytes are no module, or are cut short.
        """
        if len(data) < 20 or len(data) % 4:
            raise SpirvError(f"{len(data)} bytes are not a SPIR-V module")
        words = array("I", data)
        if words[0] != MAGIC:
            words.byteswap()
            if words[0] != MAGIC:
                raise SpirvError("not a SPIR-V module: its first word is not the magic number")
        module = cls(words[1], words[2], words[3])
        place = 5
        while place < len(words):
            count = words[place] >> 16
            if count == 0 or place + count > len(words):
                raise SpirvError(f"the SPIR-V module ends within the instruction at word {place}")
            module.instructions.append(Instruction(words[place] & 0xFFFF, words[place + 1 : place + count].tolist()))
            place += count
        return module

    def encode(self) -> bytes:
        """Write the module."""
        words = array("I", [MAGIC, self.version, self.generator, self.bound, 0])
        for instruction in self.instructions:
            words.append((len(instruction.words) + 1) << 16 | instruction.opcode)
            words.extend(instruction.words)
        if sys.byteorder == "big":
            words.byteswap()
        return words.tobytes()

    def new_id(self) -> int:
        """Return an id that nothing has yet."""
        self.bound += 1
        return self.bound - 1

    def find(self, *opcodes: int) -> Iterator[Instruction]:
        """Yield the instructions with one of these opcodes, in order."""
        return (instruction for instruction in self.instructions if instruction.opcode in opcodes)


def decode_text(words: Iterable[int]) -> tuple[str, int]:
    """Read a string literal; return it and the words that it takes."""
    text = bytearray()
    for count, word in enumerate(words, 1):
        text += word.to_bytes(4, "little")
        if word >> 24 == 0:
            return text.rstrip(b"\0").decode(), count
    raise SpirvError("a string literal does not end")


def encode_text(text: str) -> list[int]:
    """Write a string literal."""
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return array("I", data).tolist()

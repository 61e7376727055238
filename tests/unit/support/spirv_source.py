"""SPIR-V to test passes on: what Clang makes of a source, and modules written by hand."""

from functools import cache

from launchpath._compiler.clang import frontend
from launchpath._compiler.clang.run import clang
from launchpath._compiler.source.source import from_text
from launchpath._compiler.spirv.enumerants import Storage
from launchpath._compiler.spirv.module import Instruction, Module, encode_text
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.operands import ids, result
from launchpath._compiler.spirv.outline import Outline

BEFORE = """
#define KERNEL extern "C" __attribute__((global)) void
#define PARAMETERS(n) struct alignas(8) Block { unsigned char b[n]; };
#define AT(type, offset) (*(type *)(block.b + offset))
"""
INLINED = "#pragma clang attribute push(__attribute__((always_inline)), apply_to=function)\n"


@cache
def compiled(text: str, inlined: bool = True) -> bytes:
    """Compile HIP C++ to SPIR-V."""
    source = from_text(BEFORE + (f"{INLINED}{text}\n#pragma clang attribute pop\n" if inlined else text), "source.hip")
    files = source.virtual_files() | {source.path: source.text}
    outcome = clang(source, files, {}, frontend.SPIRV)
    assert outcome.succeeded, outcome.messages
    return outcome.output


def sound(module: Module) -> Outline:
    """Check that every id is defined once and lies below the bound, and that the module can be read back."""
    assert Module.decode(module.encode()) == module
    defined = [result(i.opcode, i.words) for i in module.instructions]
    defined = [i for i in defined if i]
    assert len(defined) == len(set(defined))
    assert max(defined) < module.bound
    known = set(defined)
    for instruction in module.instructions:
        used = {instruction.words[at] for at in ids(instruction.opcode, instruction.words)}
        assert used <= known, (instruction, used - known)
    return Outline(module)


class Writer:
    """Writes a module, instruction by instruction."""

    def __init__(self) -> None:
        self.module = Module(0x10300, 0, 1)

    def put(self, opcode: int, *words: int | str) -> None:
        """Write an instruction without a result."""
        operands: list[int] = []
        for word in words:
            operands += encode_text(word) if isinstance(word, str) else [word]
        self.module.instructions.append(Instruction(opcode, operands))

    def make(self, opcode: int, *words: int) -> int:
        """Write an instruction with a result; give its id."""
        identifier = self.module.new_id()
        place = 0 if Op.TypeVoid <= opcode < Op.TypeForwardPointer or opcode == Op.Label else 1
        self.put(opcode, *words[:place], identifier, *words[place:])
        return identifier

    def pointer(self, storage: Storage, pointee: int) -> int:
        """Write a pointer type."""
        return self.make(Op.TypePointer, storage, pointee)

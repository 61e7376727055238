"""Modules: reading, writing, layouts of types, and which operands are ids."""

from collections.abc import Callable

import pytest

from launchpath._compiler.spirv.enumerants import Decoration, Storage
from launchpath._compiler.spirv.module import Instruction, Module, SpirvError, decode_text, encode_text
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.operands import ids, result
from launchpath._compiler.spirv.types import Layout, Types
from tests.unit.support.spirv_source import Writer, compiled


@pytest.mark.parametrize("text", ["", "abc", "abcd", "main", "ÄÖ"])
def test_text(text: str) -> None:
    words = encode_text(text)
    assert decode_text([*words, 7]) == (text, len(words))


def test_text_without_end() -> None:
    with pytest.raises(SpirvError):
        decode_text([0x61616161])


@pytest.mark.compiles
def test_round_trip() -> None:
    data = compiled("PARAMETERS(8) KERNEL k(Block block) { *AT(int *, 0) = 1; }")
    module = Module.decode(data)
    assert module.encode() == data
    assert module.version == 0x10300
    swapped = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))
    assert Module.decode(swapped) == module


@pytest.mark.parametrize("damage", [lambda it: it[:-4], lambda it: it[:16], lambda it: it[1:], lambda _: b""])
def test_damaged(damage: Callable[[bytes], bytes]) -> None:
    data = Module(0x10300, 0, 5, [Instruction(Op.Capability, [6])]).encode()
    with pytest.raises(SpirvError):
        Module.decode(damage(data))


def test_no_module() -> None:
    with pytest.raises(SpirvError, match="magic"):
        Module.decode(b"\x7fELF" + bytes(40))


def test_instruction_of_no_words() -> None:
    with pytest.raises(SpirvError):
        Module.decode(Module(0x10300, 0, 1).encode() + bytes(4))


@pytest.fixture
def writer() -> Writer:
    return Writer()


def types_of(writer: Writer) -> Types:
    instructions = writer.module.instructions
    return Types(
        writer.module,
        [i for i in instructions if i.opcode != Op.Decorate],
        [i for i in instructions if i.opcode == Op.Decorate],
    )


def test_layouts(writer: Writer) -> None:
    char, short, word, long = (writer.make(Op.TypeInt, bits, 0) for bits in (8, 16, 32, 64))
    half, double = writer.make(Op.TypeFloat, 16), writer.make(Op.TypeFloat, 64)
    pointer = writer.pointer(Storage.Generic, char)
    three, five = writer.make(Op.Constant, word, 3), writer.make(Op.Constant, word, 5)
    vector3, vector16 = writer.make(Op.TypeVector, word, 3), writer.make(Op.TypeVector, double, 16)
    chars3 = writer.make(Op.TypeVector, char, 3)
    array = writer.make(Op.TypeArray, short, five)
    struct = writer.make(Op.TypeStruct, char, double, array, pointer, char)
    packed = writer.make(Op.TypeStruct, char, double, array)
    nested = writer.make(Op.TypeArray, struct, three)
    empty = writer.make(Op.TypeStruct)
    writer.put(Op.Decorate, packed, Decoration.CPacked)
    types = types_of(writer)
    assert [types.layout(i).size for i in (char, short, word, long, half, double, pointer)] == [1, 2, 4, 8, 2, 8, 8]
    assert types.layout(vector3) == Layout(16, 16)
    assert types.layout(chars3) == Layout(4, 4)
    assert types.layout(vector16) == Layout(128, 128)
    assert types.layout(array) == Layout(10, 2)
    assert types.layout(struct) == Layout(48, 8, (0, 8, 16, 32, 40))
    assert types.layout(packed) == Layout(19, 1, (0, 1, 9))
    assert types.layout(nested) == Layout(144, 8)
    assert types.layout(empty) == Layout(0, 1)
    assert types.offset(struct, 3) == (32, pointer)
    assert types.offset(nested, 2) == (96, struct)


def test_no_layout(writer: Writer) -> None:
    void = writer.make(Op.TypeVoid)
    with pytest.raises(SpirvError):
        types_of(writer).layout(void)


def test_types_are_used_again(writer: Writer) -> None:
    char = writer.make(Op.TypeInt, 8, 0)
    types = types_of(writer)
    assert types.get(Op.TypeInt, 8, 0) == char
    pointer = types.pointer(Storage.CrossWorkgroup, char)
    long = types.get(Op.TypeInt, 64, 0)
    number = types.constant(long, 1 << 40)
    assert types.pointer(Storage.CrossWorkgroup, char) == pointer
    assert types.constant(long, 1 << 40) == number
    assert types.integer(number) == 1 << 40
    assert [i.opcode for i in types.added] == [Op.TypePointer, Op.TypeInt, Op.Constant]
    assert types.pointee(pointer) == char


@pytest.mark.parametrize(
    ("opcode", "words", "wanted"),
    [
        (Op.Load, [1, 2, 3, 2, 4], [1, 2, 3]),
        (Op.Store, [1, 2, 2, 4], [1, 2]),
        (Op.CompositeExtract, [1, 2, 3, 4, 5], [1, 2, 3]),
        (Op.CompositeInsert, [1, 2, 3, 4, 5], [1, 2, 3, 4]),
        (Op.VectorShuffle, [1, 2, 3, 4, 9, 9], [1, 2, 3, 4]),
        (Op.ExtInst, [1, 2, 3, 184, 5, 6], [1, 2, 3, 5, 6]),
        (Op.Variable, [1, 2, 5, 4], [1, 2, 4]),
        (Op.Function, [1, 2, 0, 4], [1, 2, 4]),
        (Op.SpecConstantOp, [1, 2, 121, 4], [1, 2, 4]),
        (Op.BranchConditional, [1, 2, 3, 90, 10], [1, 2, 3]),
        (Op.Switch, [1, 2, 0, 3], [1, 2]),
        (Op.EntryPoint, [6, 2, *encode_text("kernel"), 3, 4], [2, 3, 4]),
        (Op.Decorate, [1, 44, 8], [1]),
        (Op.LifetimeStart, [1, 8], [1]),
        (Op.GroupNonUniformIAdd, [1, 2, 3, 0, 5], [1, 2, 3, 5]),
        (Op.AtomicLoad, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
        (Op.Source, [3, 200000], []),
        (Op.Capability, [6], []),
    ],
)
def test_which_operands_are_ids(opcode: Op, words: list[int], wanted: list[int]) -> None:
    assert [words[at] for at in ids(opcode, words)] == wanted


def test_results() -> None:
    assert result(Op.Load, [1, 2, 3]) == 2
    assert result(Op.TypeInt, [7, 32, 0]) == 7
    assert result(Op.Label, [7]) == 7
    assert result(Op.Store, [1, 2]) == 0
    assert result(Op.FunctionEnd, []) == 0

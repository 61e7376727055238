"""SPIR-V's numbers are those of the specification's grammar, and all that the code names is among them."""

import pytest

from launchpath._compiler.spirv import enumerants
from launchpath._compiler.spirv import opcodes as written
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.operands import GROUP_OPERATIONS, SUBGROUP_OPERATIONS, ids, result
from scripts import opcodes


def test_every_name_that_the_code_uses_is_there():
    classes = vars(written) | vars(enumerants)
    for class_, names in opcodes.used().items():
        assert not [name for name in names if not hasattr(classes[class_], name)], class_


def test_the_modules_are_those_that_the_script_writes():
    folder = opcodes.grammar_folder()
    if folder is None:
        pytest.skip(f"no {opcodes.CORE}: make opcodes unpacks it")
    for module, text in opcodes.texts(opcodes.Grammar(folder)).items():
        assert module.read_text() == text, "make opcodes writes it again"


def test_a_name_that_the_specification_does_not_have(monkeypatch):
    folder = opcodes.grammar_folder()
    if folder is None:
        pytest.skip(f"no {opcodes.CORE}")
    grammar = opcodes.Grammar(folder)
    monkeypatch.setattr(opcodes, "used", lambda: {"Op": {"Multiply"}})
    with pytest.raises(ValueError, match=r"Op\.Multiply, which SPIR-V's grammar does not have"):
        opcodes.texts(grammar)


@pytest.mark.parametrize(
    ("opcode", "words", "expected"),
    [
        (Op.ExecutionModeId, [5, 38, 6, 7], [5, 6, 7]),
        (Op.SpecConstantOp, [5, 6, 67, 7], [5, 6, 7]),
        (Op.TypeOpaque, [5, 1701667150, 0], [5]),
        (Op.Source, [3, 100000, 5], []),
        (Op.Phi, [5, 6, 7, 8], [5, 6, 7, 8]),
    ],
    ids=["execution mode", "constant operation", "opaque", "source", "phi"],
)
def test_which_words_are_ids(opcode, words, expected):
    assert [words[place] for place in ids(opcode, words)] == expected


def test_results():
    assert result(Op.SubgroupBlockWriteINTEL, [5, 6]) == 0
    assert result(Op.TypePointer, [5, 1, 6]) == 5
    assert result(Op.Load, [5, 6, 7]) == 6


def test_an_operation_has_a_scope_or_has_none():
    assert not GROUP_OPERATIONS & SUBGROUP_OPERATIONS
    folder = opcodes.grammar_folder()
    if folder is None:
        pytest.skip(f"no {opcodes.CORE}")
    grammar = opcodes.Grammar(folder)
    for name, number in grammar.numbers["Op"].items():
        kinds = [operand["kind"] for operand in grammar.operands[name]]
        assert number not in GROUP_OPERATIONS or kinds[2] == "IdScope", name
        assert number not in SUBGROUP_OPERATIONS or "IdScope" not in kinds, name

"""SPIR-V's numbers are those of the specification's grammar, and all that the code names is among them."""

import pytest

from launchpath._compiler.spirv import opcodes as written
from launchpath._compiler.spirv.operands import GROUP_OPERATIONS, SUBGROUP_OPERATIONS, ids, result
from scripts import opcodes


def test_every_name_that_the_code_uses_is_there():
    for class_, names in opcodes.used().items():
        there = getattr(written, class_)
        assert not [name for name in names if not hasattr(there, name)], class_


def test_the_module_is_what_the_script_writes():
    folder = opcodes.grammar_folder()
    if folder is None:
        pytest.skip(f"no {opcodes.CORE}: make opcodes unpacks it")
    assert opcodes.MODULE.read_text() == opcodes.text(opcodes.Grammar(folder)), "make opcodes writes it again"


def test_a_name_that_the_specification_does_not_have(monkeypatch):
    folder = opcodes.grammar_folder()
    if folder is None:
        pytest.skip(f"no {opcodes.CORE}")
    grammar = opcodes.Grammar(folder)
    monkeypatch.setattr(opcodes, "used", lambda: {"Op": {"Multiply"}})
    with pytest.raises(ValueError, match=r"Op\.Multiply, which SPIR-V's grammar does not have"):
        opcodes.text(grammar)


@pytest.mark.parametrize(
    ("opcode", "words", "expected"),
    [
        (written.Op.ExecutionModeId, [5, 38, 6, 7], [5, 6, 7]),
        (written.Op.SpecConstantOp, [5, 6, 67, 7], [5, 6, 7]),
        (written.Op.TypeOpaque, [5, 1701667150, 0], [5]),
        (written.Op.Source, [3, 100000, 5], []),
        (written.Op.Phi, [5, 6, 7, 8], [5, 6, 7, 8]),
    ],
    ids=["execution mode", "constant operation", "opaque", "source", "phi"],
)
def test_which_words_are_ids(opcode, words, expected):
    assert [words[place] for place in ids(opcode, words)] == expected


def test_results():
    assert result(written.Op.SubgroupBlockWriteINTEL, [5, 6]) == 0
    assert result(written.Op.TypePointer, [5, 1, 6]) == 5
    assert result(written.Op.Load, [5, 6, 7]) == 6


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

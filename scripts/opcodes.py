"""Write ``opcodes.py`` and ``enumerants.py`` of ``_compiler/spirv``: SPIR-V's numbers, and which words are ids.

They come from the specification's own machine-readable grammar, ``spirv.core.grammar.json`` and the file of OpenCL.std
beside it (Khronos, SPIRV-Headers; Debian's package ``spirv-headers`` has them). Only the names that the code uses are
written. When the code uses a new one, ``make opcodes`` runs this::

    python scripts/opcodes.py [FOLDER]

FOLDER holds the grammar. Unless it is given, it is looked for in ``build/spirv``, where ``dpkg -x`` may unpack that
package, and where the package is installed.
"""

from __future__ import annotations

import ast
import json
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SPIRV = ROOT / "src" / "launchpath" / "_compiler" / "spirv"
OPCODES, ENUMERANTS = SPIRV / "opcodes.py", SPIRV / "enumerants.py"
GRAMMAR = ROOT / "build" / "spirv" / "usr" / "include" / "spirv" / "unified1"
PACKAGE = Path("/usr/include/spirv/unified1")  # where Debian's package puts it
CORE, STD = "spirv.core.grammar.json", "extinst.opencl.std.100.grammar.json"

# The enumerations: by the name in the code, the grammar's own and what it is of.
KINDS = {
    "Storage": ("StorageClass", "Storage classes: the address spaces of pointers."),
    "Decoration": ("Decoration", "Decorations."),
    "BuiltIn": ("BuiltIn", "Built-in variables."),
    "Linkage": ("LinkageType", "The last operand of `Decoration.LinkageAttributes`."),
    "Attribute": ("FunctionParameterAttribute", "Attributes of functions' parameters."),
    "ExecutionModel": ("ExecutionModel", "What an entry point is."),
    "ExecutionMode": ("ExecutionMode", "Execution modes of kernels."),
    "Addressing": ("AddressingModel", "Addressing models."),
    "MemoryModel": ("MemoryModel", "Memory models."),
    "Language": ("SourceLanguage", "Languages of sources."),
    "MemoryAccess": ("MemoryAccess", "Bits of memory operands."),
    "Semantics": ("MemorySemantics", "Bits of memory semantics."),
    "Operation": ("GroupOperation", "What an operation of a group makes of its values."),
    "Control": ("FunctionControl", "Bits of functions' control."),
    "Scope": ("Scope", "Scopes."),
    "Capability": ("Capability", "Capabilities; what a module declares beyond these keeps its number."),
}

# What the code does not name: it is told by name in messages, or stands in modules of other compilers.
ALSO = {
    "Op": """
        AsmINTEL AsmTargetINTEL Dot GenericPtrMemSemantics GroupWaitEvents Nop ReleaseEvent RetainEvent SDot SDotAccSat
        SUDot SUDotAccSat SizeOf SpecConstant SubgroupBlockWriteINTEL TypeMatrix TypeRuntimeArray UDot UDotAccSat
    """,
    "Storage": "Private",
    "Capability": """
        Addresses AtomicStorage Float16Buffer GenericPointer GroupNonUniform Groups Int16 Int64 Int8 Kernel Linkage
        Matrix Shader SubgroupBallotKHR SubgroupDispatch SubgroupVoteKHR Vector16
    """,
}

IDS = frozenset({"IdRef", "IdResult", "IdResultType", "IdScope", "IdMemorySemantics", "PairIdRefIdRef"})
# `operands.ids` reads these itself: where their ids are depends on their other words.
READ = frozenset({"EntryPoint", "Switch"})
# What the rule does not give. The operands of SpecConstantOp are those of another instruction. Those of an execution
# mode or a decoration that is given by ids are ids. A source's file is an id, but nothing that a pass changes.
LEADING = {"Source": 0}
MIDDLE = {"SpecConstantOp": 2, "ExecutionModeId": 1, "DecorateId": 1}

HEAD = '''"""SPIR-V's {subject} (Khronos, SPIR-V Specification 1.6, section 3).

Written by scripts/opcodes.py from the specification's grammar, with the names that the code uses. To use another name,
run that again.
"""

from __future__ import annotations

from enum import IntEnum
'''


class Grammar:
    """The specification's numbers.

    Parameters
    ----------
    folder : Path
        Of the grammar's files.

    Attributes
    ----------
    operands : dict of list of dict, by name
        The operands of each instruction.
    numbers : dict of dict of int, by class and by name
    std : dict of int, by name
        The instructions of the set OpenCL.std.
    """

    def __init__(self, folder: Path) -> None:
        core, std = (json.loads((folder / name).read_text()) for name in (CORE, STD))
        self.operands: dict[str, list[dict[str, str]]] = {}
        numbers: dict[str, dict[str, int]] = {"Op": {}}
        for instruction in core["instructions"]:
            for name in _names(instruction, "opname"):
                self.operands[name.removeprefix("Op")] = instruction.get("operands", [])
                numbers["Op"][name.removeprefix("Op")] = instruction["opcode"]
        kinds = {kind["kind"]: kind.get("enumerants", ()) for kind in core["operand_kinds"]}
        for class_, (kind, _) in KINDS.items():
            numbers[class_] = {
                name: int(str(entry["value"]), 0) for entry in kinds[kind] for name in _names(entry, "enumerant")
            }
        self.numbers = numbers
        self.std = {instruction["opname"]: instruction["opcode"] for instruction in std["instructions"]}

    def leading(self, name: str) -> tuple[int | None, int | None]:
        """Say where an instruction has words that are no ids.

        Returns
        -------
        int or None
            How many words, from the first on, are ids, and none behind them.
        int or None
            The only word that is no id. Neither: all are, or `operands.ids` knows.
        """
        if name in LEADING or name in MIDDLE or name in READ:
            return LEADING.get(name), MIDDLE.get(name)
        are_ids = [operand["kind"] in IDS for operand in self.operands[name]]
        if all(are_ids) or name == "GroupMemberDecorate":  # pairs of id and literal
            return None, None
        first = are_ids.index(False)
        if not any(are_ids[first:]):
            return first, None
        if are_ids.count(False) > 1:
            raise ValueError(f"Op{name}: literals in several places among ids")
        return None, first


def grammar_folder() -> Path | None:
    """Find the grammar's folder; None if it is not here."""
    return next((folder for folder in (GRAMMAR, PACKAGE) if (folder / CORE).is_file()), None)


def used() -> dict[str, set[str]]:
    """Find the names that the code and its tests use, by class."""
    names: dict[str, set[str]] = {}
    for file in sorted([*ROOT.glob("src/launchpath/**/*.py"), *ROOT.glob("tests/**/*.py")]):
        if file not in (OPCODES, ENUMERANTS):
            text = file.read_text(encoding="utf-8")
            if "opcodes" in text or "enumerants" in text:  # parsing all others would take seconds
                for class_, name in _used_in(text):
                    names.setdefault(class_, set()).add(name)
    return names


def texts(grammar: Grammar) -> dict[Path, str]:
    """Write the modules' texts, by their paths.

    Raises
    ------
    ValueError
        The code uses a name that the grammar does not have.
    """
    names = used()
    for class_, more in ALSO.items():
        names.setdefault(class_, set()).update(more.split())
    operations = sorted(names["Op"], key=lambda name: _number(grammar, "Op", name))
    instructions = _enumeration(grammar, "Op", "Instructions, as far as the code looks at them.", operations)
    words = "".join([_std(grammar), *_words(grammar, operations)])
    enumerants = [_enumeration(grammar, class_, doc, names.get(class_, ())) for class_, (_, doc) in KINDS.items()]
    return {
        OPCODES: "\n\n".join([_head("opcodes, and which words of an instruction are ids"), instructions, words]),
        ENUMERANTS: "\n\n".join([_head("enumerants: the numbers that operands have names for"), *enumerants]),
    }


def _head(subject: str) -> str:
    return HEAD.format(subject=subject)


def _names(entry: Mapping[str, Any], key: str) -> Iterator[str]:
    yield entry[key]
    yield from entry.get("aliases", ())


def _used_in(source: str) -> Iterator[tuple[str, str]]:
    tree = ast.parse(source)
    classes = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] in ("opcodes", "enumerants")
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in classes:
            yield classes[node.value.id], node.attr


def _number(grammar: Grammar, class_: str, name: str) -> int:
    number = grammar.numbers[class_].get(name)
    if number is None:
        raise ValueError(f"the code uses {class_}.{name}, which SPIR-V's grammar does not have")
    return number


def _enumeration(grammar: Grammar, class_: str, doc: str, names: Iterable[str]) -> str:
    numbers = sorted((_number(grammar, class_, name), name) for name in names)
    lines = "".join(f"    {name} = {number}\n" for number, name in numbers)
    return f'class {class_}(IntEnum):\n    """{doc}"""\n\n{lines}'


def _std(grammar: Grammar) -> str:
    # No enumeration: making so many members would take longer than all that is done with them.
    lines = _wrapped(f'"{name}":~{number},' for name, number in grammar.std.items())
    return f"# The instructions of the set OpenCL.std, all.\nSTD = {{\n{lines}\n}}  # fmt: skip\n"


def _words(grammar: Grammar, names: list[str]) -> Iterator[str]:
    kinds = {name: {operand["kind"] for operand in grammar.operands[name]} for name in names}
    yield "# Instructions that have no result.\n" + _set("NO_RESULT", [n for n in names if "IdResult" not in kinds[n]])
    only = [name for name in names if "IdResult" in kinds[name] and "IdResultType" not in kinds[name]]
    yield "# A result id and no result type.\n" + _set("ONLY_RESULT", only)
    words = {name: grammar.leading(name) for name in names}
    leading = {name: first for name, (first, _) in words.items() if first is not None}
    middle = {name: at for name, (_, at) in words.items() if at is not None}
    comment = "# The first words alone are ids: how many (result type and result id included).\n"
    yield comment + _dict("LEADING", leading)
    yield "# One word in the middle is no id: which.\n" + _dict("MIDDLE", middle)


def _set(name: str, members: Iterable[str]) -> str:
    return f"{name} = frozenset({{\n{_wrapped(f'Op.{member},' for member in members)}\n}})  # fmt: skip\n"


def _dict(name: str, members: Mapping[str, int]) -> str:
    lines = _wrapped(f"Op.{key}:~{value}," for key, value in members.items())
    return f"{name}: dict[int, int] = {{\n{lines}\n}}  # fmt: skip\n"


def _wrapped(parts: Iterable[str]) -> str:
    lines = textwrap.wrap(" ".join(parts), 116, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent("\n".join(lines).replace("~", " "), "    ")


def main() -> None:
    """Write the modules."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else grammar_folder()
    if folder is None:
        sys.exit(f"no {CORE} in {GRAMMAR} or {PACKAGE}: make opcodes unpacks it")
    for module, text in texts(Grammar(folder)).items():
        module.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""List the functions that are too long or branch too much, in Python and in the core.

    python scripts/complexity.py [PATH ...] [--most-complexity 15] [--most-lines 60] [--all]

It prints file, line, function, complexity and lines, and exits with 1 if a function is over one of the limits.

Complexity is McCabe's number as ruff's rule C901 counts it: 1, and 1 more for each `if`, `elif`, loop, `except` and
`case`. Boolean operators and conditional expressions do not count. A function's lines go from its `def` or `cdef` to
its end, less the docstring. Both include the functions within it.

Python files are judged by ruff and by the `ast` module. The core is parsed by Cython itself, as one file with all that
it includes. Tables in the form of a function are named in `TABLES`, each with its reason.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from Cython.Compiler import Errors, ExprNodes, Nodes, Options
from Cython.Compiler.Main import CompilationOptions, Context
from Cython.Compiler.Scanning import FileSourceDescriptor
from Cython.Compiler.Symtab import ModuleScope

ROOT = Path(__file__).parents[1]
CORE = ROOT / "src" / "launchpath" / "_core"
DRIVERS = "src/launchpath/_core/driver"
FOLDERS = ("src", "scripts", "benchmarks", "examples", "tests", "setup.py")

# (file, function): why its length or its branches are no fault.
TABLES = {
    (f"{DRIVERS}/opencl/errors.pxi", "opencl_error_name"): "OpenCL's names of its error codes",
    **{
        ("src/launchpath/_core/layers/entries.pxi", f"{layer}_each_entry"): "built: the entries of the driver's table"
        for layer in ("forked", "log", "trace")
    },
    (f"{DRIVERS}/simulated/faults.pxi", "sim_error_name"): "the simulated driver's names of its error codes",
}


@dataclass(frozen=True)
class Function:
    """A function, as it is listed."""

    path: Path
    line: int
    name: str
    complexity: int
    lines: int


def python_functions(paths: list[Path]) -> Iterator[Function]:
    """Every function of these Python files: its complexity by ruff, its lines by the parser."""
    complexities = ruff_complexities(paths)
    for path in paths:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                first = node.body[0]
                if ast.get_docstring(node, clean=False) is not None:
                    lines -= (first.end_lineno or first.lineno) - first.lineno + 1
                yield Function(path, node.lineno, node.name, complexities[path, node.lineno], lines)


def ruff_complexities(paths: list[Path]) -> dict[tuple[Path, int], int]:
    """McCabe's number by file and line of the function's name."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--ignore-noqa", "--exit-zero", "--no-cache"]
    command += ["--select", "C901", "--config", "lint.mccabe.max-complexity=0", "--output-format", "json"]
    answer = subprocess.run([*command, *map(str, paths)], check=True, capture_output=True, text=True)
    return {
        (Path(entry["filename"]), entry["location"]["row"]): int(re.search(r"\((\d+) > 0\)", entry["message"])[1])  # type: ignore[index]
        for entry in json.loads(answer.stdout)
    }


def core_functions() -> Iterator[Function]:
    """Every function of the core."""
    texts: dict[Path, list[str]] = {}
    for node in walk(core_tree()):
        if isinstance(node, Nodes.FuncDefNode):
            path, line = Path(node.pos[0].get_filenametable_entry()).resolve(), node.pos[1]
            if path not in texts:
                texts[path] = path.read_text().splitlines()
            while texts[path][line - 1].lstrip().startswith("@"):
                line += 1
            complexity = 1 + sum(map(branches, walk(node)))
            yield Function(path, line, function_name(node), complexity, core_lines(texts[path], line))


def core_tree() -> Any:
    """What Cython's parser makes of the core."""
    Options.docstrings = True
    options = CompilationOptions(include_path=[str(CORE)], language_level=3)
    context = Context.from_options(options)
    source = FileSourceDescriptor(str(CORE / "core.pyx"))
    Errors.init_thread()
    return context.parse(source, ModuleScope("core", None, context), pxd=False, full_module_name="core")


def walk(node: Any) -> Iterator[Any]:
    """The node and all below it."""
    yield node
    for attribute in [
        *(node.child_attrs or ()),
        *(("loop",) if isinstance(node, ExprNodes.GeneratorExpressionNode) else ()),
    ]:
        below = getattr(node, attribute, None)
        for child in below if isinstance(below, list) else [below]:
            if isinstance(child, Nodes.Node):
                yield from walk(child)


def branches(node: Any) -> int:
    """How many ways more there are because of this node alone."""
    if isinstance(node, Nodes.IfStatNode):
        return len(node.if_clauses)
    if isinstance(node, Nodes.TryExceptStatNode):
        return len(node.except_clauses) + (node.else_clause is not None)
    return isinstance(node, Nodes.WhileStatNode | Nodes.ForInStatNode | Nodes.ForFromStatNode)


def function_name(node: Any) -> str:
    """The name of a `def`, or of a `cdef`, which may stand behind the stars of what it gives."""
    if isinstance(node, Nodes.DefNode):
        return str(node.name)
    declarator = node.declarator
    while not hasattr(declarator, "name"):
        declarator = declarator.base
    return str(declarator.name)


def core_lines(text: list[str], line: int) -> int:
    """Count from the `def` to the last line that stands further in, less the docstring. The parser knows no ends."""
    indent = len(text[line - 1]) - len(text[line - 1].lstrip())
    head = line
    while not re.search(r":( .*)?$", text[head - 1]):  # it may have a `)` in the first column
        head += 1
    end = head
    for at in range(head, len(text)):
        if text[at].strip():
            if len(text[at]) - len(text[at].lstrip()) <= indent:
                break
            end = at + 1
    docstring = re.match(r'\s*""".*?"""', "\n".join(text[head:end]), re.DOTALL)
    return end - line + 1 - (docstring[0].count("\n") + 1 if docstring else 0)


def main() -> int:
    """Print what is over, and say by the exit status whether anything is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="files and folders to judge; the whole repository by default")
    parser.add_argument("--most-complexity", type=int, default=15)
    parser.add_argument("--most-lines", type=int, default=60)
    parser.add_argument("--all", action="store_true", help="print every function")
    arguments = parser.parse_args()
    asked = [Path(path).resolve() for path in arguments.paths] or [ROOT / folder for folder in FOLDERS]
    python = sorted(
        {file for path in asked for file in (path.rglob("*.py") if path.is_dir() else [path]) if file.suffix == ".py"}
    )
    functions = list(python_functions(python))
    functions += [each for each in core_functions() if any(each.path.is_relative_to(path) for path in asked)]
    over, tables = 0, set(TABLES)
    for each in sorted(functions, key=lambda each: (each.path, each.line)):
        path = str(each.path.relative_to(ROOT) if each.path.is_relative_to(ROOT) else each.path)
        too_much = each.complexity > arguments.most_complexity or each.lines > arguments.most_lines
        if (path, each.name) in TABLES:
            tables.discard((path, each.name))
            too_much = False
        over += too_much
        if too_much or arguments.all:
            print(f"{path}:{each.line}: {each.name}: complexity {each.complexity}, {each.lines} lines")
    limits = f"complexity {arguments.most_complexity} or {arguments.most_lines} lines"
    print(f"{len(functions)} functions, {over} over {limits}")
    if tables and not arguments.paths:
        print(f"expected every function of TABLES to exist, got none for {sorted(tables)}: take it out of the table")
        return 1
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())

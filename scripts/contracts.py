"""What `lint-imports` checks, on a graph that knows the core too.

`grimp` reads Python files, and the core is none. Here it is added: which modules import it, and what its own files
import. A package's own file (`__init__.py`) stands beside the package's modules, as ``package.__init__``, so that a
circle through it is seen as well.
"""

from __future__ import annotations

import re
from pathlib import Path

from grimp import ImportGraph
from importlinter import ContractCheck
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract

PACKAGE = "launchpath"
CORE = f"{PACKAGE}._core"
_FOLDER = Path(__file__).resolve().parents[1] / "src" / PACKAGE
_SPACE = r"[^\S\n]*"
_ONLY_THE_CORE = re.compile(rf"from {PACKAGE} import _core\s*(#.*)?")
_FROM_THE_CORE = re.compile(rf"^{_SPACE}(from|import) {re.escape(CORE)}\b.*", re.MULTILINE)
_OF_THE_CORE = re.compile(rf"^{_SPACE}(?:from ({PACKAGE}[\w.]*) )?import (\w[\w., ]*).*", re.MULTILINE)


def complete(graph: ImportGraph) -> ImportGraph:
    """Add the core to a graph, and give the packages' own files names."""
    graph.add_module(CORE)
    _add_imports_of_the_core(graph)
    _add_imports_by_the_core(graph)
    for package in sorted(module for module in graph.modules if graph.find_children(module)):
        own = f"{package}.__init__"
        graph.add_module(own)
        for imported in graph.find_modules_directly_imported_by(package):
            _move(graph, (package, imported), (own, imported))
        for importer in graph.find_modules_that_directly_import(package):
            _move(graph, (importer, package), (importer, own))
    return graph


def _add_imports_of_the_core(graph: ImportGraph) -> None:
    # `from launchpath import _core` is an import of the package to `grimp`, and `from launchpath._core import` is none.
    for importer in graph.find_modules_that_directly_import(PACKAGE):
        details = graph.get_import_details(importer=importer, imported=PACKAGE)
        others = [line for line in details if not _ONLY_THE_CORE.fullmatch(line["line_contents"])]
        graph.remove_import(importer=importer, imported=PACKAGE)
        for line in details:
            graph.add_import(**{**line, "imported": PACKAGE if line in others else CORE})
    for file in _FOLDER.rglob("*.py"):
        words = [PACKAGE, *file.relative_to(_FOLDER).with_suffix("").parts]
        importer = ".".join(words[:-1] if words[-1] == "__init__" else words)
        text = file.read_text()
        for line in _FROM_THE_CORE.finditer(text) if importer in graph.modules else ():
            _add(graph, importer, CORE, text, line)


def _add_imports_by_the_core(graph: ImportGraph) -> None:
    for file in sorted((_FOLDER / "_core").rglob("*.p[yx][xi]")):
        text = file.read_text()
        for line in _OF_THE_CORE.finditer(text):
            for name in re.split(r"[, ]+", line[2].strip()):
                module = f"{line[1]}.{name}" if line[1] else name
                imported = module if module in graph.modules else line[1]
                if imported in graph.modules:
                    _add(graph, CORE, imported, text, line)


def _add(graph: ImportGraph, importer: str, imported: str, text: str, line: re.Match[str]) -> None:
    number = text.count("\n", 0, line.start()) + 1
    graph.add_import(importer=importer, imported=imported, line_number=number, line_contents=line[0].strip())


def _move(graph: ImportGraph, before: tuple[str, str], after: tuple[str, str]) -> None:
    details = graph.get_import_details(importer=before[0], imported=before[1])
    graph.remove_import(importer=before[0], imported=before[1])
    for line in details:
        graph.add_import(**{**line, "importer": after[0], "imported": after[1]})


class Layers(LayersContract):
    """Imports go down, never up."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Check the contract."""
        return super().check(complete(graph), verbose)


class Forbidden(ForbiddenContract):
    """Some modules do not import some others, by way of further ones neither."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Check the contract."""
        return super().check(complete(graph), verbose)


class NoCircles(AcyclicSiblingsContract):
    """No modules import each other, in whatever roundabout way."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Check the contract."""
        return super().check(complete(graph), verbose)

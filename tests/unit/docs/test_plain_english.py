"""Errors, public docstrings and pages avoid words that readers with another first language stumble over."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import launchpath as lp

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "src" / "launchpath"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EVERYWHERE = r"\b(amiss|anybody|nobody|somebody|whoever|whom|is wanted|tells? of|told of|goes by|without further ado)\b"
NO = r"(?<!there )\b(is|are) no\b"  # "is not a", "are not"
IN_ERRORS = r"\b(who|said|told|wants|wanted|cut short|left out|leave it out|knows nothing|as it is)\b"
IN_DOCSTRINGS = r"\b(who|said|told|wanted|left out)\b"


def matches(text: str, *patterns: str) -> list[str]:
    line = " ".join(text.split())
    return [match[0] for pattern in patterns for match in re.finditer(pattern, line, re.IGNORECASE)]


def raised(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of the literals of `raise` statements."""
    for statement in ast.walk(ast.parse(text)):
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            for node in ast.walk(statement.exc):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.lineno, node.value


def raised_in_core(text: str) -> Iterator[tuple[int, str]]:
    """Yield the same of the core's files, which `ast` cannot read: from an error's name to the end of its brackets."""
    for call in re.finditer(r"\b\w*Error\(", text):
        depth, end = 1, call.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        for literal in re.finditer(r'"([^"\n]*)"', text[call.end() : end]):
            yield text.count("\n", 0, call.start()) + 1, re.sub(r"\{[^{}]*\}", "", literal[1])


@pytest.mark.parametrize("pattern, read", [("*.py", raised), ("*.pxi", raised_in_core)])
def test_errors(pattern, read) -> None:
    checked, wrong = 0, []
    for file in sorted(PACKAGE.rglob(pattern)):
        if file.parent.name == "simulated":  # only tests meet that driver
            continue
        for line, literal in read(file.read_text()):
            checked += 1
            wrong += [
                f"{file.relative_to(ROOT)}:{line}: {word!r}" for word in matches(literal, EVERYWHERE, IN_ERRORS, NO)
            ]
    assert checked > 0 or pattern == "*.pxi"  # an installed package has no .pxi files
    assert not wrong


def documented() -> Iterator[tuple[str, str]]:
    for module in (lp, lp.interop, lp.errors):
        yield module.__name__, inspect.getdoc(module) or ""
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing):
                continue
            yield f"{module.__name__}.{name}", inspect.getdoc(thing) or ""
            for member in dir(thing) if inspect.isclass(thing) else ():
                if not member.startswith("_"):
                    yield f"{module.__name__}.{name}.{member}", inspect.getdoc(getattr(thing, member)) or ""


def test_public_docstrings() -> None:
    wrong = [
        f"{name}: {word!r}" for name, text in documented() for word in matches(text, EVERYWHERE, IN_DOCSTRINGS, NO)
    ]
    assert not wrong


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="an installed package has no pages")
def test_pages() -> None:
    wrong = []
    for page in PAGES:
        prose = re.sub(r"(?ms)^```.*?^```$|`[^`\n]*`", "", page.read_text())
        wrong += [f"{page.relative_to(ROOT)}: {word!r}" for word in matches(prose, EVERYWHERE)]
    assert not wrong

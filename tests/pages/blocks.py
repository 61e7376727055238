"""The documents, and the blocks of code in them."""

import os
import re
from pathlib import Path

import launchpath as lp
from tests.python import python

ROOT = Path(__file__).parents[2]
PREPARED = Path(__file__).parent / "prepared"  # names that the blocks of a page use: NAME.py for docs/NAME.md
PAGES = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "docs").rglob("*.md"))
# Their blocks are lines of the programs that they show, and tests/gallery/test_pages.py looks for them there.
GALLERY = tuple(page for page in PAGES if page.startswith("docs/gallery/"))
# Each of their blocks is a whole program: tests/pages/test_programs.py runs them, and compares what they print.
KERNELS = tuple(page for page in PAGES if page.startswith("docs/kernels/"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *PAGES)
# The first line of a block that only a GPU can run, with the command that runs it there.
GPU_COMMAND = ".venv/bin/python -m pytest tests/gpu/real/pages.py"
ON_A_GPU = f"# On a GPU: {GPU_COMMAND}"


def text(name: str) -> str:
    """Return a document of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    """Code blocks of a document, each with empty lines before it so that its lines have their numbers."""
    whole = text(name)
    matches = re.finditer(rf"^```{language}\n(.*?)^```$", whole, re.DOTALL | re.MULTILINE)
    return ["\n" * whole.count("\n", 0, match.start(1)) + match[1] for match in matches]


def having(language: str) -> list[str]:
    """Give the documents with blocks in a language."""
    return [name for name in DOCUMENTS if (ROOT / name).exists() and blocks(name, language)]


def program(name: str, languages: str = "python") -> str:
    """Join the blocks of a page: every line is where it is in the page. What it needs prepared is in the first line."""
    code = ""
    for block in sorted(
        (block for language in languages.split() for block in blocks(name, language)),
        key=lambda block: len(block) - len(block.lstrip("\n")),
    ):
        code += block[code.count("\n") :]
    if (PREPARED / f"{Path(name).stem}.py").exists():
        code = f"from tests.pages.prepared.{Path(name).stem} import *" + code
    return code


def run(code: str, which: str, folder: Path) -> str:
    """Run code as a file of its own, with a device as the default one; give what it prints."""
    file = folder / "example.py"
    file.write_text(code, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(Path(lp.__file__).parents[1]), str(ROOT), os.environ.get("PYTHONPATH")]))
    return python(file, cwd=folder, env={"LAUNCHPATH_DEVICE": which, "PYTHONPATH": path}).stdout

"""The pages that Sphinx reads: those of the repository, with their links as the site needs them.

The pages in `docs` are plain Markdown for a code host. On the site README.md is the first page, links to files of the
repository lead to copies, a link whose text is a file's name shows that page's title, and a list of links to sources
shows the sources.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Pages beside `docs`, by the names that they have on the site.
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LANGUAGES = {
    ".py": "python", ".pyx": "cython", ".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp", ".hip": "cpp", ".cu": "cpp",
}  # fmt: skip
# A link, or a piece of code, in which nothing is a link.
LINK = re.compile(r"(?ms)^(```+).*?^\1$|`[^`\n]+`|\[([^\][]*)\]\(([^)\s#:]*)(#[^)\s]*)?\)")
FILE_NAME = re.compile(r"(?:[\w-]+/)*[\w-]+\.md")
# An item of a list that is a link to a source, as the pages of the gallery end with.
SOURCE = re.compile(r"(?m)^- \[`?([\w.]+)`?\]\(([^)\s]+)\)\n")
# What a drawing asks for its dark colours, and what asks for them always and never: readers can switch the site.
DARK = "(prefers-color-scheme: dark)"


class Pages:
    """The pages of the repository, written into a folder for Sphinx."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self._files: set[Path] = set()

    def write(self) -> None:
        """Write all pages, and what they link to."""
        for file in sorted(path for path in DOCS.rglob("*") if path.is_file() and path.suffix != ".toml"):
            target = self.source / file.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".md":
                target.write_text(self._for_the_site(file, target), encoding="utf-8")
            elif file.suffix == ".svg" and DARK in (text := file.read_text(encoding="utf-8")):
                target.write_text(text.replace(DARK, "not all"), encoding="utf-8")
                dark = target.with_stem(f"{target.stem}-dark")
                dark.write_text(text.replace(DARK, "all"), encoding="utf-8")
            else:
                shutil.copyfile(file, target)
        for name, page in OUTSIDE.items():
            (self.source / page).write_text(self._for_the_site(ROOT / name, self.source / page), encoding="utf-8")

    def _for_the_site(self, file: Path, target: Path) -> str:
        def code(match: re.Match[str]) -> str:
            path = (file.parent / match[2]).resolve()
            if path.suffix not in LANGUAGES:
                return match[0]
            return f"`{path.relative_to(ROOT).as_posix()}`:\n\n{_block(path)}\n"

        def link(match: re.Match[str]) -> str:
            text, path, anchor = match[2], match[3], match[4] or ""
            if not path:
                return match[0]
            place = self._place((file.parent / path).resolve())
            if FILE_NAME.fullmatch(text) and place.suffix == ".md":
                text = ""  # MyST puts the title of the page or of the section there
            return f"[{text}]({os.path.relpath(place, target.parent)}{anchor})"

        return LINK.sub(link, SOURCE.sub(code, file.read_text(encoding="utf-8")))

    def _place(self, path: Path) -> Path:
        """Return the place on the site of a file of the repository."""
        name = path.relative_to(ROOT).as_posix()
        if name in OUTSIDE:
            return self.source / OUTSIDE[name]
        if path.is_relative_to(DOCS):
            return self.source / path.relative_to(DOCS)
        place = self.source / "files" / name
        if path.is_dir() or path.suffix in LANGUAGES:
            place = place.with_name(f"{place.name}.md")
        if path not in self._files:
            self._files.add(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.name == path.name:
                shutil.copyfile(path, place)
            else:
                place.write_text(_sources(path), encoding="utf-8")
        return place


def _sources(path: Path) -> str:
    """Write a page with a source, or with those of a folder."""
    parts = ["---", "orphan: true", "---", "", f"# {path.relative_to(ROOT).as_posix()}", ""]
    if path.is_file():
        return "\n".join([*parts, _block(path)])
    for file in sorted(each for each in path.iterdir() if each.suffix in LANGUAGES):
        parts += [f"## {file.name}", "", _block(file)]
    return "\n".join(parts)


def _block(file: Path) -> str:
    text = file.read_text(encoding="utf-8").rstrip("\n")
    return f"````{LANGUAGES[file.suffix]}\n{text}\n````\n"


def start(readme: str, groups: str) -> str:
    """Return the start page: README.md with the groups of the site below its first screen, in place of its own list."""
    first, heading, rest = readme.partition("\n## ")
    rest = re.sub(r"(?ms)^## Documentation$.*?(?=^## |\Z)", "", f"## {rest}" if heading else "")
    return f"{first}\n## Where to go\n\n{groups}\n{rest}"

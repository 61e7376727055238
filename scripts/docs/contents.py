"""The sections of the site with their pages, as docs/contents.toml has them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Section:
    """A section of the sidebar: its title, and its pages as Sphinx names them."""

    title: str
    pages: tuple[str, ...]


def sections(source: Path, contents: Path) -> list[Section]:
    """Return the sections that have pages. A page of `source` without a section, and the reverse, is an error."""
    described = tomllib.loads(contents.read_text(encoding="utf-8"))["section"]
    result = []
    for each in described:
        pages = list(each.get("pages", ()))
        if "folder" in each:
            inside = [name_of(file, source) for file in (source / each["folder"]).glob("*") if is_page(file)]
            pages = sorted(inside, key=lambda name: (not name.endswith("/index"), name)) + pages
        if pages:
            result.append(Section(each["title"], tuple(pages)))
    placed = [page for section in result for page in section.pages]
    existing = {name_of(file, source) for file in source.rglob("*") if is_page(file)}
    existing -= {"index", *(name for name in existing if name.startswith(("files/", "reference/hip-")))}
    twice = {page for page in placed if placed.count(page) > 1}
    if twice or set(placed) != existing:
        raise ValueError(
            f"expected each page once in {contents.name}, got {sorted(existing - set(placed))} without a place, "
            f"{sorted(set(placed) - existing)} without a file and {sorted(twice)} twice"
        )
    return result


def is_page(file: Path) -> bool:
    """Whether a file is a page of the site."""
    return file.suffix in (".md", ".rst")


def name_of(file: Path, source: Path) -> str:
    """Return the name that Sphinx has for a page: its path without the suffix."""
    return file.relative_to(source).with_suffix("").as_posix()


def toctrees(contents: list[Section]) -> str:
    """Write the sections as hidden tables of contents, in MyST's Markdown."""
    return "".join(
        "\n".join(
            ["", "```{toctree}", ":hidden:", f":caption: {section.title}", "", *(f"/{page}" for page in section.pages)]
        )
        + "\n```\n"
        for section in contents
    )

"""The groups and sections of the site with their pages, as docs/contents.toml has them.

The sidebar is a tree: the start page has the groups, a group has sections and pages. Groups, and sections without a
page of their own, get a page here that lists what is in them.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

MADE = "contents"  # the folder of the pages that are written here
ABOUT = re.compile(r"^This page (?:\w+) (?:launchpath: )?|^These pages are ")


@dataclass
class Node:
    """A line of the sidebar, and the page that it leads to, as Sphinx names it; a page has nothing below it."""

    title: str
    page: str
    below: list[Node] = field(default_factory=list)

    def pages(self) -> list[str]:
        """Return the page of this line and of all lines below it."""
        return [self.page, *(page for node in self.below for page in node.pages())]


def groups(source: Path, contents: Path) -> list[Node]:
    """Return the groups with all pages. A page of `source` that is in none of them, and the reverse, is an error."""
    result: list[Node] = []
    for each in tomllib.loads(contents.read_text(encoding="utf-8"))["section"]:
        if "group" in each:
            result.append(_made(each["group"]))
        pages = list(each.get("pages", ()))
        if "folder" in each:
            inside = [name_of(file, source) for file in (source / each["folder"]).glob("*") if is_page(file)]
            pages = sorted(inside, key=lambda name: (not name.endswith("/index"), name)) + pages
        nodes = [Node("", page) for page in pages]
        if "title" in each and nodes:
            own = nodes.pop(0) if nodes[0].page.endswith("/index") else _made(each["title"])
            nodes = [Node(each["title"], own.page, nodes)]
        result[-1].below += nodes
    placed = [page for group in result for page in group.pages() if not page.startswith(f"{MADE}/")]
    existing = {name_of(file, source) for file in source.rglob("*") if is_page(file)}
    existing -= {"index", *(name for name in existing if name.startswith(("files/", "reference/hip-")))}
    twice = {page for page in placed if placed.count(page) > 1}
    if twice or set(placed) != existing:
        raise ValueError(
            f"expected each page once in {contents.name}, got {sorted(existing - set(placed))} without a place, "
            f"{sorted(set(placed) - existing)} without a file and {sorted(twice)} twice"
        )
    return result


def _made(title: str) -> Node:
    return Node(title, f"{MADE}/{title.lower().replace(' ', '-')}")


def is_page(file: Path) -> bool:
    """Whether a file is a page of the site."""
    return file.suffix in (".md", ".rst")


def name_of(file: Path, source: Path) -> str:
    """Return the name that Sphinx has for a page: its path without the suffix."""
    return file.relative_to(source).with_suffix("").as_posix()


def write(source: Path, shown: list[Node]) -> None:
    """Write what leads to the pages: the pages of groups and sections, and the hidden tables that the sidebar reads."""
    (source / MADE).mkdir(exist_ok=True)
    for node in [each for group in shown for each in (group, *group.below) if each.below]:
        if node.page.startswith(f"{MADE}/"):
            text = f"# {node.title}\n\n{_list(source, node.below)}"
            (source / f"{node.page}.md").write_text(f"{text}{_toctree(node)}", encoding="utf-8")
        elif (file := source / f"{node.page}.md").exists():
            with file.open("a", encoding="utf-8") as page:
                page.write(_toctree(node))
        else:
            with file.with_suffix(".rst").open("a", encoding="utf-8") as page:
                page.write("\n.. toctree::\n   :hidden:\n\n" + "".join(f"   /{each.page}\n" for each in node.below))
    with (source / "index.md").open("a", encoding="utf-8") as index:
        index.write(_toctree(Node("", "index", shown)))


def _toctree(node: Node) -> str:
    lines = (f"{each.title} </{each.page}>" if each.title else f"/{each.page}" for each in node.below)
    return "\n".join(["", "```{toctree}", ":hidden:", "", *lines, "```", ""])


def _list(source: Path, nodes: list[Node], indent: str = "") -> str:
    """List pages, each with what it is about."""
    lines = []
    for node in nodes:
        about = "" if node.page.startswith(f"{MADE}/") else f": {about_of(source / node.page)}"
        lines.append(f"{indent}- [{node.title}](/{node.page}){about.removesuffix(': ')}\n")
        if node.page.startswith(f"{MADE}/"):
            lines.append(_list(source, node.below, f"{indent}  "))
    return "".join(lines)


def about_of(page: Path) -> str:
    """Return what a page says of itself: the first sentence below its title."""
    file = page.with_suffix(".md")
    if not file.exists():
        return ""
    paragraph = file.read_text(encoding="utf-8").split("\n\n")[1].replace("\n", " ")
    sentence = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.split(r"(?<=\.) (?=[A-Z`])|: (?=:)", paragraph)[0])
    return ABOUT.sub("", sentence).removesuffix(".").removesuffix(":")


def cards(shown: list[Node]) -> str:
    """Write the groups for the start page, each with its sections and pages."""
    lines = []
    for group in shown:
        inside = ", ".join(f"[{node.title}](/{node.page})" for node in group.below)
        lines.append(f"- **[{group.title}](/{group.page})**\n\n  {inside}\n")
    return "\n".join(lines)

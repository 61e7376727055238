"""The links of the built site: those inside it must lead to a page and to an anchor there."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """A page: what it links to, and what can be linked to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {""}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "script":
                self.links.append(value)


@dataclass
class Report:
    """What the links of a site are."""

    pages: int = 0
    internal: int = 0
    external: set[str] = field(default_factory=set)
    broken: list[str] = field(default_factory=list)


def check(html: Path) -> Report:
    """Follow every link of a site that stays inside it."""
    pages: dict[Path, _Page] = {}
    for file in sorted(html.rglob("*.html")):
        pages[file] = _Page()
        pages[file].feed(file.read_text(encoding="utf-8"))
    report = Report(pages=len(pages))
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if parts.scheme != "data":
                    report.external.add(link)
                continue
            report.internal += 1
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            known = pages.get(target)
            if not target.exists() or (known is not None and unquote(parts.fragment) not in known.anchors):
                report.broken.append(f"{file.relative_to(html)}: {link}")
    return report

"""Build the site from docs, the docstrings and the results of benchmarks: ``make docs`` runs it.

    python -m scripts.docs [--list-links]

The site is in build/site/html. A warning of Sphinx's is an error, and so is a link that leads nowhere. Links to other
sites are counted, and listed in build/site/external.txt: nothing is fetched.
"""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from pathlib import Path

from sphinx.cmd.build import build_main

from scripts.docs import contents, links, reference
from scripts.docs.pages import DOCS, ROOT, Pages, start

SITE = ROOT / "build" / "site"


def write_source(source: Path) -> None:
    """Write all that Sphinx reads."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    Pages(source).write()
    reference.write(source / "reference")
    groups = contents.groups(source, DOCS / "contents.toml")
    index = source / "index.md"
    index.write_text(start(index.read_text(encoding="utf-8"), contents.cards(groups)), encoding="utf-8")
    contents.write(source, groups)


def repository(html: Path) -> str:
    """Return the repository's address, if it has one; else the way from the site to the clone that it is built in."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project.get("urls", {}).get("Repository") or os.path.relpath(ROOT / "README.md", html))


def build(site: Path) -> int:
    """Build the site into the folder `html` of a folder; the status is not 0 after a warning."""
    source, html = site / "source", site / "html"
    write_source(source)
    shutil.rmtree(html, ignore_errors=True)
    workers = str(min(4, os.cpu_count() or 1))
    options = ["-q", "-W", "--keep-going", "-E", "-j", workers, "-c", str(Path(__file__).parent)]
    options += ["-A", f"repository={repository(html)}", "-d", str(site / "doctrees"), "-b", "html"]
    return build_main([*options, str(source), str(html)])


def main() -> int:
    """Build the site; the exit status is not 0 after a warning or a broken link."""
    status, html = build(SITE), SITE / "html"
    if status:
        return status
    report = links.check(html)
    (SITE / "external.txt").write_text("".join(f"{link}\n" for link in sorted(report.external)), encoding="utf-8")
    for line in report.broken:
        print(line, file=sys.stderr)
    print(
        f"{report.pages} pages, {report.internal} internal links checked, {len(report.broken)} broken; "
        f"{len(report.external)} links to other sites not fetched (build/site/external.txt)"
    )
    print(f"open {html.relative_to(ROOT)}/index.html")
    return int(bool(report.broken))


if __name__ == "__main__":
    sys.exit(main())

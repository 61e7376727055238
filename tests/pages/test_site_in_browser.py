"""The site in a real browser: every page on a phone, a small and a wide screen, light and dark."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from scripts.docs import links
from tests.browser import CHROMIUM, DRIVER, Browser, browser
from tests.patience import PATIENCE, PROMPT

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not (DRIVER and CHROMIUM), reason="no browser: install Debian's chromium-driver"),
]
ROOT = Path(__file__).parents[2]
WIDTHS = (400, 900, 1400)
OTHER_WIDTHS = (360, 640, 1000, 1200, 1300, 1312, 1440, 1560, 1600, 1920, 2560)  # around the steps of the style sheets
SCHEMES = ("light", "dark")

# What is wrong with the page as it is shown now. What scrolls by itself may be wider than the screen; the drawers of the
# sidebars are beside the screen until they are opened.
WRONG = """
const width = innerWidth, wrong = [];
if (document.documentElement.scrollWidth > width) {
    const out = [...document.body.querySelectorAll("main *")].find(each => each.getBoundingClientRect().right > width + 1);
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide: ${out ? out.outerHTML.slice(0, 80) : "?"}`);
}
const scrolls = element => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
const state = new Map();  // of elements: whether texts in them can be reached by scrolling
const reachable = element => {
    if (!element || element === document.body) return false;
    if (!state.has(element)) state.set(element, scrolls(element) || reachable(element.parentElement));
    return state.get(element);
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), seen = new Set();
while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(element)) continue;
    seen.add(element);
    if (["SCRIPT", "STYLE", "TITLE"].includes(element.tagName.toUpperCase()) || element.closest(".sidebar-drawer, .toc-drawer")
        || element.closest(".visually-hidden, .skip-to-content") || !element.checkVisibility()) continue;
    const box = element.getBoundingClientRect(), text = walker.currentNode.data.trim().slice(0, 60);
    if ((box.right > width + 1 || box.left < -1) && !reachable(element)) wrong.push(`cut at the edge: ${text}`);
    for (let each = element; each && each !== document.body; each = each.parentElement) {
        if (scrolls(each)) break;
        const style = getComputedStyle(each), around = each.getBoundingClientRect();
        if (style.overflowX === "visible" || style.display === "inline") continue;
        if (box.right > around.right + 1 || box.bottom > around.bottom + 3) { wrong.push(`cut off: ${text}`); break; }
    }
}
return wrong;
"""
# What is wrong with its pictures and its colours, light or dark.
WRONG_COLOURS = """
const wrong = [];
for (const image of document.images) {
    if (!image.checkVisibility()) continue;
    if (!image.naturalWidth) wrong.push(`no picture: ${image.src}`);
    if (image.classList.contains(matchMedia("(prefers-color-scheme: dark)").matches ? "only-light" : "only-dark"))
        wrong.push(`a picture for other colours: ${image.src}`);
}
const colour = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
if ((colour[0] < 128) !== matchMedia("(prefers-color-scheme: dark)").matches) wrong.push(`the page's colour is ${colour}`);
return wrong;
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew: once for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site-in-browser"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # which goes with the file
        if not (folder / "built").exists():
            code = f"import sys; from pathlib import Path; from scripts.docs.__main__ import build; sys.exit(build(Path({str(folder)!r})))"
            command = [sys.executable, "-c", code]
            done = subprocess.run(command, cwd=ROOT, timeout=PATIENCE, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            (folder / "built").touch()
    return folder / "html"


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def wrong_of(window: Browser, page: Path) -> list[str]:
    window.open(page, WIDTHS[0], 900, SCHEMES[0])
    found = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            window.resize(width, 900, scheme)
            wrong = window.run(WRONG_COLOURS)
            if scheme == "light":  # places are those of the dark page as well: style sheets for it have colours only
                wrong += window.run(WRONG)
            found += [f"{page.name}, {width}, {scheme}: {each}" for each in wrong]
    return found


def test_every_page_reads_well(window: Browser, site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 90
    window.log(), window.requests()
    wrong = [line for page in pages for line in wrong_of(window, page)]
    assert not wrong, "\n".join(wrong[:40])
    # Nothing was asked for that is not here, and no script failed.
    assert [message for message in window.log() if "SEVERE" in message or "Error" in message] == []
    assert {address.split(":")[0] for address in window.requests()} <= {"file", "data"}


@pytest.mark.parametrize("width", OTHER_WIDTHS)
def test_no_other_screen_cuts_a_page(window: Browser, site: Path, width: int) -> None:
    for page in ("index", "figures", "reference/arrays"):
        window.open(site / f"{page}.html", width, 900, "light")
        assert window.run(WRONG) == []


def test_every_link_works(site: Path) -> None:
    assert links.check(site).broken == []


@pytest.mark.parametrize(
    "body, wrong",
    [
        ("<p style='width: 2000px'>wide</p>", "the page is"),
        ("<div style='overflow: hidden; width: 50px; white-space: nowrap'><b>a long line of text</b></div>", "cut off: a long"),
        ("<div style='overflow: hidden'><p style='width: 2000px; text-align: right'>there</p></div>", "cut at the edge: there"),
        ("<img src='none.png'>", "no picture"),
        ("<div style='overflow: auto'><p style='width: 2000px'>this scrolls</p></div>", None),
    ],
)  # fmt: skip
def test_what_reads_badly_is_noticed(window: Browser, tmp_path: Path, body: str, wrong: str | None) -> None:
    page = tmp_path / "page.html"
    style = (
        "<style>body { background: white } @media (prefers-color-scheme: dark) { body { background: black } }</style>"
    )
    page.write_text(f"<!doctype html>{style}<main>{body}</main>")
    lines = wrong_of(window, page)
    assert [line for line in lines if wrong and wrong in line] if wrong else not lines, lines


def test_the_sidebar_is_open_where_the_reader_is(window: Browser, site: Path) -> None:
    shown = """return [...document.querySelectorAll(".sidebar-tree a.reference")].filter(each => each.checkVisibility())
        .map(each => each.textContent)"""
    groups = ["Use", "Look into a program", "How it works"]
    window.open(site / "index.html", 1400, 900, "light")
    assert window.run(shown) == groups
    window.open(site / "sql.html", 1400, 900, "light")
    assert window.run(shown)[:1] == ["Use"] and "Findings" in window.run(shown) and "Tour" not in window.run(shown)
    window.open(site / "gallery" / "heat.html", 1400, 900, "light")
    inside = window.run(shown)
    assert {*groups, "Gallery", "N-body"} <= set(inside) and "Findings" not in inside and len(inside) < 25


def test_each_block_of_code_has_a_button_that_copies_it(window: Browser, site: Path) -> None:
    window.open(site / "tour.html", 1400, 900, "light")
    blocks, buttons = window.run(
        "return ['div.highlight pre', 'button.copybtn'].map(each => document.querySelectorAll(each).length)"
    )
    assert blocks == buttons > 3


def test_a_reader_can_switch_the_colours(window: Browser, site: Path) -> None:
    """The pictures follow the site's own switch, whatever the browser prefers."""
    window.open(site / "gallery" / "heat.html", 1400, 900, "light")
    visible = (
        "return [...document.images].filter(each => each.checkVisibility()).map(each => each.src.split('/').pop())"
    )
    assert window.run(visible) == ["heat.png"]
    window.run("document.body.dataset.theme = 'dark'")
    assert window.run(visible) == ["heat-dark.png"]


def test_the_search_finds_functions(window: Browser, site: Path) -> None:
    window.go(f"{(site / 'search.html').as_uri()}?q=occupancy")
    end = monotonic() + PROMPT
    found = ""
    while "found" not in found and monotonic() < end:
        found = window.run("return document.querySelector('#search-results').innerText")
    assert "launchpath.Kernel.occupancy" in found

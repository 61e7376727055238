"""The page of findings in a real browser: on a phone and on a wide screen, light and dark."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.browser import CHROMIUM, DRIVER, Browser, browser
from tests.findings import reports

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not (DRIVER and CHROMIUM), reason="no browser: install Debian's chromium-driver"),
]
SCREENS = {"phone": (360, 740), "wide": (1200, 900)}

# What a reader sees of each text: its place, its colour, and the colour behind it. In a drawing that is the bar it is on,
# or, where the text has one, its own border.
TEXTS = """
const parse = text => { const m = text.match(/[\\d.]+/g).map(Number); return m.length < 4 || m[3] > 0 ? m.slice(0, 3) : null; };
const behind = element => {
    for (let each = element; each; each = each.parentElement) {
        const colour = parse(getComputedStyle(each).backgroundColor);
        if (colour) return colour;
    }
    return [255, 255, 255];
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || ["STYLE", "title"].includes(element.tagName) || !element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect(), style = getComputedStyle(element);
    let front = parse(style.color), back = behind(element), bar = null;
    const drawing = element.closest("svg");
    if (drawing) {
        front = parse(style.fill);
        if (element.classList.contains("in")) {
            const rect = element.parentElement.querySelector("rect");
            bar = rect.getBoundingClientRect();
            back = parse(element.classList.contains("over") ? style.stroke : getComputedStyle(rect).fill);
        } else bar = drawing.getBoundingClientRect();
    }
    found.push({text: node.data.trim().slice(0, 60), left: box.left, right: box.right, top: box.top, bottom: box.bottom,
                size: parseFloat(style.fontSize), front, back, bar: bar && {left: bar.left, right: bar.right, top: bar.top, bottom: bar.bottom},
                clipped: element.scrollWidth > element.clientWidth + 1 && style.overflowX !== "visible"});
}
return found;
"""
BARS = """
return [...document.querySelectorAll("svg rect:not(.base), svg line")].filter(bar => bar.checkVisibility() && !bar.closest("defs"))
    .map(bar => { const box = bar.getBoundingClientRect(), svg = bar.ownerSVGElement.getBoundingClientRect();
        const stroke = parseFloat(getComputedStyle(bar).strokeWidth) * (getComputedStyle(bar).stroke !== "none");
        return {kind: bar.getAttribute("class"), width: box.width + stroke, height: box.height + stroke, left: box.left - svg.left,
                right: svg.right - box.right, top: box.top - svg.top, bottom: svg.bottom - box.bottom,
                fill: getComputedStyle(bar).fill, stroke: getComputedStyle(bar).stroke}; });
"""


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(params=SCREENS)
def screen(request: pytest.FixtureRequest) -> tuple[int, int]:
    return SCREENS[request.param]


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that gives the file of a report's page."""

    @cache
    def page_of(name: str) -> Path:
        file = tmp_path_factory.mktemp("page") / "page.html"
        reports.ALL[name]().write_html(file)
        return file

    return page_of


@pytest.fixture(params=reports.ALL)
def page(
    request: pytest.FixtureRequest,
    window: Browser,
    screen: tuple[int, int],
    scheme: str,
    pages: Callable[[str], Path],
) -> Browser:
    """A report's page, with all that can be opened open."""
    file = pages(request.param)
    window.log(), window.requests()
    window.open(file, *screen, scheme)
    window.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    return window


def contrast(first: list[float], second: list[float]) -> float:
    def luminance(colour: list[float]) -> float:
        parts = [part / 255 for part in colour]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def overlapping(texts: list[Any]) -> list[tuple[str, str]]:
    """The pairs of a drawing's texts that lie upon each other."""
    drawn = [each for each in texts if each["bar"]]
    return [
        (first["text"], other["text"])
        for number, first in enumerate(drawn)
        for other in drawn[:number]
        if first["left"] < other["right"] and other["left"] < first["right"]
        and first["top"] + 3 < other["bottom"] and other["top"] + 3 < first["bottom"]
    ]  # fmt: skip


@pytest.mark.sample(10)
def test_the_page_reads_well(page: Browser, screen: tuple[int, int], scheme: str) -> None:
    width, _ = screen
    assert page.run("return [document.documentElement.scrollWidth, innerWidth]") == [width, width]
    texts = page.run(TEXTS)
    assert texts
    dark = scheme == "dark"
    assert all((sum(each["back"]) < sum(each["front"])) == dark for each in texts if each["bar"] is None)
    wrong: list[Any] = [each for each in texts if contrast(each["front"], each["back"]) < 4.5]
    wrong += [each for each in texts if each["left"] < 0 or each["right"] > width + 0.5 or each["clipped"]]
    wrong += [each for each in texts if each["size"] < 11]
    for each in texts:
        bar = each["bar"]
        if bar and not (
            bar["left"] - 0.5 <= each["left"] and each["right"] <= bar["right"] + 0.5 and bar["top"] <= each["top"] + 3
        ):
            wrong.append(each)
    assert not wrong
    assert not overlapping(texts)
    bars = page.run(BARS)
    assert not [each for each in bars if min(each["width"], each["height"]) < 1]
    assert not [each for each in bars if min(each[side] for side in ("left", "right", "top", "bottom")) < -2]
    assert not [each for each in bars if each["fill"] == each["stroke"] == "none"]
    # Nothing was refused by the page's own policy, nothing failed, and nothing else was asked for.
    assert page.log() == []
    assert [address.rsplit("/", 1)[1] for address in page.requests()] == ["page.html"]


def test_findings_are_opened_by_the_keyboard_and_read_by_a_screen_reader(window: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    reports.simulate().write_html(file)
    window.open(file, 1200, 900, "light")
    opened = "return [...document.querySelectorAll('.finding')].map(each => each.open)"
    assert window.run(opened) == [True, False, False]
    window.run("document.querySelectorAll('.finding')[1].querySelector('summary').focus()")
    assert window.run("return document.activeElement.tagName") == "SUMMARY"
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    window.press("Enter")
    assert window.run(opened) == [True, True, False]
    assert window.run(outline) == "solid"  # the focus can be seen
    assert window.run("return document.documentElement.lang") == "en"
    images = window.run(
        "return [...document.querySelectorAll('svg:not([aria-hidden])')].map(each => each.getAttribute('aria-label'))"
    )
    assert images and all(images)
    levels = window.run("return [...document.querySelectorAll('h1, h2, h3')].map(each => +each.tagName[1])")
    assert levels[0] == 1 and all(after - before <= 1 for before, after in pairwise(levels))
    # Names in bars are there where bars are wide enough for them
    assert (
        window.run("return [...document.querySelectorAll('text.in')].filter(each => each.checkVisibility()).length")
        == 0
    )


def test_wide_bars_have_their_names_where_there_is_room(window: Browser, tmp_path: Path) -> None:
    report = reports.simulate()
    report.timeline["lanes"][0]["items"] = [reports.item("a_kernel_of_30_letters_in_total", 100, 1500, "launch", True)]
    report.write_html(tmp_path / "page.html")
    shown = "return [...document.querySelectorAll('text.in')].filter(each => each.checkVisibility()).map(each => each.textContent)"
    for width, names in ((1200, ["a_kernel_of_30_letters_in_total"]), (360, [])):
        window.open(tmp_path / "page.html", width, 900, "dark")
        assert window.run(shown) == names

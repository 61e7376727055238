"""A report as a page of HTML, and as JSON."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from launchpath._findings import finding, kinds, region_summary, report
from launchpath._findings.report import Report
from launchpath._findings.shown import roles
from launchpath._findings.shown.style import COLOURS
from launchpath._findings.shown.timeline import timeline
from launchpath._findings.timeline.roles import Role
from tests.findings import reports
from tests.pages.blocks import text

EVIL = "</title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>`<b>&amp;"
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Reader(HTMLParser):
    """Reads a page, and fails where a tag is not closed, closed twice, or an attribute is there twice."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


@pytest.mark.parametrize("name", reports.ALL)
def test_a_page_is_well_formed_and_needs_nothing_else(name: str) -> None:
    page = reports.ALL[name]().as_html()
    reader = Reader(page)
    assert page.startswith("<!DOCTYPE html>") and reader.tags.count("h1") == 1
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(reader.tags)
    assert not {"src", "href", "xlink:href", "action", "data"} & {attribute for attribute, _ in reader.attributes}
    assert not [attribute for attribute, _ in reader.attributes if attribute.startswith("on")]
    assert not re.search(r"https?:|//|@import|expression", page)
    assert set(re.findall(r"url\(([^)]*)\)", page)) <= {f"#lp-{group.name}" for group in roles.GROUPS}
    assert ("http-equiv", "Content-Security-Policy") in reader.attributes


def test_a_page_has_what_the_report_has() -> None:
    page = Reader(reports.simulate().as_html()).text
    for part in (
        "What holds python simulate.py back",
        "Launching holds the device back in integrate : 96 launches of 3.10us, then it is idle.",
        "saves 2.30ms ± 0.10", "52 % of 4.40ms, 920ms in all", "52 % ± 2 of a repetition",
        "Simulated from the recorded order", "Intervention: delays in alternating blocks : slope 0.97 ± 0.03",
        "Replayed with the mend", "38,400 records", "simulate.py:44", "/home/ada/model/simulate.py:44 run",
        "idle: launching", "2.69ms, 61 %", "The critical path as a table", "event queries", "ran twice",
        "The trace itself took 0.21us of each launch",
    ):  # fmt: skip
        assert part.replace(" :", ":") in page.replace(" :", ":"), part


def test_numbers_of_the_evidence_have_units_by_their_names() -> None:
    one = reports.simulate()
    one.findings[0].evidence = {
        "us_wait": 1500.0,
        "bytes": 1_200_000,
        "equal": True,
        "us_each": [1.0, 2],
        "per": {"a": 0.5},
    }
    page = Reader(one.as_html()).text
    assert all(part in page for part in ("1.50ms", "1,200,000", "yes", "1.00us, 2.00us", "a: 0.5"))


def test_no_text_becomes_markup() -> None:
    one = reports.simulate()
    one.program = one.tracing = one.regions[0].name = one.regions[0].thread = EVIL
    one.regions[0].idle = {EVIL: 1e6}
    one.not_said = one.findings[0].sites = one.findings[0].threads = [EVIL]
    for name in ("kind", "subject", "region", "sentence", "mend"):
        setattr(one.findings[0], name, EVIL)
    one.hidden[0].sentence = EVIL
    one.findings[0].evidence = {EVIL: EVIL}
    one.findings[0].proofs = [finding.Proof(EVIL, None, None, EVIL)]
    for lane in one.timeline["lanes"]:
        lane["name"] = lane["kind"] = EVIL
        for item in lane["items"][:3]:
            item["name"] = item["role"] = item["site"] = EVIL
    reader = Reader(one.as_html())
    assert not {"script", "img"} & set(reader.tags)
    assert reader.text.count("<script>") > 15
    assert Reader(one._repr_html_())


def test_a_notebook_gets_a_part_whose_style_touches_nothing_else() -> None:
    part = reports.simulate()._repr_html_()
    reader = Reader(part)
    assert not {"html", "head", "body", "script"} & set(reader.tags)
    style = re.search("<style>(.*?)</style>", part, re.DOTALL)
    assert style
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", re.sub(r"@media[^{]*\{", "", style[1]))
    assert len(selectors) > 30
    assert all(each.strip().startswith(".launchpath-findings") for rule in selectors for each in rule.split(","))


def test_a_page_is_written(tmp_path: Path) -> None:
    reports.simulate().write_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == reports.simulate().as_html()


def test_many_short_items_are_drawn_together_and_all_are_counted() -> None:
    drawn = reports.crowded().timeline
    svg = timeline(drawn)
    assert len(svg) < 200_000
    assert "10000 x " in svg and "14 other lanes" in svg
    items = [reports.item("k", 3 * i, 3 * i + 1, "kernel", False) for i in range(20)]
    svg = timeline({"us": 60.0, "lanes": [{"name": "s", "kind": "stream", "items": items}]})
    assert svg.count('class="bar kernel"') == 20  # those that can be seen apart are apart
    assert "not drawn" not in svg
    lane = {"name": "s", "kind": "stream", "items": items, "left_out": 1200}
    assert "1,200 later calls and commands not drawn" in timeline({"us": 60.0, "lanes": [lane]})


def test_the_critical_path_is_marked_and_joined_between_lanes() -> None:
    lanes = [
        {"name": "T", "kind": "thread", "items": [reports.item("a", 0, 40, "launch", True), reports.item("b", 50, 60, "launch", False)]},
        {"name": "S", "kind": "stream", "items": [reports.item("a", 45, 100, "kernel", True)]},
    ]  # fmt: skip
    svg = timeline({"us": 100.0, "lanes": lanes})
    assert re.findall(r'class="path" x1="([^"]*)"', svg) == ["45.000%"]
    heights = re.findall(r'class="bar (\w+)"[^>]*height="(\d+)"', svg)
    assert heights == [("launch", "24"), ("launch", "12"), ("kernel", "24")]
    assert "The critical path as a table" in svg
    for lane in lanes:
        for each in lane["items"]:
            each["critical"] = False  # type: ignore[index]
    assert "The critical path is not known." in timeline({"us": 100.0, "lanes": lanes})


def test_each_role_that_the_pages_name_has_a_group() -> None:
    assert [cause for cause in region_summary.CAUSES if roles.group_of(cause) is roles.OTHER] == ["tracing", "other"]
    assert [role.name for role in Role if roles.group_of(role.name.lower()) is roles.OTHER] == ["OTHER"]
    assert roles.group_of("launch") is roles.LAUNCH and roles.group_of("never heard of") is roles.OTHER


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_have_contrast(scheme: int) -> None:
    colours = {name: pair[scheme] for name, pair in COLOURS.items()}
    for back in ("page", "panel"):
        assert min(contrast(colours[name], colours[back]) for name in ("text", "note")) >= 4.5
        assert min(contrast(colours[group.name], colours[back]) for group in roles.GROUPS) >= 3
    assert min(contrast(colours["on"], colours[group.name]) for group in roles.GROUPS if group.is_solid) >= 4.5
    assert contrast(colours["save"], colours["edge"]) >= 3


def keys(data: Any) -> set[str]:
    if isinstance(data, dict):
        return set(data).union(*map(keys, data.values()))
    return set().union(*map(keys, data)) if isinstance(data, list) else set()


def test_json_is_what_the_documentation_says() -> None:
    one = reports.simulate()
    data = json.loads(json.dumps(one.as_json(), allow_nan=False))
    assert data["version"] == report.VERSION == 1
    assert data["us"] == 4.4e6 and data["regions"][0]["us_repetition"]["value"] == 4400
    assert data["regions"][0]["us_idle"]["launching"] == 2690
    first = data["findings"][0]
    assert first["us_saving"] == {"value": 2300, "low": 2200, "high": 2400} and first["us_saving_of_all"] == 920_000
    assert first["proofs"][1]["slope"]["value"] == 0.97
    for each in data["findings"] + data["hidden"]:
        each["evidence"] = {}
    data["regions"][0]["us_idle"] = {}
    page = text("docs/findings.md")
    assert [key for key in sorted(keys(data)) if f"`{key}`" not in page] == []


def test_the_documentation_has_each_kind_and_cause() -> None:
    page = text("docs/findings.md")
    rows = dict(re.findall(r"^\| `([^`]+)` \| ([^|]*) \|", page, re.MULTILINE))
    assert list(kinds.KINDS) == [kind for kind in rows if kind in kinds.KINDS]
    assert [cause for cause in region_summary.CAUSES if cause not in rows] == []


def test_an_empty_report_can_be_shown() -> None:
    assert repr(Report()) == "<Report: a program: 0 findings, 0 hidden, 0 not said>"
    assert "no region of it repeats" in Reader(Report().as_html()).text

"""What notebooks show: tables in HTML, in which no text becomes markup."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

import launchpath as lp
from launchpath._report.html import facts_html, lines_html, table_html
from tests.simulated import Machine

SOURCE = """
__device__ float weights[4];
template <class T, int N> __global__ void scale(T *x) { x[threadIdx.x] *= N * weights[0]; }
__global__ void plain(const float *x, int n) {}
"""


class Reader(HTMLParser):
    """Reads a page, and fails where a tag is left open or closed twice."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


TAGS = {"h4", "p", "table", "thead", "tbody", "tr", "th", "td"}


def texts(value: object) -> list[str]:
    reader = Reader(value if isinstance(value, str) else value._repr_html_())  # type: ignore[attr-defined]
    assert reader.tags <= TAGS
    return reader.texts


@pytest.mark.parametrize(
    "page",
    [
        table_html(["<b>"], [["<script>alert('x')</script>"], ["a & b"]], "<i>title</i>"),
        facts_html("<b>", [("<script>", "</td>"), ("none", None), ("empty", ""), ("zero", 0)]),
        lines_html(["<p>", "&amp;"]),
    ],
)
def test_no_text_is_markup(page):
    assert any("<" in text for text in texts(page))


def test_facts_without_a_value_are_omitted():
    assert texts(facts_html("title", [("a", None), ("b", ""), ("c", 0)])) == ["title", "c", "0"]


def test_a_device(machine: Machine):
    device = machine.device
    shown = texts(device)
    assert shown[0] == device.name
    assert shown[shown.index("compute units") + 1] == str(device.compute_units)
    assert "PCI bus" not in shown


@pytest.mark.compiles
@pytest.mark.parametrize("device", lp.devices(), ids=lambda device: device.platform)
def test_programs_and_kernels(device):
    program = lp.compile(SOURCE, device, names=["scale<float, 2>"], name="<a>.hip")
    shown = texts(program)
    assert f"<a>.hip on {device.name}" in shown
    assert "scale<float, 2>(float *x)" in shown
    assert "class T, int N" in shown
    assert shown[shown.index("weights") :][:4] == ["weights", "float32", "(4,)", "16"]
    kernel = texts(program["scale<float, 2>"])
    assert kernel[0] == "__global__ void scale<float, 2>(float *x)"
    assert kernel[5:] == ["x", "float *", "8", "0", f"on {device.name}"]


def test_a_report(machine: Machine):
    step = lp.Step()
    with step:
        pass
    report = step.report()
    assert texts(report) == str(report).splitlines()
    assert texts(replace(report, causes=["command 1 of 2: got <script>"]))[-1].endswith("got <script>")

"""Draw docs/launch.svg, the bars of README.md, from benchmarks/results, and write its text in README.md.

Take the figures first (docs/figures.md says how), then run this:

    .venv/bin/python benchmarks/chart.py

The upper bars are those of launch-cuda.json, the lower ones those of launch.json's first device; ``machine.json`` names
the machines. With ``--check`` nothing is written, and the exit code is 1 if the drawing or the text is not up to date.

The drawing has a background of its own, so that it can be read on a light page and on a dark page, whatever the
reader's browser prefers. It is plain SVG: it loads no font and runs no script.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import RESULTS, ROOT, find, load

DRAWING = ROOT / "docs" / "launch.svg"
PAGE = ROOT / "README.md"
BEGIN, END = "<!-- chart: begin -->", "<!-- chart: end -->"
TITLE = "Host time of a launch, in µs"
COUNTS = (2, 16)  # arguments
CUDA = {
    "c": "C, the driver's own call",
    "launchpath": "launchpath",
    "cuda-core": "cuda.core",
    "cupy": "CuPy",
    "triton": "Triton",
}
OPENCL = {
    "c": "C, the driver's own calls",
    "launchpath": "launchpath",
    "pyopencl-typed": "PyOpenCL, types declared",
    "pyopencl": "PyOpenCL",
}

WIDTH, MARGIN, LABELS, VALUES = 760, 20, 190, 60
BAR, GAP, ROW = 12, 2, 36  # heights; a row is two bars and the space below them
TOP, HEADING, BETWEEN = 84, 26, 22
# Pairs of a light and a dark drawing: the text on the background has a contrast of 7:1 or more in both.
COLOURS = {
    "page": ("#ffffff", "#161b22"),
    "edge": ("#d0d7de", "#3d444d"),
    "text": ("#1f2328", "#e6edf3"),
    "note": ("#424a53", "#b1bac4"),
    "few": ("#848d97", "#768390"),
    "many": ("#57606a", "#c9d1d9"),
    "own-few": ("#4493f8", "#388bfd"),
    "own-many": ("#0550ae", "#a5d6ff"),
}
LINE = 118  # the longest line of the text


@dataclass(frozen=True)
class Panel:
    """Bars that can be compared with one another: the same device, process and scale."""

    title: str
    rows: tuple[tuple[str, str, tuple[float, ...]], ...]  # subject, its name, a time for each of COUNTS

    @classmethod
    def of(cls, file: str, device: str, title: str, names: dict[str, str]) -> Panel:
        measured = load(file)[device]
        rows = []
        for subject, name in names.items():
            measurements = [find(measured, subject, arguments=count) for count in COUNTS]
            if all(measurements):
                rows.append((subject, name, tuple(float(row["us"]) for row in measurements if row)))
        return cls(title, tuple(rows))

    @property
    def height(self) -> int:
        return HEADING + ROW * len(self.rows)


def panels() -> tuple[Panel, Panel]:
    machine = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    gpu, cpu = (next(iter(load(file))) for file in ("launch-cuda", "launch"))
    return (
        Panel.of("launch-cuda", gpu, f"CUDA, {machine['gpu'].split(',')[0]}", CUDA),
        Panel.of("launch", cpu, f"OpenCL, {machine['devices'].get(cpu, cpu)}", OPENCL),
    )


def figure(us: float) -> str:
    return f"{us:.1f}" if us >= 1 else f"{us:.2f}"


def style() -> str:
    light, dark = (
        "".join(f".{name}{{{'stroke' if name == 'edge' else 'fill'}:{pair[scheme]}}}" for name, pair in COLOURS.items())
        for scheme in (0, 1)
    )
    return f"<style>{light}\n@media (prefers-color-scheme: dark){{{dark}}}</style>"


def text(x: float, y: float, size: int, kind: str, content: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" class="{kind}"{more}>{escape(content)}</text>'


def bar(x: float, y: float, width: float, kind: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:.1f}" height="{BAR}" rx="2" class="{kind}"/>'


def drawing(shown: tuple[Panel, ...], words: str) -> str:
    height = TOP + sum(panel.height for panel in shown) + BETWEEN * (len(shown) - 1) + MARGIN // 2
    left = MARGIN + LABELS
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title words" font-family="system-ui, sans-serif">',
        f'<title id="title">{escape(TITLE)}</title>',
        f'<desc id="words">{escape(words)}</desc>',
        style(),
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" class="page edge"/>',
        text(MARGIN, 34, 18, "text", TITLE, ' font-weight="600"'),
    ]
    x = MARGIN
    for count, kind in zip(COUNTS, ("few", "many"), strict=True):
        parts += [bar(x, 49, 14, f"own-{kind}"), bar(x + 17, 49, 14, kind)]
        parts.append(text(x + 37, 60, 13, "note", f"with {count} arguments"))
        x += 170
    parts.append(text(WIDTH - MARGIN, 60, 13, "note", "shorter is better", ' text-anchor="end"'))
    y = TOP
    for panel in shown:
        parts.append(text(MARGIN, y + 10, 14, "text", panel.title, ' font-weight="600"'))
        scale = (WIDTH - MARGIN - VALUES - left) / max(max(times) for _, _, times in panel.rows)
        top = y + HEADING
        for subject, name, times in panel.rows:
            own = subject == "launchpath"
            weight = ' font-weight="600"' if own else ""
            parts.append(text(left - 10, top + 17, 13, "text", name, f' text-anchor="end"{weight}'))
            for place, (us, kind) in enumerate(zip(times, ("few", "many"), strict=True)):
                above = top + place * (BAR + GAP)
                parts.append(bar(left, above, us * scale, f"own-{kind}" if own else kind))
                parts.append(text(left + us * scale + 6, above + 10, 12, "text", figure(us), weight))
            top += ROW
        y += panel.height + BETWEEN
    return "\n".join([*parts, "</svg>"]) + "\n"


def in_words(shown: tuple[Panel, ...]) -> str:
    """What the bars show, for readers who do not see them."""
    counts = " / ".join(map(str, COUNTS))
    sentences = [f"{TITLE}, with {counts} arguments."]
    for panel in shown:
        rows = "; ".join(f"{name.split(', the')[0]} {' / '.join(map(figure, times))}" for _, name, times in panel.rows)
        sentences.append(f"{panel.title}: {rows}.")
    return " ".join(sentences)


def image(words: str) -> str:
    """The image of README.md: its text in lines that are short enough."""
    lines = [""]
    for word in f"![{words}](docs/launch.svg)".split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join([BEGIN, *lines, END])


def main() -> int:
    shown = panels()
    words = in_words(shown)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN, 1)
    texts = {DRAWING: drawing(shown, words), PAGE: before + image(words) + rest.split(END, 1)[1]}
    if "--check" in sys.argv[1:]:
        return int(any(not file.exists() or file.read_text(encoding="utf-8") != new for file, new in texts.items()))
    for file, new in texts.items():
        file.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

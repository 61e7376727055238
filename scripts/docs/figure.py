"""Figures: text blocks of the language `svgbob` become drawings, by svgbob.

On a code host such a block is read as it is. The drawing is part of the page, so it has the page's colours, light or
dark. svgbob comes with the package markdown-svgbob, for x86-64 only: on other machines the block stays text.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from docutils import nodes
from markdown_svgbob import wrapper
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

log = logging.getLogger(__name__)


def drawing(text: str) -> str:
    """Return the SVG of a figure, whose colours are the page's."""
    answer = subprocess.run(
        [str(wrapper.get_bin_path())], input=text, text=True, encoding="utf-8", capture_output=True, check=True
    ).stdout
    svg = re.sub(r"(?s)<style>.*?</style>|<rect class=\"backdrop\"[^>]*></rect>", "", answer)
    size = re.match(r'<svg xmlns="[^"]*" width="(\d+)" height="(\d+)"', svg)
    if size is None:
        raise ValueError(f"expected svgbob's drawing to begin with its size, got {svg[:80]!r}")
    box = f'viewBox="0 0 {size[1]} {size[2]}" style="max-width: {size[1]}px" class="figure"'
    return svg.replace("<svg ", f"<svg {box} ", 1)


class Figure(SphinxDirective):
    """A block of the language `svgbob`; the first words of its fence are its title."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> Sequence[nodes.Node]:
        """Draw the figure."""
        text = "\n".join(self.content)
        try:
            svg = drawing(text)
        except NotImplementedError as error:
            log.info("a figure stays text: %s", error)
            return [nodes.literal_block(text, text)]
        title = self.arguments[0] if self.arguments else ""
        label = f' role="img" aria-label="{title}"' if title else ""
        figure = nodes.raw("", f"<figure{label}>{svg}</figure>", format="html")
        return [figure]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("svgbob", Figure)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

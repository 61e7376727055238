"""The site's search finds the pages that beginners look for: by a title or a heading with the word, at its first place.

Sphinx gives a page the most points for a heading of which the words are at least a half, or for words of the title.
"""

import re

import pytest

from tests.pages import blocks

PLACES = {
    "reduction": "docs/kernels/reduction.md",
    "histogram": "docs/kernels/atomics.md",
    "shared memory": "docs/kernels/shared-memory.md",
    "barrier": "docs/kernels/shared-memory.md",
    "atomics": "docs/kernels/atomics.md",
    "printf": "docs/kernels/debugging.md",
    "textures": "docs/kernels/textures.md",
    "jupyter": "docs/notebooks.md",
    "load_inline": "docs/coming-from/torch-extensions.md",
}

pytestmark = pytest.mark.skipif(not blocks.KERNELS, reason="not in a checkout")


def points(page: str, words: str) -> float:
    """How well the headings of a page answer a search: a part of a heading, and more for the title."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", blocks.text(page))
    headings = [heading.lower().strip("`") for heading in re.findall(r"(?m)^#+ (.*)$", prose)]
    best = max((len(words) / len(heading) for heading in headings if words in heading), default=0)
    return best + (words in headings[0]) * 0.1


@pytest.mark.parametrize("words", PLACES)
def test_the_search_finds_the_page(words: str) -> None:
    pages = [page for page in blocks.PAGES if words in blocks.text(page).lower()]
    assert PLACES[words] == max(pages, key=lambda page: points(page, words))

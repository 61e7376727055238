"""Both snippets of each pair in docs/coming-from run, and print the same numbers.

Libraries that need no GPU, or have a simulator, run everywhere. On a machine with a GPU and the libraries,
`pytest tests/coming_from` runs all pairs there; `-k cupy` runs those of one library.
"""

from pathlib import Path

import pytest

import launchpath as lp
from tests.coming_from.peers import PEERS, run_launchpath, run_peer
from tests.coming_from.snippets import FOLDER, LAUNCHPATH, snippets

PAGES = sorted(page.stem for page in FOLDER.glob("*.md") if page.stem != "index")
DEVICES = lp.devices()

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="not in a checkout")


def test_each_page_has_a_library() -> None:
    assert set(PAGES) == set(PEERS)
    assert all(f"({page}.md)" in (FOLDER / "index.md").read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_the_pairs_print_the_same(page: str) -> None:
    printed: dict[str, dict[str, list[str]]] = {}
    for snippet in snippets(page):
        lines = printed.setdefault(snippet.heading, {}).setdefault(snippet.side, [])
        lines += snippet.printed
        if snippet.language == "python":
            compile(snippet.code, page, "exec")
    pairs = {heading: sides for heading, sides in printed.items() if len(sides) == 2}
    assert len(pairs) >= 4
    for heading, sides in pairs.items():
        assert sides[page] and sides[page] == sides[LAUNCHPATH], heading


@pytest.mark.sample(2)
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("device", DEVICES, ids=[device.info["platform"] for device in DEVICES])
def test_the_side_of_launchpath(page: str, device: lp.Device, tmp_path: Path) -> None:
    chosen, lines = run_launchpath(page, device, tmp_path)
    assert chosen
    for snippet, printed in zip(chosen, lines, strict=True):
        assert printed == snippet.printed, snippet.heading


@pytest.mark.sample(2)
@pytest.mark.parametrize("page", PAGES)
def test_the_side_of_the_other_library(page: str, tmp_path: Path) -> None:
    chosen, lines = run_peer(page, tmp_path)
    assert chosen
    for snippet, printed in zip(chosen, lines, strict=True):
        assert printed == snippet.printed, snippet.heading

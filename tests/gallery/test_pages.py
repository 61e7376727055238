"""The pages of the gallery: each program has a page, with a small picture and lines of its own code."""

import re
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(
    file for file in (ROOT / "examples" / "gallery").glob("*.py") if "\ndef main() -> None:" in file.read_text()
)
PAGES = ROOT / "docs" / "gallery"
MOST = 60_000  # bytes of a picture
SIZES = (600, 1000)  # the least and the most width in pixels

pytestmark = pytest.mark.skipif(not PAGES.exists(), reason="not in a checkout")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_each_program_has_a_page_with_its_code(program):
    page = (PAGES / f"{program.stem}.md").read_text()
    sources = program.read_text()
    for name in re.findall(r"`(examples/[\w/]+\.(?:cu|py))`", page):
        sources += (ROOT / name).read_text()
    excerpts = re.findall(r"^```(?:py|cpp)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert excerpts
    for excerpt in excerpts:
        lines = [line.strip() for line in excerpt.splitlines() if line.strip() not in ("", "...")]
        assert not [line for line in lines if line not in [each.strip() for each in sources.splitlines()]]
    assert f"examples/gallery/{program.name}" in page
    assert f"({program.stem}.md)" in (PAGES / "index.md").read_text()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_each_program_has_a_picture(program):
    file = PAGES / f"{program.stem}.png"
    assert f"({program.stem}.png)" in file.with_suffix(".md").read_text()
    assert file.stat().st_size <= MOST
    with Image.open(file) as picture:
        assert SIZES[0] <= picture.width <= SIZES[1]


def test_pages_and_pictures_are_of_programs():
    names = {file.stem for file in PAGES.iterdir()} - {"index"}
    assert names == {program.stem for program in PROGRAMS}

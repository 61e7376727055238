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


def used_by(name: str) -> set[str]:
    """The files of the gallery that a file uses, itself among them."""
    text = (ROOT / "examples" / "gallery" / name).read_text()
    names = {name}
    if 'with_suffix(".cu")' in text:
        names.add(f"{name.removesuffix('.py')}.cu")
    for module in re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE):
        if (ROOT / "examples" / "gallery" / f"{module}.py").exists():
            names |= used_by(f"{module}.py")
    return names


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
    # At its end is the whole program: the file, its kernels, and the files that they use, but for what all programs share.
    listed = re.findall(
        r"^- \[([\w.]+)\]\(\.\./\.\./examples/gallery/\1\)$", page.split("## The whole program")[1], re.MULTILINE
    )
    assert set(listed) == {name for name in used_by(program.name) if name != "picture.py"}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_each_program_has_a_picture(program):
    file = PAGES / f"{program.stem}.png"
    assert f"({program.stem}.png)" in file.with_suffix(".md").read_text()
    assert f"({program.stem}.png)" in (PAGES / "index.md").read_text()
    sizes = set()
    for each, light in (file, True), (file.with_stem(f"{program.stem}-dark"), False):
        assert each.stat().st_size <= MOST
        with Image.open(each) as picture:
            assert SIZES[0] <= picture.width <= SIZES[1]
            sizes.add(picture.size)
            corner = picture.convert("L").getpixel((picture.width - 1, picture.height - 1))
            assert corner > 240 if light else corner < 30
    assert len(sizes) == 1


def test_pages_and_pictures_are_of_programs():
    names = {file.stem.removesuffix("-dark") for file in PAGES.iterdir()} - {"index"}
    assert names == {program.stem for program in PROGRAMS}

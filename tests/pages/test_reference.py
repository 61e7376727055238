"""The reference has every public name, and every public docstring has what readers need."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString

import launchpath as lp
from scripts.docs import contents, docstrings, links, pages, public, reference
from scripts.docs.__main__ import write_source


def entries(folder: Path) -> list[str]:
    """Write the reference, and give the names that have an entry."""
    reference.write(folder)
    text = "\n".join(file.read_text(encoding="utf-8") for file in folder.glob("*.rst"))
    return re.findall(r"^ *\.\. auto\w+:: (\S+)$", text, re.MULTILINE)


def test_every_public_name_has_a_single_entry(tmp_path: Path) -> None:
    names = entries(tmp_path / "reference")
    described = {
        f"launchpath.{cls}.{attribute}"
        for cls in public.names(lp)
        if isinstance(getattr(lp, cls), type)
        for attribute in reference.attributes(getattr(lp, cls))
    }
    described |= {f"launchpath.interop.Adopted.{name}" for name in reference.attributes(lp.interop.Adopted)}
    missing = [name.full for name in public.everything() if name.full not in described and name.full not in names]
    assert not missing
    assert not {name for name in names if names.count(name) > 1}
    assert len(names) > 600


def test_the_public_names_are_those_of_the_modules() -> None:
    names = {name.full for name in public.everything()}
    for module in public.MODULES:
        for name in module.__all__:
            own = (f"{module.__name__}.{name}", f"launchpath.{name}", f"launchpath.errors.{name}")
            assert isinstance(getattr(module, name), type(lp)) or names & set(own), name
    assert {"launchpath.Stream.record", "launchpath.range", "launchpath.hip.hipMalloc"} <= names


def test_public_docstrings_lack_nothing() -> None:
    assert not sorted(docstrings.lacks())


def without_parameters(size: int) -> None:
    """Do something."""


def without_raises(size: int) -> None:
    """Do something.

    Parameters
    ----------
    size : int
        In bytes.
    """
    if size:
        raise ValueError("no")


def without_unit(size: int) -> None:
    """Do something.

    Parameters
    ----------
    size : int
        How much.
    """


def without_shape(out: Any) -> None:
    """Do something.

    Parameters
    ----------
    out : Array
        Where it goes.
    """


def described_elsewhere(x: int) -> None:
    """Do something.

    Parameters
    ----------
    x : int
        As for `without_unit`.
    """


def without_returns(x: int) -> int:
    """Do something.

    Parameters
    ----------
    x : int
        Any.
    """
    return x


def with_another_parameter(x: int) -> None:
    """Do something.

    Parameters
    ----------
    x, y : int
        Any.
    """


@pytest.mark.parametrize(
    "function, lacking",
    [
        (without_parameters, "parameter size is not described"),
        (without_raises, "no Raises"),
        (without_unit, "parameter size: no unit"),
        (without_shape, "parameter out: an array without shape or dtype"),
        (described_elsewhere, "parameter x: described elsewhere"),
        (without_returns, "no Returns"),
        (with_another_parameter, "y is not a parameter"),
    ],
)
def test_what_a_docstring_lacks_is_noticed(function: Callable[..., Any], lacking: str) -> None:
    name = public.Name(f"tests.{function.__name__}", function, None)
    assert list(docstrings._lacks_of(function, NumpyDocString(function.__doc__ or ""), name)) == [lacking]


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">b</a><a href="b.html#not">c</a><a href="https://x.y">d</a>'
    )
    (tmp_path / "b.html").write_text('<p id="there"></p><img src="none.svg"><a href="#">top</a>')
    report = links.check(tmp_path)
    assert report.broken == ["a.html: b.html#not", "b.html: none.svg"]
    assert report.external == {"https://x.y"}
    assert (report.pages, report.internal) == (2, 4)


def test_a_page_without_a_place_is_an_error(tmp_path: Path) -> None:
    listed = tmp_path / "contents.toml"
    listed.write_text(
        '[[section]]\ngroup = "Use"\npages = ["z"]\n[[section]]\ntitle = "The A"\npages = ["a"]\n'
        '[[section]]\ngroup = "More"\ntitle = "B"\nfolder = "b"\n'
    )
    (tmp_path / "b").mkdir()
    for page in ("index.md", "z.md", "a.md", "b/two.md", "b/index.md", "b/one.md"):
        (tmp_path / page).write_text(f"# {page}\n\nThis page describes `{page}`\nof [this](that.md). More.\n")
    use, more = contents.groups(tmp_path, listed)
    assert use.pages() == ["contents/use", "z", "contents/the-a", "a"]
    assert more.pages() == ["contents/more", "b/index", "b/one", "b/two"]
    contents.write(tmp_path, [use, more])
    assert (tmp_path / "contents" / "use.md").read_text() == (
        "# Use\n\n- [](/z): `z.md` of this\n- [The A](/contents/the-a)\n  - [](/a): `a.md` of this\n"
        "\n```{toctree}\n:hidden:\n\n/z\nThe A </contents/the-a>\n```\n"
    )
    assert (tmp_path / "b" / "index.md").read_text().endswith("```{toctree}\n:hidden:\n\n/b/one\n/b/two\n```\n")
    assert contents.cards([use]) == "- **[Use](/contents/use)**\n\n  [](/z), [The A](/contents/the-a)\n"
    shutil.rmtree(tmp_path / "contents")
    (tmp_path / "c.md").touch()
    with pytest.raises(ValueError, match="got \\['c'\\] without a place"):
        contents.groups(tmp_path, listed)


def test_the_pages_of_the_repository_have_places(tmp_path: Path) -> None:
    write_source(tmp_path / "source")
    index = (tmp_path / "source" / "index.md").read_text(encoding="utf-8")
    # Five lines and a picture come first, then the groups; the README's own list of pages is not repeated.
    first = index.split("\n## ")[0]
    assert re.findall(r"^(\d)\. ", first, re.MULTILINE) == list("12345") and "![" in first
    assert re.findall(r"^## (.*)", index, re.MULTILINE)[:2] == ["Where to go", "Installing"]
    assert "## Documentation" not in index and "# Documentation" in (pages.ROOT / "README.md").read_text(
        encoding="utf-8"
    )
    assert "/contents/use>\nLook into a program </contents/look-into-a-program>\n" in index
    assert "\n/tour\n" in (tmp_path / "source" / "contents" / "use.md").read_text(encoding="utf-8")
    # Links as the site needs them: to copies of files, and with titles in place of the names of files.
    native = (tmp_path / "source" / "native.md").read_text(encoding="utf-8")
    assert "(files/src/launchpath/include/launchpath.h.md)" in native and "(files/examples/native.md)" in native
    assert "[](streams.md)" in (tmp_path / "source" / "tour.md").read_text(encoding="utf-8")
    # Drawings for light pages and for dark ones, and whole programs.
    light, dark = (
        (tmp_path / "source" / name).read_text(encoding="utf-8") for name in ("launch.svg", "launch-dark.svg")
    )
    assert "@media not all{" in light and "@media all{" in dark
    heat = (tmp_path / "source" / "gallery" / "heat.md").read_text(encoding="utf-8")
    program = (pages.ROOT / "examples" / "gallery" / "heat.py").read_text(encoding="utf-8")
    assert f"`examples/gallery/heat.py`:\n\n````python\n{program}````\n" in heat

"""The reference has every public name, and every public docstring has what readers need."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString

import launchpath as lp
from scripts.docs import contents, docstrings, links, public, reference
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
    listed.write_text('[[section]]\ntitle = "A"\npages = ["a"]\n[[section]]\ntitle = "B"\nfolder = "b"\n')
    (tmp_path / "b").mkdir()
    for page in ("index.md", "a.md", "b/two.md", "b/index.md", "b/one.md"):
        (tmp_path / page).touch()
    sections = contents.sections(tmp_path, listed)
    assert [section.pages for section in sections] == [("a",), ("b/index", "b/one", "b/two")]
    (tmp_path / "c.md").touch()
    with pytest.raises(ValueError, match="got \\['c'\\] without a place"):
        contents.sections(tmp_path, listed)


def test_the_pages_of_the_repository_have_places(tmp_path: Path) -> None:
    write_source(tmp_path / "source")
    index = (tmp_path / "source" / "index.md").read_text(encoding="utf-8")
    assert "\n/tour\n" in index and "\n/reference/index\n" in index
    # Links as the site needs them: to copies of files, and with titles in place of the names of files.
    native = (tmp_path / "source" / "native.md").read_text(encoding="utf-8")
    assert "(files/src/launchpath/include/launchpath.h)" in native and "(files/examples/native.md)" in native
    assert "[](streams.md)" in (tmp_path / "source" / "tour.md").read_text(encoding="utf-8")

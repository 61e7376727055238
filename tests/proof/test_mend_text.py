"""The mends of findings."""

import pytest

from launchpath._findings.anchor import Anchor
from launchpath._mends.request import mends
from launchpath._proof.mend_text import mend_text

SITES = ["/home/a b/sim.py:57 Sim.upload", "/x/y.py:3 <module>", "/x/y.py:3 other"]


@pytest.mark.parametrize(
    ("kind", "anchor", "text"),
    [
        ("launch-bound", Anchor("range", "forces"), "step:forces"),
        ("launch-bound", Anchor("range", "a, b"), r"step:a\, b"),
        ("launch-bound", Anchor("kernel", "integrate"), "step:@integrate"),
        ("launch-bound", Anchor("kernel", "integrate", 20), "step:@integrate*20"),
        ("launch-bound", Anchor("kernel", "f<int, float*>"), r"step:@f<int\, float*>"),
        ("launch-bound", Anchor("kernel", "f*2"), "step:@f*2*1"),
        ("launch-bound", None, ""),
        ("equal-uploads", None, "skip-upload:/home/a b/sim.py:57,skip-upload:/x/y.py:3"),
        ("needless-synchronize", Anchor("kernel", "k"), "no-wait:/home/a b/sim.py:57,no-wait:/x/y.py:3"),
        ("serial-copies", Anchor("kernel", "k"), ""),
    ],
)
def test_each_finding_has_its_mend(kind: str, anchor: Anchor | None, text: str) -> None:
    assert mend_text(kind, SITES, anchor) == text


def test_it_is_read_as_it_is_meant() -> None:
    (mend,) = mends(mend_text("launch-bound", [], Anchor("kernel", "f<int, float*>", 3)))
    assert (mend.kernel, mend.every) == ("f<int, float*>", 3)
    (mend,) = mends(mend_text("launch-bound", [], Anchor("kernel", "f*2")))
    assert (mend.kernel, mend.every) == ("f*2", 1)
    (mend, other) = mends(mend_text("equal-uploads", SITES, None))
    assert mend.place is not None and mend.place.has("/home/a b/sim.py", 57, "Sim.upload")
    assert other.place is not None and other.place.line == 3


def test_a_site_that_has_no_line_has_none() -> None:
    assert mend_text("equal-uploads", ["module+0x123", ""], None) == ""

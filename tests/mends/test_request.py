"""What ``LAUNCHPATH_MEND`` may say."""

import pytest

from launchpath._mends.request import NO_WAIT, READ_BACKS, SKIP_UPLOAD, STEP, Mend, Place, mends
from launchpath.errors import ArgumentValueError

GOOD = {
    "step:forces": Mend(STEP, "step:forces", range_name="forces"),
    "step: forces and more ": Mend(STEP, "step: forces and more", range_name="forces and more"),
    "step:a:b*2": Mend(STEP, "step:a:b*2", range_name="a:b*2"),
    "step:12": Mend(STEP, "step:12", range_name="12"),
    r"step:f<int\, float>": Mend(STEP, "step:f<int, float>", range_name="f<int, float>"),
    "step:@integrate": Mend(STEP, "step:@integrate", kernel="integrate"),
    "step:@integrate*20": Mend(STEP, "step:@integrate*20", kernel="integrate", every=20),
    "step:@f<float*>*2": Mend(STEP, "step:@f<float*>*2", kernel="f<float*>", every=2),
    "step:@f<float*>": Mend(STEP, "step:@f<float*>", kernel="f<float*>"),
    "step:@k@sim.py:41": Mend(STEP, "step:@k@sim.py:41", kernel="k", place=Place("sim.py", 41)),
    "step:src/sim.py:41*3": Mend(STEP, "step:src/sim.py:41*3", every=3, place=Place("src/sim.py", 41)),
    "step:<string>:4": Mend(STEP, "step:<string>:4", place=Place("<string>", 4)),
    "skip-upload:sim.py:57": Mend(SKIP_UPLOAD, "skip-upload:sim.py:57", place=Place("sim.py", 57)),
    "skip-upload:Sim.upload": Mend(SKIP_UPLOAD, "skip-upload:Sim.upload", place=Place(function="Sim.upload")),
    "no-wait:63": Mend(NO_WAIT, "no-wait:63", place=Place("", 63)),
    "no-wait:/a/b.py:63": Mend(NO_WAIT, "no-wait:/a/b.py:63", place=Place("/a/b.py", 63)),
    "read-backs": Mend(READ_BACKS, "read-backs"),
}  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_a_mend_is_read(text: str) -> None:
    assert mends(text) == [GOOD[text]]


def test_several_mends_are_separated_by_commas() -> None:
    assert [mend.kind for mend in mends("step:a, no-wait:3 ,skip-upload:f,read-backs")] == [
        STEP, NO_WAIT, SKIP_UPLOAD, READ_BACKS,
    ]  # fmt: skip


BAD = {
    "": "expected step:NAME, skip-upload:NAME, no-wait:LINE or read-backs, separated by commas, got ''",
    "step": "got 'step'",
    "step:": "got 'step:'",
    "step: ": "got 'step:'",
    "steps:a": "got 'steps:a'",
    "step:a,,no-wait:3": "got ''",
    "read-backs:all": "got 'read-backs:all'",
    "skip-upload:": "got 'skip-upload:'",
    "step:@": "expected step:@KERNEL or step:@KERNEL@FILE:LINE, got 'step:@'",
    "step:@k@sim": "expected step:@KERNEL or step:@KERNEL@FILE:LINE, got 'step:@k@sim'",
    "step:@@a.py:3": "got 'step:@@a.py:3'",
    "step:a,step:a": "expected each mend once, got 'step:a' twice",
}


@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ArgumentValueError) as raised:
        mends(text)
    assert str(raised.value).startswith("LAUNCHPATH_MEND: expected ")
    assert BAD[text] in str(raised.value)


@pytest.mark.parametrize(
    ("place", "has"),
    [
        (Place("sim.py", 4), True),
        (Place("a/sim.py", 4), True),
        (Place("/b/a/sim.py", 4), True),
        (Place("", 4), True),
        (Place("sim.py", 5), False),
        (Place("im.py", 4), False),
        (Place("c/sim.py", 4), False),
        (Place(function="run"), True),
        (Place(function="Sim.run"), True),
        (Place(function="im.run"), False),
        (Place(function="Sim"), False),
    ],
)
def test_a_place_has_calls(place: Place, has: bool) -> None:
    assert place.has("/b/a/sim.py", 4, "Sim.run") == has

"""Trials: what is compared, and what errors of launchpath's own become."""

from typing import Any

import pytest

from launchpath import fast
from launchpath._fast.capture import CaptureError, Launched
from launchpath._fast.records import Record, Records
from launchpath._fast.trial import TRIALS, Trial, compare
from tests.fast_launches.launches import numbers, specialization

OURS = bytes(range(8))
CONFIG = ((2, 1, 1), (32, 1, 1), 16)


def original(**more: Any) -> Launched:
    values = {
        "function": 0x1000, "grid": (2, 1, 1), "block": (32, 1, 1), "shared": 16, "places": ((0, 4), (4, 4)),
        "values": (OURS[:4], OURS[4:]),
    }  # fmt: skip
    return Launched(**{**values, **more})  # type: ignore[arg-type]


class Driver:
    def __init__(self, answer: Launched | CaptureError) -> None:
        self.answer = answer

    def launched(self, launch: Any) -> Launched:
        if isinstance(self.answer, CaptureError):
            raise self.answer
        return self.answer


def made() -> Any:
    of = specialization(numbers((0, 4), (4, 4)), 8, on=False)
    of.note = Trial(0x1000, ["x", "n"])
    return of


def test_agreement_ends_the_trial() -> None:
    of = made()
    for turn in range(TRIALS):
        assert of.state == 0, turn
        compare(Driver(original()), Record("triton", "f"), of, OURS, CONFIG, print)  # type: ignore[arg-type]
    assert of.state == 1


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"function": 0x2000}, "function: 0x2000 there, 0x1000 here"),
        ({"grid": (3, 1, 1)}, r"grid: \(3, 1, 1\) there, \(2, 1, 1\) here"),
        ({"block": (64, 1, 1)}, "block"),
        ({"shared": 0}, "bytes of shared memory: 0 there, 16 here"),
        ({"places": ((0, 4), (8, 4))}, "bytes of arguments: 12 there, 8 here"),
        ({"values": (OURS[:4], b"abcd")}, "parameter 'n': 61626364 there, 04050607 here"),
    ],
)
def test_difference_switches_the_kernel_off(more: dict[str, Any], text: str) -> None:
    of = made()
    with pytest.warns(fast.FastLaunchWarning, match=text):
        compare(Driver(original(**more)), Record("triton", "f"), of, OURS, CONFIG, print)  # type: ignore[arg-type]
    assert of.state == 2
    assert of.note.refused.startswith("its launch differs: ")


def test_what_cannot_be_compared_is_not_launched() -> None:
    of = made()
    compare(Driver(CaptureError("no capture")), Record("triton", "f"), of, OURS, CONFIG, print)  # type: ignore[arg-type]
    assert (of.state, of.note.refused) == (2, "its bytes cannot be compared: no capture")


def test_error_of_launchpath_is_a_reason() -> None:
    def fails(*args: Any) -> str:
        raise AttributeError("moved")

    record = Record("library", "kernel")
    of = made()
    text = "launchpath does not understand it (AttributeError: moved)"
    assert record.launch(lambda: 7, None, of, fails, fails) == 7
    assert (of.state, of.note.refused) == (2, text)
    assert record.launch(lambda: 7, None, None, fails, fails) == 7
    assert record.launch(lambda: 7, None, None, fails, lambda value: f"reason {value}") == 7
    assert record.originals == {text: 2, "reason 7": 1}
    assert len(record.original_ns) == 1, "of launches that compile nothing"


def test_original_that_raises_is_counted() -> None:
    record = Record("library", "kernel")
    for reason in (None, "a hook"):
        with pytest.raises(ZeroDivisionError):
            record.launch(lambda: 1 / 0, reason, None, str, str)
    assert record.originals == {"it raised ZeroDivisionError": 1, "a hook": 1}
    assert record.launch(lambda: 5, "a hook", None, str, str) == 5
    assert record.originals["a hook"] == 2


def test_launchers_that_are_left_as_they_are_are_counted() -> None:
    records = Records()
    counter = records.counter("inductor", "kernel", "in C", lambda *args, **kwargs: (args, kwargs))
    assert counter(1, 2, a=3) == ((1, 2), {"a": 3})
    assert records.counter("inductor", "kernel", "in C", print)("") is None
    (record,) = records.all()
    record.count("another")
    assert record.reasons() == {"in C": 2, "another": 1}
    records.begin_again()
    assert record.reasons() == {}

"""Reports: numbers of launches, reasons, and what was saved."""

import pytest

from launchpath._fast.records import Record, Records
from launchpath._fast.report import FastReport, KernelLaunches


def kernel(**more: object) -> KernelLaunches:
    values = {
        "library": "triton", "name": "f", "fast": 1000, "original": 3, "reasons": {"on trial": 3}, "fast_time": 5e-6,
        "original_time": 15e-6,
    }  # fmt: skip
    return KernelLaunches(**{**values, **more})  # type: ignore[arg-type]


def test_saved_is_measured_or_not_said() -> None:
    assert kernel().saved == pytest.approx(0.01)
    assert kernel(fast_time=20e-6).saved == pytest.approx(-0.005)
    assert kernel(original_time=None).saved is None
    assert kernel(fast=0, fast_time=None).saved == 0.0


def test_line_and_table() -> None:
    rows = (
        kernel(), kernel(name="g", fast=0, original=20, reasons={"scratch memory": 20}, fast_time=None),
        kernel(library="numba", name="h", fast=5, original_time=None),
    )  # fmt: skip
    made = FastReport(rows, ("Triton 99: unknown",))
    assert (made.fast, made.original, made.reasons) == (1005, 26, {"scratch memory": 20, "on trial": 6})
    assert made.line() == (
        "launchpath: 1,005 launches were fast, 26 went their library's own way (most often: scratch memory, 20); saved 10.00 ms "
        "of the host's time (not measured for 5)"
    )
    lines = str(made).splitlines()
    assert len(lines) == 6
    assert lines[1].split() == ["triton:", "f", "1,000", "3", "5.00", "15.00", "10.00", "ms", "on", "trial", "3"]
    assert lines[3].split()[-6:] == ["5.00", "-", "-", "on", "trial", "3"]
    assert lines[4] == "Triton 99: unknown"


def test_records_count_and_begin_again() -> None:
    records = Records()
    first = records.new("triton", "f")
    first.count("on trial", 3000)
    first.count("on trial", 1000)
    first.count("a hook")
    records.count("numba", "g", "unknown")
    records.count("numba", "g", "unknown")
    assert [dict(record.originals) for record in records.all()] == [{"on trial": 2, "a hook": 1}, {"unknown": 2}]
    assert first.original_seconds() == pytest.approx(2e-6)
    records.begin_again()
    assert [sum(record.originals.values()) for record in records.all()] == [0, 0]


def test_numbers_of_dropped_specializations_stay() -> None:
    class Specialization:
        launches = 7

        def samples_ns(self) -> list[int]:
            return [100, 300]

    class Fast:
        def specializations(self) -> list[Specialization]:
            return [Specialization()]

    record = Record("triton", "f")
    record.fast = Fast()
    record.note_dropped(Specialization())  # type: ignore[arg-type]
    assert record.fast_launches() == 14
    assert record.fast_seconds() == pytest.approx(200e-9)
    record.take_back()
    assert record.fast_launches() == 0

"""A few random programs on each device, and whether they would notice if something went wrong."""

from __future__ import annotations

import pytest

from tests.standin.build import NoCompilerError, library

from .draft import Setting
from .generator import part
from .machine import Machine
from .processes import Options, Workers
from .program import Program
from .report import Report

PROGRAMS = 12  # a second or two
SETTING = Setting(host_reaches=(True,), shared_streams=("blocking",), is_alone=False, is_limited=False)


def outcomes(devices, seeds, **more):
    return [Program(seed, devices, variants=1, **more).run() for seed in seeds]


@pytest.mark.parametrize("first", [0, 100])
def test_programs_give_what_numpy_gives(device, first):
    for outcome in outcomes([device], range(first, first + PROGRAMS)):
        assert outcome.kind == "right", outcome.text


def test_programs_over_two_devices_give_what_numpy_gives(two_devices):
    for outcome in outcomes(two_devices, range(PROGRAMS // 2)):
        assert outcome.kind == "right", outcome.text


@pytest.mark.parametrize("name", ["standin", "standin-hip"])
def test_programs_on_the_stand_in_give_what_numpy_gives(name):
    try:
        library("cuda")
    except NoCompilerError as error:
        pytest.skip(str(error))
    report = Report(name)
    Workers(Options(name), report, iter(range(30)), None).run()
    assert (report.programs, report.failed) == (30, 0), report


def test_a_wait_that_is_left_out_is_noticed(device, monkeypatch):
    monkeypatch.setattr(Machine, "wait", lambda self, stream, event: None)
    assert any(outcome.kind == "wrong" for outcome in outcomes([device], range(20), threads=1))


def test_a_program_that_does_not_end_is_told_with_all_stacks(device_id, capsys):
    report = Report(device_id)
    Workers(Options(device_id, patience=0.001), report, iter([5]), None).run()
    assert (report.counts["hung"], report.programs) == (1, 1)
    assert "most recent call first" in capsys.readouterr().out


def test_a_seed_stands_for_one_program():
    assert part(7, SETTING) == part(7, SETTING) != part(8, SETTING)

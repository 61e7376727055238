"""A few random programs on each device, and whether they would notice if something went wrong."""

import tempfile
import time
from dataclasses import replace

import pytest

import launchpath as lp
from launchpath._trace.format import TIMES
from tests.sample import amount
from tests.standin.build import library
from tests.tracing.raw import read

from . import traces
from .drawing.draft import Setting
from .drawing.generator import part
from .kernels import Kernels
from .machine import Machine
from .processes import Options, Workers
from .program import Program
from .recorder import Recorder
from .report import Report
from .step import Step

PROGRAMS = 12  # a second or two
ON_THE_STAND_IN = amount(12, 30)
SETTING = Setting(host_reaches=(True,), shared_streams=("blocking",), is_alone=False, is_limited=False)


def outcomes(devices, seeds, **more):
    return [Program(seed, devices, variants=1, **more).run() for seed in seeds]


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", [0, 100])
def test_programs_give_what_numpy_gives(device, first):
    for outcome in outcomes([device], range(first, first + PROGRAMS)):
        assert outcome.kind == "right", outcome.text


def test_programs_over_two_devices_give_what_numpy_gives(two_devices):
    for outcome in outcomes(two_devices, range(PROGRAMS // 2)):
        assert outcome.kind == "right", outcome.text


def on_the_stand_in(name, count=ON_THE_STAND_IN, **options):
    library("cuda")
    report = Report(name)
    Workers(Options(name, **options), report, iter(range(count)), None).run()
    assert (report.programs, report.failed) == (count, 0), report


@pytest.mark.parametrize("name", ["standin", "standin-hip"])
def test_programs_on_the_stand_in_give_what_numpy_gives(name):
    on_the_stand_in(name)


@pytest.mark.parametrize("without", [(), ("hold", "host_function")])
def test_traces_of_programs_have_each_time_once(without):
    on_the_stand_in("standin-cupti", without=without, trace='{"cupti": true}')


def test_times_that_are_missing_are_noticed(device, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def lossy(path):
        raw = read(path)
        for parts in raw.threads.values():
            parts[:] = [part[part[:, 0] != TIMES] for part in parts]
        return raw

    monkeypatch.setattr(traces, "read", lossy)
    outcome = traces.run_traced(Program(3, [device], variants=1), {})
    assert (outcome.kind, "commands have no times" in outcome.text) == ("wrong", True)
    assert len(list(tmp_path.glob("*.lptrace"))) == 1  # kept, to be looked at


TRACED = 6  # programs


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", [0, 100])
def test_programs_with_traces_in_their_middle(device, first):
    for outcome in outcomes([device], range(first, first + TRACED), traces=True):
        assert outcome.kind == "right", outcome.text


@pytest.mark.parametrize("name", ["standin", "standin-hip", "standin-cupti"])
def test_programs_on_the_stand_in_with_traces_in_their_middle(name):
    on_the_stand_in(name, 10, traces=True)


def test_records_of_other_launches_are_noticed(device, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    recorder, kernel, array = Recorder(), Kernels(device, 0).count[1, 1], lp.zeros(1, "uint32", device)
    recorder.begin(mode="host")
    number = recorder.note(Step("count", {}), 1, 1)
    noted = recorder.noted[number]
    with lp.external_correlation_id(number):
        kernel(array, 1)
    noted.end = noted.submitted = time.monotonic_ns()
    recorder.end(patience=1)
    raw = read(recorder.paths[0])
    assert recorder.check(0, raw) == ""
    noted.calls = 2
    assert "1 records of calls of launch, expected 2 to 2" in recorder.check(0, raw)
    noted.calls = 0
    assert "1 records of calls of launch, expected 0 to 0" in recorder.check(0, raw)
    noted.calls, noted.begin = 1, recorder.periods[0].maybe_until + 1
    noted.end = noted.submitted = noted.begin
    assert "1 records of calls of launch, expected 0 to 0" in recorder.check(0, raw)
    noted.begin = 0  # before the trace: perhaps with a record, perhaps without
    assert recorder.check(0, raw) == ""
    del recorder.noted[number]
    assert "launches of no step" in recorder.check(0, raw)


def test_operations_can_be_left_out():
    without = replace(SETTING, without=frozenset({"hold", "host_function"}))
    assert not {step.name for seed in range(20) for step in part(seed, without)} & without.without


def test_a_wait_that_is_left_out_is_noticed(device, monkeypatch):
    monkeypatch.setattr(Machine, "wait", lambda self, stream, event: None)
    assert any(outcome.kind == "wrong" for outcome in outcomes([device], range(20), threads=1))


def test_a_program_that_does_not_end_is_reported_with_all_stacks(device_id, capsys):
    report = Report(device_id)
    Workers(Options(device_id, patience=0.001), report, iter([5]), None).run()
    assert (report.counts["hung"], report.programs) == (1, 1)
    assert "most recent call first" in capsys.readouterr().out


def test_a_seed_stands_for_the_same_program():
    assert part(7, SETTING) == part(7, SETTING) != part(8, SETTING)

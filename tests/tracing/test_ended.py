"""A trace that has ended, or goes on, has what `read_trace` gives of its file."""

from pathlib import Path

import pytest

import launchpath as lp
from tests.fixtures import arrays
from tests.simulated import Machine


def launches(machine: Machine, stream: lp.Stream, count: int) -> None:
    a, b = arrays(machine, 2)
    for tag in range(count):
        machine.kernel()[1, 1, stream](b, a, 0, tag)


def test_a_trace_that_has_ended(machine: Machine, stream: lp.Stream, tmp_path: Path) -> None:
    with lp.trace(tmp_path / "a.lptrace", mode="host") as trace:
        launches(machine, stream, 3)
    saved = lp.read_trace(tmp_path / "a.lptrace")
    assert trace.summary().calls["launch"].calls == saved.summary().calls["launch"].calls == 3
    assert str(trace.findings()) == str(saved.findings())
    for table in ("dispatches", "calls", "ranges", "streams"):
        for own, read in zip(getattr(trace, table)(), getattr(saved, table)(), strict=True):
            assert {name: list(column) for name, column in own.items()} == {
                name: list(column) for name, column in read.items()
            }
    trace.write_perfetto(tmp_path / "own.pftrace")
    saved.write_perfetto(tmp_path / "read.pftrace")
    assert (tmp_path / "own.pftrace").read_bytes() == (tmp_path / "read.pftrace").read_bytes()
    trace.write_csv(tmp_path / "a.csv")
    trace.write_parquet(tmp_path / "tables")
    assert (tmp_path / "a.csv").exists() and list((tmp_path / "tables").iterdir())
    assert len(trace.to_pandas()) == 3
    assert trace.sql("select count(*) as n from dispatches").to_pydict() == {"n": [3]}


def test_a_trace_that_goes_on(machine: Machine, stream: lp.Stream, tmp_path: Path) -> None:
    with lp.trace(tmp_path / "a.lptrace", mode="host") as trace:
        for count in (2, 5):
            launches(machine, stream, count)
            (dispatches,) = trace.dispatches()
        assert len(dispatches["started"]) == 7
        launches(machine, stream, 1)
    assert len(trace.dispatches()[0]["started"]) == 8


def test_a_trace_that_was_not_begun(tmp_path: Path) -> None:
    trace = lp.trace(tmp_path / "a.lptrace")
    for read in (trace.summary, trace.dispatches, lambda: trace.write_perfetto(tmp_path / "a.pftrace")):
        with pytest.raises(lp.LaunchpathError, match="is not going on: start\\(\\) begins one"):
            read()
    assert not (tmp_path / "a.pftrace").exists()

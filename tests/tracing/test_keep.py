"""What traces keep: records, their summary, both, or the records around what was slow; of the core and the recorder."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy
import pytest

import launchpath as lp
from launchpath._trace.condensed.blob import Blob
from launchpath._trace.condensed.condense import condensed_file
from launchpath._trace.condensed.condensed import TABLES
from launchpath._trace.condensed.naming import named
from launchpath._trace.condensed.packing import is_condensed
from launchpath._trace.files.file import TraceFile
from launchpath._trace.labels import Labels
from launchpath.errors import ArgumentValueError, TraceFileError
from tests.faults.processes import end
from tests.tracing.conftest import Launch
from tests.tracing.tracers import Tracer

STEPS, LAUNCHES = 40, 5
PROGRAM = f"""
import time
with trace:
    for number in range({STEPS}):
        with lp.range("step"):
            for _ in range({LAUNCHES}):
                spin(array, 1)
            stream.synchronize()
            if number == {STEPS // 2}:
                time.sleep(0.2)
        time.sleep(0.002)
"""
# By clocks that are measured while the program runs, or behind its end: a start may seem to be before the wait's end.
UNLIKE = ("gaps", "runs", "delays", "after_synchronizing")


def _counts(path: Path, table: str) -> dict[str, tuple[int, int]]:
    return {name: (row.calls, row.failed) for name, row in condensed_file(path).tables[table].items()}


@pytest.mark.processes
def test_a_summary_alone_is_small_and_counts_all(tracer: Tracer, path: Path) -> None:
    end(tracer.begin(PROGRAM, keep="summary"))
    assert is_condensed(path) == tracer.is_core  # `launchpath trace` does it for the recorder
    if tracer.is_core:
        assert path.stat().st_size < 1 << 16
    assert _counts(path, "kernels") == {"spin": (STEPS * LAUNCHES, 0)}
    if tracer.is_core:  # the recorder sees ranges of NVTX alone
        assert _counts(path, "ranges") == {"step": (STEPS, 0)}
        (step,) = [turns for turns in condensed_file(path).turns if turns.kind == "range"]
        assert (step.name, step.turns, int(step.windows["turns"].sum())) == ("step", STEPS, STEPS)
        assert step.windows["longest_number"][step.windows["longest"].argmax()] == STEPS // 2
    with (
        pytest.raises(TraceFileError, match="expected a trace with records, got a condensed trace")
        if tracer.is_core
        else open(os.devnull)
    ):
        lp.read_trace(path).dispatches()


@pytest.mark.processes
def test_of_both_the_summary_is_that_of_the_records(tracer: Tracer, path: Path) -> None:
    end(tracer.begin(PROGRAM, keep="both"))
    of_records = condensed_file(path)
    with TraceFile(path) as file:
        assert file.summary is not None and file.count > STEPS * LAUNCHES
        labels = Labels(file.meta, file.names, file.threads, file.mangled)
        kept = named(file, labels, Blob(file.summary))
    for name in TABLES:
        mine, its = kept.tables[name], of_records.tables[name]
        if name not in UNLIKE:
            assert {key: (row.calls, row.failed, row.amount) for key, row in mine.items()} == {
                key: (row.calls, row.failed, row.amount) for key, row in its.items()
            }, name
        for key in mine.keys() & its.keys() - {"launch"} if name in ("kernels", "ranges", "driver_calls") else ():
            assert mine[key].total == pytest.approx(its[key].total, rel=0.02), (name, key)
    assert kept.counts == of_records.counts


@pytest.mark.processes
def test_records_are_kept_around_a_slow_step(tracer: Tracer, path: Path) -> None:
    """Steps are ranges, and to the recorder the times between waits.

    A block is kept back for 0.7 s (`slow`, `window`, 0.1 s in a ring), so the steps before the slow one take 1.6 s at least.
    """
    steps = 900
    code = (
        PROGRAM.replace("range(40)", f"range({steps})").replace("== 20", "== 800").replace("sleep(0.2)", "sleep(0.8)")
    )
    end(tracer.begin(code, keep="slow", slow=0.5, window=0.1))
    saved = lp.read_trace(path)
    (table,) = saved.dispatches()
    pauses = numpy.diff(table["begin"])
    slow = int(pauses.argmax())
    assert pauses[slow] > 700e6 and slow >= LAUNCHES  # all of the step is there, and what is before it
    assert len(pauses) > slow + LAUNCHES  # and behind it
    assert len(table["begin"]) < steps * LAUNCHES
    assert saved.summary().kernels["spin"].calls == steps * LAUNCHES
    with TraceFile(path) as file:
        assert file.meta["kept"]["slow"] >= 1 and file.meta["kept"]["shortened"] == 0


@pytest.mark.processes
def test_nothing_slow_leaves_the_summary_alone(tracer: Tracer, path: Path) -> None:
    end(tracer.begin(PROGRAM, keep="slow", slow=60))
    saved = lp.read_trace(path)
    assert len(saved.dispatches()[0]["begin"]) == 0
    assert saved.summary().kernels["spin"].calls == STEPS * LAUNCHES


@pytest.mark.processes
def test_a_killed_process_leaves_a_summary(tracer: Tracer, path: Path) -> None:
    process = tracer.begin(
        PROGRAM.replace("time.sleep(0.2)", "(time.sleep(0.6), print('here', flush=True), time.sleep(60))"),
        keep="summary",
    )
    assert process.stdout is not None
    assert "here" in process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    condensed = condensed_file(path)
    assert condensed.counts["not_ended"] == 1
    assert sum(row.calls for row in condensed.tables["driver_calls"].values()) > 0


def test_threads_end_and_others_have_their_rings(launch: Launch, path: Path) -> None:
    """More threads than rings, one after the other: each has its own row."""
    import threading

    with lp.trace(path, keep="summary", mode="host"):
        for number in range(12):
            thread = threading.Thread(target=lambda: [launch(1) for _ in range(300)], name=f"worker {number}")
            thread.start()
            thread.join()
    condensed = condensed_file(path)
    assert condensed.tables["calls"]["launch"].calls == 12 * 300
    commands = [row["commands"] for row in condensed.threads if row["commands"]]
    assert sum(commands) == 12 * 300


def test_a_second_trace_begins_anew(launch: Launch, path: Path) -> None:
    for count in (7, 3):
        with lp.trace(path, keep="summary", mode="host"):
            for _ in range(count):
                launch(1)
        assert condensed_file(path).tables["calls"]["launch"].calls == count


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": "all"}, "keep: expected one of records, summary, both, slow, got 'all'"),
        ({"keep": "slow"}, "slow: expected seconds with keep='slow', got nothing"),
        ({"keep": "slow", "slow": 0}, "slow: expected seconds, above 0"),
        ({"keep": "slow", "slow": True}, "slow: expected seconds, above 0"),
        ({"keep": "slow", "slow": 1, "window": "2"}, "window: expected seconds, above 0"),
        ({"keep": "summary", "slow": 1}, "slow: expected nothing with keep='summary'"),
    ],
)
def test_wrong_options(path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentValueError) as caught:
        lp.trace(path, **options)
    assert str(caught.value).startswith(message)

"""Arguments that `lp.trace` takes, and those that it refuses."""

import itertools
import os
import re
import socket
import time
from pathlib import Path

import pytest

import launchpath as lp
from launchpath import _recorder
from launchpath._trace import format
from launchpath._tracing import file_name
from launchpath._tracing.file_name import expanded, rank
from launchpath._tracing.period import following
from tests.simulated import Machine
from tests.tracing.raw import read


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "fast"}, "mode: expected one of host, device, serialized, got 'fast'"),
        ({"when_full": "lose"}, "when_full: expected 'wait' or 'drop', got 'lose'"),
        ({"timing_objects": 0}, "timing_objects: expected an int from 1 to 1048576"),
        ({"timing_objects": 1.5}, "timing_objects: expected an int"),
        ({"ring": 100}, "ring: expected a power of 2, got 100"),
        ({"ring": 1 << 20}, "ring: expected an int from 64 to 16384"),
        ({"include": ["("]}, "include: expected a regular expression, got '\\('"),
        ({"exclude": [1]}, "exclude: expected a regular expression, got"),
        ({"period": "1"}, "period: expected 'delay:duration'"),
        ({"period": "1:0"}, "period: expected"),
        ({"period": "0:-1"}, "period: expected"),
        ({"period": "0:1:x"}, "period: expected"),
        ({"period": 3}, "period: expected"),
        ({"period": "@1"}, "period: expected"),
        ({"period": "@@1:1"}, "period: expected"),
        ({"device": object()}, "expected a device"),
    ],
)
def test_refused(tmp_path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(lp.ArgumentValueError, match=message):
        lp.trace(tmp_path / "x", **options)
    assert not list(tmp_path.iterdir())


def test_an_unknown_option_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"a trace has no option 'mod', expected some of mode, .*Did you mean 'mode'\?"):
        lp.trace(tmp_path / "x", mod="host")
    with pytest.raises(TypeError, match=r"no option 'path2', expected some of mode, device"):
        lp.trace(path2=1)


def test_names_of_files() -> None:
    environment = {"JOB": "7", "SLURM_PROCID": "3"}
    assert expanded("a.%pid%.%rank%.%hostname%.%env{JOB}%.100%%", environment) == (
        f"a.{os.getpid()}.3.{socket.gethostname()}.7.100%"
    )
    assert expanded("%rank%", {}) == "0"
    assert rank({"RANK": "no number", "PMI_RANK": "5"}) == 5
    assert rank({}) is None
    for wrong in ("%", "%x%", "50%", "%env{}%", "%env{NO}%", "%pid"):
        with pytest.raises(lp.ArgumentValueError):
            expanded(wrong, environment)


def test_without_a_name_a_trace_has_a_file_all_the_same(machine: Machine) -> None:
    with lp.trace(mode="host") as trace:
        lp.mark("here")
    try:
        assert len(read(trace.path).slots(format.MARK)) == 1
        assert trace.path in repr(trace)
    finally:
        os.unlink(trace.path)


def test_periods(machine: Machine, stream: lp.Stream, array: lp.Array, path: Path) -> None:
    """A trace records in its periods only, so many times, and ends at once when it is stopped."""
    machine.machine.background()
    begin = time.monotonic_ns()
    with lp.trace(path, mode="host", period="0.2:0.2:2"):
        submitted = []
        while time.monotonic_ns() - begin < 1_300_000_000:
            array.fill(1, stream)
            submitted.append(time.monotonic_ns())
            time.sleep(0.002)
    raw = read(path)
    recorded = len(raw.commands())
    assert 0 < recorded < len(submitted)
    ticks = sorted(int(command["begin"]) for command, _ in raw.commands())
    gaps = [later - earlier for earlier, later in itertools.pairwise(ticks)]
    assert max(gaps) > (ticks[-1] - ticks[0]) / 5  # the pause between two periods
    trace = lp.trace(path, period="100:1").start()
    began = time.monotonic()
    trace.stop()
    assert time.monotonic() - began < 5
    assert not read(path).commands()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"OMPI_COMM_WORLD_RANK": "3", "PMIX_RANK": "4", "SLURM_PROCID": "0"}, 3),
        ({"SLURM_PROCID": "5"}, 5),
        # torchrun on each of several hosts, started by srun or by mpirun.
        ({"SLURM_PROCID": "1", "RANK": "11", "WORLD_SIZE": "16", "LOCAL_RANK": "3"}, 11),
        ({"OMPI_COMM_WORLD_RANK": "1", "RANK": "11", "WORLD_SIZE": "16"}, 11),
        ({"SLURM_PROCID": "1", "RANK": "captain"}, 1),
        ({"PMI_RANK": "2", "RANK": "7"}, 2),
        ({"MV2_COMM_WORLD_RANK": "6"}, 6),
        ({"PALS_RANKID": "8"}, 8),
        ({"RANK": "9"}, 9),
        ({"RANK": "-1"}, None),
    ],
)
def test_ranks(environment: dict[str, str], expected: int | None) -> None:
    assert rank(environment) == expected


def test_the_recorder_knows_the_same_variables() -> None:
    text = (Path(_recorder.__file__).parent / "file.h").read_text()
    in_c = re.search(r"names\[\] = \{(.*?)\}", text, re.DOTALL)
    assert in_c and tuple(re.findall(r'"(\w+)"', in_c[1])) == file_name._RANKS


@pytest.mark.parametrize(
    ("now", "every", "expected"),
    [(7.0, 10, 10.0), (10.0, 10, 20.0), (10.000001, 10, 20.0), (59.5, 60, 60.0), (1.1, 0.25, 1.25)],
)
def test_the_next_multiple(now: float, every: float, expected: float) -> None:
    assert following(round(now * 1e9), every) == round(expected * 1e9)


def test_marks_and_ranges_refuse_values_that_they_cannot_hold() -> None:
    for wrong in (lambda: lp.mark(3), lambda: lp.range(b"x"), lambda: lp.range("x", color=-1),
                  lambda: lp.mark("x", payload=1 << 64), lambda: lp.external_correlation_id("a")):  # fmt: skip
        with pytest.raises(lp.ArgumentValueError, match="expected"):
            wrong()


def test_names_that_are_no_files_and_names_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_files = len(os.listdir("/proc/self/fd"))
    for name in ("/dev/null", "/dev/zero"):
        with pytest.raises(lp.ArgumentValueError, match="expected the name of a file"):
            lp.trace(name).start()
    with pytest.raises(FileNotFoundError, match="no folder"):
        lp.trace(tmp_path / "no folder" / "x").start()
    assert len(os.listdir("/proc/self/fd")) == open_files
    monkeypatch.chdir(tmp_path)
    with lp.trace(b"relative") as trace:
        os.mkdir("other")
        os.chdir("other")
    assert trace.path == str(tmp_path / "relative")
    assert read(trace.path).counters["state"] == 1

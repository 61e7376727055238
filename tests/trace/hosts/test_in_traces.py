"""Traces that measure their host's clock: of this process, and by the command `launchpath trace`."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import launchpath as lp
from launchpath._trace.files.file import TraceFile
from launchpath._trace.hosts.host_clock import HostClock, read
from launchpath._tracing.clocks import inside
from launchpath._tracing.clocks.address import Address
from launchpath._tracing.clocks.beside import ClockBeside
from launchpath._tracing.clocks.reference import ClockError, Reference
from launchpath._tracing.clocks.server import ClockServer
from launchpath.errors import ArgumentValueError
from tests.command import run, succeeded
from tests.patience import PATIENCE

AHEAD = 10**12


@pytest.fixture
def server() -> Iterator[ClockServer]:
    """Answer as another host would."""
    with ClockServer(
        "127.0.0.1",
        0,
        clock=lambda: time.monotonic_ns() + AHEAD,
        raw=lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) + AHEAD,
        name="node0",
        id="another clock",
    ) as there:
        yield there


def where(there: ClockServer) -> str:
    return f"127.0.0.1:{there.address[1]}"


def clock_of(path: Path) -> HostClock | None:
    with TraceFile(path) as file:
        assert file.unknown_blocks == 0
        return read(file.meta)


def test_a_trace_measures_at_its_begin_and_its_end(tmp_path: Path, server: ClockServer) -> None:
    path = tmp_path / "run.lptrace"
    with lp.trace(path, mode="host", clock=where(server)):
        lp.mark("here")
        end = time.monotonic() + PATIENCE
        while not ((clock := clock_of(path)) and clock.measurements) and time.monotonic() < end:
            time.sleep(0.01)  # it is in the file while the program runs: it may be killed
    first, clock = clock, clock_of(path)
    assert first is not None and clock is not None
    assert len(first.measurements) == 1
    assert clock.measurements[:1] == first.measurements and len(clock.measurements) >= 2
    assert all(each.low <= AHEAD <= each.high for each in clock.measurements)
    assert (clock.reference_host, clock.by, clock.failed) == ("node0", f"tcp {where(server)}", 0)


def test_a_trace_whose_reference_does_not_answer_goes_on_and_says_why(tmp_path: Path, server: ClockServer) -> None:
    server.stop()
    begun = time.monotonic()
    with lp.trace(tmp_path / "run.lptrace", mode="host", clock=where(server)) as trace:
        lp.mark("here")
        time.sleep(0.05)
    assert time.monotonic() - begun < 5
    assert trace.counts["slots"] >= 1
    clock = clock_of(tmp_path / "run.lptrace")
    assert clock is not None and clock.failed >= 1 and "Connection refused" in clock.failure
    assert any("measurements that failed" in line for line in str(trace.summary()).splitlines())


def test_a_trace_without_a_clock_measures_nothing(tmp_path: Path) -> None:
    with lp.trace(tmp_path / "run.lptrace", mode="host"):
        lp.mark("here")
    assert clock_of(tmp_path / "run.lptrace") is None


def test_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(inside.VARIABLE, raising=False)
    assert inside.checked(None) is None
    assert inside.checked("node0:5") == Address("node0", 5)
    assert inside.checked(None, {inside.VARIABLE: "node1"}) == Address("node1", 7460)
    for wrong in (5, object(), b"node0"):
        with pytest.raises(ArgumentValueError, match="clock: expected 'HOST:PORT' or a communicator of mpi4py, got"):
            inside.checked(wrong)
    with pytest.raises(ArgumentValueError, match="LAUNCHPATH_TRACE_CLOCK: expected HOST:PORT"):
        inside.checked(None, {inside.VARIABLE: "::1"})
    with pytest.raises(ArgumentValueError, match="clock: expected HOST:PORT"):
        lp.trace("x", clock="node0:x")


def test_measure_prints_the_offset(server: ClockServer, tmp_path: Path) -> None:
    done = succeeded("clock", "measure", where(server), "--seconds", "0.1", "--json", tmp_path / "clock.json")
    assert "the monotonic clock of node0 is 1000.0" in done.output or "is 999.99" in done.output
    assert "its drift: not known: measure for longer" in done.output or "ppm, within" in done.output
    assert '"another clock"' in (tmp_path / "clock.json").read_text()
    server.stop()
    failed = run("clock", "measure", where(server))
    assert failed.exit_code == 1 and "Connection refused" in failed.output
    assert run("clock", "measure", "node0:x").exit_code == 1


def test_measure_against_itself() -> None:
    with ClockServer("127.0.0.1", 0) as there:
        assert "is this host" in succeeded("clock", "measure", where(there)).output


def test_a_command_whose_host_is_named_answers_for_it() -> None:
    free = ClockServer("127.0.0.1", 0).start()
    port = free.address[1]
    free.stop()
    beside = ClockBeside(f"127.0.0.1:{port}")
    asked = Reference(Address("127.0.0.1", port))
    low = time.monotonic_ns()
    exchange = asked.exchange()
    assert low <= exchange.received <= exchange.answered <= time.monotonic_ns()
    asked.close()
    assert beside.end() == []


PROGRAM = """
import os, signal, sys
import launchpath as lp
lp.mark("ran")
if sys.argv[1:]:
    lp.device  # the trace is there
    os.kill(os.getpid(), signal.SIGKILL)
"""


def traced(folder: Path, *words: str, clock: str, variable: bool = False) -> subprocess.CompletedProcess[str]:
    variables = {key: value for key, value in os.environ.items() if not key.startswith("LAUNCHPATH_TRACE")}
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    if variable:
        variables[inside.VARIABLE] = clock
    (folder / "program.py").write_text(PROGRAM)
    options = [] if variable else ["--clock", clock]
    return subprocess.run(
        [sys.executable, "-m", "launchpath", "trace", "-o", "run.lptrace", "--mode", "host", *options, "--", *words],
        cwd=folder, env=variables, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.processes
@pytest.mark.parametrize("variable", [False, True])
def test_the_command_notes_the_clock_in_each_processs_file(tmp_path: Path, server: ClockServer, variable: bool) -> None:
    program = f"{sys.executable} program.py"
    done = traced(tmp_path, "sh", "-c", f"{program} && {program}", clock=where(server), variable=variable)
    assert done.returncode == 0, done.stderr
    files = sorted(tmp_path.glob("run*.lptrace"))
    assert len(files) == 2
    for clock in map(clock_of, files):
        assert clock is not None and len(clock.measurements) >= 2 and clock.by == f"tcp {where(server)}"
        assert all(each.low <= AHEAD <= each.high for each in clock.measurements)
    assert "launchpath report" in done.stderr and "clock" not in done.stderr


@pytest.mark.processes
def test_the_clock_of_a_program_that_is_killed_is_in_its_file(tmp_path: Path, server: ClockServer) -> None:
    done = traced(tmp_path, sys.executable, "program.py", "die", clock=where(server))
    assert done.returncode == 128 + signal.SIGKILL
    clock = clock_of(tmp_path / "run.lptrace")
    assert clock is not None and len(clock.measurements) >= 2


@pytest.mark.processes
def test_a_reference_that_is_lost_is_told_and_the_program_runs(tmp_path: Path, server: ClockServer) -> None:
    done = traced(tmp_path, sys.executable, "program.py", clock="192.0.2.1:9")  # of no host
    assert done.returncode == 0
    assert "launchpath: measurements of this host's clock that failed: " in done.stderr
    assert "; the last: clock of 192.0.2.1:9: " in done.stderr
    clock = clock_of(tmp_path / "run.lptrace")
    assert clock is not None and not clock.measurements and clock.failed >= 1


@pytest.mark.processes
def test_serve_answers_until_it_is_interrupted(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "launchpath", "clock", "serve", "--bind", "127.0.0.1", "--port", "0"],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert program.stderr is not None
    line = program.stderr.readline()
    asked = Reference(Address("127.0.0.1", int(line.split("port ")[1].split(";")[0])))
    assert asked.exchange().fault() is None
    program.send_signal(signal.SIGTERM)
    assert program.wait(PATIENCE) == 0
    assert "ended" in program.stderr.read()
    program.stderr.close()
    asked.close()


def test_a_reference_that_is_named_by_its_host_listens_at_all_of_its_addresses() -> None:
    """On the host itself its name often stands for the loopback: then other hosts would not get through."""
    from launchpath._tracing.clocks.beside import _served

    try:
        name = socket.gethostname()
        socket.getaddrinfo(name, 0)
    except OSError:
        pytest.skip("this host does not know its own name")
    free = ClockServer("127.0.0.1", 0).start()
    port = free.address[1]
    free.stop()
    for asked, other, expected in ((name, "127.0.0.7", True), ("127.0.0.1", "127.0.0.7", False)):
        there = _served(Address(asked, port))
        assert there is not None
        reference = Reference(Address(other, port))
        if expected:
            assert reference.exchange().fault() is None
        else:
            with pytest.raises(ClockError, match="refused"):
                reference.exchange()
        reference.close()
        assert _served(Address(asked, port)) is None  # it answers there already
        there.stop()
    assert _served(Address("192.0.2.1", port)) is None

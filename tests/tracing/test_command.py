"""The command `launchpath trace`, as a user types it."""

import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from launchpath._trace import format
from tests.patience import PATIENCE
from tests.tracing.raw import read

PROGRAM = """
import sys
import launchpath as lp
lp.mark("ran " + " ".join(sys.argv[1:]))
sys.exit(int(sys.argv[1]))
"""


def command(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    variables = {key: value for key, value in os.environ.items() if not key.startswith("LAUNCHPATH_TRACE")}
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        [sys.executable, "-m", "launchpath", *arguments],
        cwd=folder, env=variables, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def test_a_program_runs_unchanged_with_its_own_options_and_exit_code(program: Path) -> None:
    done = command(
        "trace", "--output", "run.lptrace", "--mode", "host", "--", sys.executable, "program.py", "7", "--mode", "fast",
        folder=program,
    )  # fmt: skip
    assert done.returncode == 7
    assert done.stdout == ""
    assert done.stderr == "launchpath: to see the trace: launchpath report run.lptrace\n"
    raw = read(program / "run.lptrace")
    assert [raw.names[int(slot["name"])] for slot in raw.slots(format.MARK)] == ["ran 7 --mode fast"]
    assert raw.counters["state"] == 1
    report = command("report", "run.lptrace", folder=program)
    assert report.returncode == 0
    assert "1 mark" in report.stdout


def test_several_processes_have_a_file_each_and_none_is_written_over(program: Path) -> None:
    shell = f"{sys.executable} program.py 0 && {sys.executable} program.py 0"
    done = command("trace", "-o", "run.lptrace", "--mode", "host", "--", "sh", "-c", shell, folder=program)
    files = sorted(program.glob("*.lptrace"))
    assert done.returncode == 0
    assert len(files) == 2
    assert all(file.name in done.stderr for file in files)
    assert all(len(read(file).slots(format.MARK)) == 1 for file in files)
    again = command("trace", "-o", "%pid%.lptrace", "--", "sh", "-c", shell, folder=program)
    assert len([word for word in again.stderr.split() if word.endswith(".lptrace")]) == 2


def test_a_program_without_a_device_is_reported(program: Path) -> None:
    done = command("trace", "--", "sh", "-c", "exit 3", folder=program)
    assert done.returncode == 3
    assert "no process of the program submitted work" in done.stderr
    assert not list(program.glob("*.lptrace"))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--include", "(", "--", "true"), 1, "expected a regular expression"),
        (("--period", "1", "--", "true"), 1, "expected 'delay:duration'"),
        (("-o", "%x%", "--", "true"), 1, "expected %pid%"),
        (("--", "no-such-program"), 1, "cannot run no-such-program"),
        (("-o", ".", "--", "true"), 1, "got a folder"),
        (("-o", "/dev/null", "--", "true"), 1, "got a folder, a device or a pipe"),
        (("-o", "/sys/a.lptrace", "--", "true"), 1, "cannot write /sys/a.lptrace"),
        (("--outputt", "x", "--", "true"), 2, "--outputt"),
        ((), 2, "Missing argument"),
        (("--mode", "fast", "--", "true"), 2, "fast"),
    ],
)
def test_wrong_use(program: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    done = command("trace", *arguments, folder=program)
    assert done.returncode == code
    assert message in done.stderr


WAITING = """
import os, signal, sys, time
import launchpath as lp
got = []
for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(each, lambda number, frame: got.append(number))
print("ready", flush=True)
while not got:
    time.sleep(0.01)
time.sleep(0.3)
print(got, flush=True)
sys.exit(9)
"""


def started(folder: Path, **options: Any) -> subprocess.Popen[str]:
    (folder / "waiting.py").write_text(WAITING)
    words = ["trace", "-o", "run.lptrace", "--mode", "host", "--", sys.executable, "waiting.py"]
    return subprocess.Popen([sys.executable, "-m", "launchpath", *words], cwd=folder, text=True, **options)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_command_alone_reaches_the_program_once(tmp_path: Path, number: int) -> None:
    with started(tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.communicate(timeout=PATIENCE)[0] == f"[{int(number)}]\n"
    assert process.returncode == 9


def test_an_interrupt_from_the_terminal_reaches_the_program_once(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with started(tmp_path, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, preexec_fn=on_terminal) as process:
        os.close(theirs)
        with open(ours, "r+b", buffering=0) as terminal:
            text = b""
            while b"ready" not in text:
                text += terminal.read(100)
            terminal.write(b"\x03")
            assert process.wait(PATIENCE) == 9
            while b"]" not in text:
                text += terminal.read(100)
    assert f"[{int(signal.SIGINT)}]" in text.decode()


def on_terminal() -> None:
    """Make standard input the terminal of a session of its own, whose processes Ctrl-C interrupts."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("OPTIONS", "[", "LAUNCHPATH_TRACE_OPTIONS: expected a JSON object, got '['"),
        ("OPTIONS", "[" * 100_000, "LAUNCHPATH_TRACE_OPTIONS: expected a JSON object, got '[[["),
        ("OPTIONS", "5", "LAUNCHPATH_TRACE_OPTIONS: expected a JSON object, got '5'"),
        ("BEGUN", "x", "LAUNCHPATH_TRACE_BEGUN: expected nanoseconds since 1970, got 'x'"),
    ],
)
def test_variables_that_cannot_be_read_are_named(tmp_path: Path, name: str, value: str, says: str) -> None:
    variables = {"LAUNCHPATH_TRACE": str(tmp_path / "t.lptrace"), f"LAUNCHPATH_TRACE_{name}": value}
    done = subprocess.run(
        [sys.executable, "-c", "import launchpath; print('goes on')"],
        env={**os.environ, **variables}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "goes on\n"
    assert done.stderr.startswith(f"launchpath: no trace was begun: ArgumentValueError: {says}")
    assert len(done.stderr) < 500

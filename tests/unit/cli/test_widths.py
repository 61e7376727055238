"""What commands print fits the terminal: in 40, 80 and 120 columns no line is wider, but for a path that stays whole."""

import os
import pty
import struct
import sys
from collections.abc import Callable, Iterator
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import click
import pytest

import launchpath as lp
from launchpath._bench import BENCHMARKS, Result, demo
from launchpath._bench.measure import Size
from launchpath._cli import COMMANDS, main
from launchpath._report import console
from launchpath._report.wrapping import text_width
from tests.command import run
from tests.trace.program import write

WIDTHS = (40, 80, 120)
LONG = "a_kernel_whose_name_is_wider_than_a_narrow_terminal"
SOURCE = f"__global__ void {LONG}(float *out, int n) {{ if (threadIdx.x < n) out[threadIdx.x] = 1; }}\n"


def too_wide(text: str, width: int) -> list[str]:
    """Give the lines that are wider, and are not a single word."""
    return [line for line in text.splitlines() if text_width(line) > width and " " in line.strip()]


@pytest.fixture(params=WIDTHS)
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Commands print on a terminal of that width."""
    monkeypatch.setattr(console, "_terminal_width", lambda file: request.param)
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write(tmp_path / "run.lptrace", 1, process={"pid": 5, "host": "node1"})
    write(tmp_path / "other.lptrace", 2, process={"pid": 6, "host": "node2"})
    (tmp_path / "fill.cu").write_text(SOURCE)
    return tmp_path


def every_help() -> Iterator[list[str]]:
    """Each command, with those of groups."""
    yield []
    for name in COMMANDS:
        yield [name]
        command = main.get_command(click.Context(main), name)
        if isinstance(command, click.Group):
            yield from ([name, each] for each in command.list_commands(click.Context(command)))


@pytest.mark.parametrize("words", list(every_help()), ids=" ".join)
def test_help(words: list[str], width: int) -> None:
    done = run(*words, "--help")
    assert done.exit_code == 0 and "Usage" in done.output
    assert not too_wide(done.output, width)


OF_FILES = {
    "report": lambda folder: ("report", folder / "run.lptrace"),
    "report of several": lambda folder: ("report", folder / "run.lptrace", folder / "other.lptrace"),
    "why": lambda folder: ("why", folder / "run.lptrace"),
    "sql": lambda folder: ("sql", "select * from dispatches", folder / "run.lptrace"),
    "sql of calls": lambda folder: ("sql", "select name, count(*) from calls group by name", folder / "run.lptrace"),
    "sql --schema": lambda folder: ("sql", "--schema"),
}  # fmt: skip
OTHERS = {
    "devices": ("devices",),
    "devices -v": ("devices", "-v"),
    "info": ("info",),
    "cache": ("cache",),
    "cache --all": ("cache", "--all"),
    "cache path": ("cache", "path"),
    "cache clear": ("cache", "clear"),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_FILES)
def test_of_traces(name: str, width: int, files: Path) -> None:
    words: Callable[[Path], tuple[object, ...]] = OF_FILES[name]
    done = run(*words(files))
    assert done.exit_code == 0 and done.output.strip()
    assert not too_wide(done.output, width)


@pytest.mark.compiles
@pytest.mark.skipif(not lp.devices(), reason="no device")
@pytest.mark.parametrize("name", OTHERS)
def test_of_this_machine(name: str, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    lp.compile(SOURCE)
    done = run(*OTHERS[name])
    assert done.exit_code == 0 and done.output.strip()
    assert not too_wide(done.output, width)


@pytest.mark.compiles
@pytest.mark.skipif(not lp.devices(), reason="no device")
def test_of_a_compiled_file(width: int, files: Path) -> None:
    done = run("compile", files / "fill.cu", "-o", files / "fill.lp")
    assert done.exit_code == 0 and not too_wide(done.output, width)
    done = run("info", files / "fill.lp")
    assert done.exit_code == 0 and not too_wide(done.output, width)


@pytest.mark.compiles
@pytest.mark.skipif(not lp.devices(), reason="no device")
def test_of_the_demonstration(width: int, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo.Demonstration, "program", lambda shown: ("2 x 1 pixels", b"P6 2 1 255\nabcdef"))
    done = run("demo", "--blocks", "2", "--launches", "5", "--picture", files / "picture.png")
    assert done.exit_code == 0 and "Next: docs/tour.md." in done.stdout
    assert not too_wide(done.stdout, width)


@pytest.fixture(scope="module", params=["launch", "memory", "step", "trace"])
def measured(request: pytest.FixtureRequest) -> Result:
    return BENCHMARKS[request.param](lp.current_device(), Size(1, 1))


@pytest.mark.compiles
@pytest.mark.skipif(not lp.devices(), reason="no device")
@pytest.mark.parametrize("check", [(), ("--check",)], ids=["", "--check"])
def test_of_benchmarks(measured: Result, check: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BENCHMARKS, measured.benchmark, lambda *words, **options: measured)
    done = run("bench", measured.benchmark, *check)
    assert measured.rows[0].subject in done.stdout
    assert not too_wide(done.stdout, width)


def test_of_errors(width: int, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no trace")
    for words in (("info", tmp_path / "none"), ("info", tmp_path / "text"), ("report", tmp_path / "text")):
        done = run(*words)
        assert done.exit_code == 1 and "Error: " in done.stderr
        assert not too_wide(done.stderr, width)


@pytest.mark.processes
@pytest.mark.parametrize("columns", WIDTHS)
def test_a_real_terminal(columns: int) -> None:
    process, terminal = pty.fork()
    if not process:
        ioctl(1, TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.environ.pop("COLUMNS", None)
        os.execv(sys.executable, [sys.executable, "-m", "launchpath", "info"])
    read = b""
    try:
        while part := os.read(terminal, 1 << 16):
            read += part
    except OSError:  # the program has ended
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    text = read.decode(errors="replace").replace("\r\n", "\n")
    assert "launchpath" in text and not too_wide(text, columns)
    assert columns > 80 or any(text_width(line) > 0.7 * columns for line in text.splitlines())

"""Lines about a compilation that takes long."""

import io
import logging
import re
import sys
import time
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import pytest

import launchpath as lp
from launchpath._logged import is_logged
from launchpath._programs import progress
from launchpath._programs.progress import Progress
from tests.simulated import Machine
from tests.standin.client import soon


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch) -> Terminal:
    monkeypatch.delenv("LAUNCHPATH_PROGRESS", raising=False)
    monkeypatch.setattr(progress, "_FIRST", 0.02)
    stream = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))  # pytest sets its own after fixtures
    return stream


def test_lines_come_more_and_more_rarely(terminal: Terminal) -> None:
    with Progress("a.cu") as shown:
        assert soon(lambda: "compiling" in terminal.getvalue())
        shown.stage = "the device's compiler"
        assert soon(lambda: "the device's compiler" in terminal.getvalue())
        began = time.monotonic()
        assert soon(lambda: terminal.getvalue().count("so far") > 4)
        assert time.monotonic() - began > 0.04
    lines = terminal.getvalue().splitlines()
    assert all(line.startswith("launchpath: a.cu: ") for line in lines)
    assert re.search(r": compiled in \d+\.\d s$", lines[-1])


@pytest.mark.compiles
def test_nothing_is_printed_of_what_is_fast(terminal: Terminal, machine: Machine, monkeypatch) -> None:
    monkeypatch.setattr(progress, "_FIRST", 60.0)
    lp.compile("__global__ void mix() {}", machine.device)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("value", ["0", ""])
def test_where_nothing_is_wanted(terminal: Terminal, monkeypatch, value) -> None:
    monkeypatch.setenv("LAUNCHPATH_PROGRESS", value)
    if not value:
        monkeypatch.setattr(progress.sys, "stderr", io.StringIO())
    with Progress("a.cu") as shown:
        assert not shown._over.locked(), "no thread"


@pytest.mark.compiles
def test_a_switch_asks_for_it_where_there_is_no_terminal(terminal: Terminal, machine: Machine, monkeypatch) -> None:
    monkeypatch.setenv("LAUNCHPATH_PROGRESS", "1")
    file = io.StringIO()
    monkeypatch.setattr(progress.sys, "stderr", file)
    inner = lp.Program.__init__

    def slow(*arguments, **options):
        assert soon(lambda: "the device's compiler" in file.getvalue())
        inner(*arguments, **options)

    monkeypatch.setattr(lp.Program, "__init__", slow)
    lp.compile("__global__ void mix() {}", machine.device, name="slow.cu")
    assert "launchpath: slow.cu: the device's compiler, " in file.getvalue()


def test_a_closed_stream(terminal: Terminal) -> None:
    with Progress("a.cu") as shown:
        terminal.close()
        assert soon(lambda: shown._told)
    with Progress("a.cu"):
        pass


def test_a_program_that_logs_gets_no_second_line(terminal: Terminal, monkeypatch, caplog) -> None:
    monkeypatch.setenv("LAUNCHPATH_PROGRESS", "0")
    with caplog.at_level(logging.INFO, "launchpath"), Progress("a.cu"):
        assert soon(lambda: "a.cu: compiling" in caplog.text)
    assert "a.cu: compiled in" in caplog.text
    assert {record.name for record in caplog.records} == {"launchpath"}
    assert terminal.getvalue() == ""


def test_a_module_that_another_thread_is_importing_is_not_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    partial = ModuleType("logging")
    partial.__spec__ = ModuleSpec("logging", None)
    partial.__spec__._initializing = True  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "logging", partial)
    assert not is_logged()

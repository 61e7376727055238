"""Interrupts in each phase of a compilation on a device, exits while its driver's compiler works, and sources without end."""

import os
import stat
import time

import pytest

import launchpath as lp
from launchpath._programs.builds import building
from tests.faults.interrupted_compiles import LARGE
from tests.faults.processes import end, run, start

# Macros that double: no compiler comes to their end.
ENDLESS = (
    "#define M0 1 +\n"
    + "".join(f"#define M{i + 1} M{i} M{i}\n" for i in range(40))
    + """
__device__ int f() { return M40 1; }
__global__ void k(int *x) { x[0] = f(); }
"""
)
INTERRUPT = """
import signal
from launchpath._programs.builds import building
from launchpath._compiler.process import worker
from tests.faults.interrupted_compiles import LARGE
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
def later(seconds):
    threading.Timer(seconds, interrupt).start()
def in_driver():
    work = building.Build._work
    building.Build.check = lambda self: None
    def patched(self):
        building.Build._work = work
        interrupt()  # the build goes on: nothing is checked
        work(self)
    building.Build._work = patched
def in_compiler():
    later(0.3)
"""


@pytest.mark.parametrize("phase", ["compiler", "driver"])
def test_an_interrupt_is_left_at_once_and_leaves_nothing_behind(index, phase, tmp_path):
    """Whatever works is killed or dropped; no entry of the cache is there in part, and the next compilation works."""
    source = {"compiler": ENDLESS, "driver": LARGE}[phase]
    out = run(INTERRUPT + f"""
lp.compile(SOURCE)
in_{phase}()
try:
    lp.compile({source!r})
    print("compiled")
except KeyboardInterrupt:
    print("left", time.monotonic() - sent < 10)
program = lp.compile(SOURCE + "//")
for _ in range(100):
    program.follow[1, 1](array, 0)
device.synchronize()
others = (".launchpath-tally", "precompiled")
print(sorted({{name[-3:] for name in os.listdir({str(tmp_path)!r}) if name not in others}}))
""", index, LAUNCHPATH_CACHE_DIR=str(tmp_path))  # fmt: skip
    assert out.splitlines() == ["left True", "['.lp']"]


@pytest.mark.parametrize("how", ["raise", "sys.exit(3)", "os._exit(3)"])
def test_the_process_exits_while_the_drivers_compiler_works(index, how):
    process = start(INTERRUPT + f"""
in_driver()
print("begin", flush=True)
try:
    lp.compile(LARGE)
except KeyboardInterrupt:
    {how}
""", index, LAUNCHPATH_CACHE="0")  # fmt: skip
    _, err = process.communicate(timeout=60)
    assert process.returncode == (-2 if how == "raise" else 3), err


def test_a_build_that_nobody_waits_for_drops_its_result(monkeypatch):
    """It ends on its own thread, and what it made goes with it."""
    steps, go = [], []

    class BuildResult:
        def __del__(self):
            steps.append("dropped")

    def build(at):
        steps.append("begun")
        while not go:
            time.sleep(0.005)
        result = BuildResult()
        at.check()
        return result

    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", "0.2")
    with pytest.raises(
        lp.CompileError, match=r"x: the compiler did not end within 0.2 s: .*; that compiler continues in this process"
    ):
        building.run(build, "x: the compiler")
    assert steps == ["begun"]
    go.append(True)
    for _ in range(400):
        if len(steps) == 2:
            break
        time.sleep(0.005)
    assert steps == ["begun", "dropped"]


def test_a_builds_error_and_result_come_back():
    assert building.run(lambda _: 5, "x") == 5
    with pytest.raises(ZeroDivisionError):
        building.run(lambda _: 1 // 0, "x")


def test_without_another_thread_a_build_runs_on_the_calling_thread(monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("_thread.start_new_thread", refuse)
    assert building.run(lambda _: 5, "x") == 5


KERNEL = "__global__ void k(int *x) { x[0] = 1; }\n"


@pytest.mark.parametrize("kind", ["parens", "braces", "brackets", "init", "hostparens"])
@pytest.mark.parametrize("depth", [300, 300_000])
@pytest.mark.sample(3)
def test_a_source_that_nests_deeply_compiles_or_is_refused(machine, kind, depth):
    text = {
        "parens": "__device__ int f() { return " + "(" * depth + "1" + ")" * depth + "; }",
        "braces": "__device__ void f() " + "{" * depth + "}" * depth,
        "brackets": "__device__ int g = " + "[" * depth + "]" * depth + ";",
        "init": "__device__ int a[] = " + "{" * depth + "1" + "}" * depth + ";",
        "hostparens": "int f() { return " + "(" * depth + "1" + ")" * depth + "; }",
    }[kind]
    machine.device.driver_device.implement("k", None, [("pointer", 0, 8, False)])
    try:
        lp.compile(KERNEL + text, machine.device)
    except lp.CompileError as error:
        assert str(error)
    machine.device.driver_device.implement("k", None, [("pointer", 0, 8, False)])


@pytest.mark.parametrize("kind", ["fifo", "device", "socket", "folder"])
def test_an_include_of_what_is_no_file_is_refused_at_its_line(machine, tmp_path, kind):
    path = tmp_path / "header.h"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "socket":
        os.mknod(path, stat.S_IFSOCK | 0o600)
    else:
        path.mkdir()
    (tmp_path / "first.h").write_text('#include "header.h"\n')
    began = time.monotonic()
    with pytest.raises(lp.CompileError) as caught:
        lp.compile('\n#include "first.h"\n' + KERNEL, machine.device, include_paths=[tmp_path])
    assert time.monotonic() - began < 30
    assert "header.h" in str(caught.value)
    if kind != "folder":
        words = {"fifo": "a FIFO", "device": "a device", "socket": "a socket"}[kind]
        assert f"first.h:1:1: error: expected a file to include, got {path}, which is {words}" in str(caught.value)


def test_macros_that_double_are_abandoned(index):
    code = f"""
import launchpath as lp
try:
    lp.compile({ENDLESS!r})
except lp.CompileError as error:
    print(error)
"""
    out = end(start(code, index, head="", LAUNCHPATH_COMPILE_TIMEOUT="2"))
    assert "did not end within 2 s: set LAUNCHPATH_COMPILE_TIMEOUT" in out

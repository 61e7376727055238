"""Plain sources for OpenCL devices that the program's own process compiles: what comes out, and what stays behind."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from launchpath._compiler.clang import frontend, precompiled
from launchpath._compiler.compile import compile
from launchpath._compiler.plain import in_process
from launchpath._compiler.source.source import Source, from_text
from launchpath._programs.builds import own_process
from launchpath.errors import CompileError
from tests.unit.compiler.test_compile import OPENCL_C, SPIRV

pytestmark = pytest.mark.compiles

TEXT = "__global__ void k(float *x, int n) { int unused; x[threadIdx.x] += n; }\n"
OTHERS = {
    "a header": "#include <cstdint>\n" + TEXT,
    "a broken source": TEXT.replace("+= n", "+= m"),
    "assembly": TEXT.replace("int unused", 'asm volatile("bar.sync 0;")'),
    "no kernel": TEXT.replace("__global__", "__device__"),
    "atomics in place": TEXT.replace("x[threadIdx.x] += n", "__hip_atomic_fetch_add(x, 1.f, 0, 1)"),
}


@pytest.fixture
def headers(monkeypatch, tmp_path):
    """A cache with the headers precompiled, as an earlier process leaves it."""
    monkeypatch.setenv("LAUNCHPATH_CACHE", "1")
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(precompiled, "_times", {})
    monkeypatch.setattr(precompiled, "_files", {})
    with monkeypatch.context() as switched:
        switched.setattr(precompiled, "_is_on", [True])
        for target in (SPIRV, OPENCL_C):
            compile(user(), (), target)
        precompiled.finish()
    before = listed(tmp_path)
    yield
    assert listed(tmp_path) == before


def user(text: str = TEXT) -> Source:
    return from_text(text, "user.hip")


def listed(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def held() -> tuple[int, str]:
    """The open files, and the processes that are not reaped."""
    gc.collect()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return len(os.listdir("/proc/self/fd")), children


@pytest.mark.parametrize("target", [SPIRV, OPENCL_C], ids=["spirv", "clc"])
def test_the_image_is_the_other_processs(headers, target):
    before = held()
    own = in_process.compile(user(), target)
    assert own == compile(user(), (), target)
    assert "user.hip:1:42: warning: unused variable 'unused'" in own.log
    assert held() == before


@pytest.mark.parametrize("what", OTHERS)
def test_whatever_is_unusual_is_for_the_other_process(headers, what):
    before = held()
    assert own_process.compiled_by_clang(user(OTHERS[what]), SPIRV) is None
    assert held() == before


def test_without_precompiled_headers_it_is_for_the_other_process(headers, monkeypatch, tmp_path):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path / "cache"))
    assert own_process.compiled_by_clang(user(), SPIRV) is not None
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path / "cache" / "empty"))
    assert own_process.compiled_by_clang(user(), SPIRV) is None
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    assert own_process.compiled_by_clang(user(), SPIRV) is None


@pytest.mark.parametrize("switch", ["0", "1"])
def test_a_user_may_choose_where_it_is_compiled(headers, monkeypatch, switch):
    monkeypatch.setenv("LAUNCHPATH_COMPILE_PROCESS", switch)
    assert own_process.compiled_by_clang(user(), SPIRV) is None


def test_only_small_sources_and_one_at_a_time(headers, monkeypatch):
    assert own_process.compiled_by_clang(user(TEXT + " " * 1000), SPIRV) is None
    monkeypatch.setattr(own_process, "_under_way", [None])
    assert own_process.compiled_by_clang(user(), SPIRV) is None


@pytest.fixture
def clang(monkeypatch, tmp_path) -> Callable[[str], None]:
    """Another program in place of Clang."""
    monkeypatch.setattr(precompiled, "kept", lambda *_: [os.open(os.devnull, os.O_RDONLY)])

    def chosen(text: str) -> None:
        program = tmp_path / "clang"
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        monkeypatch.setattr(frontend, "command", lambda: (str(program),))

    return chosen


@pytest.mark.parametrize("end", ["kill -SEGV $$", "exit 1", "exit 139"])
def test_a_clang_that_dies_is_for_the_other_process(clang, end):
    clang(end)
    before = held()
    assert own_process.compiled_by_clang(user(), SPIRV) is None
    assert held() == before


def test_a_clang_that_does_not_end_is_killed_at_the_limit(clang, monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", "0.2")
    clang("sleep 60 & sleep 60")
    before, began = held(), time.monotonic()
    with pytest.raises(CompileError, match=r"user\.hip: Clang did not end within 0\.2 s"):
        own_process.compiled_by_clang(user(), SPIRV)
    assert time.monotonic() - began < 30
    assert held() == before


def test_a_lost_status_is_for_the_other_process(headers):
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert own_process.compiled_by_clang(user(), SPIRV) is None
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_an_interrupt_at_each_line(headers):
    """Placed by a tracing function, so that each comes between two given lines."""
    lines, at = 0, 0

    def trace(frame, event, _argument):
        nonlocal lines
        if frame.f_code.co_filename != in_process.__file__:
            return None
        if event == "line" and frame.f_code.co_name != "_code":  # it waits for as many lines as Clang takes
            lines += 1
            if lines == at:
                raise KeyboardInterrupt
        return trace

    def run() -> None:
        nonlocal lines
        lines = 0
        sys.settrace(trace)
        try:
            in_process.compile(user(), SPIRV)
        finally:
            sys.settrace(None)

    run()
    count, before = lines, held()
    for number in range(1, count + 1):
        at = number
        with pytest.raises(KeyboardInterrupt):
            run()
        in_process._end_earlier()  # as the next run does
        assert held() == before
    assert count > 20


def test_the_child_of_a_fork_leaves_the_process_alone(clang):
    clang("sleep 60")
    run = in_process._Clang()
    run._pids.append(subprocess.Popen(["sleep", "60"], process_group=0).pid)
    run._owner += 1
    number = run._pids[0]
    run.end()
    assert os.waitpid(number, os.WNOHANG) == (0, 0)
    os.killpg(number, signal.SIGKILL)
    os.waitpid(number, 0)


def test_standard_streams_that_are_closed(headers):
    code = """
import os
for number in range(3):
    os.close(number)
from tests.unit.compiler.test_plain_in_process import SPIRV, in_process, user
os._exit(0 if in_process.compile(user(), SPIRV).code[:4] == b"\\x03\\x02\\x23\\x07" else 3)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

"""The process that compiles: what becomes of a compilation, and of the next, when it crashes, hangs or is interrupted."""

import gc
import os
import signal
import sys
import threading
import time
import types

import pytest

import launchpath as lp
from launchpath._compiler.process import frame, pool
from tests.faults.processes import bare, end, start
from tests.threads import at_once

BUSY = 10  # seconds; interrupted_compiles.py, which runs alone, asks for half a second
HERE = "tests.faults.compilers"


def call(name, *arguments):
    return pool.call((HERE, name), "the source", *arguments)


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch, tmp_path):
    """Afterwards there are as many files, threads and child processes as before, no temporary files, and it compiles."""
    monkeypatch.setenv("COMPILERS_FOLDER", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    pool.end()
    assert call("add", 1, 2) == 3
    pool.end()
    before = state()
    yield
    assert call("add", 1, 2) == 3
    gc.collect()
    assert soon(lambda: pool.end() or state() == before), (before, state())
    assert os.listdir(tmp_path / "temporary") == []


def state():
    return len(os.listdir("/proc/self/fd")), children()


def children():
    """Child processes, zombies included."""
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read().split()


@pytest.fixture
def interrupts():
    """Interrupts reach the test: what runs it may ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(function, after=0.2, when=lambda: True):
    """Interrupt a call, and give the seconds until it is left."""
    sent = []

    def send():
        while not when():
            time.sleep(0.01)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        function()
    left = time.monotonic()
    timer.join()
    return left - sent[0]


def soon(is_so):
    """Whether something becomes true."""
    end = time.monotonic() + 20
    while not is_so() and time.monotonic() < end:
        time.sleep(0.01)
    return is_so()


def test_a_process_serves_several_calls_and_each_thread_has_its_own_process():
    first = call("facts")
    assert call("facts")["pid"] == first["pid"] != os.getpid()
    together = threading.Barrier(2)
    processes = []

    def work():
        together.wait()
        processes.append(call("sleep", 0.3) or call("facts")["pid"])

    at_once(lambda _: work(), range(2))
    assert len(set(processes)) == 2


def test_what_the_process_inherits(monkeypatch, tmp_path):
    inherited = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(inherited, True)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    try:
        facts = call("facts")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(inherited)
    assert [number for number in facts["files"] if number > 2][1:] == []  # the one is of listing them
    assert facts["group"] == facts["pid"]
    assert facts["children"]
    assert facts["blocked"] == []
    assert facts["modules"] == []
    # What changes later is told.
    monkeypatch.setenv("COMPILERS_VARIABLE", "new")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["/none", *sys.path])
    again = call("facts")
    assert again["pid"] == facts["pid"]
    assert (again["variable"], again["folder"], again["path"]) == ("new", str(tmp_path), "/none")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("die", [signal.SIGSEGV], r"the compiler crashed \(SIGSEGV\): the source may nest thousands of levels deep"),
        ("die", [signal.SIGKILL], r"the compiler was killed \(SIGKILL\): perhaps for want of memory"),
        ("leave", [3], "the compiler's process ended without an answer"),
        ("babble", [b"rubbish" * 10], "cannot be read: its first bytes are not those of a message"),
        ("babble", [frame.packed(b"abc")[:-1] + b"d"], "cannot be read: its checksum is wrong"),
        ("babble", [frame.packed(b"abc")], "cannot be read: Unpickling"),
        ("words", [b"LLVM ERROR: out of memory\n"], "LLVM ERROR: out of memory"),
        ("overflow", [], r"the compiler crashed \(SIGSEGV\)"),
        ("descend", [], "nested too deeply"),
    ],
)
@pytest.mark.sample(3)
def test_a_compiler_that_dies_or_babbles_is_a_compile_error(name, arguments, message):
    with pytest.raises(lp.CompileError, match=message):
        call(name, *arguments)


@pytest.mark.parametrize(("name", "arguments"), [("sleep", [60]), ("spin", []), ("process", [60])])
def test_a_compiler_that_does_not_end_is_killed_at_the_limit(monkeypatch, name, arguments):
    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", "0.5")
    message = "the source: the compiler did not end within 0.5 s: set LAUNCHPATH_COMPILE_TIMEOUT to allow it more"
    with pytest.raises(lp.CompileError, match=message):
        call(name, *arguments)
    monkeypatch.delenv("LAUNCHPATH_COMPILE_TIMEOUT")


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf"])
def test_a_limit_that_is_no_number_is_refused(monkeypatch, text):
    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", text)
    with pytest.raises(
        lp.ArgumentValueError, match="LAUNCHPATH_COMPILE_TIMEOUT: expected a number of seconds, 0 for no"
    ):
        call("add", 1, 2)
    monkeypatch.setenv("LAUNCHPATH_COMPILE_TIMEOUT", "0")
    assert call("add", 1, 2) == 3
    monkeypatch.delenv("LAUNCHPATH_COMPILE_TIMEOUT")


@pytest.mark.parametrize(("name", "arguments"), [("sleep", [60]), ("spin", []), ("process", [60])])
def test_an_interrupt_leaves_at_once_and_kills_what_works(interrupts, tmp_path, name, arguments):
    started = tmp_path / "process"
    call("add", 1, 2)
    assert interrupted(lambda: call(name, *arguments), when=lambda: name != "process" or started.exists()) < BUSY
    if name == "process":
        assert soon(lambda: not alive(int(started.read_text()))), "what the compiler had started lives on"


def test_interrupts_while_the_process_starts(interrupts):
    for after in (0.0, 0.005, 0.02, 0.05):
        pool.end()
        assert interrupted(lambda: call("sleep", 60), after) < BUSY


def test_an_interrupt_at_each_line_of_the_parents_side(interrupts):
    """Placed by a tracing function, so that each comes between two given lines."""
    lines, at = 0, 0

    def trace(frame_, event, _argument):
        nonlocal lines
        if os.path.dirname(frame_.f_code.co_filename) != os.path.dirname(pool.__file__):
            return None
        if event == "line" and frame_.f_code.co_name not in ("end", "__del__", "_reaped", "_steps"):
            lines += 1
            if lines == at:
                raise KeyboardInterrupt
        return trace

    def run():
        nonlocal lines
        lines = 0
        sys.settrace(trace)
        try:
            return call("add", 1, 2)
        finally:
            sys.settrace(None)

    pool.end()
    assert run() == 3
    first, struck = lines, 0  # of a call that starts a process
    for number in range(1, first + 1, 3):
        at = number
        pool.end()
        try:
            run()
            assert lines < at  # an answer that comes in fewer pieces is read in fewer lines
        except KeyboardInterrupt:
            struck += 1
        gc.collect()
    assert struck > first // 4


def test_errors_come_back_as_they_are():
    with pytest.raises(RuntimeError, match="ValueError: odd"):  # it cannot be pickled
        call("unpicklable")
    with pytest.raises(TypeError) as caught:
        call("add", 1, "2")
    assert "in the process that compiles" in caught.value.__notes__[0]


def test_arguments_that_no_other_process_understands(monkeypatch):
    with pytest.raises(TypeError, match="unsupported operand"):
        call("add", lambda: 1, 2)
    module = types.ModuleType("known_here_alone")
    module.Text = type("Text", (str,), {"__module__": "known_here_alone"})
    monkeypatch.setitem(sys.modules, "known_here_alone", module)
    assert call("add", module.Text("a"), "b") == "ab"


def test_a_process_that_is_killed_while_nobody_uses_it_is_replaced():
    os.kill(call("facts")["pid"], signal.SIGKILL)
    time.sleep(0.05)
    assert call("add", 1, 2) == 3


def test_a_process_that_nobody_uses_ends(monkeypatch):
    monkeypatch.setattr(pool, "IDLE", 0.1)
    pid = call("facts")["pid"]
    assert soon(lambda: not os.path.exists(f"/proc/{pid}"))


def test_without_a_process_it_compiles_in_the_calling_process(monkeypatch):
    def refuse(*_arguments, **_options):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    pool.end()
    for change in (
        lambda: monkeypatch.setattr(os, "posix_spawn", refuse),
        lambda: monkeypatch.setattr(sys, "executable", "/usr/bin/game"),
        lambda: monkeypatch.setattr(sys, "executable", None),
        lambda: monkeypatch.setattr(sys, "frozen", True, raising=False),
        lambda: monkeypatch.setenv("LAUNCHPATH_COMPILE_PROCESS", "0"),
    ):
        with monkeypatch.context():
            change()
            assert call("facts")["pid"] == os.getpid()
        monkeypatch.undo()
        pool._failures.clear()


def test_a_program_that_does_not_become_ready_is_not_started_again_and_again(monkeypatch, tmp_path):
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho started >> $COMPILERS_FOLDER/starts\n")
    program.chmod(0o700)
    pool.end()
    monkeypatch.setattr(sys, "executable", str(program))
    for _ in range(5):
        assert call("add", 1, 2) == 3
    assert (tmp_path / "starts").read_text().count("started") == pool._TRIES
    monkeypatch.undo()
    pool._failures.clear()


def test_permits_are_returned(interrupts, monkeypatch):
    before = pool._permits.qsize()
    errors = []
    for name, arguments in (("descend", []), ("leave", [1]), ("add", [1, "2"])):
        with pytest.raises((lp.CompileError, TypeError)) as caught:
            call(name, *arguments)
        errors.append(caught.value)  # they keep their frames
    interrupted(lambda: call("sleep", 60))
    assert pool._permits.qsize() == before


def test_a_forked_child_leaves_its_parents_processes_alone():
    before = call("facts")["pid"]
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            own = call("facts")["pid"]
            code = 0 if own != os.getpid() and own not in children_of(os.getppid()) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert call("facts")["pid"] == before


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(number) for number in file.read().split()]


@pytest.mark.parametrize("how", ["os._exit(0)", "sys.exit(0)", "os.kill(os.getpid(), 9)"])
def test_the_process_ends_with_its_parent(tmp_path, how):
    code = f"""
        import os, sys, threading
        from launchpath._compiler.process import pool
        print(pool.call(("{HERE}", "facts"), "x")["pid"])
        threading.Thread(target=pool.call, args=(("{HERE}", "process"), "x", 60), daemon=True).start()
        while not os.path.exists(os.environ["COMPILERS_FOLDER"] + "/process"):
            pass
        sys.stdout.flush()
        END
    """
    folder = tmp_path / "own"
    folder.mkdir()
    process = start(code.replace("END", how), head="", COMPILERS_FOLDER=str(folder), TMPDIR=str(folder))
    out, err = process.communicate(timeout=60)
    pids = [int(out), int((folder / "process").read_text())]
    assert soon(lambda: not any(map(alive, pids)) and os.listdir(folder) == ["process"])
    assert err == "", err


def alive(pid):
    """Whether a process runs; init need not have taken the status of one that is dead."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


IGNORED = """
import signal
signal.signal(signal.SIGCHLD, HANDLER)
try:
    lp.compile("__global__ void k(int* x) { x[0] = nope; }", "intel")
    print("compiled")
except lp.CompileError as error:
    print(error)
"""


@pytest.mark.parametrize("handler", ["signal.SIG_IGN", "lambda *_: take()"])
@pytest.mark.parametrize(("where", "message"), [("1", "use of undeclared identifier 'nope'"), ("0", "not known")])
def test_a_failing_compiler_is_no_success_where_its_status_is_lost(handler, where, message):
    head = """
        import os
        def take():
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                pass
        """
    import textwrap

    if handler != "signal.SIG_IGN" and where == "0":
        pytest.skip("who comes first is not known there")
    out = bare(textwrap.dedent(head) + IGNORED.replace("HANDLER", handler).replace('"intel"', "None"),
               LAUNCHPATH_COMPILE_PROCESS=where, LAUNCHPATH_CACHE="0")  # fmt: skip
    assert message in out


def test_standard_streams_that_are_closed():
    """Their numbers are given to the next files that are opened."""
    out = end(start(f"""
        import os
        from launchpath._compiler.process import pool
        out = os.dup(1)
        for number in (0, 1, 2):
            os.close(number)
        os.write(out, str(pool.call(("{HERE}", "add"), "x", 1, 2)).encode())
        """, head=""))  # fmt: skip
    assert out == "3"


def test_a_program_run_says_when_its_status_is_lost():
    code = """
        import signal, sys
        from launchpath import _external
        print(_external.run([sys.executable, "-S", "-c", "import sys; sys.exit(3)"]).code)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print(_external.run([sys.executable, "-S", "-c", "import sys; sys.exit(3)"]).code)
        print(_external.run([sys.executable, "-S", "-c", "import sys; sys.exit(3)"], timeout=60).code)
        """
    assert end(start(code, head="")).split() == ["3", "None", "None"]

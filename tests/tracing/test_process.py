"""Traces of processes that end in some other way, fork, or find no room: the records in the file can be read."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from launchpath._trace import format
from tests.faults.processes import end, run, start
from tests.tracing.raw import read
from tests.tracing.tracers import Tracer

TRACED = """
program = lp.compile(SOURCE)
spin = program.spin[1, 1, stream]
trace = lp.trace({!r})
"""
Begin = Callable[[str], subprocess.Popen[str]]


@pytest.fixture
def begin(index: int, path: Path) -> Begin:
    """A function that starts a process with a trace, which has not begun."""
    return lambda code: start(TRACED.format(str(path)) + code, index)


ENDS = {
    "by itself": ("", 0, 1),
    "os._exit": ("sys.stdout.flush(); os._exit(0)", 0, 0),
    "killed": ("os.kill(os.getpid(), 9)", -signal.SIGKILL, 0),
    "a crash": ("import ctypes; ctypes.string_at(0)", -signal.SIGSEGV, 0),
    "terminated": ("os.kill(os.getpid(), 15); time.sleep(5)", -signal.SIGTERM, 0),
    "another program": (f"os.execv({sys.executable!r}, ['python', '-c', 'pass'])", 0, 0),
}


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.sample(2)
def test_every_launch_is_in_the_file_however_the_process_ends(tracer: Tracer, path: Path, how: str) -> None:
    code, status, state = ENDS[how]
    process = tracer.begin(f"""
trace.start()
with lp.range("work"):
    for i in range(2500):
        spin(array, 10)
{code}
""")
    end(process, status)
    raw = read(path)
    assert len(raw.dispatches()) == 2500
    assert {raw.name(command) for command, _ in raw.dispatches()} == {"spin"}
    assert raw.counters["state"] == state
    assert raw.meta["process"]["pid"] == process.pid
    ranges = [raw.names[int(slot["name"])] for slot in raw.slots(format.RANGE_BEGIN)]
    assert ranges == (["work"] if tracer.is_core else [])
    if state:
        assert len(raw.times()) == len([1 for command, _ in raw.commands() if command["flags"] & format.TIMED])


def test_an_interrupt_with_work_in_flight(begin: Begin, path: Path) -> None:
    process = begin("""
import signal
try:
    with trace:
        for i in range(1000):
            spin(array, 1000)
        signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted", trace.counts["state"])
""")
    assert end(process) == "interrupted 1\n"
    raw = read(path)
    assert len(raw.dispatches()) == 1000
    assert len(raw.times()) + raw.counters["unfinished"] == 1000


def test_a_forked_child_writes_nothing_into_its_parents_trace(begin: Begin, path: Path) -> None:
    process = begin("""
from launchpath import _core
flushing, forked, flush = threading.Event(), threading.Event(), _core.trace_flush
_core.trace_flush = lambda: (flushing.set(), forked.wait(), flush())
thread = threading.Thread(target=trace.flush)
with trace:
    spin(array, 10)
    thread.start()
    flushing.wait()
    child = os.fork()
    if child == 0:
        for call in (trace.pause, trace.resume, trace.flush, trace.summary, trace.start):
            try:
                call()
            except lp.LaunchpathError:
                continue
            os._exit(1)
        with lp.range("in the child"):
            lp.mark("in the child")
        try:
            spin(array, 10)
        except lp.LaunchpathError:
            pass
        assert _core.trace_counters() is None
        own = lp.trace(trace.path + ".child", mode="host").start()
        lp.mark("own")
        own.stop()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    forked.set()
    thread.join()
    spin(array, 10)
    stream.synchronize()
print(os.waitstatus_to_exitcode(status))
""")
    assert end(process) == "0\n"
    raw = read(path)
    assert len(raw.dispatches()) == len(raw.times()) == 2
    assert not len(raw.slots(format.RANGE)) and not len(raw.slots(format.MARK))
    child = read(f"{path}.child")
    assert (len(child.slots(format.MARK)), child.counters["state"]) == (1, 1)


def test_a_stream_that_is_held_back_does_not_hang_the_exit(begin: Begin, path: Path) -> None:
    end(begin("trace.start()\nhold = stream.hold()\nspin(array, 10)\n"))
    raw = read(path)
    assert (len(raw.dispatches()), raw.counters["unfinished"], raw.counters["state"]) == (1, 1, 1)


def test_a_file_without_room_is_an_error_and_the_program_goes_on(begin: Begin, path: Path) -> None:
    process = begin("""
import resource
trace = lp.trace(trace.path, mode="host")
resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, 3 << 20))
trace.start()
for i in range(40000):
    spin(array, 1)
stream.synchronize()
assert array.to_numpy(stream)[0] != 0
try:
    trace.stop()
except OSError as error:
    print(error.errno, trace.counts["state"], trace.counts["dropped"] > 0)
""")
    assert end(process) == "27 2 True\n"  # EFBIG
    assert 64 <= path.stat().st_size < (3 << 20) + 64


def test_a_file_that_cannot_be_created_is_an_error_at_the_begin(tmp_path: Path) -> None:
    # Without a device: Intel's compiler takes a file over the limit for a crash of its own.
    process = start(f"""
import resource
import launchpath as lp
no_folder, folder, file = {str(tmp_path / "no folder" / "x")!r}, {str(tmp_path)!r}, {str(tmp_path / "y")!r}
for path, most in ((no_folder, resource.RLIM_INFINITY), (folder, resource.RLIM_INFINITY), (file, 1 << 10)):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        lp.trace(path).start()
    except OSError as error:
        print(type(error).__name__, error.errno)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with lp.trace({str(tmp_path / "z")!r}):  # nothing is left of those that failed
    lp.mark("z")
""", head="")  # fmt: skip
    assert end(process) == "FileNotFoundError 2\nIsADirectoryError 21\nOSError 27\n"
    assert len(read(tmp_path / "z").slots(format.MARK)) == 1


def test_the_environment_begins_a_trace_and_each_process_has_its_file(index: int, path: Path) -> None:
    code = """
import subprocess
program = lp.compile(SOURCE)
program.spin[1, 1, stream](array, 10)
if len(sys.argv) < 2 and "LEVEL" not in os.environ:
    code = "import launchpath as lp; lp.mark('in the child')"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"LEVEL": "1"})
"""
    run(code, index, LAUNCHPATH_TRACE=str(path), LAUNCHPATH_TRACE_OPTIONS='{"mode": "host"}')
    raw = read(path)
    assert raw.meta["mode"] == "host"
    assert [raw.name(command) for command, _ in raw.dispatches()] == ["spin"]
    (other,) = (file for file in path.parent.iterdir() if file != path)
    child = read(other)
    assert other.name == f"run.{child.meta['process']['pid']}.lptrace"
    assert [child.names[int(slot["name"])] for slot in child.slots(format.MARK)] == ["in the child"]


def test_a_wrong_environment_is_reported_and_the_program_goes_on(index: int, path: Path) -> None:
    process = start("print('ran')", index, LAUNCHPATH_TRACE=str(path), LAUNCHPATH_TRACE_OPTIONS='{"mode": "fast"}')
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "ran\n")
    assert err == (
        "launchpath: no trace was begun: ArgumentValueError: mode: expected one of host, device, serialized, got 'fast'\n"
    )


def test_a_trace_can_be_read_while_the_program_runs(tracer: Tracer, path: Path) -> None:
    process = tracer.begin("""
trace.start()
for i in range(100):
    spin(array, 10)
print("ready", flush=True)
time.sleep(120)
""")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    raw = read(path)
    assert (len(raw.dispatches()), raw.counters["state"]) == (100, 0)
    process.kill()
    process.communicate()

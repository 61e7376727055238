"""Calls that wait for the device under a lock of the library, beside host functions and holds of other threads.

What goes wrong here hangs, so each runs in a process. The stand-in's calls hold what CUDA's hold (tests/standin/cuda/streams/idle.c).
"""

import threading

import pytest

import launchpath as lp
from launchpath import _core
from tests.gpu.process import run
from tests.patience import PROMPT
from tests.standin.client import on_thread

# Threads that go on for a while: what they call, over and over.
BESIDE = """
import itertools
stop, errors = threading.Event(), []
def keep_on(function):
    def loop():
        try:
            for turn in itertools.count():
                if stop.is_set():
                    return
                function(turn)
        except BaseException as error:
            errors.append(error)
            stop.set()
    return on_thread(loop)

def for_a_while(*functions, seconds=1.0):
    sys.setswitchinterval(1e-5)
    threads = [keep_on(function) for function in functions]
    stop.wait(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    device.synchronize()

array, called = gpu.zeros(), []
def launches(turn, streams=[gpu.stream() for _ in range(2)]):
    gpu.kernel("increment")[1, 16, streams[turn % 2]](array, 16)
    if turn % 50 == 0:
        streams[0].synchronize()
def host_functions(turn, stream=gpu.stream("blocking")):
    stream.host_function(called.append, turn)
    gpu.kernel("nothing")[1, 1, stream]()
    if turn % 20 == 0:
        stream.synchronize()
"""

WAITING = {
    "freeing pinned memory": """
def waits(turn):
    device.pool.allocate(1 << 16, kind=1)
    device.trim_memory()
""",
    "unloading": """
def waits(turn):
    gpu.load()
    device.trim_memory()
""",
    "making streams": """
kept = []
def waits(turn):
    kept.append(gpu.stream("blocking" if turn % 2 else "nonblocking"))
    kept[-1].host_function(called.append, turn)
    if len(kept) == 40:
        kept.clear()
""",
    "dropping foreign streams": """
theirs = gpu.cuda("cuStreamCreate", OUT, 1)
def waits(turn):
    gpu.kernel("nothing")[1, 1, lp.Stream.external(theirs, device)]()
    gc.collect(0)
""",
}


@pytest.mark.parametrize("what", WAITING)
@pytest.mark.sample(2)
def test_beside_host_functions_and_launches(driver, what):
    options = {"load_waits": 1, "create_waits": 3} if driver == "cuda" else {}
    run(
        driver, BESIDE + WAITING[what] + "for_a_while(waits, waits, launches, host_functions)\nassert called", **options
    )


def test_memory_without_a_pool_is_freed_beside_host_functions(driver):
    run(
        driver,
        BESIDE
        + """
def waits(turn):
    device.pool.allocate(1 << 16)
    device.trim_memory()
for_a_while(waits, launches, host_functions)
""",
        without=("cuMemPoolCreate",) if driver == "cuda" else ("hipMemPoolCreate",),
    )


def test_loading_is_not_put_off_for_ever(driver):
    """By host functions of several threads and streams, one of which is always under way."""
    run(
        driver,
        BESIDE
        + """
local = threading.local()
def others(turn):
    if turn == 0:
        local.stream = gpu.stream()
    local.stream.host_function(time.sleep, 0.001)
    local.stream.host_function(time.sleep, 0.001)
    if turn % 8 == 0:
        local.stream.synchronize()
threads = [keep_on(others) for _ in range(3)]
time.sleep(0.05)
for _ in range(3):
    gpu.load()
stop.set()
for thread in threads:
    thread.join()
device.synchronize()
assert not errors, errors
""",
        load_waits=1,
    )


def test_a_host_function_of_somebody_elses_needs_the_gil(driver):
    """It is no hold that launchpath could know of, and the device is not idle before it ends: no thread may wait for the
    library's lock with the GIL."""
    run(
        driver,
        BESIDE
        + """
import ctypes
theirs = gpu.stream()
handle = theirs.handle
callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: (time.sleep(0.01), called.append(1)))
def foreign(turn):
    gpu.cuda("cuLaunchHostFunc", handle, ctypes.cast(callback, ctypes.c_void_p), 0)
    time.sleep(0.012)
def waits(turn):
    device.pool.allocate(1 << 16, kind=1)
    device.trim_memory()
for_a_while(foreign, waits, launches)
theirs.synchronize()
assert called
""",
    )


def test_the_first_launch_with_local_memory_beside_host_functions():
    run(
        "cuda",
        BESIDE
        + """
def waits(turn, stream=gpu.stream()):
    gpu.kernel("deep")[1, 1, stream]()
for_a_while(waits, launches, host_functions, seconds=0.3)
launch = gpu.kernel("deep")[1, 1]
with gpu.stream().hold():
    launch()  # room has been made
""",
    )


def test_a_host_function_that_would_wait_for_itself_is_refused():
    run("cuda", """
stream, refused = gpu.stream(), []
def first_launch():
    try:
        gpu.kernel("deep")[1, 1, gpu.stream()]()
    except lp.ConfigurationError as error:
        refused.append(str(error))
def many_streams():
    kept = []
    try:
        while True:
            kept.append(gpu.stream())
    except lp.LaunchpathError as error:
        refused.append(str(error))
stream.host_function(first_launch)
stream.host_function(many_streams)
stream.synchronize()
assert "launch the kernel once before" in refused[0], refused
assert "cuStreamCreateWithPriority would wait for the device" in refused[1], refused
""")  # fmt: skip


def test_a_wait_for_the_host_can_be_interrupted():
    run("cuda", """
import signal
signal.signal(signal.SIGALRM, signal.default_int_handler)
with gpu.stream().hold():
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        gpu.load()
    assert time.monotonic() - before < 5
gpu.load()
""", load_waits=1)  # fmt: skip


def test_streams_are_used_again(driver):
    """Making them may wait for the device; those whose handle is known elsewhere are destroyed all the same."""
    run(driver, """
device.synchronize()
kept = [gpu.stream() for _ in range(20)]
kept.clear()
gpu.forget_calls()
with gpu.stream().hold():
    kept = [gpu.stream() for _ in range(12)]
    for stream in kept:
        gpu.kernel("nothing")[1, 1, stream]()
        stream.synchronize()
assert gpu.driver == "hip" or not gpu.calls("cuStreamCreateWithPriority")
handle = kept[0].handle
kept.clear()
stream = gpu.stream()
assert gpu.driver == "hip" or stream.handle != handle
""")  # fmt: skip


@pytest.mark.parametrize("mode", ["host", "device", "serialized"])
def test_streams_are_used_again_in_a_trace(mode):
    """Their handles are in the trace, and other code does not have them."""
    run("cuda", f"""
import tempfile
from launchpath import _core
_core.set_own_hold_patience(0.3)
kept = [gpu.stream() for _ in range(20)]
kept.clear()
with tempfile.TemporaryDirectory() as folder, lp.trace(folder + "/run.lptrace", mode="{mode}") as trace:
    gpu.forget_calls()
    with gpu.stream().hold():
        for turn in range(20):
            if turn == 10:
                trace.pause()
                trace.resume()
            kept = [gpu.stream() for _ in range(12)]
            for stream in kept:
                gpu.kernel("nothing")[1, 1, stream]()
                stream.synchronize()
            kept.clear()
    assert not gpu.calls("cuStreamCreateWithPriority")
    assert not gpu.calls("cuStreamDestroy_v2")
""")  # fmt: skip


def test_streams_of_every_kind_are_kept():
    """However many of another kind are."""
    run("cuda", """
kept = [gpu.stream() for _ in range(150)]
kept.clear()
blocking = gpu.stream("blocking")
gpu.forget_calls()
with blocking.hold():
    kept = [gpu.stream("blocking") for _ in range(8)]
assert not gpu.calls("cuStreamCreateWithPriority")
""")  # fmt: skip


def test_streams_of_every_priority_are_kept():
    """A thread that holds a stream back can create others of a priority that the process has not used."""
    run("cuda", """
first = gpu.stream()
gpu.forget_calls()
with first.hold():
    for priority in range(*device.priorities, -1):
        for blocking in (True, False):
            stream = lp.Stream(blocking, priority, device)
            assert stream.priority == priority
            gpu.kernel("nothing")[1, 1, stream]()
            assert stream.query() in (True, False)
assert not gpu.calls("cuStreamCreateWithPriority")
""")  # fmt: skip


REFUSED = {
    "loading": "gpu.load()",
    "many streams": "kept = [gpu.stream() for _ in range(100)]",
    "local memory": "gpu.kernel('deep')[1, 1, gpu.stream('nonblocking')]()",
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_thread_does_not_wait_for_its_own_hold_for_ever(what):
    run("cuda", f"""
from launchpath import _core
_core.set_own_hold_patience(0.3)
stream = gpu.stream()
with stream.hold():
    before = time.monotonic()
    with pytest.raises(lp.LaunchpathError, match="Release the hold before this call"):
        {REFUSED[what]}
    assert 0.3 <= time.monotonic() - before < 30
{REFUSED[what]}
hold = stream.hold()  # another thread releases it
releases = on_thread(lambda: (time.sleep(0.1), hold.release()))
gpu.load()
releases.join()
""", load_waits=1)  # fmt: skip


def test_only_the_thread_that_took_a_hold_waits_for_its_own(gpu):
    """Whichever thread releases it."""
    _core.set_own_hold_patience(0)
    pool, stream, holds = gpu.device.pool, gpu.stream(), []
    try:
        mine = stream.hold()
        late = threading.Timer(PROMPT, mine.release)  # else a thread that is not taken for its holder would hang
        late.start()
        with pytest.raises(lp.LaunchpathError, match="Release the hold before this call"):
            pool.begin_unheld()
        on_thread(mine.release).join()
        late.cancel()
        holding, gate = threading.Event(), threading.Event()
        holder = on_thread(lambda: (holds.append(stream.hold()), holding.set(), gate.wait()))
        holding.wait()
        late = threading.Timer(0.05, holds[0].release)
        late.start()
        assert pool.begin_unheld(), "another thread's hold ends sometime"
        pool.end_unheld()
        gate.set()
        holder.join()
        on_thread(lambda: holds.append(stream.hold())).join()
        with pytest.raises(lp.LaunchpathError, match="and a thread that has ended holds a stream back"):
            pool.begin_unheld()
        holds.pop().release()
    finally:
        late.join()
        _core.set_own_hold_patience(10)

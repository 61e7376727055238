"""Lent memory beside streams that are full, host functions and captures of graphs.

Memory is lent if it is allocated in the order of a stream whose own earlier work may still use it.
"""

import time

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.process import run
from tests.patience import PROMPT
from tests.promptly import promptly
from tests.standin.client import on_thread, soon

ROOM = 1024  # commands that the library takes of a stream before it blocks who submits


@pytest.fixture
def gpu(gpu):
    """The same, where what foreign code may have done, as far as earlier tests let it, is known to be over."""
    for device in gpu.devices:
        device.synchronize()
    return gpu


class Full:
    """A stream with all the commands that the library takes, and a thread that is blocked in the library with one more."""

    def __init__(self, gpu, stream, work):
        self.gpu, self.stream = gpu, stream
        self.thread = on_thread(lambda: [work() for _ in range(ROOM + 200)])
        assert soon(lambda: gpu.control.pending >= ROOM)
        time.sleep(0.02)  # it is in its call by then, or about to be

    def end(self):
        self.thread.join()
        self.gpu.device.synchronize()


def allocate(device):
    return lp.empty(16, "int32", device)


def lend(gpu, stream, *others, again=None):
    """Memory that a stream's own fill, and those of others, may still use, which the stream gets again.

    `again` allocates it.
    """
    with stream:
        old = allocate(gpu.device)
        for user in (stream, *others):
            old.fill(1, user)
        address = old.bare_address
        del old
        new = again() if again else allocate(gpu.device)
    assert new.bare_address == address, "the memory was not lent"
    return new


def place_hold(stream):
    promptly(stream.hold, "Stream.hold waits for a stream that is full").release()


@pytest.mark.parametrize("held", ["legacy", "blocking"])
@pytest.mark.parametrize("user", ["legacy", "blocking"])
@pytest.mark.parametrize("lender", ["legacy", "blocking"])
def test_the_address_is_read_while_a_stream_ordered_with_the_lender_is_held_back(gpu, lender, user, held):
    """The library keeps the legacy rule, so a mark that became an event after the hold would wait for the hold."""
    streams = {kind: gpu.stream(kind) for kind in ("legacy", "blocking")}
    gpu.control.pause()
    try:
        array = lend(gpu, streams[lender], *([] if user == lender else [streams[user]]))
        with streams[held].hold():
            gpu.control.resume()
            message = "Array.pointer waits for a hold that the memory does not await"
            assert promptly(lambda: array.pointer, message) == array.bare_address
    finally:
        gpu.control.resume()


def test_a_hold_beside_a_full_stream_whose_producer_allocates(gpu):
    """It is lent nothing meanwhile, or the hold would have to wait for its lock."""
    stream, other = gpu.stream(), gpu.stream()
    launch = gpu.kernel("nothing")[1, 1, stream]
    with stream:
        array = allocate(gpu.device)
    array.fill(1, stream)

    def work():
        with stream:
            allocate(gpu.device)
            launch()

    hold = stream.hold()
    del array
    full = Full(gpu, stream, work)
    try:
        place_hold(other)
    finally:
        hold.release()
        full.end()


@pytest.mark.parametrize("kind", ["nonblocking", "blocking", "legacy"])
def test_a_hold_beside_a_full_stream_that_has_lent(gpu, kind):
    """Memory is lent to a stream by name while that is held back. Its mark needs the lock, which its producer has."""
    stream, other = gpu.stream(kind), gpu.stream()
    hold = stream.hold()
    array = lend(gpu, stream, again=lambda: lp.empty(16, "int32", gpu.device, stream))
    full = Full(gpu, stream, gpu.kernel("nothing")[1, 1, stream])
    try:
        place_hold(other)
    finally:
        hold.release()
        full.end()
    with other.hold():
        assert promptly(lambda: array.pointer, "Array.pointer waits for a hold") == array.bare_address


def test_a_hold_beside_a_full_stream_of_a_slow_device(gpu):
    """No hold was there before, so memory is lent to the current stream too."""
    stream, other = gpu.stream(), gpu.stream()
    gpu.control.pause()
    try:
        array = lend(gpu, stream)
        full = Full(gpu, stream, gpu.kernel("nothing")[1, 1, stream])
        place_hold(other)
    finally:
        gpu.control.resume()
        full.end()
    array.fill(2, other)
    assert array.to_numpy(other).tolist() == [2] * 16


@pytest.mark.parametrize("runs", [False, True], ids=["in flight", "finished"])
def test_another_stream_uses_what_a_full_stream_has_lent(gpu, runs):
    """It waits for the mark that was placed before the hold, and needs no lock of the stream that is full."""
    stream, other = gpu.stream(), gpu.stream()
    gpu.control.pause()
    array = lend(gpu, stream)
    hold = stream.hold()
    if runs:
        gpu.control.resume()
    full = Full(gpu, stream, gpu.kernel("nothing")[1, 1, stream])
    try:
        promptly(lambda: array.fill(2, other), "the other stream's command waits for a stream that is full")
        gpu.control.resume()
        promptly(other.synchronize, "the other stream waits for the hold")
    finally:
        gpu.control.resume()
        hold.release()
        full.end()
    assert array.to_numpy(other).tolist() == [2] * 16


def test_a_copy_beside_a_full_stream_whose_copies_use_the_ring(gpu):
    """Whether a piece of the ring is free is asked without the lock of the stream that used it last."""
    stream, other = gpu.stream(), gpu.stream()
    array, to = gpu.zeros(), gpu.zeros()
    host = np.ones(16, "int32")
    hold = stream.hold()
    array.copy_from(host, stream)
    full = Full(gpu, stream, gpu.kernel("nothing")[1, 1, stream])
    try:
        for _ in range(3):
            promptly(lambda: to.copy_from(host, other), "a copy waits for a stream that is full")
    finally:
        hold.release()
        full.end()
    assert to.to_numpy(other).tolist() == [1] * 16


@pytest.mark.parametrize(
    "kind, exposed", [("legacy", False), ("legacy", True), ("blocking", True), ("nonblocking", False)]
)
def test_a_host_function_uses_what_its_stream_has_lent(driver, kind, exposed):
    """In a process of its own: it would wait for its own end."""
    run(driver, f"""
import faulthandler
faulthandler.dump_traceback_later({PROMPT}, exit=True)
stream, other, values = gpu.stream({kind!r}), gpu.stream(), []
keep = gpu.zeros()
if {exposed}:
    assert keep.pointer
device.synchronize()
device.trim_memory()
with stream:
    old = lp.empty(16, "int32", device)
    old.fill(1, stream)
    address = old.bare_address
    del old
    new = lp.empty(16, "int32", device)
assert new.bare_address == address, "the memory was not lent"
def function():
    new.fill(2, other)
    values.extend(new.to_numpy(other).tolist())
stream.host_function(function)
print("waiting for the host function, which must not wait for its own end", flush=True)
device.synchronize()
assert values == [2] * 16
faulthandler.cancel_dump_traceback_later()
""")  # fmt: skip


def refused(use, before="pass"):
    """A program that captures the stream, and uses what was lent meanwhile."""
    return f"""
with Capture(gpu, stream.handle) as graph:
    {before}
    with pytest.raises(lp.LaunchpathError, match="a stream that is being captured into a graph"):
        {use}
    gpu.kernel("nothing")[1, 1, stream]()
"""


CAPTURES = {
    "used by the captured stream": refused("lent.fill(3, stream)"),
    "read by the host": refused("lent.pointer"),
    "used by another stream": refused("lent.fill(3, other)"),
    "a hold meanwhile": refused("lent.fill(3, other)", "other.hold().release()"),  # its mark would be an event of it
    "complete": """
control.resume()
stream.synchronize()
with Capture(gpu, stream.handle) as graph:
    lent.fill(3, stream)
""",
    "lent by another stream": """
threading.Timer(0.05, control.resume).start()
with Capture(gpu, other.handle) as graph:
    lent.fill(3, other)
assert stream.query(), "the graph may run at any time, so the host has waited"
""",
}


@pytest.mark.parametrize("use", CAPTURES)
@pytest.mark.sample(2)
def test_a_capture_after_memory_was_lent(driver, use):
    """A graph may be launched at any time, so nothing in it comes after the work that the memory awaits.

    In a process of its own: were that work's end awaited in the capture, no later test could end.
    """
    run(driver, f"""
import faulthandler
from tests.gpu.capture.capture import Capture
faulthandler.dump_traceback_later({PROMPT}, exit=True)
stream, other = gpu.stream(), gpu.stream()
control.pause()
old = lp.empty(16, "int32", device, stream)
old.fill(1, stream)
address = old.bare_address
del old
lent = lp.empty(16, "int32", device, stream)
assert lent.bare_address == address, "the memory was not lent"
print("capturing, which must not wait for what is captured", flush=True)
exec({CAPTURES[use]!r})
assert graph.code == 0, "the capture has become invalid"
assert graph.nodes == 1
control.resume()
graph.close()
device.synchronize()
lent.fill(5, stream)
assert lent.to_numpy(stream).tolist() == [5] * 16
assert control.reports() == []
faulthandler.cancel_dump_traceback_later()
""")  # fmt: skip


def test_a_signals_handler_trims_while_the_pool_waits_to_free(driver):
    """The thread that gives free memory back must not wait for itself. Pinned memory is not freed behind a hold."""
    run(driver, f"""
import signal
calls = []
def handler(*_):
    calls.append(len(calls))
    if len(calls) == 2:
        raise TimeoutError("the pool waits for its own thread")
    device.trim_memory()
signal.signal(signal.SIGALRM, handler)
device.pool.allocate(1 << 16, kind=1)
device.synchronize()
device.pool.limit = device.pool.held + 1024
stream = gpu.stream()
with stream.hold():
    signal.setitimer(signal.ITIMER_REAL, 0.03, {PROMPT})
    with pytest.raises(lp.OutOfMemoryError):
        device.pool.allocate(1 << 15)
    signal.setitimer(signal.ITIMER_REAL, 0)
assert calls == [0]
stream.synchronize()
device.pool.allocate(1 << 15)
""")  # fmt: skip


def test_a_child_forked_while_a_thread_frees_memory(driver):
    """The child has not that thread, and gets a new lock in place of the thread's."""
    run(driver, f"""
import signal
pinned = [device.pool.allocate(1 << 16, kind=1) for _ in range(3)]
pinned.clear()
device.synchronize()
gpu.kernel("wait_us")[1, 1, gpu.stream()](300_000)
thread = on_thread(device.trim_memory)
time.sleep(0.1)  # it waits for the kernel
child = os.fork()
if child == 0:
    signal.alarm({PROMPT:.0f})
    try:
        device.trim_memory()
    except lp.LaunchpathError:
        pass
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0, "the child waits for a thread of its parent"
thread.join()
""")  # fmt: skip

"""Producers that run far ahead: the library blocks who submits more than it takes, which must hang nobody else."""

import pytest

from tests.gpu.process import run

AHEAD = """
nothing = gpu.kernel("nothing")
def runaway(stream, count=3000):
    def produce():
        launch = nothing[1, 1, stream]
        for _ in range(count):
            launch()
    return on_thread(produce)

def full(stream, count=1000):
    # By now the library has as many as it takes of this stream; the producer is inside its call, or about to be.
    assert soon(lambda: stream.submitted[0] - stream.submitted[1] >= count)
"""


def _run(code, driver, **options):
    run(driver, AHEAD + code, **options)


@pytest.mark.parametrize("kind", ["nonblocking", "blocking", "legacy"])
def test_a_held_stream_is_let_go_by_another_thread(driver, kind):
    _run(f"""
stream = gpu.stream({kind!r})
hold = stream.hold()
thread = runaway(stream)
full(stream)
hold.release()
thread.join()
device.synchronize()
""", driver)  # fmt: skip


MEANWHILE = """
nothing[1, 1, gpu.stream()]()
nothing[1, 1, other]()
nothing[1, 1, blocking]()
blocking.record()
other.record()
lp.empty(10, "int32", device)
gpu.zeros()
gpu.stream()
gpu.stream("blocking")
gpu.driver == "cuda" or gpu.load()  # CUDA loads nothing while the host holds a stream back
device.trim_memory()
device.memory_info()
other.synchronize()
other.host_function(int)
other.query()
other.hold().release()
del array; gc.collect()
gpu.kernel("nothing", 1)[1, 1, gpu.stream(ordinal=1)]()
"""


@pytest.mark.parametrize("kind", ["nonblocking", "blocking"])
def test_others_can_go_on_meanwhile(driver, kind):
    """What has nothing to do with the stream that is full does not wait for it."""
    _run(f"""
import faulthandler
faulthandler.dump_traceback_later(20, exit=True)
for line in {MEANWHILE.strip().splitlines()!r}:
    print(line, flush=True)  # the last one is what hung
    stream, other, blocking, array = gpu.stream({kind!r}), gpu.stream(), gpu.stream("blocking"), gpu.zeros()
    gpu.kernel("increment")[1, 16, other](array, 16)
    waiting = gpu.zeros(100)
    hold = stream.hold()
    gpu.kernel("increment")[1, 16, stream](waiting, 16)
    del waiting
    thread = runaway(stream)
    full(stream)
    exec(line)
    hold.release()
    thread.join()
    device.synchronize()
faulthandler.cancel_dump_traceback_later()
""", driver)  # fmt: skip


def test_a_host_function_that_works_on_while_its_stream_is_full(driver):
    _run("""
stream, out, go = gpu.stream("blocking"), [], threading.Event()
def function():
    go.wait()
    other = gpu.stream("blocking")
    array = lp.zeros(16, "int32", stream=other)
    for _ in range(3):
        gpu.kernel("increment")[1, 16, other](array, 16)
    out.append(array.to_numpy(other).tolist())
stream.host_function(function)
thread = runaway(stream)
full(stream)
go.set()
thread.join()
device.synchronize()
assert out == [[3] * 16]
""", driver)  # fmt: skip


def test_many_streams(driver):
    """Together they hold more than the library may take, where they share its queues."""
    _run("""
streams = [gpu.stream() for _ in range(20)]
array = gpu.zeros(20)
holds = [stream.hold() for stream in streams]
def produce():
    for _ in range(100):
        for stream in streams:
            gpu.kernel("increment")[1, 1, stream](array, 1)
thread = on_thread(produce)
thread.join(30)
for hold in holds: hold.release()
thread.join()
device.synchronize()
""", driver)  # fmt: skip


def test_a_producer_and_callbacks_that_need_the_gil(driver):
    """As many host functions as commands: whoever submits must not keep the GIL from those that it waits for."""
    _run("""
stream, seen = gpu.stream(), []
for i in range(600):
    nothing[1, 1, stream]()
    stream.host_function(seen.append, i)
    nothing[1, 1, stream]()
stream.synchronize()
assert seen == list(range(600))
""", driver)  # fmt: skip


def test_a_fast_producer_is_not_stopped(driver):
    _run("""
stream, array = gpu.stream(), gpu.zeros(1)
launch = gpu.kernel("increment")[1, 1, stream]
for _ in range(20000):
    launch(array, 1)
assert array.to_numpy(stream)[0] == 20000
""", driver)  # fmt: skip

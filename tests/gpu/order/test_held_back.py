"""What the library waits for the device in, unloading, freeing and (CUDA) loading, while the host holds a stream back.

A process each: what goes wrong here hangs.
"""

import pytest

from tests.gpu.process import run

LOADING = {
    "a host function of another thread's": """
went = []
stream.host_function(lambda: (time.sleep(0.1), went.append(1)))
gpu.load()
assert went == [1]
""",
    "a hold that another thread releases": """
hold = stream.hold()
threading.Timer(0.1, hold.release).start()
gpu.load()
assert stream.query()
""",
}


@pytest.mark.parametrize("beside", LOADING)
def test_loading_waits_without_the_gil(driver, beside):
    run(driver, "stream = gpu.stream()" + LOADING[beside], load_waits=1)


REFUSED = {
    "its own device": "gpu.stream().host_function(gpu.load)",
    "another device, which may wait for it": "gpu.stream(ordinal=1).host_function(gpu.load)",
    "an argument's finalizer": """
class Loads:
    def __del__(self):
        try:
            gpu.load()
        except lp.ConfigurationError as error:
            told.append(error)
stream, called = gpu.stream(), threading.Event()
# Whoever drops the argument last runs its finalizer: the worker, and not this thread on its way out of the call.
stream.host_function(lambda given: called.wait(), Loads())
called.set()
""",
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_host_function_that_loads_is_refused(what):
    run(
        "cuda",
        "told = []"
        + "\n"
        + REFUSED[what]
        + """
for one in gpu.devices:
    try:
        one.synchronize()
    except lp.HostFunctionError as error:
        told.append(error.__cause__)
assert soon(lambda: told)
[error] = told
assert "a host function loads a program" in str(error)
""",
        load_waits=1,
    )


TRIMMING = {
    "hold": """
with far.hold():
    near.wait(far.record())
    gpu.kernel("nothing")[1, 1, near]()
    device.trim_memory()
    assert gpu.live()["modules"] == before + 1
""",
    "host function": """
go = threading.Event()
far.host_function(lambda: (go.wait(), device.trim_memory()))
near.wait(far.record())
gpu.kernel("nothing")[1, 1, near]()
go.set()
far.synchronize()
assert gpu.live()["modules"] == before + 1
""",
}


@pytest.mark.parametrize("holder", TRIMMING)
def test_trimming_while_another_devices_stream_is_held_back(driver, holder):
    run(
        driver,
        """
far, near, before = gpu.stream(ordinal=1), gpu.stream(), gpu.live()["modules"]
gpu.kernel("nothing")[1, 1, near]()
before = gpu.live()["modules"]
gpu.load()
gc.collect()
"""
        + TRIMMING[holder]
        + """
near.synchronize()
device.trim_memory()
assert gpu.live()["modules"] == before
""",
    )


def test_running_out_of_memory_behind_a_hold(driver):
    """Pinned memory is not freed then, so there is none."""
    run(driver, """
device.pool.allocate(1 << 16, kind=1)
device.synchronize()
device.pool.limit = device.pool.held + 1024
stream = gpu.stream()
with stream.hold(), pytest.raises(lp.OutOfMemoryError):
    device.pool.allocate(1 << 15)
stream.synchronize()
device.pool.allocate(1 << 15)
""")  # fmt: skip


@pytest.mark.parametrize("holder", ["hold", "host function"])
def test_allocating_behind_a_hold_while_another_thread_trims(driver, holder):
    """Its freeing waits for what runs, with no lock that an allocation wants."""
    run(driver, f"""
stream, busy = gpu.stream(), gpu.stream()
pinned = [device.pool.allocate(1 << 16, kind=1) for _ in range(3)]
pinned.clear()
device.synchronize()
gpu.kernel("wait_us")[1, 1, busy](300_000)
gpu.forget_calls()
thread = on_thread(device.trim_memory)
time.sleep(0.1)
if {holder!r} == "hold":
    with stream.hold():
        device.pool.allocate(1 << 15)
else:
    stream.host_function(device.pool.allocate, 1 << 15)
    stream.synchronize()
thread.join()
device.trim_memory()
assert device.pool.free_bytes == 0
""")  # fmt: skip


def test_threads_that_run_out_of_memory_at_once(driver):
    """What one has taken to give it to the driver is missed by no other."""
    run(driver, """
pool, problems, start = device.pool, [], threading.Barrier(4, timeout=60)

def allocate():
    start.wait()
    try:
        pool.allocate(1 << 18)
    except BaseException as error:
        problems.append(error)

for _ in range(20):
    pool.limit = None
    cached = [pool.allocate(1 << 12, kind=1) for _ in range(256)]
    cached.clear()
    device.synchronize()
    pool.limit = 1 << 20
    threads = [on_thread(allocate) for _ in range(4)]
    for thread in threads:
        thread.join()
    assert problems == []
    device.trim_memory()
""")  # fmt: skip


def test_loading_beside_a_stream_that_is_never_idle(driver):
    run(driver, """
stream, other, stop, before = gpu.stream(), gpu.stream(), [], gpu.live()["modules"]
wait = gpu.kernel("wait_us")[1, 1, other]

def keep_busy():
    while not stop:
        wait(1000)
        events.append(other.record())
        if len(events) > 3:
            events.pop(0).synchronize()

events, most = [], 0
thread = on_thread(keep_busy)
for _ in range(60):
    gpu.adapt(gpu.load(), "nothing")[1, 1, stream]()
    stream.synchronize()
    gc.collect(0)
    time.sleep(0.01)  # longer than what `other` has before it
    most = max(most, gpu.live()["modules"] - before)
stop.append(1)
thread.join()
assert most < 20, most
""")  # fmt: skip

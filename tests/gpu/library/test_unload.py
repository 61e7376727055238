"""Programs that are dropped while their kernels may still run: their modules are unloaded afterwards, and only then."""

import gc
import threading

import pytest

import launchpath as lp
from tests.gpu.process import run
from tests.standin.client import on_thread, soon

WAYS = {"load": lambda gpu: gpu.load(), "trim": lambda gpu: gpu.device.trim_memory()}  # what unloads


@pytest.fixture
def modules(gpu):
    """Return how many modules there are more than at first."""
    before = gpu.live()["modules"]
    return lambda: gpu.live()["modules"] - before


def _launched(gpu, stream, name="increment", ordinal=0, loaded=()):
    """Launch a kernel of a program that nobody keeps; return the array that it works on.

    The last of the programs in `loaded` is taken: CUDA loads nothing while the host holds a stream back."""
    array = gpu.zeros(ordinal=ordinal)
    program = loaded.pop() if loaded else gpu.load(ordinal=ordinal)
    gpu.adapt(program, name, "pointer:int32", "int32", ordinal=ordinal)[1, 16, stream](array, 16)
    del program
    gc.collect(0)
    return array


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["nonblocking", "blocking", "legacy", "per-thread"])
def test_a_module_stays_until_its_kernels_have_run(gpu, modules, way, kind):
    stream, unload, loaded = gpu.stream(kind), WAYS[way], [gpu.load()]
    if gpu.driver == "cuda" and way == "load":
        pytest.skip("CUDA loads nothing while the host holds a stream back")
    with stream.hold():
        array = _launched(gpu, stream, loaded=loaded)
        for _ in range(2):
            unload(gpu)
        assert modules() == 1 + 2 * (way == "load")
        gpu.forget_calls()
    assert soon(lambda: gpu.control.pending == 0)  # it has run, which nobody has waited for
    unload(gpu)
    assert len(gpu.calls("cuModuleUnload")) == 1 + 2 * (way == "load")
    assert modules() == (way == "load")
    assert array.to_numpy(stream).tolist() == [1] * 16


def test_allocating_unloads_nothing(gpu, stream, modules):
    """The library may wait for all that runs when it unloads; an allocation must not."""
    _launched(gpu, stream)
    stream.synchronize()
    gpu.forget_calls()
    lp.empty(1 << 20, "uint8", gpu.device)
    lp.empty(1 << 20, "uint8", stream=stream)
    gpu.device.memory_info()
    assert gpu.calls("cuModuleUnload") == []
    assert modules() == 1
    gpu.device.trim_memory()
    assert modules() == 0


def test_a_program_that_has_run_nothing_goes_at_once(gpu, modules):
    gpu.load()
    gc.collect(0)
    gpu.forget_calls()
    gpu.device.trim_memory()
    assert len(gpu.calls("cuModuleUnload")) == 1
    assert modules() == 0


@pytest.mark.parametrize("busy", ["other stream", "dropped stream"])
def test_whatever_runs_may_be_its_kernel(gpu, modules, busy):
    """A kernel is anybody's who has it: a module waits for all that was in flight when it was dropped."""
    stream, program = gpu.stream(), gpu.load()
    array, hold = gpu.zeros(), stream.hold()
    gpu.adapt(program, "increment", "pointer:int32", "int32")[1, 16, stream](array, 16)
    if busy == "dropped stream":
        del stream
    else:
        gpu.stream().synchronize()
    del program
    gc.collect()
    gpu.device.trim_memory()
    assert modules() == 1
    hold.release()
    gpu.device.synchronize()
    gpu.device.trim_memory()
    assert modules() == 0
    assert array.to_numpy().tolist() == [1] * 16


@pytest.mark.parametrize("way", WAYS)
def test_what_comes_later_does_not_keep_it(gpu, modules, way):
    """Streams that are never idle would keep it for ever: what unloads waits for them."""
    stream, later = gpu.stream(), gpu.stream()
    array = _launched(gpu, stream)
    stream.synchronize()
    gpu.kernel("wait_us")[1, 1, later](20_000)
    WAYS[way](gpu)
    gc.collect(0)
    assert modules() == (way == "load")
    assert array.to_numpy().tolist() == [1] * 16


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("holder", ["hold", "host function"])
def test_nothing_waits_for_what_the_host_holds_back(gpu, modules, way, holder):
    """The library unloads, and frees pinned memory, once its device is idle: who holds a stream back may be who asks."""
    stream, done, unload = gpu.stream(), [], WAYS[way]
    if gpu.driver == "cuda" and way == "load":
        pytest.skip("CUDA loads nothing then: refused in a host function, see test_held_back.py")
    gpu.adapt(gpu.load(), "increment", "pointer:int32", "int32")[1, 16](gpu.zeros(), 16)
    gpu.device.pool.allocate(1 << 16, kind=1)  # pinned
    gc.collect(0)
    gpu.device.synchronize()
    if holder == "hold":
        with stream.hold():
            unload(gpu)
            done.append(modules())
    else:
        stream.host_function(lambda: (unload(gpu), done.append(modules())))
        stream.synchronize()
    assert done == [1 + (way == "load")]
    gc.collect(0)
    gpu.device.synchronize()
    unload(gpu)
    assert modules() == (way == "load")


def test_many_programs(gpu, modules):
    streams, loaded = [gpu.stream() for _ in range(5)], [gpu.load() for _ in range(50)]
    holds = [stream.hold() for stream in streams]
    arrays = [_launched(gpu, streams[i % 5], loaded=loaded) for i in range(50)]
    assert modules() == 50
    for hold in holds[:-1]:
        hold.release()
    gpu.device.trim_memory()
    # Those that were dropped while the last stream was held wait for it, whichever stream they ran in.
    assert modules() == 50
    gpu.forget_calls()
    holds[-1].release()
    gpu.device.synchronize()
    gpu.device.trim_memory()
    assert len(gpu.calls("cuModuleUnload")) == 50
    assert modules() == 0
    assert all(array.to_numpy(stream).tolist() == [1] * 16 for array in arrays for stream in streams[:1])


def test_loading_and_dropping_in_a_loop_does_not_grow(gpu, stream, array, modules):
    """Each load unloads what the last ones have left."""
    for _ in range(100):
        gpu.adapt(gpu.load(), "increment", "pointer:int32", "int32")[1, 16, stream](array, 16)
        stream.synchronize()
        assert modules() <= 2
    assert array.to_numpy(stream).tolist() == [100] * 16


def test_each_device_unloads_its_own(gpu, modules):
    for ordinal in 0, 1:
        stream = gpu.stream(ordinal=ordinal)
        _launched(gpu, stream, ordinal=ordinal)
        stream.synchronize()
    assert modules() == 2
    gpu.device.trim_memory()
    assert modules() == 1
    with gpu.current(0):  # whatever is current
        gpu.devices[1].trim_memory()
    assert modules() == 0


@pytest.mark.parametrize("dropped", ["worker", "thread", "collector"])
def test_dropping_calls_nothing(gpu, modules, dropped):
    """It may happen anywhere: inside a host function, or in the collector, under whatever lock."""
    stream, program, threads = gpu.stream(), [gpu.load()], []

    def drop():
        threads.append(threading.get_native_id())
        program.clear()

    gpu.forget_calls()
    if dropped == "worker":
        stream.host_function(drop)
        stream.synchronize()
    elif dropped == "thread":
        on_thread(drop).join()
    else:
        program.append(program)
        del program
        gc.collect()
    assert gpu.calls("cuModuleUnload") == []
    assert modules() == 1
    gpu.device.trim_memory()
    assert [call.thread for call in gpu.calls("cuModuleUnload")] == [threading.get_native_id()]
    assert threading.get_native_id() not in threads
    assert modules() == 0


def test_a_host_function_may_trim(gpu, modules):
    """Its thread is launchpath's own: the library's, which allows no call, never comes to it."""
    stream, other, problems = gpu.stream(), gpu.stream(), []

    def trim():
        try:
            gpu.device.trim_memory()
        except BaseException as error:
            problems.append(error)

    for _ in range(5):
        _launched(gpu, other)
        stream.host_function(trim)
    stream.synchronize()
    assert problems == []
    other.synchronize()
    gc.collect(0)
    gpu.device.trim_memory()
    assert modules() == 0


def test_many_threads(gpu, modules):
    problems = []

    def work():
        stream = gpu.stream()
        try:
            for i in range(30):
                array = _launched(gpu, stream)
                if i % 7 == 0:
                    gpu.device.trim_memory()
                if array.to_numpy(stream).tolist() != [1] * 16:
                    problems.append(i)
        except Exception as error:
            problems.append(error)

    gpu.forget_calls()
    threads = [on_thread(work) for _ in range(4)]
    for thread in threads:
        thread.join()
    assert problems == []
    gpu.settle(1)
    calls = gpu.calls("cuModuleLoadDataEx", "cuModuleUnload")
    assert [sum(call.name == name for call in calls) for name in ("cuModuleLoadDataEx", "cuModuleUnload")] == [120, 120]
    assert modules() == 0


# -- what goes wrong


@pytest.mark.parametrize("nth", [1, 2, 3])
@pytest.mark.leaves("modules")
def test_a_failed_unload_keeps_no_other(gpu, modules, nth):
    """Nobody asked for it there and then: whoever loads or trims has nothing to do with it."""
    program = [gpu.load() for _ in range(3)]
    program.clear()
    gc.collect(0)
    gpu.forget_calls()
    gpu.control.fail("cuModuleUnload", 999, nth)
    gpu.device.trim_memory()
    assert sorted(call.result for call in gpu.calls("cuModuleUnload")) == [0, 0, 999]
    assert modules() == 1


def test_a_failed_unload_is_tried_again(driver):
    run(driver, """
before = gpu.live()["modules"]
control.fail("cuModuleUnload", 900)  # as while a stream is captured
gpu.load()
gc.collect()
device.trim_memory()
assert gpu.live()["modules"] == before + 1
device.trim_memory()
assert gpu.live()["modules"] == before
""")  # fmt: skip


def test_loading_without_memory_is_tried_once_more(gpu, modules):
    gpu.forget_calls()
    gpu.control.fail("cuModuleLoadDataEx", 2, 1)
    program = gpu.load()
    assert [call.result for call in gpu.calls("cuModuleLoadDataEx")] == [2, 0]
    assert modules() == 1
    del program


def test_memory_that_programs_hold_is_released_when_it_runs_out(driver):
    run(driver, """
big = image("nothing nothing 0", variables=f"global table {48 << 20}\\n")
stream = gpu.stream()
control.option("memory", 64 << 20)
program = gpu.load(big)
gpu.adapt(program, "nothing")[1, 1, stream]()
del program
gc.collect()
lp.empty(40 << 20, "uint8", device)
""")  # fmt: skip


def test_a_failed_device_does_not_hinder_it(driver):
    run(driver, """
program = gpu.load()
stream = gpu.stream()
control.fail("run:nothing", 719)
before = gpu.live()["modules"]
gpu.adapt(program, "nothing")[1, 1, stream]()
with pytest.raises(lp.AsynchronousError):
    stream.synchronize()
del program
gc.collect()
with pytest.raises(lp.DriverError):
    device.trim_memory()
assert gpu.live()["modules"] == before - 1
with pytest.raises(lp.LaunchpathError):
    gpu.load()
""")  # fmt: skip


def test_the_process_ends_with_programs_that_wait(driver):
    run(driver, """
stream, kept, loaded = gpu.stream(), gpu.load(), [gpu.load() for _ in range(3)]
hold = stream.hold()
while loaded:
    gpu.adapt(loaded.pop(), "nothing")[1, 1, stream]()
gc.collect()
hold.release()
""")  # fmt: skip

"""Every call into the library failing in turn: the error names it, nothing is lost, and what follows works."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import launchpath as lp
from tests.gpu.standin import IMAGE, NAMES

FAILURE = 999  # "unknown": nothing that the driver takes for something else

# Calls that may fail without anybody being told: what gives something back, and what is done without.
SILENT = {
    "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuModuleUnload", "cuMemFreeHost", "cuMemFree_v2", "cuMemFreeAsync",
    "cuStreamIsCapturing", "cuPointerGetAttribute", "cuEventQuery", "cuStreamQuery",
    "cuCtxGetCurrent",  # before a query
    "cuDeviceGetCount", "cuCtxSetCurrent", "cuThreadExchangeStreamCaptureMode",
}  # fmt: skip

# What fails instead: HIP may refuse to allow shared memory that a launch then gets; hipSetDevice, and the first call of
# a thread, ask how many devices there are.
THROUGH = {
    ("hip", "cuFuncSetAttribute"): ["hipModuleLaunchKernel"],
    ("hip", "cuDeviceGetCount"): ["hipSetDevice", "hipStreamSynchronize"],
}


def _on_another_thread(function):
    """Call it where no signal's handler runs: there a wait is a call of the library that blocks."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(function).result()


# Use everything once: (what, function of the stand-in and of what was made so far).
SCENE = [
    ("stream", lambda gpu, it: it.update(stream=gpu.stream(), other=gpu.stream("blocking"))),
    ("allocate", lambda gpu, it: it.update(array=lp.empty(3000, "int32", gpu.device), back=gpu.zeros(3000))),
    ("ordered", lambda gpu, it: it.update(ordered=lp.empty(3000, "int32", stream=it["stream"]))),
    ("load", lambda gpu, it: it.update(program=gpu.load(IMAGE))),
    ("kernel", lambda gpu, it: it.update(kernel=gpu.adapt(it["program"], "shape", "pointer", dynamic_shared=True))),
    ("symbol", lambda gpu, it: it["program"].symbol("table")),
    ("upload", lambda gpu, it: it["array"].copy_from(np.arange(3000, dtype="int32"), it["stream"])),
    ("fill8", lambda gpu, it: lp._core.fill_bytes(it["stream"], it["back"].pointer, b"a", 100)),
    ("fill16", lambda gpu, it: lp._core.fill_bytes(it["stream"], it["back"].pointer, b"ab", 100)),
    ("fill64", lambda gpu, it: lp._core.fill_bytes(it["stream"], it["back"].pointer, b"abcdefgh", 800)),
    ("launch", lambda gpu, it: gpu.kernel("increment")[1, 16, it["stream"]](it["array"], 16)),
    ("shared", lambda gpu, it: it["kernel"][1, 1, it["stream"], 100 << 10](it["ordered"])),
    ("record", lambda gpu, it: it.update(event=it["stream"].record(), timed=it["stream"].record(timing=True))),
    ("wait", lambda gpu, it: it["other"].wait(it["event"])),
    ("hold", lambda gpu, it: it.update(hold=it["other"].hold())),
    ("after", lambda gpu, it: gpu.kernel("increment")[1, 16, it["other"]](it["array"], 16)),
    ("query", lambda gpu, it: (it["event"].query(), it["stream"].query(), it["other"].query())),
    ("release", lambda gpu, it: it["hold"].release()),
    ("host function", lambda gpu, it: it["stream"].host_function(int)),
    ("download", lambda gpu, it: it["array"].to_numpy(it["stream"])),
    ("elapsed", lambda gpu, it: it["timed"].elapsed_time(it["stream"].record(timing=True))),
    ("occupancy", lambda gpu, it: it["program"].kernel("nothing").occupancy(32, 0)),
    ("suggest", lambda gpu, it: it["program"].kernel("nothing").suggest_block(0, 0)),
    ("information", lambda gpu, it: gpu.device.memory_info()),
    ("legacy", lambda gpu, it: gpu.kernel("increment")[1, 16, gpu.device.legacy_stream](it["array"], 16)),
    ("again", lambda gpu, it: gpu.kernel("increment")[1, 16, it["stream"]](it["array"], 16)),
    ("another thread", lambda gpu, it: _on_another_thread(it["stream"].synchronize)),
    ("synchronize", lambda gpu, it: gpu.device.synchronize()),
    ("free", lambda gpu, it: [it.pop(name, None) for name in ("array", "back", "ordered", "program", "kernel")]),
    ("trim", lambda gpu, it: gpu.device.trim_memory()),
]


def _run(gpu):
    """Run the scene, going on after what fails; give (step, error) of what did."""
    it, errors = {}, []
    for name, step in SCENE:
        try:
            step(gpu, it)
        except KeyError:
            assert errors, name  # it needs what an earlier step failed to make
        except (lp.LaunchpathError, MemoryError) as error:
            errors.append((name, error.with_traceback(None)))
    if "hold" in it:
        it["hold"].release()
    return errors


def _own(driver, cuda):
    """The name that the driver's own library has for a function of the CUDA library under it, or None."""
    for field, name in NAMES["cuda"].items():
        if name == cuda:
            return NAMES[driver][field] or NAMES[driver].get(f"hip_{field}")
    return None


def _calls(gpu):
    """The calls of the CUDA library in the scene, each as often as it comes."""
    gpu.settle()
    gpu.forget_calls()
    assert _run(gpu) == []
    counts = {}
    for call in gpu.calls():
        counts[call.name] = counts.get(call.name, 0) + 1
    return counts


def test_the_scene_uses_nearly_everything(gpu):
    _run(gpu)
    used = set(_calls(gpu))
    opened_before = {
        "init", "version", "count", "device", "name", "memory", "attribute", "bus", "retain", "priorities", "pool_create",
        "pool_set", "host_allocate", "properties", "ordinal", "set_ordinal", "set_context", "context", "error_name",
        "stream_flags", "kernel_function", "parameter_info", "pointer_attribute", "event_create", "event_destroy",
        "launch_cooperative", "event_synchronize", "stream_capturing", "stream_destroy", "host_free",
        "stream_create",
    }  # fmt: skip
    opened_before |= {"capture_info", "user_object_create", "user_object_release", "graph_retain"}  # see test_block.py
    opened_before |= {
        "copy_peer", "hip_copy_peer", "copy_rows", "hip_copy_rows", "can_access_peer", "enable_peer", "hip_enable_peer", "pool_access",
        "copy_peer_rows",
    }  # fmt: skip  # see test_peer.py and test_peer_rows.py
    opened_before.add("managed_allocate")  # see test_managed.py
    opened_before.add("launch_dependent")  # see test_dependent.py
    opened_before |= {"limit_get", "limit_set"}  # see test_local_memory.py
    opened_before |= {
        "array_create", "array_destroy", "copy_array", "hip_copy_array", "texture_create", "texture_destroy",
    }  # fmt: skip  # see test_texture.py
    opened_before |= {
        field for field in NAMES[gpu.driver] if "graph_" in field and field != "graph_retain"
    }  # see test_step.py
    opened_before |= {field for field in NAMES[gpu.driver] if field.startswith("link_")}  # see test_link.py
    wanted = {gpu.cuda_name(field) for field, name in NAMES[gpu.driver].items() if name and field not in opened_before}
    plain = {"cuMemAlloc_v2", "cuMemFree_v2"}
    ordered = {"cuMemAllocFromPoolAsync", "cuMemFreeAsync", "cuMemPoolTrimTo"}
    assert wanted - used == (plain if gpu.device.info["stream_ordered"] else ordered)


@pytest.mark.leaves("modules")
@pytest.mark.parametrize("number", range(3))
def test_each_call_failing_in_turn(gpu, number):
    """The first, the second or the third call of each name."""
    _run(gpu)
    gpu.settle()
    calls = _calls(gpu)
    untold, wrong = [], []
    gpu.settle()
    before = gpu.live()
    for name, count in sorted(calls.items()):
        own = _own(gpu.driver, name)
        if own is None or number >= count:
            continue  # the HIP library below calls some functions of CUDA's for itself
        gpu.control.fail(name, FAILURE, nth=number + 1)
        gpu.forget_calls()
        errors = _run(gpu)
        gpu.control.forgive()
        if not errors and name not in SILENT and any(call.result == FAILURE for call in gpu.calls(name)):
            untold.append(name)
        for step, error in errors:
            if not isinstance(error, lp.DriverError) or error.call not in [own, *THROUGH.get((gpu.driver, name), [])]:
                wrong.append((name, step, repr(error)))
        gpu.settle()
        after = gpu.live()
        left = {
            what: after[what] - before[what] for what in ("memory", "modules", "pools") if after[what] > before[what]
        }
        before = after
        if left and name != "cuModuleUnload":
            wrong.append((name, "left", left))
        assert gpu.control.reports() == [], name
    assert _run(gpu) == []
    assert untold == []
    assert not wrong, "\n".join(map(str, wrong))


def test_events_that_cannot_be_created(gpu):
    stream, kept = gpu.stream(), []
    gpu.control.fail("cuEventCreate", FAILURE, nth=0)
    with pytest.raises(lp.DriverError) as caught:
        for _ in range(1000):
            kept.append(stream.record())
    assert caught.value.call == gpu.call["event_create"]
    gpu.control.forgive()
    kept.append(stream.record())
    for event in kept:
        event.synchronize()


def test_helpers_that_cannot_be_created(gpu):
    """A host function whose callback cannot be asked for is not called, and holds nothing back."""
    stream, seen = gpu.stream(), []
    for name in "cuLaunchHostFunc", "cuStreamWaitValue32_v2":
        gpu.control.fail(name, FAILURE)
        with pytest.raises(lp.DriverError) as caught:
            stream.host_function(seen.append, 1)
        assert caught.value.call == _own(gpu.driver, name)
        stream.synchronize()
    stream.host_function(seen.append, 2)
    stream.synchronize()
    assert seen == [2]


def test_words_that_cannot_be_allocated(gpu):
    streams = [gpu.stream() for _ in range(10)]  # a stream takes about a thousand commands, then it blocks
    gpu.control.fail("cuMemHostAlloc", FAILURE, nth=0)
    holds = []
    with pytest.raises(lp.DriverError) as caught:
        for i in range(2000):
            holds.append(streams[i // 300].hold())
    assert caught.value.call == gpu.call["host_allocate"]
    gpu.control.forgive()
    for hold in holds:
        hold.release()
    for stream in streams:
        stream.synchronize()
    assert len(holds) >= 1000


def test_a_failing_hold_is_let_go(gpu):
    stream, array = gpu.stream(), gpu.zeros()
    gpu.control.fail("cuStreamWaitValue32_v2", FAILURE)
    with pytest.raises(lp.DriverError) as caught:
        stream.hold()
    assert caught.value.call == gpu.own_name("wait_value")
    array.fill(1, stream)
    assert array.to_numpy(stream).tolist() == [1] * 16


def test_a_wait_that_fails_is_asked_for_again(gpu):
    stream, other, array, seen = gpu.stream(), gpu.stream(), gpu.zeros(), gpu.zeros()
    with stream.hold():
        array.fill(3, stream)
        event = stream.record()
        gpu.control.fail("cuStreamWaitEvent", FAILURE)
        with pytest.raises(lp.DriverError, match="StreamWaitEvent failed"):
            other.wait(event)
        other.wait(event)
        lp._core.copy_bytes(other, seen.pointer, array.pointer, 64)
        assert not other.query()
    assert seen.to_numpy(other).tolist() == [3] * 16


def test_the_launchs_own_error_is_reported(gpu):
    for code, advice in ((701, "fewer threads"), (1, ""), (209, "another architecture"), (4, "the process is ending")):
        gpu.control.fail("cuLaunchKernel", code)
        with pytest.raises(lp.DriverError) as caught:
            gpu.kernel("nothing")[1, 1, gpu.stream()]()
        error = caught.value
        assert (error.call, error.code) == (gpu.call["launch"], code)
        assert error.name.startswith({"cuda": "CUDA_ERROR_", "hip": "hipError"}[gpu.driver])
        assert advice in str(error)

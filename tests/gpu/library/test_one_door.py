"""Every call of the CUDA and HIP libraries goes through the driver's table, once the devices have been found."""

import gc
from collections.abc import Iterator

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._memory.copies.peer import copy_between


@pytest.fixture
def watched(gpu, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """The log is on: a thread is in a logged call whenever it is in the library, or that call goes past the table."""
    for device in gpu.devices:
        _core.log_driver_calls(device)
    gpu.control.watch(_core.driver_depth())
    yield
    gpu.control.watch(0)
    for device in gpu.devices:
        _core.log_driver_calls(device, False)


def everything(gpu) -> None:
    """Use everything that calls the library."""
    kernel, stream = gpu.kernel("increment"), gpu.stream("blocking")
    shape = gpu.kernel("shape")
    a, b = gpu.zeros(16), gpu.zeros(16)
    for other in (gpu.device.legacy_stream, stream, gpu.stream("nonblocking", priority=-1)):
        kernel[1, 16, other](a, 16)
        b.copy_from(a, other)
        a.fill(3, other)
        a.to_numpy(other)
        start, end = other.record(timing=True), other.record(timing=True)
        end.synchronize()
        start.elapsed_time(end)
        gpu.device.legacy_stream.wait(end)
        other.host_function(lambda: None)
        other.query()
        other.synchronize()
    shape.cooperative[2, 32](gpu.zeros(9, "uint32"))
    kernel.occupancy(64)
    kernel.suggest_block()
    kernel[1, 1, None, gpu.device.info["shared_memory_per_block"] + 1] if kernel.signature.dynamic_shared else None
    _core.time_commands(gpu.device)
    kernel[1, 16, stream](a, 16)
    stream.synchronize()
    assert _core.command_times(gpu.device)
    _core.time_commands(gpu.device, False)
    adopted = lp.adopt(gpu.kernel("fill")._driver.function, "float *x, float value, int n", device=gpu.device)
    adopted[1, 16](lp.zeros(16, "float32", gpu.device), 1.0, 16)
    external = lp.Stream.external(stream.handle, device=gpu.device)
    external.synchronize()
    staged = lp.InOut(np.zeros(16, np.int32))
    kernel[1, 16, stream](staged, 16)
    staged.get()
    kernel.returning(**{kernel.signature.parameters[0].name: 16})[1, 16](16).get()
    other, far = gpu.devices[1], gpu.zeros(16, ordinal=1)
    _core.forget_peers(gpu.device)
    assert gpu.device.can_access_peer(other)
    gpu.device.enable_peer(other)
    assert copy_between(a, far, stream)
    _core.copy_rows(stream, a.pointer_on(stream), 32, b.pointer_on(stream), 16, 8, 2)
    gpu.device.memory_info()
    texture = lp.Texture(a.reshape(4, 4))
    texture.update(a.reshape(4, 4))
    del texture
    a.free()
    del b, external, adopted
    gc.collect()
    gpu.device.synchronize()
    gpu.device.pool.trim()


def test_no_call_goes_past_the_table(gpu, watched):
    gpu.forget_calls()
    everything(gpu)
    called = {call.name for call in gpu.control.calls()}
    assert len(called) > 20, called
    # Names of errors are asked of the table without a device, so there is nothing to log.
    assert [name for name in gpu.control.past() if "ErrorName" not in name] == []


def test_a_call_past_the_table_is_seen(gpu, watched):
    kernel, stream = gpu.kernel("nothing"), gpu.stream()
    _core.GPUBaseline(kernel[1, 1], stream).launch(1, b"")
    assert "cuLaunchKernel" in gpu.control.past()
    stream.synchronize()

"""Libraries too old for a function: what needs it says which one is missing, and everything else works."""

import pytest

from tests.gpu.process import run
from tests.gpu.standin import NAMES

EVERYTHING = """
def works(holds=True, host=True):
    stream, other = gpu.stream(), gpu.stream("blocking")
    array = lp.zeros(100, "int32", stream=stream)
    gpu.kernel("increment")[1, 100, stream](array, 100)
    other.wait(stream.record())
    gpu.kernel("increment")[1, 100, other](array, 100)
    gpu.kernel("increment")[1, 100](array, 100)
    assert array.to_numpy().tolist() == [3] * 100
    array.copy_from(np.arange(100, dtype="int32"), stream)
    assert stream.record().query() in (True, False)
    assert array.to_numpy(stream).tolist() == list(range(100))
    if holds:
        with stream.hold():
            array.fill(5, stream)
            assert not stream.query()
    if host:
        seen = []
        stream.host_function(seen.append, 1)
        stream.synchronize()
        assert seen == [1]
    handle = stream.handle
    del array, stream, other
    gc.collect()
    device.synchronize()
    device.trim_memory()
    assert device.memory_info()["in_use"] == 0
    assert control.reports() == []

def lacks(function, name):
    error = None
    try:
        function()
    except lp.DriverError as raised:
        error = raised
    assert error is not None, f"nothing is refused without {name}"
    assert error.call == name, error
    assert "function not in this library" in str(error), error
    assert "too old" in str(error) and "still work" in str(error), error
"""


def _name(driver, field):
    return NAMES[driver][field] or NAMES[driver]["hip_" + field]


def _run(driver, field, code):
    name = _name(driver, field)
    return run(driver, f"NAME = {name!r}\n" + EVERYTHING + code, without=(name,))


@pytest.mark.parametrize("field", ["pool_create", "pool_allocate", "free_ordered"])
def test_pools(driver, field):
    _run(driver, field, """
assert control.live("pools") == 0
works()
""")  # fmt: skip


def test_waiting_for_values(driver):
    _run(driver, "wait_value", """
stream = gpu.stream()
lacks(stream.hold, NAME)
lacks(lambda: stream.host_function(int), NAME)
works(holds=False, host=False)
""")  # fmt: skip


def test_host_functions(driver):
    _run(driver, "host_function", """
stream = gpu.stream()
lacks(lambda: stream.host_function(int), NAME)
stream.synchronize()
works(host=False)
""")  # fmt: skip


@pytest.mark.parametrize(("field", "call"), [("occupancy", "occupancy(32, 0)"), ("suggest", "suggest_block(0, 0)")])
def test_occupancy_and_block_sizes(driver, field, call):
    _run(driver, field, f"""
assert gpu.load().kernel("nothing").{call} is None
works()
""")  # fmt: skip


def test_cooperative_launches(driver):
    _run(driver, "launch_cooperative", """
kernel = gpu.adapt(gpu.load(), "shape", "pointer:uint32")
kernel.make_cooperative()
out = gpu.zeros(9, "uint32")
lacks(lambda: kernel[1, 1, gpu.stream()](out), NAME)
del kernel, out
works()
""")  # fmt: skip


def test_shared_memory_beyond_the_default(driver):
    """The launch itself says so then."""
    _run(driver, "function_set", """
kernel = gpu.adapt(gpu.load(), "shape", "pointer:uint32", dynamic_shared=True)
out = gpu.zeros(9, "uint32")
kernel[1, 1, gpu.stream(), 40 << 10](out)
with pytest.raises(lp.DriverError):
    kernel[1, 1, gpu.stream(), 100 << 10](out)
del kernel, out
works()
""")  # fmt: skip


@pytest.mark.parametrize("field", ["bus", "stream_flags", "stream_capturing", "pointer_attribute", "pool_trim"])
def test_what_is_only_asked_or_may_be_left_out(driver, field):
    _run(driver, field, "works()\n")


def test_parameters():
    _run("cuda", "parameter_info", """
assert gpu.load().kernel("increment").parameter_layout() is None
works()
""")  # fmt: skip


def test_kernels_of_libraries():
    _run("cuda", "kernel_function", """
lacks(lambda: device.driver_device.function_of(gpu.load().kernel("nothing").function), NAME)
works()
""")  # fmt: skip


def test_properties():
    _run("hip", "properties", """
assert device.info["architecture"] == "unknown"
works()
""")  # fmt: skip


def test_names_of_errors():
    _run("cuda", "error_name", """
control.fail("cuLaunchKernel", 1)
with pytest.raises(lp.DriverError, match="cuLaunchKernel failed: unknown error .1."):
    gpu.kernel("nothing")[1, 1]()
works()
""")  # fmt: skip


@pytest.mark.parametrize("field", ["capture_info", "user_object_create", "user_object_release", "graph_retain"])
def test_graphs_that_keep_nothing(driver, field):
    """What their launches use is kept for good then."""
    _run(driver, field, """
from tests.gpu.capture.capture import Capture
works()
stream = gpu.stream()
launch = gpu.adapt(gpu.load(), "shape", "struct64", block=True)[1, 1, stream]
capture = Capture(gpu, stream.handle)
with capture:
    launch(bytes(64))
assert capture.code == 0
del launch
gc.collect()
device.trim_memory()
assert device.memory_info()["in_use"] > 0
capture.close()
device.trim_memory()
assert device.memory_info()["in_use"] > 0
assert control.reports() == []
""")  # fmt: skip

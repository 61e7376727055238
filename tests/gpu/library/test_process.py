"""Fork and exit with work in flight."""

import pytest

from tests.gpu.process import run


def test_a_forked_child_is_refused(driver):
    run(driver, """
    stream, array = gpu.stream(), gpu.zeros()
    hold = stream.hold()
    array.fill(1, stream)
    event = stream.record()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for what in (
                lambda: gpu.kernel("nothing")[1, 1, stream](),
                lambda: array.fill(1, stream),
                lambda: lp.empty(1 << 20, "int32", device),
                lambda: lp.Stream(device=device),
                lambda: stream.synchronize(),
                lambda: stream.query(),
                lambda: stream.hold(),
                lambda: stream.host_function(int),
                lambda: stream.wait(gpu.devices[1].legacy_stream.record()),
                lambda: device.memory_info(),
                lambda: event.synchronize(),
                lambda: array.to_numpy(stream),
            ):
                with pytest.raises(lp.LaunchpathError, match="forked after launchpath had opened a device"):
                    what()
            del stream, array, event, hold
            gc.collect()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    hold.release()
    assert array.to_numpy(stream).tolist() == [1] * 16
    assert control.reports() == []
    """)  # fmt: skip


def test_a_forked_child_that_ends_as_usual(driver):
    run(driver, """
    stream, array = gpu.stream(), gpu.zeros()
    array.fill(1, stream)
    child = os.fork()
    if child == 0:
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert array.to_numpy(stream).tolist() == [1] * 16
    """)  # fmt: skip


@pytest.mark.parametrize("work", [
    "stream.synchronize()",
    "gpu.kernel('wait_us')[1, 1, stream](1000)",
    "stream.host_function(time.sleep, 0.01)",
    "kept = array.__cuda_array_interface__, stream.record(), stream.handle",
    "del array, stream, gpu, device, control",
    "threads = [threading.Thread(target=lambda: gpu.zeros(), daemon=True) for _ in range(4)]; [t.start() for t in threads]",
])  # fmt: skip
def test_exit_with_work_in_flight(driver, work):
    run(driver, f"""
    stream, array = gpu.stream(), gpu.zeros()
    program = gpu.load()
    for _ in range(100):
        gpu.kernel("increment")[1, 16, stream](array, 16)
    {work}
    """)  # fmt: skip


def test_exit_after_a_failure(driver):
    run(driver, """
    stream, array = gpu.stream(), gpu.zeros()
    gpu.kernel("fails")[1, 1, stream](700)
    with pytest.raises(lp.DriverError):
        stream.synchronize()
    """)  # fmt: skip


def test_exit_while_a_stream_is_held():
    """It is given up after some seconds."""
    run("cuda", """
    stream, array = gpu.stream(), gpu.zeros()
    hold = stream.hold()
    array.fill(1, stream)
    """)  # fmt: skip

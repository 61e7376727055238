"""A command that fails while it runs: on these devices nothing works afterwards, and the errors say what to do."""

import pytest

from tests.gpu.process import run


@pytest.mark.parametrize("code", [700, 719, 710])
def test_everything_says_what_to_do(driver, code):
    out = run(driver, f"""
    stream, array = gpu.stream(), gpu.zeros()
    gpu.kernel("increment")[1, 16, stream](array, 16)
    gpu.kernel("fails")[1, 1, stream]({code})
    with pytest.raises(lp.AsynchronousError) as caught:
        stream.synchronize()
    error = caught.value
    assert error.code == {code}, error
    assert "fails (command" in str(error), error
    assert "on this stream or another" in str(error) and "Start a new process" in str(error), error
    print(error)
    other = gpu.stream("legacy")
    for what in (
        lambda: gpu.kernel("increment")[1, 16, stream](array, 16),
        lambda: gpu.kernel("increment")[1, 16, other](array, 16),
        lambda: lp.empty(1 << 20, "int32", device),
        lambda: array.fill(1, stream),
        lambda: stream.record(),
        lambda: gpu.load(),
        lambda: gpu.stream(),
        lambda: device.memory_info(),
    ):
        with pytest.raises(lp.DriverError) as caught:
            what()
        error = caught.value
        assert error.code == {code}, error
        assert "failed state" in str(error) and "Start a new process" in str(error), error
        assert "LAUNCHPATH_LAUNCH_BLOCKING=1" in str(error), error
    for what in other.synchronize, device.synchronize:
        with pytest.raises(lp.DriverError):
            what()
    del array, stream
    gc.collect()
    """)  # fmt: skip
    assert "LAUNCHPATH_LAUNCH_BLOCKING=1" in out


def test_a_host_function_that_is_never_called_keeps_nothing_waiting(driver):
    """The library calls none of a failed device: what must not overlap them goes on, and says what is wrong."""
    run(driver, """
    stream, far, before = gpu.stream(), gpu.stream(ordinal=1), gpu.live()["modules"]
    program = gpu.load(ordinal=1)
    with stream.hold():
        gpu.kernel("fails")[1, 1, stream](719)
        stream.host_function(int)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    with pytest.raises(lp.DriverError):
        gpu.load()
    del program
    gc.collect()
    gpu.devices[1].trim_memory()
    assert gpu.live()["modules"] == before
    os._exit(0)
    """)  # fmt: skip


@pytest.mark.parametrize("what", ["stream.query()", "event.query()", "event.synchronize()", "array.to_numpy(stream)",
                                  "device.synchronize()"])  # fmt: skip
@pytest.mark.sample(2)
def test_the_first_call_reports_it(driver, what):
    run(driver, f"""
    stream, array = gpu.stream(), gpu.zeros()
    gpu.kernel("fails")[1, 1, stream](700)
    event = None
    try:
        event = stream.record()
    except lp.DriverError as error:
        assert error.code == 700
    if event is None and "event" in {what!r}:
        raise SystemExit
    end = time.monotonic() + 20
    with pytest.raises(lp.DriverError) as caught:
        while time.monotonic() < end:
            {what}
    assert caught.value.code == 700, caught.value
    """)  # fmt: skip


def test_the_other_device_goes_on(driver):
    run(driver, """
    stream, other = gpu.stream(), gpu.stream(ordinal=1)
    array = gpu.zeros(ordinal=1)
    gpu.kernel("fails")[1, 1, stream](700)
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()
    for _ in range(3):
        gpu.kernel("increment", 1)[1, 16, other](array, 16)
    assert array.to_numpy(other).tolist() == [3] * 16
    gpu.devices[1].synchronize()
    fresh = lp.zeros(16, "int32", device=gpu.devices[1])
    gpu.devices[1].synchronize()
    seen = []
    other.host_function(seen.append, 1)
    other.synchronize()
    assert seen == [1]
    """)  # fmt: skip


def test_the_other_device_goes_on_where_the_failed_device_is_current(driver):
    run(driver, """
    stream, other = gpu.stream(), gpu.stream(ordinal=1)
    array = gpu.zeros(ordinal=1)
    launch = gpu.kernel("increment", 1)[1, 16, other]
    with gpu.current(0):
        gpu.kernel("fails")[1, 1, stream](700)
        with pytest.raises(lp.AsynchronousError):
            stream.synchronize()
        launch(array, 16)
        assert array.to_numpy(other).tolist() == [1] * 16
    """)  # fmt: skip


def test_host_functions_behind_it_are_not_called(driver):
    run(driver, """
    stream, seen = gpu.stream(), []
    hold = stream.hold()
    gpu.kernel("fails")[1, 1, stream](700)
    stream.host_function(seen.append, 1)
    hold.release()
    with pytest.raises(lp.DriverError):
        stream.synchronize()
    assert seen == []
    """)  # fmt: skip


def test_a_failed_copy(driver):
    run(driver, """
    stream, array = gpu.stream(), gpu.zeros()
    control.fail("run:copy", 700)
    with pytest.raises(lp.DriverError) as caught:
        array.to_numpy(stream)
    assert caught.value.code == 700
    """)  # fmt: skip


def test_launch_blocking_names_the_launch(driver):
    run(driver, """
    stream = gpu.stream()
    gpu.kernel("nothing")[1, 1, stream]()
    with pytest.raises(lp.DriverError) as caught:
        gpu.kernel("fails")[1, 1, stream](700)
    assert caught.value.code == 700
    with pytest.raises(lp.DriverError) as later:
        gpu.kernel("nothing")[1, 1, stream]()
    assert "LAUNCHPATH_LAUNCH_BLOCKING" not in str(later.value), later.value
    assert "Start a new process" in str(caught.value), caught.value
    assert "LAUNCHPATH_LAUNCH_BLOCKING" not in str(caught.value), caught.value
    """, LAUNCHPATH_LAUNCH_BLOCKING="1")  # fmt: skip


def test_a_memory_request_ends(driver):
    """The pool must not try for ever to free what can never be known to be unused."""
    run(driver, """
    stream, array = gpu.stream(), gpu.zeros(1 << 20)
    gpu.kernel("fails")[1, 1, stream](700)
    del array
    for _ in range(3):
        with pytest.raises(lp.DriverError):
            stream.synchronize()
            lp.empty(1 << 24, "int32", device)
    with pytest.raises(lp.DriverError):
        device.trim_memory()
        device.memory_info()
    """)  # fmt: skip

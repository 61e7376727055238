"""launchpath's own captures on the stand-in: nothing of them reaches the library, and their launches are its graphs."""

import pytest

import launchpath as lp
from tests.threads import apart

N = 10


def submitted(gpu):
    """The calls since the last look that submit something, each once."""
    return sorted(
        {call.name for call in gpu.calls("cuLaunchKernel", "cuGraphLaunch", "cuMemcpyAsync", "cuEventRecord")}
    )


@pytest.mark.parametrize("kind", ["nonblocking", "blocking"])
def test_a_capture_submits_nothing_and_its_launches_are_graphs(gpu, kind):
    stream, array = gpu.stream(kind), gpu.zeros(16)
    gpu.forget_calls()
    stream.begin_capture()
    for _ in range(N):
        gpu.kernel("increment")[1, 16, stream](array, 16)
    executable = stream.end_capture().instantiate()
    assert submitted(gpu) == []
    executable.launch(stream)
    assert "cuGraphLaunch" not in submitted(gpu)
    for _ in range(3):
        executable.launch(stream)
        assert [call.name for call in gpu.calls("cuLaunchKernel", "cuGraphLaunch")] == ["cuGraphLaunch"]
    assert array.to_numpy(stream).tolist() == [4 * N] * 16


def test_branches_run_beside_each_other(gpu):
    stream, side = gpu.stream(), gpu.stream()
    array, other = gpu.zeros(16), gpu.zeros(16)
    stream.begin_capture()
    side.wait(stream.record())
    for _ in range(N):
        gpu.kernel("increment")[1, 16, stream](array, 16)
        gpu.kernel("increment")[1, 16, side](other, 16)
    stream.wait(side.record())
    gpu.kernel("increment")[1, 16, stream](other, 16)
    executable = stream.end_capture().instantiate()
    for _ in range(4):
        with side.hold():  # it is no part of a launch
            executable.launch(stream)
            stream.synchronize()
    assert array.to_numpy(stream).tolist() == [4 * N] * 16
    assert other.to_numpy(stream).tolist() == [4 * (N + 1)] * 16


def test_another_thread_that_uses_the_stream_ends_the_capture(gpu, stream, array):
    stream.begin_capture()
    gpu.kernel("increment")[1, 16, stream](array, 16)
    apart(lambda: gpu.kernel("increment")[1, 16, stream](array, 16))
    with pytest.raises(lp.LaunchpathError, match="another thread"):
        stream.end_capture()
    assert array.to_numpy(stream).tolist() == [1] * 16


def test_polls_of_other_streams_do_not_end_a_capture(gpu):
    stream, side, array = gpu.stream(), gpu.stream(), gpu.zeros(16)
    stream.begin_capture()
    for _ in range(3000):
        gpu.kernel("increment")[1, 16, stream](array, 0)
    for _ in range(300):
        gpu.kernel("increment")[1, 16, side](array, 16)
        side.query()
    assert len(stream.end_capture()) == 3000
    assert array.to_numpy(side).tolist() == [300] * 16


def test_a_capture_ends_with_its_stream(gpu):
    """An exception in between may drop the stream: the thread captures nothing any more."""
    array, other = gpu.zeros(16), gpu.stream()
    for _ in range(2):
        stream = gpu.stream()
        stream.begin_capture()
        gpu.kernel("increment")[1, 16, stream](array, 16)
        del stream
        other.begin_capture()
        gpu.kernel("increment")[1, 16, other](array, 16)
        other.end_capture().instantiate().launch(other)
    assert array.to_numpy(other).tolist() == [2] * 16

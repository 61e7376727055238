"""Rows between two devices: the library's calls, and every spelling that works on one device."""

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from tests.gpu.capture.capture import Capture
from tests.gpu.process import run

CALLS = ("cuMemcpy3DPeerAsync", "cuMemcpyPeerAsync", "cuMemcpyAsync", "cuMemcpy2DAsync_v2")
TABLE = np.arange(48, dtype="int32").reshape(6, 8)
KEYS = {
    "columns": (np.s_[:, 2:5], (6, 3)),
    "every second row": (np.s_[::2], (3, 8)),
    "every second element": (np.s_[1::2, ::3], (3, 3)),
    "backwards": (np.s_[::-1, ::-1], (6, 8)),
    "repeated": (np.s_[:, 1:4], (3,)),
    "contiguous": (np.s_[2:4], (2, 8)),
}


@pytest.fixture(autouse=True)
def known(gpu):
    for device, other in (gpu.devices, gpu.devices[::-1]):
        device.enable_peer(other)
    gpu.forget_calls()


def values(shape):
    return np.arange(100, 100 + int(np.prod(shape)), dtype="int32").reshape(shape)


def test_a_copy_that_fails_is_reported_and_changes_no_order(gpu):
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    value.fill(5)
    name = "cuMemcpy3DPeerAsync" if gpu.driver == "cuda" else "cuMemcpyPeerAsync"
    gpu.control.fail(name, 1)
    with pytest.raises(lp.DriverError, match="Peer"):
        to[:, 2:5] = value
    gpu.control.forgive()
    assert not to.to_numpy().any()
    to[:, 2:5] = value
    value.fill(9)
    assert (to.to_numpy()[:, 2:5] == 5).all()


@pytest.mark.parametrize("ordinal", [0, 1])
@pytest.mark.parametrize("key_name", KEYS)
def test_assignment(gpu, key_name, ordinal):
    key, shape = KEYS[key_name]
    to = lp.asarray(TABLE, device=gpu.devices[ordinal])
    value = lp.asarray(values(shape), device=gpu.devices[1 - ordinal])
    to[key] = value
    expected = TABLE.copy()
    expected[key] = values(shape)
    assert (to.to_numpy() == expected).all()


def test_the_librarys_calls(gpu):
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    gpu.forget_calls()
    to[:, 2:5] = value
    calls = [call.name for call in gpu.calls(*CALLS)]
    assert calls == (["cuMemcpy3DPeerAsync"] if gpu.driver == "cuda" else ["cuMemcpyPeerAsync"] * 6)


def test_parts_copy_to_parts(gpu):
    source, to = lp.asarray(TABLE, device=gpu.device), gpu.zeros(48, ordinal=1).reshape(6, 8)
    gpu.forget_calls()
    source[1:3].copy_to(to[4:6])
    to[0].copy_from(source[5])
    calls = [call.name for call in gpu.calls(*CALLS)]
    assert calls == ["cuMemcpyAsync" if gpu.driver == "cuda" else "cuMemcpyPeerAsync"] * 2
    assert to.to_numpy()[[0, 4, 5]].tolist() == TABLE[[5, 1, 2]].tolist()
    with pytest.raises(lp.ArgumentValueError, match="contiguous in memory"):
        source[::2].copy_to(to[:3])  # as on one device
    to[::2] = source[:3]
    assert to.to_numpy()[::2].tolist() == TABLE[:3].tolist()


def test_it_is_ordered_on_both_sides_and_does_not_block(gpu):
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    streams = [gpu.stream(), gpu.stream(ordinal=1)]
    with streams[1].hold():
        value.fill(4, streams[1])
        with streams[1]:  # of the value's device; the target's is its legacy default stream
            to.fill(1, gpu.device.legacy_stream)
            to[:, 2:5] = value
        assert not gpu.device.legacy_stream.query()
        value.fill(9, streams[1])
        streams[0].wait(gpu.device.legacy_stream.record())
    expected = np.ones((6, 8), int)
    expected[:, 2:5] = 4
    assert (to.to_numpy(streams[0]) == expected).all()
    assert (value.to_numpy(streams[1]) == 9).all()


def test_managed_arrays(gpu):
    to, value = lp.managed_empty((6, 8), "int32", gpu.device), lp.managed_empty((6, 3), "int32", gpu.devices[1])
    to.fill(0)
    value.fill(2)
    to[:, 2:5] = value
    expected = np.zeros((6, 8), int)
    expected[:, 2:5] = 2
    assert (to.host_view() == expected).all()


def test_a_capture_of_the_current_stream_is_refused(gpu):
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    stream = gpu.stream()
    capture = Capture(gpu, stream.handle)
    with capture, stream, pytest.raises(lp.LaunchpathError, match="a graph is being captured"):
        to[:, 2:5] = value
    assert capture.code == 0
    capture.close()


def test_rows_as_part_of_a_graph(gpu):
    """By plain copies: the library refuses copies between contexts there, and ends the capture."""
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    streams = [gpu.stream(), gpu.stream(ordinal=1)]
    streams[1].handle  # noqa: B018 (else nobody can capture it)
    capture = Capture(gpu, streams[0].handle)
    with capture, streams[1]:
        streams[1].wait(streams[0].record())
        value.fill(3, streams[1])
        gpu.forget_calls()
        _core.copy_between(streams[0], streams[1], to, value, 12, [(8, 32, 0, 12, 6)])
        calls = [call.name for call in gpu.calls(*CALLS)]
        assert calls == (["cuMemcpy2DAsync_v2"] if gpu.driver == "cuda" else ["cuMemcpyAsync"] * 6)
    assert capture.code == 0
    assert not to.to_numpy().any()
    capture.launch()
    streams[0].synchronize()
    assert to.to_numpy()[:, 2:5].tolist() == [[3] * 3] * 6
    capture.close()


def test_a_graph_without_access_is_refused_and_goes_on(gpu):
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    streams = [gpu.stream(), gpu.stream(ordinal=1)]
    streams[1].handle  # noqa: B018
    for device in gpu.devices:
        _core.forget_peers(device)
    gpu.control.option("peers", 0)
    try:
        capture = Capture(gpu, streams[0].handle)
        with capture:
            streams[1].wait(streams[0].record())
            with pytest.raises(lp.LaunchpathError, match="part of a graph only if 'Stand-in GPU 0' has access"):
                _core.copy_between(streams[0], streams[1], to, value, 12, [(8, 32, 0, 12, 6)])
            streams[0].wait(streams[1].record())
        assert capture.code == 0
        capture.close()
    finally:
        gpu.control.option("peers", 1)
        for device in gpu.devices:
            _core.forget_peers(device)


def test_libraries_that_lack_the_call():
    run("cuda", """
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    value.fill(3)
    gpu.forget_calls()
    to[:, 2:5] = value
    copies = gpu.calls("cuMemcpyPeerAsync", "cuMemcpy3DPeerAsync", "cuMemcpyAsync")
    assert [call.name for call in copies] == ["cuMemcpyAsync"] * 6  # the first one enables access
    assert to.to_numpy()[:, 2:5].tolist() == [[3] * 3] * 6
    """, without=("cuMemcpy3DPeerAsync",))  # fmt: skip


def test_libraries_that_lack_all_copies(driver):
    run(driver, """
    to, value = gpu.zeros(48).reshape(6, 8), gpu.zeros(18, ordinal=1).reshape(6, 3)
    value.fill(3)
    to[:, 2:5] = value
    assert to.to_numpy()[:, 2:5].tolist() == [[3] * 3] * 6
    """, without=("cuMemcpyPeerAsync", "hipMemcpyPeerAsync", "cuMemcpy3DPeerAsync"))  # fmt: skip

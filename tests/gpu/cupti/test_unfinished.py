"""Records that come late or never, and more commands than there are timing objects."""

import threading
import time

import pytest

import launchpath as lp
from launchpath import _core
from tests.gpu.process import run
from tests.standin.client import soon
from tests.tracing.raw import read

from .expect import SOURCE, all_known, check, source

MANY = 4000


def stopped(trace, patience=0.3):
    """End a trace; return the seconds that this took."""
    began = time.monotonic()
    trace.stop(patience)
    return time.monotonic() - began


def test_a_record_that_never_comes(gpu, cupti, launcher, path):
    cupti.option("lose", 5)
    trace = lp.trace(path, cupti=True).start()
    for _ in range(10):
        launcher()
    gpu.device.synchronize()
    assert stopped(trace) < 5
    assert trace.counts["unfinished"] == 1
    assert _core.trace_outstanding()[0] == 0
    cupti.reset()
    with lp.trace(path, cupti=True) as trace:
        for _ in range(10):
            launcher()
    assert len(check(path, cupti).times()) == 10
    assert trace.counts["unfinished"] == 0


def test_a_record_that_never_comes_holds_up_no_other(gpu, cupti, launcher, path):
    cupti.option("records", 3)
    cupti.option("lose", 5)
    trace = lp.trace(path, cupti=True).start()
    for _ in range(100):
        launcher()
    gpu.device.synchronize()
    assert stopped(trace) < 5
    assert trace.counts["unfinished"] == 1
    assert len(cupti.complete_records(clear=False)) == 99


def test_buffers_that_come_late(gpu, cupti, launcher, path):
    cupti.option("hold", 1)
    trace = lp.trace(path, cupti=True).start()
    for _ in range(50):
        launcher()
    gpu.device.synchronize()
    later = threading.Timer(0.2, cupti.option, ["hold", 0])
    later.start()
    trace.stop()
    later.join()
    assert len(check(path, cupti).times()) == 50
    assert trace.counts["unfinished"] == 0


def test_buffers_that_come_with_the_end_only(gpu, cupti, launcher, path):
    """The last flush, which is forced, delivers the complete records."""
    cupti.option("hold", 1)
    trace = lp.trace(path, cupti=True).start()
    for _ in range(50):
        launcher()
    gpu.device.synchronize()
    stopped(trace)
    assert len(check(path, cupti).times()) == 50
    assert trace.counts["unfinished"] == 0


def test_work_that_is_not_complete_at_the_end(gpu, cupti, launcher, path):
    trace = lp.trace(path, cupti=True).start()
    with gpu.control.paused():
        for _ in range(10):
            launcher()
        gpu.control.step(4)
        assert stopped(trace, 0.1) < 5
        assert not cupti.attached
        assert trace.counts["unfinished"] == 6
        assert _core.trace_outstanding()[0] == 0
        with lp.trace(path, cupti=True) as idle:
            pass
        assert idle.counts["unfinished"] == 0
    cupti.complete_records()
    with lp.trace(path, cupti=True) as trace:
        launcher()
        gpu.device.synchronize()
    assert len(check(path, cupti).times()) == 1
    assert trace.counts["unfinished"] == 0


def test_records_that_come_before_the_call_has_ended(gpu, cupti, launcher, path):
    """And no launch comes after the records."""
    cupti.option("records", 1)
    cupti.option("late_us", 20_000)
    with lp.trace(path, cupti=True) as trace:
        launcher()
        assert soon(lambda: _core.trace_wait(100) or _core.trace_outstanding()[0] == 0, 2)
    assert len(check(path, cupti).times()) == 1
    assert trace.counts["unfinished"] == 0


def test_few_timing_objects_and_thousands_of_launches(gpu, cupti, launcher, path):
    gpu.control.record(False)
    try:
        with lp.trace(path, timing_objects=64, cupti=True) as trace:
            for _ in range(MANY):
                launcher()
    finally:
        gpu.control.record(True)
    assert trace.counts["timing_most"] <= 64
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
    assert len(check(path, cupti).times()) == MANY


def test_few_timing_objects_and_a_device_that_stands_still(gpu, stream, cupti, launcher, path):
    """A stream that other code lets wait: launches go on without times."""
    kernel = gpu.kernel("nothing")[1, 1, stream]
    with lp.trace(path, timing_objects=64, cupti=True) as trace:
        release = gpu.held(stream.handle)
        for _ in range(200):
            kernel()
        release()
        stream.synchronize()
        all_known()
        untimed = trace.counts["untimed"]
        assert untimed >= 130
        for _ in range(100):
            kernel()
        stream.synchronize()
    raw = check(path, cupti)
    assert trace.counts["untimed"] == untimed
    assert len(raw.times()) == 300 - untimed
    assert trace.counts["unfinished"] == 0


def test_a_stream_that_other_code_lets_wait_while_a_trace_ends(gpu, stream, cupti, launcher, path):
    kernel = gpu.kernel("nothing")[1, 1, stream]
    trace = lp.trace(path, cupti=True).start()
    kernel()
    stream.synchronize()
    release = gpu.held(stream.handle)
    kernel()
    launcher()
    took = stopped(trace, 0.2)
    release()
    assert took < 5
    assert trace.counts["unfinished"] == 1
    assert len(times_of_records(path, cupti)) == 2
    stream.synchronize()
    assert soon(lambda: not cupti.attached)
    cupti.complete_records()
    with lp.trace(path, cupti=True) as trace:
        kernel()
    assert len(check(path, cupti).times()) == 1


@pytest.mark.parametrize("way", ["hold", "host_function"])
def test_before_a_stream_waits_for_the_host_cupti_is_detached(gpu, stream, cupti, launcher, path, way):
    """It waits for the device in calls that do not wait otherwise, while it holds locks."""
    kernel = gpu.kernel("nothing")[1, 1, stream]
    with lp.trace(path, cupti=True) as trace:
        for _ in range(5):
            kernel()
        if way == "hold":
            with stream.hold():
                assert not cupti.attached
                kernel()
                launcher()
        else:
            seen = []
            stream.host_function(lambda: seen.append(cupti.attached))
            stream.synchronize()
            assert seen == [False]
            kernel()
            launcher()
        trace.pause()
        trace.resume()
        assert not cupti.attached  # not for the rest of this trace
        kernel()
        gpu.device.synchronize()
    names = cupti.names()
    assert names[: names.index("cuptiUnsubscribe")].count("cuptiSubscribe") == 1
    assert names.count("cuptiActivityRegisterCallbacks") == 1  # it was attached once
    assert len(read(path).times()) == 8
    assert source(path) == source(path, 1) == f"{SOURCE}, then events: a stream had to wait for the host"
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
    with lp.trace(path, cupti=True):
        assert cupti.attached


def test_a_trace_that_ends_without_cupti_says_so(gpu, stream, cupti, launcher, path):
    with lp.trace(path, device=gpu.device, cupti=True):
        launcher()
        with stream.hold():
            launcher()
    assert source(path) == f"{SOURCE}, then events: a stream had to wait for the host"


def times_of_records(path, cupti):
    """Read the times in the file, and check that they are those of CUPTI's records."""
    times = [(int(slot["started"]), int(slot["ended"])) for slot in read(path).times().values()]
    assert sorted(times) == sorted((record.start, record.end) for record in cupti.complete_records())
    return times


@pytest.mark.parametrize(("objects", "rounds", "launches"), [(1600, 1, 1000), (64, 10, 20)])
def test_a_stream_that_does_not_go_on_holds_up_few_times_of_other_streams(
    gpu, stream, cupti, launcher, path, objects, rounds, launches
):
    """CUPTI delivers no buffer in which a record is not complete: other records of the thread in that buffer wait too."""
    kernel = gpu.kernel("nothing")[1, 1, stream]
    with lp.trace(path, timing_objects=objects, cupti=True) as trace:
        release = gpu.held(stream.handle)
        kernel()
        for i in range(rounds):
            if i:
                gpu.cuda("cuStreamSynchronize", gpu.calls("cuLaunchKernel")[-1].stream)
            for _ in range(launches):
                launcher()
        known = soon(lambda: _core.trace_wait(100) or _core.trace_outstanding()[0] <= objects // 16)
        release()
    assert len(check(path, cupti).times()) == 1 + rounds * launches
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
    assert known


def test_a_long_kernel_holds_up_no_launches_on_other_streams(gpu, cupti, path):
    stream, other = gpu.stream(), gpu.stream()
    with lp.trace(path, timing_objects=64, cupti=True):
        gpu.kernel("wait_us")[1, 1, stream](600_000)
        short = gpu.kernel("nothing")[1, 1, other]
        began = time.monotonic()
        for _ in range(5):
            for _ in range(20):
                short()
            other.synchronize()
        took = time.monotonic() - began
        stream.synchronize()
    assert took < 0.4


def test_a_kernel_that_fails(gpu, cupti, path):
    """In a process of its own: its context is lost."""
    out = run("cuda", """
    import tempfile
    path = os.path.join(tempfile.mkdtemp(), "run.lptrace")
    kernel, stream = gpu.kernel("nothing"), gpu.stream()
    trace = lp.trace(path, cupti=True).start()
    kernel[1, 1, stream]()
    stream.synchronize()
    gpu.kernel("fails")[1, 1, stream](700)
    try:
        stream.synchronize()
    except lp.LaunchpathError:
        pass
    began = time.monotonic()
    trace.stop(patience=0.2)
    print(time.monotonic() - began < 5, trace.counts["unfinished"], flush=True)
    os._exit(0)
    """, cupti=True)  # fmt: skip
    assert out.split() == ["True", "1"]


def test_a_trace_ends_while_records_come(gpu, cupti, launcher, path):
    """Whichever records are on their way: none is written twice, and nothing waits for ever."""
    for n in range(20):
        cupti.reset()
        cupti.option("records", 1 + n % 4)
        trace = lp.trace(path, cupti=True).start()
        for _ in range(30):
            launcher()
        assert stopped(trace, 5) < 5
        assert trace.counts["unfinished"] == 0
        assert len(check(path, cupti).times()) == 30
    assert soon(lambda: not cupti.attached)

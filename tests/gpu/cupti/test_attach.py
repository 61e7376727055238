"""When CUPTI is attached, and when it is not: the times of a trace then, and their source in its file."""

import threading
import time

import pytest

import launchpath as lp
from launchpath import _core
from tests.gpu.process import run
from tests.standin.client import on_thread, soon
from tests.standin.cupti_client import MULTIPLE_SUBSCRIBERS
from tests.tracing.raw import read

from .expect import ANOTHER, SOURCE, all_known, by_events, check, detached, source

ATTACHED, UNLOADED = ("cuptiSubscribe", "cuptiUnsubscribe"), ("cuptiSubscribe", "cuptiFinalize")
SWITCHED_OFF = "events: switched off by LAUNCHPATH_CUPTI_LIBRARY"


def attachments(cupti):
    """Return the calls that attach CUPTI, detach it, or unload it, until it is unloaded."""
    names = []

    def unloaded():
        names.extend(name for name in cupti.names() if name in (*ATTACHED, *UNLOADED))
        return not names or names[-1] != "cuptiUnsubscribe"

    assert soon(unloaded)
    return names


def test_it_is_attached_as_long_as_a_trace_records(gpu, stream, cupti, launcher, path):
    direct = _core.calls_driver_directly(stream)
    with lp.trace(path, cupti=True):
        assert cupti.attached
        launcher()
    assert not cupti.attached
    assert _core.calls_driver_directly(stream) == direct
    assert attachments(cupti) == [*ATTACHED, *UNLOADED]
    gpu.forget_calls()
    launcher()
    assert [call.name for call in gpu.calls()] == ["cuLaunchKernel"]


def test_detaching_takes_nothing_along(gpu, cupti, launcher, path):
    """Every buffer has been given back by then, and nothing is recorded any more."""
    cupti.option("records", 3)
    with lp.trace(path, cupti=True):
        for _ in range(100):
            launcher()
    calls = cupti.calls()
    assert calls[-1] == ("cuptiFinalize", 0, "0")
    assert [call.detail for call in calls if call.name == "cuptiActivityDisable"] == ["10"]
    assert len(check(path, cupti).times()) == 100


def test_it_is_unloaded_when_the_process_is_idle(gpu, cupti, launcher, path):
    """Beside other calls that crashed on a GPU, in 2 of 7,000 programs."""
    other = gpu.kernel("nothing")[1, 1, gpu.stream()]
    with lp.trace(path, cupti=True) as trace:
        launcher()
        gpu.device.synchronize()
        all_known()
        with gpu.control.paused():
            trace.pause()
            other()
            trace.stop()
            assert detached(cupti)
            time.sleep(0.05)
            assert "cuptiFinalize" not in cupti.names()
    assert soon(lambda: "cuptiFinalize" in cupti.names())


IDLE = 0.002  # PROFILER_IDLE of the core, in seconds


def test_launches_put_it_off(gpu, cupti, launcher, path):
    stop, pauses = threading.Event(), [0.0]

    def launch():
        before = time.perf_counter()
        while not stop.is_set():
            start = time.perf_counter()
            launcher()
            pauses.append(time.perf_counter() - before)  # at least the time from launch to launch
            before = start
            time.sleep(0.0002)

    thread = threading.Thread(target=launch)
    thread.start()
    try:
        with lp.trace(path, cupti=True):
            time.sleep(0.02)
        assert detached(cupti)
        time.sleep(0.02)
        finalized = "cuptiFinalize" in cupti.names()
        time.sleep(0.01)
        assert not finalized or max(pauses) >= IDLE, "it is unloaded only if the thread did not run for so long"
    finally:
        stop.set()
        thread.join()
    assert finalized or soon(lambda: "cuptiFinalize" in cupti.names())  # each name is there once


def test_it_is_not_unloaded_under_another_profiler(gpu, cupti, launcher, path):
    cupti.fail("cuptiSubscribe", MULTIPLE_SUBSCRIBERS, 2)
    with lp.trace(path, cupti=True):
        launcher()
    assert attachments(cupti) == [*ATTACHED, "cuptiSubscribe"]
    launcher()
    with lp.trace(path, cupti=True):
        launcher()
    assert len(check(path, cupti).times()) == 1
    assert attachments(cupti) == [*ATTACHED, *UNLOADED]


def test_a_pause_detaches_once_all_records_have_come(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True) as trace:
        with gpu.control.paused():
            launcher()
            launcher()
            trace.pause()
            time.sleep(0.05)
            assert cupti.attached
            launcher()
        assert detached(cupti)
        launcher()
        trace.resume()
        assert cupti.attached
        launcher()
    assert not cupti.attached
    assert attachments(cupti) == [*ATTACHED, *ATTACHED, *UNLOADED]
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.commands()) == 3
    assert trace.counts["unfinished"] == 0


def test_pauses_that_end_at_once(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=True) as trace:
        for _ in range(30):
            launcher()
            trace.pause()
            trace.resume()
            launcher()
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.commands()) == 60
    assert trace.counts["unfinished"] == trace.counts["untimed"] == 0


def test_a_period_attaches_and_detaches(gpu, cupti, launcher, path):
    # On a loaded machine the tracer's thread may sleep through a period, too: there are always more of them.
    with lp.trace(path, period="0.05:0.5:0", cupti=True) as trace:
        assert not cupti.attached
        seen = []

        def detached_twice():  # by its calls: this thread may sleep through a period
            launcher()
            seen.extend(name for name in cupti.names() if name in (*ATTACHED, *UNLOADED))
            return len(seen) >= 4

        assert soon(detached_twice)
        launcher()
    names = [*seen, *attachments(cupti)]
    *periods, last = zip(names[::2], names[1::2], strict=True)
    assert len(periods) >= 2
    assert set(periods) == {ATTACHED}
    assert last == UNLOADED
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.commands()) > 0
    assert trace.counts["unfinished"] == trace.counts["untimed"] == 0


def test_two_traces_in_turn(gpu, cupti, launcher, path):
    for count in (10, 20):
        cupti.reset()
        with lp.trace(path, cupti=True) as trace:
            for _ in range(count):
                launcher()
        raw = check(path, cupti)
        assert len(raw.times()) == len(raw.commands()) == count
        assert trace.counts["unfinished"] == 0
        assert source(path) == source(path, 1) == SOURCE


def test_the_second_of_two_devices(gpu, cupti, launcher, path):
    far = gpu.kernel("nothing", 1)[1, 1, gpu.stream(ordinal=1)]
    with lp.trace(path, device=gpu.devices[1], cupti=True):
        for _ in range(10):
            launcher()
            far()
        gpu.devices[1].synchronize()
    raw = check(path, cupti)
    assert len(raw.times()) == len(raw.commands()) == 10


def test_both_devices(gpu, cupti, launcher, path):
    far = gpu.kernel("nothing", 1)[2, 1, gpu.stream(ordinal=1)]
    with lp.trace(path, cupti=True) as trace:
        for _ in range(50):
            launcher()
            far()
    assert len(check(path, cupti).times()) == 100
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0


@pytest.mark.leaves("events")
@pytest.mark.parametrize(
    ("call", "code", "nth", "says"),
    [
        ("cuptiSubscribe", MULTIPLE_SUBSCRIBERS, 0, ANOTHER),
        ("cuptiSubscribe", 15, 0, "events: CUPTI_ERROR_NOT_INITIALIZED"),
        ("cuptiSubscribe", 12345, 0, "events: error 12345"),
        ("cuptiActivityEnable", 21, 0, "events: CUPTI_ERROR_INVALID_KIND"),
        ("cuptiActivityRegisterTimestampCallback", 999, 0, "events: CUPTI_ERROR_UNKNOWN"),
        ("cuptiActivityRegisterCallbacks", 999, 0, "events: CUPTI_ERROR_UNKNOWN"),
    ],
)
def test_cupti_refuses(gpu, cupti, launcher, path, call, code, nth, says):
    cupti.fail(call, code, nth)
    with lp.trace(path, cupti=True) as trace:
        assert not cupti.attached
        assert by_events(gpu, launcher)
    assert source(path) == source(path, 1) == says
    raw = read(path)
    assert len(raw.times()) == 10
    assert trace.counts["untimed"] == trace.counts["unfinished"] == 0
    assert cupti.complete_records() == []
    assert attachments(cupti)[-1] == ("cuptiSubscribe" if call == "cuptiSubscribe" else "cuptiFinalize")


@pytest.mark.leaves("events")
@pytest.mark.parametrize(("call", "nth"), [("cuptiActivityEnable", 1), ("cuptiEnableCallback", 2)])
def test_cupti_refuses_half_way(gpu, cupti, launcher, path, call, nth):
    """It is detached again."""
    cupti.fail(call, 21, nth)
    with lp.trace(path, device=gpu.device, cupti=True) as trace:
        assert not cupti.attached
        assert by_events(gpu, launcher)
    assert source(path) == "events: CUPTI_ERROR_INVALID_KIND"
    assert attachments(cupti) == [*ATTACHED, *UNLOADED]
    assert len(read(path).times()) == 10
    assert trace.counts["untimed"] == 0


@pytest.mark.leaves("events")
def test_another_profiler_that_goes_away(gpu, cupti, launcher, path):
    """Each trace tries again."""
    cupti.fail("cuptiSubscribe", MULTIPLE_SUBSCRIBERS, 1)
    with lp.trace(path, device=gpu.device, cupti=True):
        launcher()
    assert source(path) == ANOTHER
    assert "(Stand-in GPU 0) by events: another profiler" in str(lp.read_trace(path).summary())
    with lp.trace(path, device=gpu.device, cupti=True):
        launcher()
    assert source(path) == SOURCE
    assert len(check(path, cupti).times()) == 1


@pytest.mark.leaves("events")
def test_a_trace_without_it(gpu, cupti, launcher, path):
    with lp.trace(path, cupti=False):
        assert by_events(gpu, launcher)
    assert cupti.calls() == []
    assert source(path) == "events"


@pytest.mark.leaves("events")
def test_it_is_switched_off(gpu, cupti, launcher, path, monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_CUPTI_LIBRARY", "none")
    with lp.trace(path, cupti=True):
        assert by_events(gpu, launcher)
    assert cupti.calls() == []
    assert source(path) == SWITCHED_OFF


@pytest.mark.leaves("events")
@pytest.mark.parametrize("mode", ["host", "serialized"])
def test_modes_that_need_none(gpu, cupti, launcher, path, mode):
    with lp.trace(path, mode=mode):
        assert by_events(gpu, launcher) == (mode != "host")
    assert cupti.calls() == []
    assert "times" not in read(path).meta


PROGRAM = """
from tests.standin.cupti_control import CuptiControl
from tests.tracing.raw import read
import tempfile
path = os.path.join(tempfile.mkdtemp(), "run.lptrace")
kernel, stream = gpu.kernel("nothing"), gpu.stream()
with lp.trace(path, cupti=True):
    for _ in range(10):
        kernel[1, 1, stream]()
raw = read(path)
print(len(raw.times()), raw.meta["times"]["0"])
"""


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, SWITCHED_OFF),
        ({"cupti": True}, SOURCE),
        ({"LAUNCHPATH_CUPTI_LIBRARY": "/none/libcupti.so"}, "/none/libcupti.so"),
    ],
    ids=["none", "standin", "missing"],
)
def test_in_a_process_of_its_own(options, says):
    count, text = run("cuda", PROGRAM, **options).strip().split(" ", 1)
    assert count == "10"
    assert says in text


def test_a_trace_by_a_process_that_ends_in_it():
    """Its end detaches."""
    out = run("cuda", """
    cupti = __import__("tests.standin.cupti_control", fromlist=["_"]).CuptiControl(os.environ["LAUNCHPATH_CUPTI_LIBRARY"])
    import atexit, tempfile
    atexit.register(lambda: print(cupti.attached, cupti.calls()[-1].name))
    kernel, stream = gpu.kernel("nothing"), gpu.stream()
    trace = lp.trace(os.path.join(tempfile.mkdtemp(), "run.lptrace"), cupti=True).start()
    for _ in range(10):
        kernel[1, 1, stream]()
    """, cupti=True)  # fmt: skip
    assert out.strip() == "False cuptiFinalize"


@pytest.mark.parametrize("leave", [1, 2], ids=["at its end", "later"])
def test_records_that_come_with_its_end_or_later_are_no_other_commands(gpu, cupti, launcher, path, leave):
    """CUPTI's numbers begin anew when it has been unloaded: such a record has the number of a later command."""
    cupti.number(0)
    cupti.option("leave", leave)
    stream = gpu.stream()
    excluded = gpu.kernel("increment")[1, 16, stream]
    array = gpu.zeros(16)
    stream.synchronize()
    gpu.device.synchronize()
    release = gpu.held(stream.handle)
    with lp.trace(path, exclude="increment", cupti=True) as trace:
        on_thread(lambda: excluded(array, 16)).join()  # nobody waits for its record
        launcher()
        _core.launch_stream(launcher).synchronize()
        trace.pause()
        assert detached(cupti)
        release()
        stream.synchronize()
    assert attachments(cupti) == [*ATTACHED, *UNLOADED]
    for _ in range(10 if leave == 1 else 1):
        cupti.complete_records()
        with lp.trace(path, cupti=True) as trace:
            for _ in range(100):
                launcher()
        assert len(check(path, cupti).times()) == 100
        assert trace.counts["unfinished"] == 0

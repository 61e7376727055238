"""Steps beside foreign code, and beside threads that rely on CUDA's own rules: each in a process of its own, for what
foreign code has had once it has for ever."""

import pytest

from tests.gpu.process import HEAD, OPEN, run

SCENE = """
first = gpu.zeros()
legacy, blocking, own = gpu.stream("legacy"), gpu.stream("blocking"), gpu.stream()
step = lp.Step()
increment = gpu.kernel("increment")

def foreign(address, value, handle):  # as foreign code does: the library is called past launchpath
    gpu.cuda("cuMemsetD32Async", address, value, 16, handle)

def value(array):
    device.synchronize()
    return int(array.to_numpy()[0])
"""


def alone(driver, code):
    return run(driver, code, head=HEAD + OPEN + SCENE)


@pytest.mark.parametrize(("stream", "other"), [("blocking", "legacy"), ("legacy", "blocking")])
@pytest.mark.parametrize("is_in_step", [False, True], ids=["outside", "in a step"])
def test_another_thread_on_a_stream_that_waits_by_the_legacy_rule(driver, stream, other, is_in_step):
    alone(driver, f"""
    second = gpu.zeros()
    def copy():
        with lp.Step() if {is_in_step} else threading.Lock():
            second.copy_from(first, {other})
    with step:
        first.fill(5, {stream})
        on_thread(copy).join()
    assert value(second) == 5
    """)  # fmt: skip


@pytest.mark.parametrize(("stream", "other"), [("blocking", "legacy"), ("legacy", "blocking")])
def test_memory_that_another_thread_gets_by_the_legacy_rule(driver, stream, other):
    """What the step keeps back must not write into memory that was freed, and is another thread's by now."""
    alone(driver, f"""
    kept = []
    def work():
        kept.append(lp.empty(1000, "int32", device, stream={stream}))
        kept[0].fill(7, {other})
    with step:
        freed = lp.empty(1000, "int32", device, stream={stream})
        freed.fill(5, {stream})
        address = freed.bare_address
        del freed
        on_thread(work).join()
    assert kept[0].bare_address == address
    assert value(kept[0]) == 7
    """)  # fmt: skip


@pytest.mark.parametrize("use", [
    "foreign(first.pointer_on(legacy), 7, 0)", "on_thread(lambda: foreign(first.pointer, 7, 0)).join()",
], ids=["for a stream that everybody knows", "that another thread reads"])  # fmt: skip
def test_an_address(driver, use):
    alone(driver, f"""
    with step:
        first.fill(5, legacy)
        {use}
    assert value(first) == 7
    """)  # fmt: skip


@pytest.mark.parametrize("kind", ["legacy", "own"])
def test_an_address_and_a_handle_in_a_step(driver, kind):
    alone(driver, f"""
    with step:
        first.fill(5, {kind})
        address = first.pointer
        foreign(address, 7, {kind}.handle)
        increment[1, 16, {kind}](first, 16)
        foreign(address + 4, 1, {kind}.handle)
    assert first.to_numpy().tolist() == [8] + [1] * 15 or not device.synchronize()
    assert value(first) == 8
    report = step.report()
    assert report.early and report.direct, report
    """)  # fmt: skip


def test_memory_of_other_libraries_as_an_argument(driver):
    alone(driver, """
    import ctypes
    address = gpu.cuda("cuMemAlloc_v2", OUT, 64)
    class Foreign:
        __cuda_array_interface__ = {"shape": (16,), "typestr": "<i4", "data": (address, False), "version": 3}
    foreign(address, 0, 0)
    with step:
        for _ in range(5):
            increment[1, 16, legacy](Foreign(), 16)
        gpu.cuda("cuMemsetD32Async", address, 9, 1, 0)
        increment[1, 16, legacy](Foreign(), 16)
    device.synchronize()
    assert list((ctypes.c_int32 * 16).from_address(address)) == [10] + [6] * 15
    """)  # fmt: skip


def test_an_adopted_stream(driver):
    alone(driver, """
    handle = gpu.cuda("cuStreamCreate", OUT, 1)
    theirs = lp.Stream.external(handle, device)
    with step:
        increment[1, 16, own](first, 16)
        theirs.wait(own.record())
        increment[1, 16, theirs](first, 16)
        gpu.cuda("cuMemsetD32Async", first.bare_address, 7, 16, handle)
        own.wait(theirs.record())
        increment[1, 16, own](first, 16)
    assert value(first) == 8
    assert step.report().direct
    """)  # fmt: skip


def test_a_stream_that_foreign_code_captures(driver):
    """Its launches go to the graph, those of other streams run, and the graph runs what was captured."""
    alone(driver, """
    second = gpu.zeros()
    for _ in range(3):  # until there is a graph of the step's own
        with step:
            for _ in range(5):
                increment[1, 16, own](first, 16)
    handle = gpu.cuda("cuStreamCreate", OUT, 1)
    theirs = lp.Stream.external(handle, device)
    address = second.pointer
    with step:
        for _ in range(5):
            increment[1, 16, own](first, 16)
        gpu.cuda("cuStreamBeginCapture_v2", handle, 2)
        increment[1, 16, theirs](second, 16)
        for _ in range(5):
            increment[1, 16, own](first, 16)
    graph = gpu.cuda("cuStreamEndCapture", handle, OUT)
    assert (value(first), value(second)) == (25, 0)
    executable = gpu.cuda("cuGraphInstantiateWithFlags", OUT, graph, 0)
    for _ in range(2):
        gpu.cuda("cuGraphLaunch", executable, handle)
    assert value(second) == 2
    gpu.cuda("cuGraphExecDestroy", executable)
    gpu.cuda("cuGraphDestroy", graph)
    """)  # fmt: skip


def test_a_stream_that_was_handed_out_is_reported(driver):
    alone(driver, """
    own.handle
    with step:
        increment[1, 16, own](first, 16)
    assert step.report().direct == 1 and step.report().commands == 0
    assert "1 at once" in str(step.report())
    """)  # fmt: skip


def test_two_devices(driver):
    alone(driver, """
    there = gpu.zeros(ordinal=1)
    other = gpu.stream(ordinal=1)
    for turn in range(4):
        with step:
            first.fill(turn, own)
            other.wait(own.record())
            first.copy_to(there, own)
            other.wait(own.record())
            gpu.kernel("increment", 1)[1, 16, other](there, 16)
            own.wait(other.record())
            there.copy_to(first, other)
            own.wait(other.record())
            increment[1, 16, own](first, 16)
        assert value(first) == turn + 2
    """)  # fmt: skip


def test_a_forked_child_that_drops_a_step_with_graphs(driver):
    alone(driver, """
    for _ in range(3):
        with step:
            for _ in range(5):
                increment[1, 16, own](first, 16)
    step.__enter__()
    increment[1, 16, own](first, 16)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with pytest.raises(lp.LaunchpathError, match="forked"):
                increment[1, 16, own](first, 16)
            step.__exit__(None, None, None)
            with step, pytest.raises(lp.LaunchpathError, match="forked"):
                increment[1, 16, own](first, 16)
            before = control.calls()
            del step
            gc.collect()
            code = 2 * len(control.calls())
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    step.__exit__(None, None, None)
    assert value(first) == 16
    """)  # fmt: skip

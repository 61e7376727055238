"""The legacy rule between threads, where the driver keeps it by the order of calls: recorded commands count as submitted."""

import pytest

from launchpath import _core
from tests.gpu.process import run
from tests.threads import apart

N = 6


@pytest.mark.parametrize("other", ["plain", "in a step"])
@pytest.mark.parametrize(("first", "second"), [("blocking", "legacy"), ("legacy", "blocking")])
def test_what_another_thread_recorded_comes_first(gpu, first, second, other):
    streams = {"blocking": gpu.stream("blocking"), "legacy": gpu.stream("legacy")}
    array, copied, step = gpu.zeros(16), gpu.zeros(16), _core.StepBase()
    increment = gpu.kernel("increment")
    value = 0
    for _ in range(4):  # the later ones follow
        with step:
            for _ in range(N):
                increment[1, 16, streams[first]](array, 16)
            value += N

            def elsewhere():
                with _core.StepBase(on=other != "plain"):
                    copied.copy_from(array, streams[second])
                    copied.copy_from(array, streams[second])

            apart(elsewhere)
            for _ in range(N):
                increment[1, 16, streams[first]](array, 16)
        assert copied.to_numpy(streams[second]).tolist() == [value] * 16
        value += N
    assert array.to_numpy(streams[first]).tolist() == [value] * 16


def test_a_stream_without_the_rule_is_left_alone(gpu):
    stream, array, step = gpu.stream("blocking"), gpu.zeros(16), _core.StepBase()
    side = gpu.stream()
    with step:
        gpu.kernel("increment")[1, 16, stream](array, 16)
        apart(lambda: gpu.kernel("increment")[1, 16, side](gpu.zeros(16), 16))
    assert step.counts()["submissions"] == 1


FIRST_STEPS = """
last, full, first, errors = gpu.stream(), gpu.stream(), gpu.stream(), []
kernel = gpu.kernel("nothing")[1, 1, full]
control.option("depth", 990)  # launches let go of the GIL by then

def launch():
    for _ in range(991):
        kernel()

def step(work):
    try:
        with lp.Step():
            work()
    except BaseException as error:
        errors.append(error)

def wait():
    gpu.kernel("nothing")[1, 1, first]()
    last.wait(first.record())

with control.paused():
    threads = [on_thread(launch)]
    blocked = soon(lambda: control.pending == 990)  # and the next launch is in the library's call, with its stream's lock
    threads += [on_thread(lambda: step(int)), on_thread(lambda: step(wait))]
    threads[2].join(0.3)  # it ends before all streams know of steps only if it fails
    blocked = blocked and threads[1].is_alive()
for thread in threads:
    thread.join()
assert blocked
assert errors == [], errors
gpu.device.synchronize()
"""


@pytest.mark.parametrize("how", ["step", "capture"])
def test_a_step_begins_when_all_streams_know_of_steps(how):
    """The first two of a process, on two threads: in a stream that did not, an event of a step was no event."""
    program = FIRST_STEPS
    if how == "capture":
        program = program.replace("        with lp.Step():\n            work()\n", """
        begun = gpu.stream() if work is int else first
        begun.begin_capture()
        work()
        if work is wait:
            begun.wait(last.record())
        begun.end_capture()
""")  # fmt: skip
    run("cuda", program)

"""Dependent launches: which launches and edges of graphs are so, and what the library may refuse.

The stand-in reports each dependent launch or edge of a kernel that does not wait at its entry, or behind something else.
"""

import pytest

import launchpath as lp
from tests.gpu.process import run
from tests.threads import apart

PLAIN, DEPENDENT, EDGES = "cuLaunchKernel", "cuLaunchKernelEx", "cuGraphAddDependencies_v2"
N = 6

pytestmark = pytest.mark.leaves("modules")


@pytest.fixture
def driver():
    """The only driver that has them."""
    return "cuda"


@pytest.fixture
def increment(gpu):
    """A kernel that waits at its entry."""
    return gpu.waiting("increment")


def launched(gpu):
    """Whether each launch since the last look was dependent."""
    return [call.name == DEPENDENT for call in gpu.calls(PLAIN, DEPENDENT) if call.result == 0]


@pytest.mark.parametrize("kind", ["nonblocking", "blocking", "per-thread"])
def test_a_chain_of_kernels_that_wait(gpu, increment, kind):
    def chain():
        stream, array = gpu.stream(kind), gpu.zeros(16)
        stream.synchronize()
        before = gpu.device.driver_device.dependent_launches
        gpu.forget_calls()
        for _ in range(N):
            increment[1, 16, stream](array, 16)
        assert launched(gpu) == [False] + [True] * (N - 1)
        assert gpu.device.driver_device.dependent_launches - before == N - 1
        assert array.to_numpy(stream).tolist() == [N] * 16

    apart(chain)  # another test may have had this thread's own stream's handle


def test_the_call_has_the_same_configuration_and_arguments(gpu):
    stream, shape = gpu.stream(), gpu.waiting("shape", dynamic_shared=True)
    seen = [gpu.zeros(8, "uint32") for _ in range(2)]
    gpu.forget_calls()
    for array in seen:
        shape[(2, 3, 4), (5, 6, 7), stream, 1024](array)
    assert seen[0].to_numpy(stream).tolist() == seen[1].to_numpy(stream).tolist()
    first, second = gpu.calls(PLAIN, DEPENDENT)
    assert (first.name, second.name) == (PLAIN, DEPENDENT)
    assert first.detail == second.detail == "shape 2,3,4 5,6,7 1024"


def test_a_kernel_without_parameters(gpu):
    stream, nothing = gpu.stream(), gpu.waiting("nothing")
    gpu.forget_calls()
    for _ in range(2):
        nothing[1, 1, stream]()
    assert launched(gpu) == [False, True]


BETWEEN = {
    "copy": lambda gpu, stream, array: array.copy_to(gpu.zeros(16), stream),
    "fill": lambda gpu, stream, array: array.fill(0, stream),
    "upload": lambda gpu, stream, array: array.copy_from([0] * 16, stream),
    "record that somebody waits for": lambda gpu, stream, array: gpu.stream().wait(stream.record()),
    "timed record": lambda gpu, stream, array: stream.record(timing=True),
    "wait": lambda gpu, stream, array: stream.wait(gpu.stream().record()),
    "host function": lambda gpu, stream, array: stream.host_function(int),
    "hold": lambda gpu, stream, array: stream.hold().release(),
    "kernel that does not wait": lambda gpu, stream, array: gpu.kernel("nothing")[1, 1, stream](),
    "handle": lambda gpu, stream, array: stream.handle,
}


@pytest.mark.parametrize("what", BETWEEN)
def test_what_comes_between(gpu, increment, what):
    stream, array = gpu.stream(), gpu.zeros(16)
    stream.synchronize()
    increment[1, 16, stream](array, 16)
    kept = BETWEEN[what](gpu, stream, array)
    gpu.forget_calls()
    increment[1, 16, stream](array, 16)
    assert launched(gpu) == [False]
    increment[1, 16, stream](array, 16)
    assert launched(gpu) == [what != "handle"], "a stream that others know is never sure"
    del kept


def test_cooperative_launches_are_never_dependent(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    increment[1, 16, stream](array, 16)
    gpu.forget_calls()
    cooperative = gpu.waiting("increment")
    cooperative.make_cooperative()
    cooperative[1, 16, stream](array, 16)
    increment[1, 16, stream](array, 16)
    assert gpu.counts(PLAIN, DEPENDENT, "cuLaunchCooperativeKernel") == {PLAIN: 1, "cuLaunchCooperativeKernel": 1}


def test_a_refused_launch_is_no_kernel_before(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    increment[1, 16, stream](array, 16)
    for name in (DEPENDENT, PLAIN):
        gpu.control.fail(name, 701)
        with pytest.raises(lp.DriverError, match=name):
            increment[1, 16, stream](array, 16)
        gpu.forget_calls()
        increment[1, 16, stream](array, 16)
        assert launched(gpu) == [False]
        array.fill(0, stream)


def test_the_legacy_stream_and_what_is_behind_it(gpu, increment):
    """Other code of the process has that stream too; and blocking streams wait for it."""
    stream, side, array = gpu.stream("blocking"), gpu.stream(), gpu.zeros(16)
    for each in (stream, side):
        increment[1, 16, each](array, 16)
    gpu.forget_calls()
    increment[1, 16](array, 16)
    increment[1, 16](array, 16)
    assert launched(gpu) == [False, False]
    increment[1, 16, stream](array, 16)
    assert launched(gpu) == [False]
    increment[1, 16, side](array, 16)
    assert launched(gpu) == [True]
    increment[1, 16, stream](array, 16)
    assert launched(gpu) == [True]
    gpu.device.synchronize()


def test_foreign_streams_have_none(gpu, increment, theirs):
    stream, array = lp.Stream.external(theirs(), gpu.device), gpu.zeros(16)
    gpu.forget_calls()
    for _ in range(3):
        increment[1, 16, stream](array, 16)
    assert launched(gpu) == [False] * 3
    gpu.device.synchronize()


def test_another_context_is_current(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    increment[1, 16, stream](array, 16)
    gpu.forget_calls()
    with gpu.current(1):
        increment[1, 16, stream](array, 16)
    with gpu.current(None):
        increment[1, 16, stream](array, 16)
    assert launched(gpu) == [True, True]
    assert array.to_numpy(stream).tolist() == [3] * 16


def test_several_threads_on_one_stream(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    gpu.forget_calls()
    for _ in range(N):
        apart(lambda: increment[1, 16, stream](array, 16))
    assert launched(gpu) == [False] + [True] * (N - 1)
    assert array.to_numpy(stream).tolist() == [N] * 16


def test_a_kernel_of_a_library_that_does_not_wait_is_reported(gpu):
    """The stand-in sees the mistake: without that the tests here would prove nothing."""
    stream, array, lying = gpu.stream(), gpu.zeros(16), gpu.waiting("increment", truly=False)
    for _ in range(2):
        lying[1, 16, stream](array, 16)
    stream.synchronize()
    assert gpu.control.reports() == [
        "increment was launched as a dependent kernel, and does not wait",
        "increment was launched as a dependent kernel behind what does not wait at its entry",
    ]


# -- graphs


def chain(gpu, step, array, stream, *kernels):
    """Run a step of launches three times: from the second on it is a graph."""
    for _ in range(3):
        with step:
            for kernel in kernels:
                kernel[1, 16, stream](array, 16)


def test_edges_between_kernels_that_wait(gpu, increment):
    stream, array, plain = gpu.stream(), gpu.zeros(16), gpu.kernel("increment")
    before = gpu.device.driver_device.dependent_edges
    gpu.forget_calls()
    chain(gpu, lp.Step(), array, stream, increment, increment, increment, plain, increment, increment)
    assert gpu.counts(EDGES, "cuGraphInstantiateWithFlags", "cuGraphLaunch") == {
        EDGES: 3,
        "cuGraphInstantiateWithFlags": 1,
        "cuGraphLaunch": 2,
    }
    assert gpu.device.driver_device.dependent_edges - before == 3
    assert array.to_numpy(stream).tolist() == [18] * 16


def test_a_copy_between_has_plain_edges(gpu, increment):
    stream, array, other, step = gpu.stream(), gpu.zeros(16), gpu.zeros(16), lp.Step()
    gpu.forget_calls()
    for _ in range(3):
        with step:
            increment[1, 16, stream](array, 16)
            array.copy_to(other, stream)
            increment[1, 16, stream](array, 16)
            increment[1, 16, stream](array, 16)
    assert gpu.counts(EDGES, "cuGraphAddKernelNode_v2") == {EDGES: 1, "cuGraphAddKernelNode_v2": 3}
    assert array.to_numpy(stream).tolist() == [9] * 16
    assert other.to_numpy(stream).tolist() == [7] * 16


def test_updates_of_nodes_keep_the_edges(gpu, increment):
    stream, array, step = gpu.stream(), gpu.zeros(16), lp.Step()
    for count in (16, 16, 8, 4):
        with step:
            for _ in range(N):
                increment[1, 16, stream](array, count)
    assert array.to_numpy(stream).tolist() == [4 * N] * 4 + [3 * N] * 4 + [2 * N] * 8


def test_captures_of_launchpath(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    stream.begin_capture()
    for _ in range(N):
        increment[1, 16, stream](array, 16)
    executable = stream.end_capture().instantiate()
    gpu.forget_calls()
    for _ in range(3):
        executable.launch(stream)
    assert gpu.counts(EDGES) == {EDGES: N - 1}
    assert array.to_numpy(stream).tolist() == [3 * N] * 16


def test_a_launch_behind_a_graph_waits_for_all_of_it(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    chain(gpu, lp.Step(), array, stream, *[increment] * 4)
    gpu.forget_calls()
    increment[1, 16, stream](array, 16)
    increment[1, 16, stream](array, 16)
    assert launched(gpu) == [False, True]


# -- what a library may lack or refuse

LACKS = """
increment, stream, array = gpu.waiting("increment"), gpu.stream(), gpu.zeros(16)
def chain():
    step = lp.Step()
    for _ in range(3):
        with step:
            for _ in range(6):
                increment[1, 16, stream](array, 16)
gpu.forget_calls()
increment[1, 16, stream](array, 16)
increment[1, 16, stream](array, 16)
chain()
counts = gpu.counts("cuLaunchKernelEx", "cuGraphAddDependencies_v2", "cuGraphLaunch")
assert array.to_numpy(stream).tolist() == [20] * 16
assert control.reports() == []
print(increment.waits_at_entry, counts, repr(device.driver_device.dependent_lacks), repr(device.driver_device.dependent_limit),
      "early trigger", device.early_trigger_threads)
"""


def test_a_library_without_the_launch():
    out = run("cuda", LACKS, without=(DEPENDENT,))
    assert out.startswith("False {'cuGraphLaunch': 2}")
    assert "has no cuLaunchKernelEx" in out


def test_a_library_without_dependent_edges():
    out = run("cuda", LACKS, without=(EDGES,))
    assert out.startswith("True {'cuLaunchKernelEx': ")
    assert "'cuGraphLaunch': 2" in out
    assert EDGES not in out
    assert "the driver library has no dependent edges of graphs" in out


def test_a_library_that_refuses_them_is_asked_once():
    out = run("cuda", "control.option('dependent', 0)\n" + LACKS)
    assert "'cuLaunchKernelEx': 1" in out
    assert "the driver library refused a dependent launch" in out


def test_a_library_that_refuses_the_edges_gets_the_graph_without():
    out = run("cuda", f"control.fail({EDGES!r}, 801, 1)\n" + LACKS)
    assert f"{EDGES!r}: 1" in out
    assert "'cuGraphLaunch': 2" in out
    assert "no dependent edges" in out


GRIDS = """
increment, stream, array, most = gpu.waiting("increment"), gpu.stream(), gpu.zeros(16), device.early_trigger_threads // 16
grids = (1, most, most + 1, 1, (2, 1, most), 1)
gpu.forget_calls()
for grid in grids:
    increment[grid, 16, stream](array, 16)
print([call.name == "cuLaunchKernelEx" for call in gpu.calls("cuLaunchKernel", "cuLaunchKernelEx")])
step = lp.Step()
for _ in range(3):
    with step:
        for grid in grids:
            increment[grid, 16, stream](array, 16)
print(gpu.counts("cuGraphAddDependencies_v2"))
assert array.to_numpy(stream).tolist() == [4 * len(grids)] * 16
"""


def test_with_early_triggers_what_is_behind_a_grid_that_fills_the_device_is_ordinary():
    out = run("cuda", GRIDS, LAUNCHPATH_DEPENDENT="trigger").splitlines()
    assert out == ["[False, True, True, False, True, False]", str({EDGES: 3})]


@pytest.mark.parametrize(("value", "launches"), [("0", 0), ("1", 8), ("wait", 8), ("trigger", 8)])
def test_the_environment_switches_them_off(value, launches):
    out = run("cuda", LACKS, LAUNCHPATH_DEPENDENT=value)
    assert out.startswith(f"{value != '0'} ")
    assert ("cuLaunchKernelEx" in out) == bool(launches)
    assert ("early trigger 135168" in out) == (value in ("1", "trigger"))
    assert ("switched off by LAUNCHPATH_DEPENDENT" in out) == (value == "0")


def test_the_command_line_says_why_there_are_none():
    code = "from click.testing import CliRunner\nfrom launchpath._cli import main\n"
    code += "print(CliRunner().invoke(main, ['devices', '-v']).output)"
    assert "no dependent launches (device 0): switched off by LAUNCHPATH_DEPENDENT" in run(
        "cuda", code, LAUNCHPATH_DEPENDENT="0"
    )
    assert "no dependent launches" not in run("cuda", code)


def test_hip_has_none():
    out = run("hip", "print(device.driver_device.dependent_lacks, device.dependent_launches)")
    assert out.strip() == "HIP has no dependent launches False"

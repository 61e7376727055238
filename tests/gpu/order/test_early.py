"""Early variants: which nodes of which graphs have one, and what they share with the program's kernel.

The stand-in says of each node whether its function triggers.
"""

import gc

import pytest

import launchpath as lp
from launchpath import _core
from tests.gpu.process import run
from tests.gpu.standin import OUT
from tests.standin.client import IMAGE

ADD, SET, EDGES = "cuGraphAddKernelNode_v2", "cuGraphExecKernelNodeSetParams_v2", "cuGraphAddDependencies_v2"
INSTANTIATE, ATTRIBUTE = "cuGraphInstantiateWithFlags", "cuFuncSetAttribute"
LOADED = "its program was loaded, and has no source"
N = 6


@pytest.fixture
def driver():
    """The only driver that has them."""
    return "cuda"


@pytest.fixture
def increment(gpu):
    """A kernel with an early variant."""
    return early(gpu, "increment")


def early(gpu, name, truly=True, **more):
    """Return a kernel with an early variant, which waits at its entry unless it is not `truly` so."""
    kernel = gpu.waiting(name, **more)
    lines = f"triggers {name}\n" + (f"waits {name}\n" if truly else "")
    assert kernel._driver.pair(gpu.load(IMAGE + lines.encode()).kernel(name, waits=True))
    return kernel


def frozen(launches):
    """Freeze a step of launches, and launch it until it is a graph; one run before it counts as well."""
    step = lp.Step()
    with step:
        launches()
    kept = step.freeze()
    for _ in range(3):
        kept.launch()
    return kept


def triggers(gpu, *names):
    """Whether the function of each node that was added, or changed, triggers."""
    return [call.detail.endswith(" triggers") for call in gpu.calls(*(names or (ADD,))) if call.result == 0]


def test_nodes_of_a_frozen_step_but_the_last(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    before = gpu.device.driver_device.early_nodes
    gpu.forget_calls()
    kept = frozen(lambda: [increment[1, 16, stream](array, 16) for _ in range(N)])
    assert triggers(gpu) == [True] * (N - 1) + [False]
    assert gpu.device.driver_device.early_nodes - before == N - 1
    assert kept.report().without_trigger == {}
    assert array.to_numpy(stream).tolist() == [4 * N] * 16


def test_of_nothing_but_a_frozen_step(gpu, increment):
    stream, array, step = gpu.stream(), gpu.zeros(16), lp.Step()

    def launches():
        for _ in range(N):
            increment[1, 16, stream](array, 16)

    gpu.forget_calls()
    for _ in range(3):
        with step:
            launches()
    stream.begin_capture()
    launches()
    executable = stream.end_capture().instantiate()
    for _ in range(3):
        executable.launch(stream)
    assert triggers(gpu) == [False] * 2 * N
    assert array.to_numpy(stream).tolist() == [6 * N] * 16


@pytest.mark.parametrize("around", ["step", "capture"])
def test_a_frozen_step_in_something_else_is_a_part_of_that(gpu, increment, around):
    stream, array, step = gpu.stream(), gpu.zeros(16), lp.Step()
    kept = frozen(lambda: [increment[1, 16, stream](array, 16) for _ in range(N)])
    gpu.forget_calls()
    if around == "step":
        for _ in range(3):
            with step:
                kept.launch()
    else:
        stream.begin_capture()
        kept.launch()
        executable = stream.end_capture().instantiate()
        for _ in range(3):
            executable.launch(stream)
    assert triggers(gpu) == [False] * N
    assert array.to_numpy(stream).tolist() == [7 * N] * 16


def test_grids_of_at_most_so_many_threads(gpu, increment):
    stream, array, most = gpu.stream(), gpu.zeros(16), gpu.device.early_trigger_threads // 16
    grids = (1, most, most + 1, (2, 1, most), 1, 1)
    gpu.forget_calls()
    frozen(lambda: [increment[grid, 16, stream](array, 16) for grid in grids])
    assert triggers(gpu) == [True, True, False, False, True, False]


def test_what_is_behind_must_wait(gpu, increment):
    stream, array, plain, other = gpu.stream(), gpu.zeros(16), gpu.kernel("increment"), gpu.zeros(16)

    def launches():
        increment[1, 16, stream](array, 16)
        plain[1, 16, stream](array, 16)
        increment[1, 16, stream](array, 16)
        array.copy_to(other, stream)
        increment[1, 16, stream](array, 16)
        increment[1, 16, stream](array, 16)

    gpu.forget_calls()
    frozen(launches)
    assert triggers(gpu) == [False, False, False, True, False]
    assert array.to_numpy(stream).tolist() == [20] * 16


def test_a_kernel_without_a_source_has_none_and_the_report_says_so(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    gpu.forget_calls()
    pairs = [gpu.waiting("increment"), increment]
    kept = frozen(lambda: [kernel[1, 16, stream](array, 16) for kernel in pairs * 3])
    assert triggers(gpu) == [False, True] * 2 + [False, False]
    assert kept.report().without_trigger == {"increment": LOADED}
    assert f"no early trigger: increment: {LOADED}" in str(kept.report())


def test_grids_that_grow_when_it_is_updated(gpu, increment):
    stream, array, step, most = gpu.stream(), gpu.zeros(16), lp.Step(), gpu.device.early_trigger_threads // 16
    graphs = []
    for grid in (1, most + 1):
        with step:
            for _ in range(N):
                increment[grid, 16, stream](array, 16)
        graphs.append(_core.graph_of_run(step, _core.GraphBase.__new__(_core.GraphBase)))
    kept = step.freeze()
    seen = []
    for graph in (graphs[0], graphs[0], graphs[1], graphs[0]):
        kept.replace(graph)
        gpu.forget_calls()
        kept.launch()
        seen.append(triggers(gpu, ADD, SET))
    small = [True] * (N - 1) + [False]
    assert seen == [[], small, [False] * N, small]
    assert array.to_numpy(stream).tolist() == [6 * N] * 16


def test_it_has_the_kernel_s_dynamic_shared_memory_and_carveout(gpu):
    stream, array, shape = gpu.stream(), gpu.zeros(8, "uint32"), early(gpu, "shape", dynamic_shared=True)
    large = gpu.device.info["shared_memory_optin"] - 1024
    gpu.cuda(ATTRIBUTE, shape._driver.function, 9, 50)
    gpu.forget_calls()
    frozen(lambda: [shape[1, 1, stream, large](array) for _ in range(N)])
    assert triggers(gpu) == [True] * (N - 1) + [False]
    assert [gpu.cuda("cuFuncGetAttribute", OUT, what, shape._driver.early.function) for what in (8, 9)] == [large, 50]


def test_the_kernel_itself_where_it_cannot_have_them(gpu):
    stream, array, shape = gpu.stream(), gpu.zeros(8, "uint32"), early(gpu, "shape", dynamic_shared=True)
    large = gpu.device.info["shared_memory_optin"] - 1024
    shape[1, 1, stream, large](array)
    gpu.control.fail(ATTRIBUTE, 1, 0)
    gpu.forget_calls()
    frozen(lambda: [shape[1, 1, stream, large](array) for _ in range(N)])
    gpu.control.forgive(ATTRIBUTE)
    assert triggers(gpu) == [False] * N


def test_a_library_that_refuses_the_graph_gets_it_with_the_kernels_themselves(gpu, increment):
    stream, array = gpu.stream(), gpu.zeros(16)
    before = gpu.device.driver_device.early_nodes
    gpu.control.fail(INSTANTIATE, 801, 1)
    gpu.forget_calls()
    frozen(lambda: [increment[1, 16, stream](array, 16) for _ in range(N)])
    small = [True] * (N - 1) + [False]
    assert triggers(gpu) == small + [False] * N
    assert gpu.device.driver_device.early_nodes == before
    assert gpu.device.driver_device.dependent_limit == ""
    assert array.to_numpy(stream).tolist() == [4 * N] * 16


def test_its_module_stays_as_long_as_the_frozen_step(gpu):
    stream, array, kernels = gpu.stream(), gpu.zeros(16), []
    before = gpu.live()["modules"]
    kernels.append(early(gpu, "increment"))
    kept = frozen(lambda: [kernels[0][1, 16, stream](array, 16) for _ in range(N)])
    kernels.clear()
    gc.collect()
    kept.launch()
    assert gpu.live()["modules"] == before + 2
    kept.launch()  # in flight when it goes
    del kept
    assert array.to_numpy(stream).tolist() == [6 * N] * 16
    gpu.settle()
    assert gpu.live()["modules"] == before


def test_a_variant_that_does_not_wait_is_reported(gpu):
    stream, array, lying = gpu.stream(), gpu.zeros(16), early(gpu, "increment", truly=False)
    frozen(lambda: [lying[1, 16, stream](array, 16) for _ in range(N)])
    stream.synchronize()
    assert "increment was launched as a dependent kernel, and does not wait" in gpu.control.reports()


def test_a_library_without_dependent_edges_gets_none():
    code = """
    from tests.gpu.order.test_early import early, frozen
    increment, stream, array = early(gpu, "increment"), gpu.stream(), gpu.zeros(16)
    frozen(lambda: [increment[1, 16, stream](array, 16) for _ in range(6)])
    print(device.driver_device.early_nodes, array.to_numpy(stream)[0], control.reports())
    """
    assert run("cuda", code, without=(EDGES,)).strip() == "0 24 []"

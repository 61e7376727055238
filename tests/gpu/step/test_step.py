"""Steps on the stand-in: which calls a step makes, and that its graphs do what its launches would."""

import functools

import pytest

import launchpath as lp
from launchpath import _core
from tests.gpu.foreign import foreign_objects

N = 10
# The stand-in counts calls by CUDA's names. HIP's are made of these.
LAUNCH, CREATE, ADD, BUILD, SET, RUN = (
    "cuLaunchKernel", "cuGraphCreate", "cuGraphAddKernelNode_v2", "cuGraphInstantiateWithFlags",
    "cuGraphExecKernelNodeSetParams_v2", "cuGraphLaunch")  # fmt: skip
ADD_COPY, ADD_FILL = "cuGraphAddMemcpyNode", "cuGraphAddMemsetNode"
SET_COPY, SET_FILL = "cuGraphExecMemcpyNodeSetParams", "cuGraphExecMemsetNodeSetParams"
CALLS = (LAUNCH, CREATE, ADD, BUILD, SET, RUN, ADD_COPY, ADD_FILL, SET_COPY, SET_FILL)


def calls(gpu):
    return gpu.counts(*CALLS)


@pytest.fixture
def repeated(gpu):
    """A function that runs a body in one step again, and returns the calls of that run."""
    step = _core.StepBase()

    def run(body):
        gpu.forget_calls()
        with step:
            body()
        return calls(gpu)

    return run


def launches(gpu, array, stream, counts):
    """A body: launches in a row, each with an argument of its own."""
    launcher = gpu.kernel("increment")[1, 16, stream]

    def body():
        for count in counts:
            launcher(array, count)

    return body


@pytest.mark.parametrize("kind", ["nonblocking", "blocking"])
def test_a_step_that_comes_again_is_a_single_call(gpu, repeated, kind):
    stream, array = gpu.stream(kind), gpu.zeros(16)
    runs = [
        ([16] * N, {LAUNCH: N}),
        ([16] * N, {CREATE: 1, ADD: N, BUILD: 1, RUN: 1}),
        ([16] * N, {RUN: 1}),
        ([16] * 3 + [0] + [16] * (N - 4), {SET: 1, RUN: 1}),
        ([16] * N, {SET: 1, RUN: 1}),
        ([0] * N, {SET: N, RUN: 1}),
        ([16] * (N + 1), {LAUNCH: N + 1}),
        ([16] * N, {SET: N, RUN: 1}),
        ([16] * (N + 1), {CREATE: 1, ADD: N + 1, BUILD: 1, RUN: 1}),
    ]
    for counts, expected in runs:
        assert repeated(launches(gpu, array, stream, counts)) == expected
    total = sum(count == 16 for counts, _ in runs for count in counts)
    assert array.to_numpy(stream).tolist() == [total] * 16


def test_each_stream_has_a_graph_of_its_own(gpu, repeated):
    streams = [gpu.stream(), gpu.stream()]
    arrays = [gpu.zeros(16) for _ in streams]
    launchers = [gpu.kernel("increment")[1, 16, stream] for stream in streams]

    def body():
        for _ in range(N):
            for launcher, array in zip(launchers, arrays, strict=True):
                launcher(array, 16)

    assert repeated(body) == {LAUNCH: 2 * N}
    assert repeated(body) == {CREATE: 2, ADD: 2 * N, BUILD: 2, RUN: 2}
    with streams[0].hold():
        assert repeated(body) == {RUN: 2}
        assert arrays[1].to_numpy(streams[1]).tolist() == [3 * N] * 16  # the other stream's does not wait
    assert arrays[0].to_numpy(streams[0]).tolist() == [3 * N] * 16


def test_a_launch_on_the_legacy_stream_is_between_those_of_a_blocking_stream(gpu, repeated):
    stream, array = gpu.stream("blocking"), gpu.zeros(16)
    blocking = launches(gpu, array, stream, [16] * 4)
    legacy = launches(gpu, array, None, [16] * 4)

    def body():
        blocking()
        legacy()
        blocking()

    assert repeated(body) == {LAUNCH: 12}
    assert repeated(body) == {CREATE: 3, ADD: 12, BUILD: 3, RUN: 3}
    assert repeated(body) == {RUN: 3}
    assert array.to_numpy(stream).tolist() == [36] * 16


def test_an_event_between_two_streams_parts_their_graphs(gpu, repeated):
    first, second, array = gpu.stream(), gpu.stream(), gpu.zeros(16)
    event = lp.Event()
    second.record(event)
    before, after = launches(gpu, array, first, [16] * 4), launches(gpu, array, second, [16] * 4)

    def body():
        first.wait(event)  # of the run before
        before()
        first.record(event)
        second.wait(event)
        after()
        second.record(event)

    for expected in ({LAUNCH: 8}, {CREATE: 2, ADD: 8, BUILD: 2, RUN: 2}, {RUN: 2}, {RUN: 2}):
        assert repeated(body) == expected
    second.synchronize()  # so that the first wait is none
    assert repeated(body) == {RUN: 2}
    assert array.to_numpy(second).tolist() == [40] * 16


def test_what_changes_after_a_wait_has_parted_a_graph_is_updated(gpu, repeated):
    """A wait where there was a record parts the commands anew: what had changed before that may change again."""
    stream, side = gpu.stream(), gpu.stream()
    arrays = [gpu.zeros(16) for _ in range(4)]

    def body():
        for array in arrays:
            array.fill(value, stream)
        event = side.record()
        if value < 3:
            stream.record()
        else:
            stream.wait(event)
        arrays[0].fill(-value, stream)

    for value in (1, 1, 3, 4, 5):
        repeated(body)
        assert [array.to_numpy(stream)[0] for array in arrays] == [-value, value, value, value]


def test_copies_and_fills_are_nodes_too(gpu, stream, repeated):
    arrays = [gpu.zeros(16) for _ in range(2)]
    source, to = arrays
    value = [1]

    def body():
        gpu.kernel("increment")[1, 16, stream](source, 16)
        source.fill(value[0], stream)
        gpu.kernel("increment")[1, 16, stream](source, 16)
        to.copy_from(source, stream)
        gpu.kernel("increment")[1, 16, stream](to, 16)

    repeated(body)
    assert repeated(body) == {CREATE: 1, ADD: 3, ADD_COPY: 1, ADD_FILL: 1, BUILD: 1, RUN: 1}
    assert repeated(body) == {RUN: 1}
    assert [array.to_numpy(stream)[0] for array in arrays] == [2, 3]
    value[0] = 5
    assert repeated(body) == {SET_FILL: 1, RUN: 1}
    assert [array.to_numpy(stream)[0] for array in arrays] == [6, 7]
    source, to = to, source
    assert repeated(body) == {SET: 3, SET_FILL: 1, SET_COPY: 1, RUN: 1}
    assert [array.to_numpy(stream)[0] for array in (source, to)] == [6, 7]


def test_alternating_sequences_are_kept(gpu, stream, array, repeated):
    bodies = [launches(gpu, array, stream, [16] * (N + i)) for i in range(16)]
    for run in range(4):
        for i, body in enumerate(bodies):
            built = {CREATE: 1, ADD: N + i, BUILD: 1, RUN: 1}
            assert repeated(body) == [{LAUNCH: N + i}, built, {RUN: 1}, {RUN: 1}][run]


def test_no_more_than_16_sequences_are_kept(gpu, repeated):
    stream, array = gpu.stream(), gpu.zeros(16)
    before = gpu.live()["graphs"]
    for i in range(40):
        for _ in range(2):
            repeated(launches(gpu, array, stream, [16] * (N + i)))
    assert gpu.live()["graphs"] == before + 2 * 16  # a graph, and what is made of it
    assert array.to_numpy(stream).tolist() == [2 * sum(N + i for i in range(40))] * 16


def test_what_a_launch_in_flight_reads_is_its_own(gpu):
    stream, step = gpu.stream(), _core.StepBase()
    arrays = [gpu.zeros(16) for _ in range(3)]
    increment = gpu.kernel("increment")
    with stream.hold():
        for array in (*arrays, *arrays):
            with step:
                for _ in range(N):
                    increment[1, 16, stream](array, 16)
    assert [array.to_numpy(stream).tolist() for array in arrays] == [[2 * N] * 16] * 3


def test_a_grid_may_change(gpu):
    stream, array, step = gpu.stream(), gpu.zeros(64), _core.StepBase()
    increment = gpu.kernel("increment")
    for blocks in (1, 1, 4, 2):
        with step:
            for _ in range(N):
                increment[blocks, 16, stream](array, 16 * blocks)
    assert array.to_numpy(stream).tolist() == [4 * N] * 16 + [2 * N] * 16 + [N] * 32


def test_a_block_and_shared_memory_may_change(gpu, repeated):
    """Each is an update of its own launch; ``shape`` writes what it was launched with."""
    stream, arrays = gpu.stream(), [gpu.zeros(9, "uint32") for _ in range(4)]
    program = gpu.load()
    shape = lp.adopt(program.kernel("shape").function, "unsigned *out", gpu.device)
    for place, grid, block, shared, expected in [
        (0, 1, 16, 0, {LAUNCH: 4}),
        (0, 1, 16, 0, {CREATE: 1, ADD: 4, BUILD: 1, RUN: 1}),
        (2, 1, 32, 0, {SET: 1, RUN: 1}),
        (2, 1, 32, 64, {SET: 1, RUN: 1}),
        (2, (1, 2, 3), (4, 2), 64, {SET: 1, RUN: 1}),
        (1, (1, 2, 3), (4, 2), 64, {SET: 2, RUN: 1}),
        (1, (1, 2, 3), (4, 2), 64, {RUN: 1}),
    ]:

        def body(at=place, configuration=(grid, block, shared)):
            for i, array in enumerate(arrays):
                grid, block, shared = configuration if i == at else (1, 16, 0)
                shape[grid, block, stream, shared](array)

        assert repeated(body) == expected
        ran = [array.to_numpy(stream).tolist()[:7] for array in arrays]
        threads = list(block) if isinstance(block, tuple) else [block, 1]
        blocks = list(grid) if isinstance(grid, tuple) else [grid, 1, 1]
        assert ran.pop(place) == [*blocks, *threads, 1, shared]
        assert ran == [[1, 1, 1, 16, 1, 1, 0]] * 3


def test_adopted_kernels_are_nodes_too(gpu, repeated):
    """Those of CuPy and Triton, and a handle: arguments may change, and a capture takes them."""
    program, stream, array = gpu.load(), gpu.stream(), gpu.zeros(16)
    function = program.kernel("increment").function
    none = {"global_scratch_size": "absent", "profile_scratch_size": "absent"}
    adopted = [
        lp.adopt(function, "int *data, int count", gpu.device),
        lp.adopt(foreign_objects.cupy_kernel(function), "int *data, int count", gpu.device),
        foreign_objects.adopted_triton_kernel(gpu, function, {"data": "*i32", "count": "i32"}, **none),
    ]
    launchers = [kernel.bind(1, 16, stream=stream) for kernel in adopted[:2]] + [adopted[2].bind(1, stream=stream)]

    def body(count):
        for launcher in launchers * 2:
            launcher(array, count)

    total = 0
    for count, expected in [
        (16, {LAUNCH: 6}),
        (16, {CREATE: 1, ADD: 6, BUILD: 1, RUN: 1}),
        (16, {RUN: 1}),
        (8, {SET: 6, RUN: 1}),
    ]:
        assert repeated(functools.partial(body, count)) == expected
        total += 6
    assert array.to_numpy(stream).tolist() == [total] * 8 + [total - 6] * 8
    stream.begin_capture()
    body(16)
    executable = stream.end_capture().instantiate()
    for _ in range(3):
        executable.launch(stream)
    assert array.to_numpy(stream).tolist() == [total + 18] * 8 + [total + 12] * 8


@pytest.mark.parametrize("name", [CREATE, ADD, BUILD, SET, RUN])
def test_a_graph_that_the_library_refuses_is_no_loss(gpu, name):
    stream, array, step = gpu.stream(), gpu.zeros(16), _core.StepBase()
    increment = gpu.kernel("increment")
    for run in range(4):
        if run in (1, 2):
            gpu.control.fail(name, 999, nth=1)
        with step:
            for i in range(N):
                increment[1, 16, stream](array, 16 - (i == run and 16))
        gpu.control.forgive()
    assert array.to_numpy(stream).tolist() == [4 * (N - 1)] * 16


def test_a_refused_launch_is_reported_when_the_step_is_left(gpu):
    stream, array, step = gpu.stream(), gpu.zeros(16), _core.StepBase()
    increment = gpu.kernel("increment")
    gpu.control.fail(LAUNCH, 999, nth=3)
    with pytest.raises(Exception, match="LaunchKernel failed") as caught, step:
        for _ in range(N):
            increment[1, 16, stream](array, 16)
    gpu.control.forgive()
    assert "increment" in str(caught.value.__notes__)
    assert array.to_numpy(stream).tolist() == [2] * 16
    with step:
        increment[1, 16, stream](array, 16)
    assert array.to_numpy(stream).tolist() == [3] * 16


def test_graphs_go_with_their_step_and_with_their_kernel(gpu):
    stream, array = gpu.stream(), gpu.zeros(16)
    before = gpu.live()["graphs"]
    program = gpu.load()
    own = gpu.adapt(program, "increment", "pointer:int32", "int32")[1, 16, stream]
    common = gpu.kernel("increment")[1, 16, stream]
    steps = [_core.StepBase(), _core.StepBase()]
    for step, launcher in zip(steps, (own, common), strict=True):
        for _ in range(3):
            with step:
                for _ in range(N):
                    launcher(array, 16)
    assert gpu.live()["graphs"] == before + 4  # a graph, and what is made of it
    del own, launcher, program
    assert gpu.live()["graphs"] == before + 2
    del step, steps
    assert gpu.live()["graphs"] == before
    assert array.to_numpy(stream).tolist() == [6 * N] * 16


def why_no_graphs(step):
    report = step.report()
    assert report.graphs == 0
    return report.without_graph


def test_the_report_says_why_a_sequence_has_no_graph(gpu, stream, array):
    short, kind, refused = (lp.Step() for _ in range(3))
    for number in range(3):
        with short:
            launches(gpu, array, stream, [16] * 3)()
        with kind:
            gpu.kernel("increment").cooperative[1, 16, stream](array, 16)
        if number == 1:
            gpu.control.fail(BUILD, 999, nth=1)
        with refused:
            launches(gpu, array, stream, [16] * N)()
        gpu.control.forgive()
        if number == 1:
            assert why_no_graphs(refused) == ["the driver refused to build one"]
    assert why_no_graphs(short) == ["fewer than 4 launches, copies and fills in a row on a stream"]
    assert ["cooperative launches" in reason for reason in why_no_graphs(kind)] == [True]
    assert refused.report().graphs == 1
    assert "no graphs" not in str(refused.report())

"""Captures of the real libraries, on a GPU: `pytest tests/gpu/real/capture.py`.

Each test is left out where its library or a CUDA device is missing. (tests/gpu/capture has the same on the stand-in, and
much more; this says whether the stand-in is like the driver.)
"""

import gc
import time

import numpy as np
import pytest

import launchpath as lp

N = 1000
SOURCE = """
struct Params { float by; int n; float *data; };
__global__ void scale(float *data, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= by;
}
__global__ void scale_params(const Params *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p->n) p->data[i] *= p->by;
}
__global__ void total(const float *data, int n, float *sum) {
    for (int i = 0; i < n; i++) *sum += data[i];
}
"""


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(SOURCE, device)


@pytest.fixture
def stream(torch):
    """A stream of torch's, for captures."""
    return torch.cuda.Stream()


@pytest.fixture
def data(torch):
    tensor = torch.ones(N, device="cuda")
    torch.cuda.synchronize()
    return tensor


@pytest.fixture
def graph(torch):
    captured = torch.cuda.CUDAGraph()
    yield captured
    captured.reset()


def replayed(torch, graph, data):
    """Launch the graph, and give the value that all of `data` has then."""
    graph.replay()
    torch.cuda.synchronize()
    assert (data == data[0]).all()
    return float(data[0])


@pytest.mark.parametrize("mode", ["global", "thread_local", "relaxed"])
def test_launches_and_copies_become_nodes(torch, program, stream, data, graph, mode):
    other = torch.zeros(N, device="cuda")
    with torch.cuda.graph(graph, stream=stream, capture_error_mode=mode), lp.interop.follow_torch():
        program.scale[4, 256](data, 2.0, N)
        program.scale[4, 256](data, 3.0, N)
        other.copy_(data)
    assert float(data[0]) == 1
    assert replayed(torch, graph, data) == 6
    assert replayed(torch, graph, other) == 36


def test_a_fork_and_its_join(torch, program, stream, data, graph):
    side = lp.Stream(blocking=False)
    with torch.cuda.graph(graph, stream=stream):
        theirs = lp.Stream.external(stream)
        program.scale[4, 256, theirs](data, 2.0, N)
        side.wait(theirs.record())
        program.scale[4, 256, side](data, 5.0, N)
        theirs.wait(side.record())
        program.scale[4, 256, theirs](data, 7.0, N)
    side.synchronize()
    assert replayed(torch, graph, data) == 70
    program.scale[4, 256, side](data, 2.0, N)  # the stream is as usable as before
    side.synchronize()
    assert float(data[0]) == 140


def test_everything_else_goes_on_meanwhile(torch, device, program, stream, data, graph):
    elsewhere, own = lp.Stream(blocking=False), lp.zeros(N, device=device)
    with torch.cuda.graph(graph, stream=stream):
        theirs = lp.Stream.external(stream)
        program.scale[4, 256, theirs](data, 2.0, N)
        arrays = [lp.empty(1 << 20, "uint8", device) for _ in range(3)]
        pinned = lp.asarray(np.arange(N, dtype="float32"), device=device)
        for _ in range(1000):
            program.scale[4, 256, elsewhere](own, 1.0, N)
        elsewhere.query()
        elsewhere.record().synchronize()
        elsewhere.synchronize()
        assert pinned.to_numpy(elsewhere)[-1] == N - 1
        del arrays
        device.trim_memory()
        lp.Stream(blocking=False).synchronize()
        program.scale[4, 256, theirs](data, 2.0, N)
    assert replayed(torch, graph, data) == 4


def test_what_cannot_be_part_is_refused(torch, program, stream, data, graph):
    array, host = lp.zeros(N), np.ones(N, "float32")
    returning, staged = program.total.returning("sum", zero=True), lp.In(host)
    with torch.cuda.graph(graph, stream=stream):
        theirs = lp.Stream.external(stream)
        program.scale[4, 256, theirs](data, 2.0, N)
        refused = (
            lambda: array.to_numpy(theirs),
            lambda: array.copy_from(host, theirs),
            lambda: returning[1, 1, theirs](array, N),
            lambda: program.total[1, 1, theirs](staged, N, array),
            lambda: theirs.host_function(int),
            theirs.synchronize,
            theirs.query,
        )
        for each in refused:
            with pytest.raises(lp.LaunchpathError):
                each()
        program.scale[4, 256, theirs](data, 2.0, N)
    assert replayed(torch, graph, data) == 4


def test_arguments_in_device_memory_are_the_graphs_as_long_as_it_lives(torch, device, program, stream, data):
    kernel = program.scale_params.by_fields
    theirs = lp.Stream.external(stream)
    for by in 2.0, 2.0, 3.0:
        kernel[4, 256, theirs](by, N, data)
    theirs.synchronize()
    data.fill_(1)
    device.trim_memory()
    gc.collect()
    before, counts = device.memory_info()["in_use"], kernel.argument_counts()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for by in 2.0, 3.0, 5.0:
            kernel[4, 256, theirs](by, N, data)
    assert kernel.argument_counts()["captured"] - counts["captured"] == 3
    assert device.memory_info()["in_use"] > before
    for by in range(10, 20):  # over all slots
        kernel[4, 256, theirs](1.0 / by, N, data)
    theirs.synchronize()
    data.fill_(1)
    del kernel, theirs
    gc.collect()
    others = [lp.empty(256, "uint8", device) for _ in range(50)]
    for other in others:
        other.fill(255)
    assert replayed(torch, graph, data) == 30
    assert replayed(torch, graph, data) == 900
    del others, other
    graph.reset()
    del graph
    until = time.monotonic() + 10
    while device.memory_info()["in_use"] > before and time.monotonic() < until:
        gc.collect()
        device.trim_memory()
        time.sleep(0.01)
    assert device.memory_info()["in_use"] <= before


def test_cupys_capture(torch, program, data):
    cupy = pytest.importorskip("cupy")
    stream = cupy.cuda.Stream(non_blocking=True)
    theirs = lp.Stream.external(stream)
    kernel = program.scale_params.by_fields[4, 256, theirs]
    stream.begin_capture()
    program.scale[4, 256, theirs](data, 2.0, N)
    kernel(3.0, N, data)
    graph = stream.end_capture()
    for _ in range(2):
        graph.launch(stream)
    stream.synchronize()
    assert float(data[0]) == 36


def test_cuda_cores_capture(torch, program, data):
    core = pytest.importorskip("cuda.core")
    device = core.Device()
    device.set_current()
    stream = device.create_stream()
    builder = stream.create_graph_builder()
    builder.begin_building()
    theirs = lp.Stream.external(builder.stream)
    program.scale[4, 256, theirs](data, 2.0, N)
    program.scale_params.by_fields[4, 256, theirs](3.0, N, data)
    graph = builder.end_building().complete()
    for _ in range(2):
        graph.launch(stream)
    stream.sync()
    assert float(data[0]) == 36

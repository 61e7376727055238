"""Kernels of the real libraries in steps and captures, on a GPU: `pytest tests/gpu/real/steps.py`.

Each test is left out where its library or a CUDA or HIP device is missing.
"""

import numpy as np
import pytest

import launchpath as lp

from .numba_kernels import numbas_scale

SOURCE = r"""
extern "C" __global__ void scale(float *data, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= by;
}
"""
SIGNATURE = "float *data, float by, int n"
N = 1000
RUNS = 5


def _cupys_scale(device):
    cupy = pytest.importorskip("cupy")
    kernel = lp.adopt(cupy.RawKernel(SOURCE, "scale"), SIGNATURE, device)
    return lambda stream: kernel.bind(4, 256, stream=stream)


def _cuda_cores_scale(device):
    core = pytest.importorskip("cuda.core")
    core.Device(0).set_current()
    options = core.ProgramOptions(arch=f"sm_{core.Device(0).arch}")
    kernel = lp.adopt(core.Program(SOURCE, "c++", options=options).compile("cubin").get_kernel("scale"), SIGNATURE)
    return lambda stream: kernel.bind(4, 256, stream=stream)


def _numbas_scale(device):
    kernel = lp.adopt(numbas_scale())
    return lambda stream: kernel.bind(4, 256, stream=stream)


def _tritons_scale(device):
    torch = pytest.importorskip("torch")
    pytest.importorskip("triton")
    from . import triton_kernels

    tensor = torch.zeros(N, device="cuda")
    kernel = lp.adopt(triton_kernels.scale[(4,)](tensor, 2.5, N, BLOCK=256))
    return lambda stream: kernel.bind(4, stream=stream)


SCALES = [_cupys_scale, _cuda_cores_scale, _numbas_scale, _tritons_scale]


@pytest.fixture(params=SCALES, ids=lambda make: make.__name__.strip("_"))
def scale(request, device):
    """A launcher of a library's kernel, for a stream."""
    return request.param(device)


@pytest.fixture
def data(device):
    array = lp.asarray(np.arange(N, dtype="float32"), device=device)
    device.synchronize()
    return array


@pytest.mark.parametrize("blocking", [False, True])
def test_in_a_step(device, scale, data, blocking):
    stream = lp.Stream(blocking, device=device)
    launch, expected, step = scale(stream), np.arange(N, dtype="float32"), lp.Step()
    for run in range(RUNS):
        factor = 2.0 if run < 3 else 0.5
        with step:
            for _ in range(6):
                launch(data, factor, N)
                expected = expected * np.float32(factor)
    assert (data.to_numpy(stream) == expected).all()
    report = step.report()
    assert (report.graphs, report.graph_runs, report.updated, report.direct) == (1, RUNS - 1, 6, 0)


def test_beside_our_kernel_and_on_another_stream(device, scale, data):
    ours = lp.compile(SOURCE, device=device)["scale"]
    first, second = lp.Stream(blocking=False, device=device), lp.Stream(blocking=False, device=device)
    theirs, step, event = scale(first), lp.Step(), lp.Event()
    for _ in range(RUNS):
        with step:
            for _ in range(4):
                theirs(data, 4.0, N)
                ours[4, 256, first](data, 0.5, N)
            first.record(event)
            second.wait(event)
            ours[4, 256, second](data, 1 / 16, N)
            first.wait(second.record())
    assert (data.to_numpy(first) == np.arange(N, dtype="float32")).all()
    assert step.report().graph_runs == RUNS - 1


def test_captured_and_updated(device, scale, data):
    stream = lp.Stream(blocking=False, device=device)
    launch = scale(stream)

    def captured(factor):
        stream.begin_capture()
        for _ in range(4):
            launch(data, factor, N)
        return stream.end_capture()

    executable = captured(2.0).instantiate()
    for _ in range(3):
        executable.launch(stream)
    executable.update(captured(0.5))
    for _ in range(2):
        executable.launch(stream)
    assert (data.to_numpy(stream) == np.arange(N, dtype="float32") * 16).all()


def test_frozen(device, scale, data):
    stream, step = lp.Stream(blocking=False, device=device), lp.Step()
    launch = scale(stream)
    with step:
        for _ in range(4):
            launch(data, 2.0, N)
    frozen = step.freeze()
    for _ in range(2):
        frozen.launch()
    assert (data.to_numpy(stream) == np.arange(N, dtype="float32") * 2**12).all()


def test_tensors_in_a_step_go_at_once(device, torch, scale):
    """Torch may use its memory as soon as a call returns."""
    tensor, step = torch.ones(N, device="cuda"), lp.Step()
    torch.cuda.synchronize()
    with lp.interop.follow_torch():
        launch = scale(None)
        for _ in range(3):
            with step:
                for _ in range(4):
                    launch(tensor, 2.0, N)
                assert tensor.max().item() in (2.0**4, 2.0**8, 2.0**12)
    assert (tensor == 2.0**12).all()
    assert step.report().direct == 12

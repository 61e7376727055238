"""`launchpath.fast` with the installed Triton, Numba and CuPy on a GPU.

python -m pytest tests/gpu/real/fast_launches.py
"""

import gc
import warnings

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)

from launchpath import fast  # noqa: E402 (where torch has a GPU)


@pytest.fixture(autouse=True)
def installed():
    fast.install(children=False)
    yield
    print(fast.report())
    fast.uninstall()


def numbers(library: str, name: str) -> tuple[int, int]:
    found = [row for row in fast.report().kernels if row.library == library and row.name.split(".")[-1] == name]
    return sum(row.fast for row in found), sum(row.original for row in found)


def test_triton_results_streams_and_grids():
    from tests.gpu.real.fast_kernels import add

    x, y = torch.rand(1000, device="cuda"), torch.rand(1000, device="cuda")
    side = torch.cuda.Stream()
    for turn in range(30):
        out = torch.zeros(1000, device="cuda")
        with torch.cuda.stream(side if turn % 2 else torch.cuda.default_stream()):
            torch.cuda.synchronize()
            grid = (8,) if turn % 3 else lambda meta: ((meta["n"] + meta["BLOCK"] - 1) // meta["BLOCK"],)
            add[grid](x[turn % 2 :], y, out, 1000 - turn % 2, BLOCK=128)
        torch.cuda.synchronize()
        n = 1000 - turn % 2
        assert torch.equal(out[:n], x[turn % 2 :][:n] + y[:n])
    made, original = numbers("triton", "add")
    assert made + original == 30
    assert made >= 20, fast.report()


def test_triton_all_kinds_of_arguments():
    from tests.gpu.real.fast_kernels import mixed

    for turn in range(12):
        out = torch.zeros(8, device="cuda", dtype=torch.float64)
        values = (7, 1 << 20, 1 << 40, 0.5, 0.1, 0.25, True)
        mixed[(1,)](out, *values, N=3) if turn % 2 else mixed[(1,)](out, *values, 3, scale=2.0)
        assert out.tolist() == [7.0, float(1 << 20), float(1 << 40), 0.5, 0.1, 0.25, 1.0, 6.0]
    made, original = numbers("triton", "mixed")
    assert made >= 3 and made + original == 12, fast.report()


def test_triton_autotuned():
    from tests.gpu.real.fast_kernels import tuned

    x = torch.zeros(1024, device="cuda")
    tuned[lambda meta: (1024 // meta["BLOCK"],)](x, 1024)
    x.zero_()
    before = numbers("triton", "tuned")[0]
    for _ in range(20):
        tuned[lambda meta: (1024 // meta["BLOCK"],)](x, 1024)
    assert x.tolist() == [20.0] * 1024
    assert numbers("triton", "tuned")[0] >= before + 12, fast.report()


def test_triton_in_a_graph():
    from tests.gpu.real.fast_kernels import add

    x, out = torch.ones(256, device="cuda"), torch.zeros(256, device="cuda")
    for _ in range(6):
        add[(2,)](x, x, out, 256, BLOCK=128)
    before, graph = numbers("triton", "add")[0], torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(5):
            add[(2,)](out, x, out, 256, BLOCK=128)
    assert numbers("triton", "add")[0] == before + 5, fast.report()
    out.zero_()
    graph.replay()
    assert out.tolist() == [5.0] * 256


def test_triton_refuses_memory_of_the_host():
    from tests.gpu.real.fast_kernels import add

    x, out = torch.ones(256, device="cuda"), torch.zeros(256, device="cuda")
    for _ in range(6):
        add[(2,)](x, x, out, 256, BLOCK=128)
    with pytest.raises(ValueError, match="cpu tensor"):
        add[(2,)](x.cpu(), x, out, 256, BLOCK=128)


def inductors_launchers() -> set[str]:
    """What launches the kernels of torch's inductor: the runner in each launcher that torch made."""
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    runners = set()
    for autotuner in gc.get_objects():
        if issubclass(type(autotuner), CachingAutotuner):  # isinstance would ask a dead weak reference for its class
            launchers = [*autotuner.launchers, getattr(autotuner, "_cached_launcher", None)]
            for launcher in filter(None, launchers):
                runner = launcher.__globals__["runner"]
                function = getattr(runner, "__func__", None)
                kernel = type(getattr(runner, "__self__", None)).__name__
                inner = type(getattr(runner, "original", runner)).__name__
                runners.add(f"{type(function).__name__} of {kernel}" if function is not None else f"counted {inner}")
    return runners


@pytest.mark.parametrize("static", [True, False])
def test_inductor(static):
    import torch._inductor.config

    torch._dynamo.reset()
    launches = 24
    by = 3.0 if static else 5.0  # another kernel than the other case's, which torch has in its caches
    with torch._inductor.config.patch(use_static_cuda_launcher=static):
        function = torch.compile(lambda x: torch.sin(x) * by + 1)
        x = torch.rand(4096, device="cuda")
        before = [(row.fast, row.original) for row in fast.report().kernels if row.name.startswith("triton_poi")]
        for _ in range(launches):
            result = function(x)
        torch.testing.assert_close(result, torch.sin(x) * by + 1)
    runners = inductors_launchers()
    print(f"torch {torch.__version__}, static launcher {static}: {sorted(runners)}")
    rows = [row for row in fast.report().kernels if row.name.startswith("triton_poi")]
    fast_launches = sum(row.fast for row in rows) - sum(row[0] for row in before)
    all_launches = fast_launches + sum(row.original for row in rows) - sum(row[1] for row in before)
    assert all_launches >= launches, (runners, fast.report())
    in_c = any("_FastCudaLauncher" in runner for runner in runners)
    assert fast_launches >= launches - 5 or in_c, (runners, fast.report())
    if in_c:
        assert any("torch's own launcher in C" in row.reasons for row in rows), fast.report()


def test_inductors_launchers_that_existed():
    fast.uninstall()
    torch._dynamo.reset()
    function = torch.compile(lambda x: torch.cos(x) * 7 + 2)
    x = torch.rand(4096, device="cuda")
    for _ in range(3):
        function(x)
    fast.install(children=False)
    before = sum(row.fast + row.original for row in fast.report().kernels)
    for _ in range(12):
        result = function(x)
    torch.testing.assert_close(result, torch.cos(x) * 7 + 2)
    assert sum(row.fast + row.original for row in fast.report().kernels) == before + 12, fast.report()
    fast.uninstall()
    function(x)
    assert sum(row.fast + row.original for row in fast.report().kernels) == before + 12, fast.report()


def test_numba():
    cuda = pytest.importorskip("numba.cuda")
    pytest.importorskip("numba_cuda")

    @cuda.jit
    def scale(x, by, n):
        i = cuda.grid(1)
        if i < n:
            x[i] *= by

    import numpy as np

    x, stream = cuda.to_device(np.ones(1000, "float32")), cuda.stream()
    for turn in range(20):
        scale[8, 128](x, 2.0, 1000) if turn % 2 else scale[8, 128, stream](x, 0.5, 1000)
        cuda.synchronize()
    assert x.copy_to_host().tolist() == [1.0] * 1000
    host = np.ones(1000, "float32")
    scale[8, 128](host, 3.0, 1000)
    assert host.tolist() == [3.0] * 1000
    made, original = numbers("numba", "scale")
    assert made >= 15, fast.report()
    assert original <= 6


def test_cupy():
    cupy = pytest.importorskip("cupy")
    module = cupy.RawModule(
        code='extern "C" __global__ void add(float *x, int n, double by) { if (threadIdx.x < n) x[threadIdx.x] += by; }'
    )
    kernel, x = module.get_function("add"), cupy.zeros(64, "float32")
    stream = cupy.cuda.Stream(non_blocking=True)
    for turn in range(20):
        with stream if turn % 2 else cupy.cuda.Stream.null:
            kernel((1,), (64,), (x, 64, 0.5))
        cupy.cuda.Device().synchronize()
    assert x.tolist() == [10.0] * 64
    kernel((1,), (64,), (x[32:], 32, cupy.float64(1)))
    assert x.tolist() == [10.0] * 32 + [11.0] * 32
    assert numbers("cupy", "add")[0] >= 15, fast.report()


def test_cupy_streams_of_the_call():
    cupy = pytest.importorskip("cupy")
    kernel = cupy.RawKernel(
        'extern "C" __global__ void count(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }', "count"
    )
    x, stream = cupy.zeros(64, "int32"), cupy.cuda.Stream(non_blocking=True)
    for turn in range(24):
        chosen = (stream, cupy.cuda.ExternalStream(stream.ptr), None, cupy.cuda.Stream.null)[turn % 4]
        cupy.cuda.Device().synchronize()
        kernel((1,), (64,), (x, 64), stream=chosen)
    cupy.cuda.Device().synchronize()
    assert x.tolist() == [24] * 64
    kernel((1,), (64,), (x, 64))
    graph_stream = cupy.cuda.Stream(non_blocking=True)
    graph_stream.begin_capture()
    kernel((1,), (64,), (x, 64), stream=graph_stream)
    graph = graph_stream.end_capture()
    cupy.cuda.Device().synchronize()
    assert x.tolist() == [25] * 64, "the launch was captured"
    graph.launch(stream)
    stream.synchronize()
    assert x.tolist() == [26] * 64
    launched, original = numbers("cupy", "count")
    assert launched >= 22 and launched + original == 26, fast.report()


def test_numba_small_grids_warn_as_without():
    cuda = pytest.importorskip("numba.cuda")
    errors = pytest.importorskip("numba.cuda.core.errors")

    @cuda.jit
    def one(x):
        x[0] += 1

    import numpy as np

    x = cuda.to_device(np.zeros(1, "int32"))
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        for _ in range(20):
            one[1, 1](x)
    assert sum(issubclass(each.category, errors.NumbaPerformanceWarning) for each in shown) == 1
    assert x.copy_to_host().tolist() == [20]
    assert numbers("numba", "one") == (16, 4), fast.report()


def test_numba_counts_arrays_of_other_libraries():
    cuda = pytest.importorskip("numba.cuda")

    @cuda.jit
    def increment(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += 1

    x = torch.zeros(256, device="cuda")
    for _ in range(6):
        increment[200, 32](x)
    view = cuda.as_cuda_array(x)
    for _ in range(6):
        increment[200, 32](view)
    torch.cuda.synchronize()
    assert x.tolist() == [12.0] * 256
    launched, original = numbers("numba", "increment")
    assert launched >= 2 and launched + original == 12, fast.report()

"""The cost of compiling: the first time, of a new kernel, and in a process that finds the program in the cache.

Every block is a process of its own, which opens the device, and then times ``lp.compile`` with all that it imports.

- First: there is no cache. But PoCL's own cache knows the source.
- Second: the program is in the cache. The process fails if a compiler is loaded or started in it.
- New kernel: no process has compiled it before, and the cache has what programs share, which is precompiled headers.
  CuPy compiles the same where it is installed, in a clone of the repository.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import sys
import tempfile

from launchpath import _external
from launchpath._bench.measure import BLOCKS, Probe, Size, interleave
from launchpath._bench.peer import NOT_HERE, peers
from launchpath._bench.result import Figure, Result
from launchpath._streams.device import Device

SECOND_PROCESS = 20_000.0  # microseconds
NEW_KERNEL = {"Intel(R) OpenCL": 250e3, "Portable Computing Language": 350e3, "CUDA": 150e3}  # microseconds
PROCESSES = 15  # of each kind, where others have BLOCKS blocks

SOURCE = """
template <class T, int N> __global__ void __launch_bounds__(N) reduce(const T *__restrict__ in, T *out, int n) {
    __shared__ T part[N];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int half = N / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
__global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""

_PROCESS = """
import json, sys, time
import numpy
import launchpath as lp
source, index, cached = json.loads(sys.argv[1])
device = lp.devices()[index]
device.legacy_stream
if cached:
    import os
    def refuse(event, arguments):
        if event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.fork", "os.system"):
            raise RuntimeError(f"{event}: a compiler was started")
    sys.addaudithook(refuse)
began = time.perf_counter_ns()
program = lp.compile(source, device, names=["reduce<float, 256>"])
took = time.perf_counter_ns() - began
assert not (cached and "clang" in sys.modules), "libclang was loaded"
x = lp.asarray(numpy.ones(256, "float32"), device=device)
y = lp.zeros(1, device=device)
program["reduce<float, 256>"][1, 256, device.legacy_stream](x, y, 256)
assert y.to_numpy(device.legacy_stream)[0] == 256
print(took)
"""

KERNEL = """
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + %d * y[i];
}
"""

_NEW = """
import json, sys, time
import launchpath as lp
source, index = json.loads(sys.argv[1])
device = lp.devices()[index]
device.legacy_stream
began = time.perf_counter_ns()
lp.compile(source, device).saxpy
print(time.perf_counter_ns() - began)
"""


def run(device: Device, size: Size | None = None) -> Result:
    """Measure on one device.

    Parameters
    ----------
    device : Device
    size : Size, optional
        Processes in proportion to its blocks.
    """
    from launchpath._streams.device import devices  # noqa: PLC0415

    size = Size() if size is None else size
    processes = max(1, size.blocks * PROCESSES // BLOCKS)
    result = Result("compile", device.name, measured="time of lp.compile")
    index = devices().index(device)
    with tempfile.TemporaryDirectory(prefix="launchpath-bench-") as folder:
        environment = {**os.environ, "LAUNCHPATH_CACHE_DIR": folder, "LAUNCHPATH_CACHE": "1"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a package that is installed has its modules as bytecode
        bare = {**environment, "LAUNCHPATH_CACHE": "0"}
        _process(_PROCESS, [SOURCE, index, False], environment)  # fills the cache
        number, again = itertools.count(2), [SOURCE, index, True]

        def new(device_number: object = index) -> list[object]:
            return [KERNEL % next(number), device_number]

        _process(_NEW, new(), environment)  # writes the bytecode of what the other source did not need
        probes = [
            Probe("launchpath", [{"process": "first"}], lambda: [_process(_PROCESS, [SOURCE, index, False], bare)]),
            Probe("launchpath", [{"process": "second"}], lambda: [_process(_PROCESS, again, environment)]),
            Probe("launchpath", [{"process": "new kernel"}], lambda: [_process(_NEW, new(), environment)]),
        ]
        others = peers() if device.info["driver"] == "cuda" else None
        if device.info["driver"] == "cuda" and others is None:
            result.left_out.append(NOT_HERE)
        elif others and importlib.util.find_spec("cupy") is not None:
            code, ordinal = others.NEW_KERNEL, device.info["ordinal"]
            theirs = {**environment, "CUPY_CACHE_DIR": os.path.join(folder, "cupy")}
            probes.append(Probe("cupy", [{"process": "new kernel"}], lambda: [_process(code, new(ordinal), theirs)]))
        result.rows = interleave(probes, Size(processes, 1, size.step))
    second = result.find("launchpath", process="second")
    result.figures.append(Figure(second, "in a second process", second.us, kind="us", at_most=SECOND_PROCESS))
    new_kernel = result.find("launchpath", process="new kernel")
    limit = NEW_KERNEL.get(str(device.info["platform"]))
    result.figures.append(Figure(new_kernel, "of a new kernel", new_kernel.us, kind="us", at_most=limit))
    first = result.find("launchpath", process="first")
    result.figures.append(Figure(first, "over the second process", first.us / second.us))
    return result


def _process(code: str, arguments: list[object], environment: dict[str, str]) -> float:
    """Compile in a process of its own; give microseconds.

    Raises
    ------
    RuntimeError
        The process failed.
    """
    line = [sys.executable, "-c", code, json.dumps(arguments)]
    done = _external.run(line, environment=environment)
    if done.code != 0:
        problem = done.errors.decode(errors="replace").strip() if done.code else _external.UNKNOWN_STATUS
        raise RuntimeError(f"compiling in a process of its own failed:\n{problem}")
    return int(done.output) / 1e3

"""Kernels that tell conditional nodes of graphs what to do, on a GPU: `pytest tests/gpu/real/conditional.py`.

The graphs are made by CUDA's driver library; kernels of launchpath's are captured into them. Each test is left out where
a CUDA device or a driver of CUDA 12.4 is missing.
"""

import ctypes

import pytest

import launchpath as lp
from launchpath._compiler.rtc.library import linker

HEADER = """
#pragma once
#include <cuda_runtime.h>
__device__ void decide(cudaGraphConditionalHandle handle, unsigned int value);
"""
DECIDE = """
__device__ void decide(cudaGraphConditionalHandle handle, unsigned int value) { cudaGraphSetConditional(handle, value); }
"""
KERNELS = """
__global__ void count_down(int *left, int *runs, cudaGraphConditionalHandle handle) {
    ++*runs;
    decide(handle, --*left > 0);
}
__global__ void choose(const int *value, cudaGraphConditionalHandle handle) { decide(handle, *value); }
__global__ void add(int *runs, int n) { *runs += n; }
"""
KERNEL, CONDITIONAL = 0, 13  # CUgraphNodeType
IF, WHILE, SWITCH = 0, 1, 2  # CUgraphConditionalNodeType
DEFAULT = 1  # CU_GRAPH_COND_ASSIGN_DEFAULT
RELAXED = 2  # CU_STREAM_CAPTURE_MODE_RELAXED
LEAST_VERSION = 12040


class NodeParameters(ctypes.Structure):
    """CUgraphNodeParams of a conditional node."""

    _fields_ = (
        ("type", ctypes.c_int), ("reserved", ctypes.c_int * 3),
        ("handle", ctypes.c_uint64), ("kind", ctypes.c_int), ("size", ctypes.c_uint),
        ("bodies", ctypes.POINTER(ctypes.c_void_p)), ("context", ctypes.c_void_p),
        ("rest", ctypes.c_uint64 * 26),
    )  # fmt: skip


class Driver:
    """CUDA's driver library, and a graph that is made by its calls."""

    def __init__(self, device: lp.Device) -> None:
        self.library, self.ordinal = ctypes.CDLL(device.info["library"]), device.info["ordinal"]
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        if version.value < LEAST_VERSION:
            pytest.skip(f"conditional nodes need a driver of CUDA 12.4, this one is of {version.value}")
        self.context, self.graph, self.executable = (ctypes.c_void_p() for _ in range(3))
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), self.ordinal)
        self.call("cuCtxSetCurrent", self.context)
        self.call("cuGraphCreate", ctypes.byref(self.graph), 0)

    def call(self, name, *arguments):
        code = self.library[name](*arguments)
        assert code == 0, f"{name}: {code}"

    def handle(self, default):
        made = ctypes.c_uint64()
        self.call("cuGraphConditionalHandleCreate", ctypes.byref(made), self.graph, self.context, default, DEFAULT)
        return made.value

    def capture(self, stream, graph, launch):
        """Let what a function launches on a stream become nodes of a graph."""
        handle = ctypes.c_void_p(stream.__cuda_stream__()[1])
        self.call("cuStreamBeginCaptureToGraph", handle, graph, None, None, ctypes.c_size_t(0), RELAXED)
        launch()
        ended = ctypes.c_void_p()
        self.call("cuStreamEndCapture", handle, ctypes.byref(ended))
        assert ended.value == graph.value

    def add(self, handle, kind, bodies, behind=False):
        """Add a conditional node, behind the graph's first one or as its first; gives the bodies' graphs."""
        node, first, n = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t(int(behind))
        if behind:
            self.call("cuGraphGetRootNodes", self.graph, ctypes.byref(first), ctypes.byref(n))
            assert n.value == 1
        parameters = NodeParameters(type=CONDITIONAL, handle=handle, kind=kind, size=bodies, context=self.context)
        assert ctypes.sizeof(parameters) == 256
        before = ctypes.byref(first) if behind else None
        self.call("cuGraphAddNode_v2", ctypes.byref(node), self.graph, before, None, n, ctypes.byref(parameters))
        return [ctypes.c_void_p(parameters.bodies[i]) for i in range(bodies)]

    def launch(self, stream):
        if not self.executable:
            self.call("cuGraphInstantiateWithFlags", ctypes.byref(self.executable), self.graph, ctypes.c_ulonglong(0))
        self.call("cuGraphLaunch", self.executable, ctypes.c_void_p(stream.__cuda_stream__()[1]))

    def end(self):
        if self.executable:
            self.call("cuGraphExecDestroy", self.executable)
        self.call("cuGraphDestroy", self.graph)
        self.call("cuDevicePrimaryCtxRelease_v2", self.ordinal)


@pytest.fixture(params=["one file", "nvJitLink", "driver"])
def program(request, device, tmp_path, monkeypatch):
    if device.info["driver"] != "cuda":
        pytest.skip("conditional nodes are CUDA's")
    if request.param == "one file":
        return lp.compile(HEADER + DECIDE + KERNELS, device, language="cuda")
    if request.param == "driver":
        monkeypatch.setenv(linker.VARIABLE, linker.NONE)
    include = '#include "decide.h"\n'
    for name, text in (("decide.h", HEADER), ("decide.cu", include + DECIDE), ("kernels.cu", include + KERNELS)):
        (tmp_path / name).write_text(text)
    return lp.compile(paths=[tmp_path / "decide.cu", tmp_path / "kernels.cu"], device=device)


@pytest.fixture
def driver(device, program):
    made = Driver(device)
    yield made
    device.synchronize()
    made.end()


def value(array, stream):
    return int(array.to_numpy(stream)[0])


def test_a_loop_runs_until_a_kernel_ends_it(device, program, driver, stream):
    left, runs = lp.full(1, 5, "int32", device), lp.zeros(1, "int32", device)
    device.synchronize()
    handle = driver.handle(1)
    (body,) = driver.add(handle, WHILE, 1)
    driver.capture(stream, body, lambda: program.count_down[1, 1, stream](left, runs, handle))
    driver.launch(stream)
    assert (value(left, stream), value(runs, stream)) == (0, 5)
    left.fill(3, stream)
    driver.launch(stream)
    assert (value(left, stream), value(runs, stream)) == (0, 8)


@pytest.mark.parametrize(("kind", "bodies"), [(IF, 1), (SWITCH, 3)])
def test_a_kernel_chooses_what_is_launched(device, program, driver, stream, kind, bodies):
    chosen, runs = lp.zeros(1, "int32", device), lp.zeros(1, "int32", device)
    device.synchronize()
    handle = driver.handle(0)
    driver.capture(stream, driver.graph, lambda: program.choose[1, 1, stream](chosen, handle))
    for place, body in enumerate(driver.add(handle, kind, bodies, behind=True)):
        driver.capture(stream, body, lambda n=10**place: program.add[1, 1, stream](runs, n))
    for number in (0, 1, 2, 3):
        chosen.fill(number, stream)
        runs.fill(0, stream)
        driver.launch(stream)
        wanted = int(number > 0) if kind == IF else 10**number if number < bodies else 0
        assert value(runs, stream) == wanted

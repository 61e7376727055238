"""What the tests of graphs and of capture share."""

import ctypes

import numpy as np

from .calls import compiled, ok

SOURCE = rb"""
extern "C" __global__ void scale(float *x, float f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}
extern "C" __global__ void add(float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += y[i];
}
"""
N = 100
GLOBAL, LOCAL, RELAXED = 0, 1, 2  # modes of a capture
NONE, ACTIVE, INVALIDATED = 0, 1, 2  # states of a stream that may be captured


class Program:
    """The kernels, and arrays in memory of the device."""

    def __init__(self, hip):
        self.hip = hip
        self.module = ok(hip.hipModuleLoadData(compiled(SOURCE)))
        self.scale = ok(hip.hipModuleGetFunction(self.module, b"scale"))
        self.add = ok(hip.hipModuleGetFunction(self.module, b"add"))
        self.pieces, self.kept = [], []

    def memory(self, values=None):
        memory = ok(self.hip.hipMalloc(4 * N))
        self.pieces.append(memory)
        ok(self.hip.hipMemcpyHtoD(memory, start() if values is None else values, 4 * N))
        return memory

    def read(self, memory):
        ok(self.hip.hipDeviceSynchronize())
        result = np.zeros(N, "f4")
        ok(self.hip.hipMemcpyDtoH(result, memory, 4 * N))
        return result

    def launch(self, function, stream, *arguments):
        return self.hip.hipModuleLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, stream, None, arguments)

    def double(self, memory, stream, factor=2):
        return self.launch(self.scale, stream, memory, ctypes.c_float(factor), ctypes.c_int(N))

    def kernel(self, memory, factor, function=None):
        """Return the parameters of a node; what they point to lives as long as the program."""
        values = ctypes.c_void_p(int(memory)), ctypes.c_float(factor), ctypes.c_int(N)
        pointers = (ctypes.c_void_p * 3)(*map(ctypes.addressof, values))
        params = self.hip.hipKernelNodeParams(
            func=self.scale if function is None else function, kernelParams=ctypes.addressof(pointers)
        )
        params.gridDim.x, params.gridDim.y, params.gridDim.z = 4, 1, 1
        params.blockDim.x, params.blockDim.y, params.blockDim.z = 32, 1, 1
        self.kept.append((values, pointers))
        return params

    def end(self):
        ok(self.hip.hipDeviceSynchronize())
        for memory in self.pieces:
            ok(self.hip.hipFree(memory))
        ok(self.hip.hipModuleUnload(self.module))


def start():
    return np.arange(N, dtype="f4")


def run(hip, graph, stream=None, times=1):
    """Instantiate a graph, launch it, and wait."""
    executable = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
    for _ in range(times):
        ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipGraphExecDestroy(executable))


def kinds(hip, graph):
    """Return the types of a graph's nodes, without their prefix."""
    nodes = ok(hip.hipGraphGetNodes(graph))[0]
    return [ok(hip.hipGraphNodeGetType(node)).name.removeprefix("hipGraphNodeType") for node in nodes]


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def scale(hip, program, graph, memory, factor, before=()):
    """Add a kernel node that multiplies memory by a factor."""
    return ok(hip.hipGraphAddKernelNode(graph, before, len(before), program.kernel(memory, factor)))

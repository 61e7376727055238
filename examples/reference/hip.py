"""Examples of the reference: HIP's own API, a part for each page."""

import ctypes

import numpy as np

from launchpath import hip, hiprtc


def check(result):
    """Return the outputs of a call; an error ends the program."""
    error, *outputs = result
    if error != type(error)(0):
        raise SystemExit(f"{error.name}: {hip.reason()}")
    return outputs[0] if len(outputs) == 1 else outputs


# %% reference/hiprtc
source = b'extern "C" __global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }'
program = check(hiprtc.hiprtcCreateProgram(source, b"scale.hip", 0, None, None))
check(hiprtc.hiprtcCompileProgram(program, 0, None))
code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
check(hiprtc.hiprtcGetCode(program, code))
check(hiprtc.hiprtcDestroyProgram(program))

# %% reference/hip-devices
for number in range(check(hip.hipGetDeviceCount())):
    properties = hip.hipDeviceProp_t()
    check(hip.hipGetDeviceProperties(properties, number))
    print(properties.name, properties.warpSize)
check(hip.hipSetDevice(0))

# %% reference/hip-memory
x = np.arange(100, dtype="float32")
memory = check(hip.hipMalloc(x.nbytes))
free, total = check(hip.hipMemGetInfo())

# %% reference/hip-copies
check(hip.hipMemcpy(memory, x, x.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))
check(hip.hipMemset(memory, 0, 4))
check(hip.hipMemcpy(x, memory, x.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))

# %% reference/hip-modules
module = check(hip.hipModuleLoadData(code))
scale = check(hip.hipModuleGetFunction(module, b"scale"))
grid, block = hip.dim3(x=1), hip.dim3(x=100)
check(hip.hipModuleLaunchKernel(scale, *grid, *block, extra=(memory, ctypes.c_float(2))))
check(hip.hipDeviceSynchronize())

# %% reference/hip-streams
stream, event = check(hip.hipStreamCreate()), check(hip.hipEventCreate())
check(hip.hipModuleLaunchKernel(scale, *grid, *block, stream=stream, extra=(memory, ctypes.c_float(2))))
check(hip.hipEventRecord(event, stream))
check(hip.hipStreamWaitEvent(None, event, 0))  # the null stream's later work comes after it
check(hip.hipEventSynchronize(event))

# %% reference/hip-threads
check(hip.hipMemcpy_spt(x, memory, x.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
check(hip.hipStreamSynchronize_spt(None))  # the thread's own default stream

# %% reference/hip-graphs
check(hip.hipStreamBeginCapture(stream, hip.hipStreamCaptureMode.hipStreamCaptureModeGlobal))
check(hip.hipModuleLaunchKernel(scale, *grid, *block, stream=stream, extra=(memory, ctypes.c_float(0.5))))
graph = check(hip.hipStreamEndCapture(stream))
executable = check(hip.hipGraphInstantiateWithFlags(graph, 0))
for _ in range(10):
    check(hip.hipGraphLaunch(executable, stream))
check(hip.hipStreamSynchronize(stream))

# %% reference/hip-textures
rows = np.ones((4, 8), "float32")
kind = check(hip.hipCreateChannelDesc(32, 0, 0, 0, hip.hipChannelFormatKind.hipChannelFormatKindFloat))
array = check(hip.hipMallocArray(kind, 8, 4, 0))
check(hip.hipMemcpy2DToArray(array, 0, 0, rows, 32, 32, 4, hip.hipMemcpyKind.hipMemcpyHostToDevice))
check(hip.hipFreeArray(array))

# %% reference/hip-errors
error, memory_of_nothing = hip.hipMalloc(-1)
assert memory_of_nothing is None
print(error.name, hip.reason())  # hipErrorInvalidValue, and why

# %% reference/hip
print(check(hip.hipRuntimeGetVersion()))
check(hip.hipFree(memory))

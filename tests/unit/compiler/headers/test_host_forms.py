"""C++ forms of HIP's and CUDA's functions: each calls the function itself."""

import re

import pytest

from . import host_side

pytestmark = [pytest.mark.compiles, pytest.mark.processes]  # Clang reads host code

# Forms that a program may write, and the function that each is to call: its name without the first word.
FORMS = {
    "Malloc(&p, 4)": "Malloc",
    "MallocHost(&p, 4)": "HostAlloc",
    "HostAlloc(&p, 4, 0)": "HostAlloc",
    "MallocManaged(&p, 4)": "MallocManaged",
    "MallocPitch(&p, &size, 4, 4)": "MallocPitch",
    "MallocAsync(&p, 4, stream)": "MallocAsync",
    "MallocFromPoolAsync(&p, 4, pool, stream)": "MallocFromPoolAsync",
    "MallocAsync(&p, 4, pool, stream)": "MallocFromPoolAsync",
    "HostGetDevicePointer(&p, p, 0)": "HostGetDevicePointer",
    "GetSymbolAddress((void **)&p, table)": "GetSymbolAddress",
    "GetSymbolAddress(&p, table)": "GetSymbolAddress",
    "GetSymbolSize(&size, table)": "GetSymbolSize",
    "MemcpyToSymbol(table, p, 4)": "MemcpyToSymbol",
    "MemcpyToSymbol((const void *)&table, p, 4)": "MemcpyToSymbol",
    "MemcpyToSymbolAsync(table, p, 4)": "MemcpyToSymbolAsync",
    "MemcpyFromSymbol(p, number, 4)": "MemcpyFromSymbol",
    "MemcpyFromSymbolAsync(p, number, 4)": "MemcpyFromSymbolAsync",
    "GraphAddMemcpyNodeToSymbol(&node, graph, 0, 0, table, p, 4, 0, WORD(MemcpyDefault))": "GraphAddMemcpyNodeToSymbol",
    "GraphAddMemcpyNodeFromSymbol(&node, graph, 0, 0, p, table, 4, 0, WORD(MemcpyDefault))": (
        "GraphAddMemcpyNodeFromSymbol"
    ),
    "LaunchKernel(kernel, 1, 1, list)": "LaunchKernel",
    "LaunchKernel((void *)kernel, dim3(1), dim3(1), list, 0, 0)": "LaunchKernel",
    "LaunchKernel((const void *)templated<int>, dim3(1), dim3(1), list, 0, stream)": "LaunchKernel",
    "LaunchCooperativeKernel(kernel, 1, 1, list)": "LaunchCooperativeKernel",
    "LaunchCooperativeKernel((const void *)kernel, 1, 1, list, size, stream)": "LaunchCooperativeKernel",
    "LaunchKernelEx(&config, kernel, p, 2)": "LaunchKernelExC",
    "FuncGetAttributes(&attributes, kernel)": "FuncGetAttributes",
    "FuncSetAttribute(kernel, WORD(FuncAttributeMaxDynamicSharedMemorySize), 4)": "FuncSetAttribute",
    "FuncSetCacheConfig(kernel, WORD(FuncCachePreferL1))": "FuncSetCacheConfig",
    "FuncSetSharedMemConfig(kernel, WORD(SharedMemBankSizeDefault))": "FuncSetSharedMemConfig",
    "GetFuncBySymbol(&function, kernel)": "GetFuncBySymbol",
    "OccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, 64, 0)": "OccupancyMaxActiveBlocksPerMultiprocessor",
    "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, templated<int>, 64, 0, 0)": (
        "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags"
    ),
    "OccupancyMaxPotentialBlockSize(&n, &n, templated<float>)": "OccupancyMaxPotentialBlockSize",
    "OccupancyMaxPotentialBlockSizeWithFlags(&n, &n, kernel)": "OccupancyMaxPotentialBlockSize",
    "OccupancyMaxPotentialBlockSizeVariableSMem(&n, &n, kernel, [](int n) { return 4 * n; })": (
        "OccupancyMaxActiveBlocksPerMultiprocessor"
    ),
    "OccupancyAvailableDynamicSMemPerBlock(&size, kernel, 1, 64)": "OccupancyAvailableDynamicSMemPerBlock",
    "GraphInstantiate(&executable, graph, 0)": "GraphInstantiateWithFlags",
    "GraphInstantiate(&executable, graph, nullptr, nullptr, 0)": "GraphInstantiate",
    "BindTexture(nullptr, reference, p, 4)": "MemcpyToSymbol",
    "BindTexture2D(nullptr, reference, p, 4, 4, 64)": "MemcpyToSymbol",
    "BindTextureToArray(reference, array)": "CreateTextureObject",
    "BindSurfaceToArray(written, array)": "CreateTextureObject",
    "UnbindTexture(reference)": "MemcpyToSymbol",
}
OF_HIP = {
    "HostMalloc(&p, 4)": "HostMalloc",
    "ExtMallocWithFlags(&p, 4, 0)": "ExtMallocWithFlags",
}
OF_CUDA = {
    "EventCreate(&event, 0)": "EventCreateWithFlags",
    "ThreadSynchronize()": "DeviceSynchronize",
    "GraphExecUpdate(executable, graph, &info)": "GraphExecUpdate",
    "StreamGetCaptureInfo(stream, &status, 0, 0)": "StreamGetCaptureInfo_v2",
}
SOURCE = """
__constant__ float table[4];
__device__ int number;
texture<float, 2, WORD(ReadModeElementType)> reference;
surface<void, 2> written;
__global__ void kernel(float *p, int n) { *p = n; }
template <class T> __global__ void templated(T *p) { *p = 1; }
float *p;
size_t size;
int n;
void **list;
WORD(Stream_t) stream;
WORD(MemPool_t) pool;
WORD(Graph_t) graph;
WORD(GraphNode_t) node;
WORD(GraphExec_t) executable;
WORD(Function_t) function;
WORD(FuncAttributes) attributes;
WORD(LaunchConfig_t) config;
WORD(Array_t) array;
"""
MORE_OF_CUDA = """
cudaEvent_t event;
cudaGraphExecUpdateResultInfo info;
cudaStreamCaptureStatus status;
"""


def source(word, forms):
    """Make a source in which each form is a function of its own, named by its place."""
    functions = [f'extern "C" int form_{i}() {{ return WORD({form[: form.index("(")]}){form[form.index("(") :]}; }}'
                 for i, form in enumerate(forms)]  # fmt: skip
    text = SOURCE + (MORE_OF_CUDA if word == "cuda" else "") + "\n".join(functions)
    return re.sub(r"WORD\((\w+)\)", rf"{word}\1", text)


def called(ir):
    """Give the functions that each form calls, by its place."""
    bodies = re.findall(r"^define [^\n]*@form_(\d+)\(.*?^}", ir, re.MULTILINE | re.DOTALL)
    texts = re.findall(r"^define [^\n]*@form_\d+\(.*?^}", ir, re.MULTILINE | re.DOTALL)
    return {int(i): set(re.findall(r"call [^\n]*?@(\w+)\(", text)) for i, text in zip(bodies, texts, strict=True)}


@pytest.mark.parametrize("word", ["hip", "cuda"])
def test_forms_call_the_functions(word):
    forms = {**FORMS, **(OF_HIP if word == "hip" else OF_CUDA)}
    calls = called(host_side.ir(source(word, forms), word))
    assert len(calls) == len(forms)
    assert not {form: calls[i] for i, (form, name) in enumerate(forms.items()) if f"{word}{name}" not in calls[i]}


def test_launches_of_hip_by_name():
    text = (
        source("hip", [])
        + """
extern "C" void form_0() { hipLaunchKernelGGL(kernel, dim3(1), dim3(64), 0, stream, p, 2); }
extern "C" void form_1() { hipLaunchKernelGGL(HIP_KERNEL_NAME(templated<float>), 1, 64, 0, 0, p); }
extern "C" void form_2() { hipExtLaunchKernelGGL(kernel, 1, 64, 0, stream, nullptr, nullptr, 0, p, 2); }
extern "C" void form_3() { hipExtLaunchKernel(kernel, 1, 64, 0, stream, nullptr, nullptr, 0, p, 2); }
"""
    )
    calls = called(host_side.ir(text, "hip"))
    assert all("__hipPushCallConfiguration" in calls[i] for i in (0, 1))
    assert all("hipExtLaunchKernel" in calls[i] for i in (2, 3))


def test_launches_of_cuda_in_brackets():
    ir = host_side.ir(source("cuda", []) + 'extern "C" void form_0() { kernel<<<1, 64, 0, stream>>>(p, 2); }', "cuda")
    (stub,) = called(ir)[0] - {"__hipPushCallConfiguration"}
    assert "__device_stub__kernel" in stub, "it has a frame of its own, for debuggers"
    assert "@__hipPopCallConfiguration(" in ir and "@hipLaunchKernel(" in ir


def test_values_are_listed_in_the_order_of_each_runtime():
    text = """
extern "C" void *form_0() { return cudaKernelNodeParams{(void *)7, dim3(1), dim3(64), 0, nullptr, nullptr}.func; }
extern "C" size_t form_1() { return cudaMemsetParams{nullptr, 8, 0, 1, 4, 5}.pitch; }
extern "C" float form_2() { return cudaAccessPolicyWindow{nullptr, 16, 0.5f}.hitRatio; }
extern "C" void *form_3() { cudaKernelNodeParams none = {0}; return none.func; }
"""
    ir = host_side.ir(text, "cuda")
    returned = re.findall(r"^  ret (?:ptr|i64|float) (.*)$", ir, re.MULTILINE)
    assert returned == ["inttoptr (i64 7 to ptr)", "8", "5.000000e-01", "null"]
    text = 'extern "C" size_t form_0() { return hipMemsetParams{nullptr, 1, 4, 8, 0, 5}.pitch; }\n'
    assert "ret i64 8" in host_side.ir(text, "hip")

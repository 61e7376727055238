"""What to use instead of other libraries' functions and classes, where one is looked up in launchpath itself."""

from __future__ import annotations

from collections.abc import Iterable

from launchpath._advice import did_you_mean

_COMPILE = "use launchpath.compile(source), then program.kernel[grid, block](*arguments)"
_WRITE = "write a kernel in HIP or CUDA C++, launchpath.compile(source)"
_PREFIX = "leave it out: launchpath.synchronize(), launchpath.empty(...)"

_ARRAYS = (
    ("array tensor as_tensor from_numpy ascontiguousarray to_device to_gpu", "use asarray"),
    ("linspace", "use asarray(numpy.linspace(...))"),
    ("eye identity", "use asarray(numpy.eye(...))"),
    ("copyto", "use Array.copy_from, or array[...] = source"),
    ("asnumpy to_numpy to_host from_device", "use Array.to_numpy, or numpy.asarray"),
    ("from_dlpack", "use the other library's array itself, as an argument of a launch"),
    ("device_array device_array_like ndarray Buffer Tensor GPUArray svm_empty", "use empty(shape, dtype)"),
    ("mem_alloc malloc alloc allocate DeviceAllocation", 'use empty(shape, dtype), for bytes empty(size, "uint8")'),
    ("pinned_array pagelocked_empty alloc_pinned_memory empty_pinned", "use pinned_empty(shape, dtype)"),
    ("managed_array malloc_managed", "use managed_empty(shape, dtype)"),
    ("memcpy_htod memcpy_htod_async upload", "use array.copy_from(source), or array[...] = source"),
    ("memcpy_dtoh memcpy_dtoh_async download", "use array.to_numpy(), or numpy.asarray(array)"),
    ("enqueue_copy memcpy memcpy_dtod copy", "use array.copy_from(source), and array.to_numpy()"),
    ("memset", "use array.fill(value)"),
    ("free", "drop the last reference, `del array`: its memory is used again"),
    ("get_array_module is_cuda_array is_tensor", "use isinstance(array, launchpath.Array)"),
)
_PROGRAMS = (
    ("RawKernel RawModule SourceModule Module CUDAKernel", _COMPILE),
    ("build build_program from_source create_program load_inline compile_shader", "use launchpath.compile(source)"),
    ("ObjectCode load_module module_from_file load_binary", "use launchpath.load(binary)"),
    ("jit njit kernel func autotune vectorize guvectorize reduce fuse ElementwiseKernel ReductionKernel", _WRITE),
    ("grid gridsize threadIdx blockIdx blockDim gridDim program_id",
        "use blockIdx, blockDim and threadIdx in the kernel's source"),
    ("shared", "use __shared__ in the kernel's source; kernel[grid, block, stream, bytes] for an extern array"),
    ("syncthreads atomic", "use __syncthreads() and atomicAdd(...) in the kernel's source"),
    ("launch LaunchConfig launch_kernel", "use kernel[grid, block, stream, shared](*arguments)"),
)  # fmt: skip
_DEVICES = (
    ("set_device select_device use_device", "use `with launchpath.device(0):`, or LAUNCHPATH_DEVICE"),
    ("get_device", "use device(0), or current_device()"),
    ("device_count num_devices", "use len(devices())"),
    ("list_devices gpus get_devices get_platforms detect", "use devices()"),
    ("is_available", "use bool(devices())"),
    ("Context create_some_context create_context context init autoinit",
        "leave it out: devices open at their first use, and current_device() is the one in use"),
    ("get_device_name get_device_properties get_device_capability", "use current_device().info, a dict by name"),
    ("empty_cache free_all_blocks", "use current_device().trim_memory()"),
    ("memory_allocated memory_reserved mem_get_info MemoryPool get_default_memory_pool memory_summary",
        "use current_device().memory_info()"),
    ("cuda gpu opencl", _PREFIX),
)  # fmt: skip
_STREAMS = (
    ("sync wait finish barrier device_synchronize", "use synchronize()"),
    ("CommandQueue Queue stream create_stream ExternalStream", "use Stream(), or Stream.external(theirs)"),
    ("default_stream null_stream get_default_stream legacy_default_stream", "use current_device().legacy_stream"),
    ("get_current_stream", "use current_stream()"),
    ("per_thread_default_stream", "use current_device().per_thread_stream"),
    ("event create_event EventOptions", "use Event(timing=True)"),
    ("elapsed_time get_elapsed_time", "use start.elapsed_time(end), of events that were made with timing=True"),
    ("CUDAGraph graph make_graphed_callables capture", "use Step, or stream.begin_capture()"),
    ("profile profiler benchmark nvtx", "use `with launchpath.trace() as trace:`, then print(trace.summary())"),
)
_DTYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
)  # fmt: skip
_COMPUTING = (
    "abs add all any argmax argmin argsort clip concatenate convolve cos cumsum diff divide dot einsum exp fft "
    "histogram linalg log matmul max maximum mean median min minimum multiply norm outer prod random repeat roll "
    "sin sort sqrt stack std subtract sum tanh tile transpose var where"
)
_NAMED = (
    (_DTYPES, 'pass a dtype by its name, "{name}", or numpy.{name}'),
    (_COMPUTING, "launchpath does not compute: write a kernel, or use numpy.{name} on the host"),
)
INSTEAD = {
    name: text
    for part in (_ARRAYS, _PROGRAMS, _DEVICES, _STREAMS, _NAMED)
    for names, text in part
    for name in names.split()
}


def instead_of(name: str, names: Iterable[str]) -> str:
    """Say what to use instead of a name that launchpath does not have, as in ``: use asarray``; empty if unknown.

    Parameters
    ----------
    name : str
    names : iterable of str
        Those that it has.
    """
    text = INSTEAD.get(name) or _of_apis(name)
    if text:
        return ": " + text.replace("{name}", name)
    public = list(names)
    same = [each for each in public if each.lower() == name.lower()]
    return f". Did you mean {same[0]!r}?" if same else did_you_mean(name, public)


def _of_apis(name: str) -> str:
    """The same for functions of HIP's and CUDA's own APIs."""
    if name.startswith("hiprtc"):
        return "use launchpath.hiprtc.{name}"
    if name.startswith("hip") and name[3:4].isupper():
        return "use launchpath.hip.{name}: `from launchpath import hip`"
    if name.startswith("cuda") and name[4:5].isupper():
        return f"use HIP's, launchpath.hip.hip{name[4:]}: `from launchpath import hip`"
    if name.startswith("cu") and name[2:3].isupper():
        return "use HIP's like of it: `from launchpath import hip`"
    return ""

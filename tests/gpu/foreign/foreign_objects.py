"""Objects made as other libraries make theirs: the attributes that launchpath reads, with the names of their modules."""

import ctypes
import types
from collections import namedtuple
from typing import Any

import launchpath as lp

# Of Triton 3.6: fields of CompiledKernel.metadata.
METADATA = {
    "name": "add", "num_warps": 4, "num_ctas": 1, "shared": 0, "target": types.SimpleNamespace(
        backend="cuda", arch=90, warp_size=32
    ),
    "cluster_dims": (1, 1, 1), "global_scratch_size": 0, "global_scratch_align": 1, "profile_scratch_size": 0,
    "profile_scratch_align": 1, "launch_cooperative_grid": False, "launch_pdl": False, "tensordesc_meta": None,
}  # fmt: skip


def kind(module: str, name: str, **members: Any) -> type:
    """Make a class that says it is another module's."""
    return type(name, (), {"__module__": module, **members})


class Handle:
    """A handle as cuda.bindings has them: an int by __int__ alone."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __int__(self) -> int:
        return self.value


CUstream, CUfunction, CUkernel = (
    type(name, (Handle,), {"__module__": "cuda.bindings.driver"}) for name in ("CUstream", "CUfunction", "CUkernel")
)


def torch_stream(handle: int, index: int = 0) -> Any:
    return instance(kind("torch.cuda.streams", "Stream"), cuda_stream=handle, device=types.SimpleNamespace(index=index))


def cupy_stream(handle: int, device_id: int = 0) -> Any:
    stream = kind("cupy.cuda.stream", "Stream", __cuda_stream__=lambda self: (0, self.ptr))
    return instance(stream, ptr=handle, device_id=device_id)


def old_cupy_stream(handle: int) -> Any:
    return instance(kind("cupy.cuda.stream", "Stream"), ptr=handle, device_id=-1)


def cuda_core_stream(handle: int, device_id: int = 0) -> Any:
    stream = kind("cuda.core._stream", "Stream", __cuda_stream__=lambda self: (0, int(self.handle)))
    return instance(stream, handle=CUstream(handle), device=types.SimpleNamespace(device_id=device_id))


def numba_stream(handle: int) -> Any:
    return instance(kind("numba.cuda.cudadrv.driver", "Stream"), handle=ctypes.c_void_p(handle), external=False)


def instance(of: type, **members: Any) -> Any:
    """Make an object of a class, with members."""
    foreign = of()
    vars(foreign).update(members)
    return foreign


def triton_kernel(
    function: int | None, signature: dict[str, Any], attrs: Any = None, load: Any = None, **metadata: Any
) -> Any:
    """Make a CompiledKernel; ``load`` gives the function at its first use."""
    values = {key: value for key, value in (METADATA | metadata).items() if value != "absent"}
    source = instance(
        kind("triton.compiler.compiler", "ASTSource"), signature=signature, constants={}, attrs=attrs or {}
    )
    source.fn = types.SimpleNamespace(arg_names=list(signature))

    def init_handles(self: Any) -> None:
        self.function = load()

    compiled = kind("triton.compiler.compiler", "CompiledKernel", _init_handles=init_handles)
    return instance(compiled, metadata=namedtuple("KernelMetadata", values)(**values), src=source, function=function)


def adopted_triton_kernel(gpu: Any, function: int, signature: dict[str, Any], **metadata: Any) -> Any:
    target = instance(kind("triton.backends.compiler", "GPUTarget"), backend=gpu.driver, arch=90, warp_size=32)
    return lp.adopt(triton_kernel(function, signature, target=target, **metadata), device=gpu.device)


def cupy_kernel(function: int, name: str = "fill", cooperative: bool = False) -> Any:
    loaded = instance(kind("cupy.cuda.function", "Function"), ptr=function)
    raw = kind("cupy._core.raw", "RawKernel", kernel=property(lambda self: loaded))
    return instance(raw, name=name, code="...", enable_cooperative_groups=cooperative)


def cuda_core_kernel(handle: Any) -> Any:
    return instance(kind("cuda.core._module", "Kernel"), handle=handle)


class NumbaType:
    """A type of Numba's: told by its class, its text and its members."""

    def __init__(self, text: str, **members: Any) -> None:
        self.text = text
        vars(self).update(members)

    def __str__(self) -> str:
        return self.text


Integer, Float, Complex, Boolean, NumbaArray, CPointer, Opaque = (
    type(name, (NumbaType,), {"__module__": "numba.core.types"})
    for name in ("Integer", "Float", "Complex", "Boolean", "Array", "CPointer", "Opaque")
)
UniTuple = type("UniTuple", (type("BaseTuple", (NumbaType,), {}),), {"__iter__": lambda self: iter(self.types)})


def numba_array(dtype: str, ndim: int = 1, layout: str = "C") -> Any:
    return NumbaArray(f"array({dtype}, {ndim}d, {layout})", dtype=Float(dtype), ndim=ndim, layout=layout)


def numba_kernel(function: Any, *argtypes: Any, py_func: Any = None, cooperative: bool = False, **members: Any) -> Any:
    """Make a dispatcher with one compiled kernel."""
    bound: list[int] = []
    library = instance(kind("numba.cuda.codegen", "CUDACodeLibrary"))
    library.get_cufunc = lambda: types.SimpleNamespace(handle=function)
    compiled = instance(
        kind("numba.cuda.dispatcher", "_Kernel", argument_types=property(lambda self: argtypes)),
        _codelibrary=library, bind=lambda: bound.append(1), extensions=[], cooperative=cooperative, py_func=py_func,
        entry_name="entry",
    )  # fmt: skip
    vars(compiled).update(members)
    dispatcher = instance(
        kind("numba.cuda.dispatcher", "CUDADispatcher"), overloads={argtypes: compiled}, py_func=py_func
    )
    dispatcher.bound = bound
    return dispatcher


def fake_torch(handles: dict[int, int], device: list[int], external: tuple[int, ...] = (), hip: bool = False) -> Any:
    """Make a module as torch is, with the current stream of each device and the current device to be changed."""

    def current_stream(index: int) -> Any:
        handle = handles[index]
        return types.SimpleNamespace(stream_id=handle if handle in external else 3, cuda_stream=handle)

    return types.SimpleNamespace(
        __version__="2.11.0",
        version=types.SimpleNamespace(cuda=None if hip else "13.0", hip="7.0" if hip else None),
        cuda=types.SimpleNamespace(
            current_device=lambda: device[0], device_count=lambda: len(handles), current_stream=current_stream
        ),
        _C=types.SimpleNamespace(_cuda_getCurrentRawStream=handles.__getitem__),
    )

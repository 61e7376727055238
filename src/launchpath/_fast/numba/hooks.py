"""What of Numba is replaced, or read, and the versions of numba-cuda for which that is known to be right."""

from launchpath._fast.hooks import Hook

VERSIONS = ((0, 29), (0, 30))
_DISPATCHER = "numba.cuda.dispatcher"

HOOKS = (
    Hook(_DISPATCHER, "CUDADispatcher.__getitem__", ("self", "args")),
    Hook(_DISPATCHER, "CUDADispatcher.configure", ("self", "griddim", "blockdim", "stream", "sharedmem")),
    Hook(_DISPATCHER, "CUDADispatcher.call", ("self", "args")),
    Hook(_DISPATCHER, "CUDADispatcher.extensions"),
    Hook(_DISPATCHER, "_LaunchConfiguration.__call__", ("self", "args")),
    Hook(_DISPATCHER, "_Kernel.launch", ("self", "args", "griddim", "blockdim", "stream", "sharedmem")),
    Hook(_DISPATCHER, "_Kernel._prepare_args", ("self", "ty", "val", "stream", "retr", "kernelargs")),
    Hook(_DISPATCHER, "_Kernel.argument_types"),
    Hook("numba.cuda.cudadrv.devicearray", "DeviceNDArray.device_ctypes_pointer"),
    Hook("numba.cuda.core", "config.ENABLE_CUDASIM"),
    Hook("numba.cuda.typing.typeof", "typeof", ("val", "purpose")),
)

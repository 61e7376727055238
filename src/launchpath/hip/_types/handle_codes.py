"""The codes for handles that name nothing: HIP's functions document different ones."""

from __future__ import annotations

from typing import Any

from launchpath.hip._types.bindings import Error

_STREAM, _FUNCTION = "ihipStream_t", "ihipModuleSymbol_t"

# Where a function's documentation does not list the usual code of a kind of handle: the code that it lists.
# test_wrong_input.py holds these against AMD's documentation.
_OTHERS = {
    # AMD's runtime returns it for every such stream, whatever is documented; its own tests ask these functions for it.
    (_STREAM, Error.hipErrorContextIsDestroyed): (
        *("hipMemcpyWithStream", "hipStreamGetDevice", "hipStreamDestroy", "hipStreamQuery", "hipStreamQuery_spt"),
        *("hipStreamSynchronize", "hipStreamSynchronize_spt", "hipStreamGetFlags", "hipStreamGetFlags_spt"),
        *("hipStreamGetPriority", "hipStreamGetPriority_spt", "hipStreamGetId", "hipLaunchHostFunc"),
        *("hipLaunchHostFunc_spt", "hipStreamWaitValue32", "hipStreamWaitValue64", "hipStreamWriteValue32"),
        *("hipStreamWriteValue64", "hipMemcpyAsync", "hipMemcpyAsync_spt", "hipMemcpy2DAsync", "hipMemcpy2DAsync_spt"),
        *("hipMemcpy2DFromArrayAsync", "hipMemcpy2DFromArrayAsync_spt", "hipMemcpy2DToArrayAsync"),
        *("hipMemcpy2DToArrayAsync_spt", "hipStreamBeginCapture", "hipStreamBeginCapture_spt", "hipStreamEndCapture"),
        *("hipStreamEndCapture_spt", "hipStreamGetCaptureInfo", "hipStreamGetCaptureInfo_spt"),
        *("hipStreamGetCaptureInfo_v2", "hipStreamGetCaptureInfo_v2_spt", "hipStreamIsCapturing"),
        "hipStreamIsCapturing_spt",
    ),
    (_STREAM, Error.hipErrorInvalidValue): (
        *("hipConfigureCall", "hipDrvLaunchKernelEx", "hipExtLaunchKernel", "hipExtLaunchMultiKernelMultiDevice"),
        *("hipLaunchByPtr", "hipLaunchCooperativeKernel", "hipLaunchCooperativeKernelMultiDevice", "hipLaunchKernel"),
        *("hipLaunchKernelExC", "hipModuleLaunchKernel", "hipDrvMemcpy3DAsync", "hipMemcpy3DAsync"),
        *("hipMemcpy3DPeerAsync", "hipMemcpyAtoHAsync", "hipMemcpyDtoDAsync", "hipMemcpyDtoHAsync"),
        *("hipMemcpyFromSymbolAsync", "hipMemcpyHtoAAsync", "hipMemcpyHtoDAsync", "hipMemcpyParam2DAsync"),
        *("hipMemcpyPeerAsync", "hipMemcpyToSymbolAsync", "hipMemset2DAsync", "hipMemset3DAsync", "hipMemsetAsync"),
        *("hipMemsetD16Async", "hipMemsetD2D16Async", "hipMemsetD2D32Async", "hipMemsetD2D8Async"),
        *("hipMemsetD32Async", "hipMemsetD8Async", "hipFreeAsync", "hipMallocAsync", "hipMallocFromPoolAsync"),
        *("hipMemPrefetchAsync", "hipMemPrefetchAsync_v2", "hipStreamAttachMemAsync", "hipStreamCopyAttributes"),
        *("hipGraphLaunch", "hipGraphLaunch_spt", "hipGraphUpload", "hipStreamBeginCaptureToGraph"),
        "hipStreamUpdateCaptureDependencies",
    ),
    ("ihipEvent_t", Error.hipErrorInvalidValue): ("hipExtLaunchKernel",),
    ("ihipCtx_t", Error.hipErrorInvalidValue): ("hipCtxDestroy", "hipCtxEnablePeerAccess"),
    (_FUNCTION, Error.hipErrorInvalidHandle): ("hipDrvLaunchKernelEx", "hipModuleLaunchCooperativeKernelMultiDevice"),
    (_FUNCTION, Error.hipErrorInvalidValue): (
        *("hipKernelNameRef", "hipOccupancyMaxPotentialBlockSize"),
        *("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", "hipModuleOccupancyMaxPotentialBlockSize"),
        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "hipModuleOccupancyMaxPotentialBlockSizeWithFlags",
    ),
    ("hipArray", Error.hipErrorInvalidValue): ("hipArrayDestroy", "hipFreeArray"),
    ("ihipLibrary_t", Error.hipErrorInvalidHandle): ("hipLibraryGetGlobal",),
    ("ihipKernel_t", Error.hipErrorInvalidHandle): ("hipKernelGetAttribute", "hipKernelSetAttribute"),
}
_CODES = {(name, kind): code for (kind, code), names in _OTHERS.items() for name in names}


def code_of(name: str, kind: str, usual: Any) -> Any:
    """Return the code with which a function ends that was called with a handle that names nothing.

    Parameters
    ----------
    name : str
        The function's.
    kind : str
        HIP's type of the handle.
    usual : Error
        The code of most functions.
    """
    return _CODES.get((name, kind), usual)

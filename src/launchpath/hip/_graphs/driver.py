"""Nodes of graphs as HIP's driver functions take them: with a context, which does not matter here."""

from __future__ import annotations

from typing import Any

from launchpath.hip._graphs.copies import Copies, box_copy, box_params, fill_of
from launchpath.hip._graphs.execution import change_node
from launchpath.hip._graphs.memory import add_free_node
from launchpath.hip._graphs.nodes import add_node
from launchpath.hip._graphs.params import typed
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.values import struct_of

_MemoryType: Any = types.hipMemoryType
_Kind: Any = types.hipMemcpyKind


def _pointer(kind: int, host: Any, device: Any) -> int:
    if kind == _MemoryType.hipMemoryTypeArray:
        raise HipError(Error.hipErrorNotSupported, "launchpath.hip has no hipArray")
    return address(host if kind == _MemoryType.hipMemoryTypeHost else device)


def _copy(params: Any) -> Copies:
    params = struct_of(types.HIP_MEMCPY3D, params)
    box = types.hipMemcpy3DParms()
    box.kind = _Kind.hipMemcpyDefault
    box.extent.width, box.extent.height, box.extent.depth = params.WidthInBytes, params.Height, params.Depth
    box.dstPtr.ptr = _pointer(params.dstMemoryType, params.dstHost, params.dstDevice)
    box.dstPtr.pitch, box.dstPtr.ysize = params.dstPitch, params.dstHeight
    box.dstPos.x, box.dstPos.y, box.dstPos.z = params.dstXInBytes, params.dstY, params.dstZ
    box.srcPtr.ptr = _pointer(params.srcMemoryType, params.srcHost, params.srcDevice)
    box.srcPtr.pitch, box.srcPtr.ysize = params.srcPitch, params.srcHeight
    box.srcPos.x, box.srcPos.y, box.srcPos.z = params.srcXInBytes, params.srcY, params.srcZ
    return box_copy(box)


@function(1)
def hipDrvGraphAddMemcpyNode(hGraph: Any, dependencies: Any, numDependencies: int, copyParams: Any, ctx: Any) -> Any:
    """Add a copy of a box of bytes."""
    return add_node(hGraph, dependencies, numDependencies, _copy(copyParams))


@function()
def hipDrvGraphExecMemcpyNodeSetParams(hGraphExec: Any, hNode: Any, copyParams: Any, ctx: Any) -> None:
    """Change a copy of an executable."""
    change_node(hGraphExec, hNode, _copy(copyParams))


@function(1)
def hipDrvGraphMemcpyNodeGetParams(hNode: Any) -> Any:
    """Return a copy's parameters. Memory that HIP's functions did not allocate is the host's."""
    copies = typed(hNode, Copies)
    box, first, params = box_params(copies), copies.planes[0], types.HIP_MEMCPY3D()
    params.WidthInBytes, params.Height, params.Depth = box.extent.width, box.extent.height, box.extent.depth
    params.dstMemoryType, params.srcMemoryType = (
        _MemoryType.hipMemoryTypeHost if allocation is None else _MemoryType.hipMemoryTypeDevice
        for allocation in (first.to_known, first.source_known)
    )
    params.dstHost = params.dstDevice = box.dstPtr.ptr
    params.srcHost = params.srcDevice = box.srcPtr.ptr
    params.dstPitch, params.dstHeight = box.dstPtr.pitch, box.dstPtr.ysize
    params.srcPitch, params.srcHeight = box.srcPtr.pitch, box.srcPtr.ysize
    params.dstXInBytes, params.dstY, params.dstZ = box.dstPos.x, box.dstPos.y, box.dstPos.z
    params.srcXInBytes, params.srcY, params.srcZ = box.srcPos.x, box.srcPos.y, box.srcPos.z
    return params


@function(1)
def hipDrvGraphAddMemsetNode(hGraph: Any, dependencies: Any, numDependencies: int, memsetParams: Any, ctx: Any) -> Any:
    """Add a fill of rows."""
    return add_node(hGraph, dependencies, numDependencies, fill_of(memsetParams))


@function()
def hipDrvGraphExecMemsetNodeSetParams(hGraphExec: Any, hNode: Any, memsetParams: Any, ctx: Any) -> None:
    """Change a fill of an executable."""
    change_node(hGraphExec, hNode, fill_of(memsetParams))


@function(1)
def hipDrvGraphAddMemFreeNode(hGraph: Any, dependencies: Any, numDependencies: int, dptr: Any) -> Any:
    """Add the end of an allocation of the same graph."""
    return add_free_node(hGraph, dependencies, numDependencies, dptr)

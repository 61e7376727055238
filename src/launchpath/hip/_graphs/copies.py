"""Copies and fills as what nodes of graphs do, and the structs of their parameters."""

from __future__ import annotations

from typing import Any

from launchpath._streams.device import Device
from launchpath._streams.stream import Stream
from launchpath.hip._copies import pageable
from launchpath.hip._copies.copies import Copy, Fill, pattern_of
from launchpath.hip._graphs.works import Kind, Work
from launchpath.hip._memory import allocations
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError
from launchpath.hip._types.values import struct_of


def _check(allocation: allocations.Allocation | None, pointer: int) -> None:
    if allocation is not None and allocations.find(pointer) is not allocation:
        raise HipError(Error.hipErrorInvalidValue, f"the memory at {pointer:#x}, which a node uses, was freed")


class Copies(Work):
    """A copy of bytes, of rows or of a box: one copy for each plane."""

    kind = Kind.hipGraphNodeTypeMemcpy
    may_be_disabled = True

    def __init__(self, planes: list[Copy], kind: Any) -> None:
        self.planes, self.copy_kind = planes, kind
        self.shape: tuple[Any, ...] = ()  # what a struct had beside the first plane
        owners: dict[Device, None] = {}
        for copy in planes:
            owners.update(
                {allocation.device: None for allocation in (copy.to_known, copy.source_known) if allocation is not None}
            )
        if len(owners) > 1:
            raise HipError(Error.hipErrorNotSupported, "launchpath.hip does not copy between devices")
        self.device = next(iter(owners), None)

    @property
    def joins(self) -> bool:
        # A staged copy has a host function, which launchpath's graphs do not hold.
        return self.device is not None and not any(pageable.is_staged(copy, self.device) for copy in self.planes)

    def check(self) -> None:
        for copy in self.planes:
            _check(copy.to_known, copy.to)
            _check(copy.source_known, copy.source)

    def submit(self, stream: Stream) -> None:
        for copy in self.planes:
            copy.submit(stream)

    def text(self) -> str:
        copy = self.planes[0]
        return f"Memcpy {copy.source:#x} to {copy.to:#x}, {copy.width} x {copy.height} x {len(self.planes)}"


class Fills(Work):
    """A fill of rows."""

    kind = Kind.hipGraphNodeTypeMemset
    may_be_disabled = True

    def __init__(self, fill: Fill) -> None:
        self.fill = fill
        self.device = fill.allocation.device

    @property
    def joins(self) -> bool:
        return True

    def check(self) -> None:
        _check(self.fill.allocation, self.fill.to)

    def submit(self, stream: Stream) -> None:
        self.fill.submit(stream)

    def text(self) -> str:
        return f"Memset {self.fill.to:#x}, {self.fill.size} x {self.fill.height}"


def plain_copy(dst: Any, src: Any, count: int, kind: Any) -> Copies:
    """Return a copy of bytes."""
    if count <= 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected bytes to copy, got {count}")
    return Copies([Copy(dst, src, kind, (count, 1, count, count))], kind)


def box_copy(params: Any) -> Copies:
    """Return the copy of a hipMemcpy3DParms."""
    params = struct_of(types.hipMemcpy3DParms, params)
    if address(params.srcArray) or address(params.dstArray):
        raise HipError(Error.hipErrorNotSupported, "launchpath.hip has no hipArray")
    width, height, depth = params.extent.width, params.extent.height, params.extent.depth
    if 0 in (width, height, depth):
        raise HipError(Error.hipErrorInvalidValue, f"expected bytes to copy, got an extent of {width, height, depth}")
    to, to_pitch, to_plane = _begin(params.dstPtr, params.dstPos, width, height)
    source, source_pitch, source_plane = _begin(params.srcPtr, params.srcPos, width, height)
    rows = width, height, to_pitch, source_pitch
    planes = [Copy(to + plane * to_plane, source + plane * source_plane, params.kind, rows) for plane in range(depth)]
    copies = Copies(planes, params.kind)
    copies.shape = tuple(
        (address(end.ptr), end.pitch, end.xsize, end.ysize, corner.x, corner.y, corner.z)
        for end, corner in ((params.dstPtr, params.dstPos), (params.srcPtr, params.srcPos))
    )
    return copies


def _begin(end: Any, corner: Any, width: int, height: int) -> tuple[int, int, int]:
    pitch = end.pitch or width
    if width + corner.x > pitch:
        raise HipError(Error.hipErrorInvalidPitchValue, f"rows of {corner.x} + {width} bytes, {pitch} bytes apart")
    plane = pitch * (end.ysize or height)
    start = address(end.ptr)
    return start and start + corner.z * plane + corner.y * pitch + corner.x, pitch, plane


def box_params(copies: Copies) -> Any:
    """Return a copy as a hipMemcpy3DParms."""
    params, first = types.hipMemcpy3DParms(), copies.planes[0]
    params.kind = types.hipMemcpyKind(int(copies.copy_kind))
    params.extent.width, params.extent.height, params.extent.depth = first.width, first.height, len(copies.planes)
    plain = (
        (first.to, first.to_pitch, first.width, first.height, 0, 0, 0),
        (first.source, first.source_pitch, first.width, first.height, 0, 0, 0),
    )
    ends = (params.dstPtr, params.dstPos), (params.srcPtr, params.srcPos)
    for (end, corner), values in zip(ends, copies.shape or plain, strict=True):
        end.ptr, end.pitch, end.xsize, end.ysize, corner.x, corner.y, corner.z = values
    return params


def fill_of(params: Any) -> Fills:
    """Return the fill of a hipMemsetParams."""
    params = struct_of(types.hipMemsetParams, params)
    if params.elementSize not in (1, 2, 4):
        raise HipError(Error.hipErrorInvalidValue, f"expected elements of 1, 2 or 4 bytes, got {params.elementSize}")
    size = params.width * params.elementSize
    if not size or not params.height:
        raise HipError(Error.hipErrorInvalidValue, "expected a width and a height of at least 1")
    if params.height > 1 and params.pitch < size:
        raise HipError(Error.hipErrorInvalidValue, f"expected a pitch of at least {size} bytes, got {params.pitch}")
    pattern = pattern_of(params.value, params.elementSize)
    return Fills(Fill(address(params.dst), pattern, params.width, (params.height, params.pitch)))


def fill_params(fills: Fills) -> Any:
    """Return a fill as a hipMemsetParams."""
    fill = fills.fill
    return types.hipMemsetParams(
        dst=fill.to,
        elementSize=len(fill.pattern),
        height=fill.height,
        pitch=fill.pitch,
        value=int.from_bytes(fill.pattern, "little"),
        width=fill.count,
    )

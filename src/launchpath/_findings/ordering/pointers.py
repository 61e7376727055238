"""What launches and copies use, as far as evidence tells: a byte for each pointer.

Of a launch there is a byte for each of the first seven arguments: its highest bit is set where the argument may be a
pointer, and the other bits are a hash of its value, wherever it stands. Calls that have no such byte in common share no
pointer. Calls that have may do so, or two pointers have the same hash: nothing follows from that.
"""

from __future__ import annotations

from launchpath._findings.timeline.ops import Ops
from launchpath._findings.timeline.roles import SUBMITS, Direction, Role
from launchpath._trace.format import ARGUMENTS

POINTER, POINTERS = 0x80, 0x40  # it may be a pointer; it may hold some
_MASK = (1 << 64) - 1
_A, _B, _C = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xA0761D6478BD642F  # of _core/trace/records/hash.h
_WORDS = 7  # arguments that have a byte of their own


def pointer_byte(address: int) -> int:
    """Give the byte of a pointer."""
    return POINTER | _mix(_mix(address ^ _A, _B), 8 ^ _C) >> 57


def pointers(ops: Ops, rows: list[int]) -> frozenset[int] | None:
    """Give the bytes of the pointers that some calls use on the device; None: they may use anything.

    A copy may begin anywhere in an array: where it begins has to be a pointer of one of the launches.
    """
    launched: set[int] = set()
    copied: set[int] = set()
    for row in rows:
        role = int(ops.role[row])
        if role in (Role.COPY, Role.FILL):
            addresses = pointers_of_copy(ops, row)
            if addresses is None:
                return None
            copied.update(addresses)
        elif role in SUBMITS:
            its = _of_launch(int(ops.arguments[row]), int(ops.flags[row])) if role == Role.LAUNCH else None
            if its is None:
                return None
            launched |= its
    return frozenset(launched) if copied <= launched else None


def pointers_of_copy(ops: Ops, row: int) -> frozenset[int] | None:
    """Give the bytes of the addresses on the device at which a copy or a fill begins; None: they are not known."""
    to, source, direction = int(ops.to[row]), int(ops.source[row]), int(ops.direction[row])
    if ops.role[row] == Role.FILL or direction == Direction.TO_DEVICE:
        addresses = {to}
    elif direction in (Direction.TO_HOST, Direction.ON_DEVICE):
        addresses = {source} if direction == Direction.TO_HOST else {to, source}
    else:
        return None
    return frozenset(pointer_byte(address) for address in addresses) if all(addresses) else None


def _of_launch(arguments: int, flags: int) -> frozenset[int] | None:
    if not flags & ARGUMENTS or arguments >> 8 * _WORDS:
        return None
    values = [arguments >> 8 * place & 0xFF for place in range(_WORDS)]
    if any(value & (POINTER | POINTERS) == POINTERS for value in values):
        return None
    return frozenset(value for value in values if value & POINTER)


def share_nothing(ops: Ops, some: list[int], others: list[int]) -> bool:
    """Tell whether calls use no pointer that others use, for certain."""
    if not some or not others:
        return True
    mine, theirs = pointers(ops, some), pointers(ops, others)
    return mine is not None and theirs is not None and not mine & theirs


def _mix(a: int, b: int) -> int:
    product = a * b
    return (product ^ product >> 64) & _MASK

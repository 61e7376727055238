"""Kernels that check their accesses to memory (``LAUNCHPATH_DEBUG=bounds``): their errors, and which ones do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from launchpath import _core
from launchpath._environment import BOUNDS, DEBUG, checks_bounds
from launchpath._logged import warn_caller
from launchpath.errors import ArgumentValueError, BoundsError, CompileWarning

if TYPE_CHECKING:
    from launchpath._compiler.image import CheckedAccess, Image
    from launchpath._compiler.signature import Signature
    from launchpath._streams.device import Device

_NULL = 65536  # below there is no memory
_ADVICE = "compare the index with the length before the access"
_SKIPPED = "accesses outside are skipped, and read zero"

Place = tuple[int, int, int]
_warned: set[str] = set()


class Checks(NamedTuple):
    """What a kernel's messages need: the accesses that its program checks, and its parameters."""

    accesses: tuple[CheckedAccess, ...]
    signature: Signature


def checks(image: Image, signature: Signature) -> Checks | None:
    """Give what messages about a kernel's failed checks need; None if it checks nothing."""
    return None if image.checks is None else Checks(image.checks, signature)


def review(image: Image, device: Device, name: str) -> None:
    """Warn, once for each program's name and device, of a program that does not check its accesses although it should.

    Raises
    ------
    ArgumentValueError
        It checks them, and nothing on the device would take what it finds.
    """
    checked = bool(device.info.get("checks_bounds"))
    if image.checks is not None and not checked:
        raise ArgumentValueError(
            f"{name}: expected a program without checks of its accesses, got one that was saved with {DEBUG}={BOUNDS}: "
            f"set {DEBUG}={BOUNDS} to load it, or save it again without"
        )
    if image.checks is None and checks_bounds():
        key = name if checked else device.name
        if key not in _warned:
            _warned.add(key)
            warn_caller(_unchecked(device, name, checked), CompileWarning)


def _unchecked(device: Device, name: str, checked: bool) -> str:
    if checked:
        return f"{name}: its accesses to memory are not checked: {DEBUG}={BOUNDS} checks what is compiled from a source"
    return (
        f"{device.name} ({device.info['platform']}): accesses to memory are not checked: {DEBUG}={BOUNDS} is for "
        "OpenCL devices of kind cpu, whose addresses are the host's"
    )


def error(
    kernel: str, checks: Checks | None, number: int, address: int, begin: int, end: int, offset: int, block: Place,
    thread: Place,
) -> BoundsError:  # fmt: skip
    """Make the error of a failed check, see `_core.register_bounds_error`."""
    access = checks.accesses[number] if checks is not None and number < len(checks.accesses) else None
    file, line, column = access.places[0] if access is not None and access.places else ("", 0, 0)
    kind, size = (access.kind, access.size) if access is not None else ("access", 0)
    where = f"{file}:{line}:{column}: " if line else ""
    extent = f" of {size} bytes" if size else ""
    subject = _subject(checks, access, offset)
    outside = f"outside of {subject}" if end else "outside of all arrays"
    text = f"{where}kernel '{kernel}': {kind}{extent} {outside}: {_expected(address, begin, end, size)}"
    text += f", in thread {thread} of block {block}"
    if access is not None and len(access.places) > 1:
        text += f", called at {', '.join(f'{name}:{row}' for name, row, _ in access.places[1:])}"
    advice = _advice(kernel, access, end - begin) if end else "use an array that is not freed, and no null pointer"
    return BoundsError(
        f"{text}: {advice} ({_SKIPPED})", kernel, file, line, kind, size, address, (begin, end) if end else None,
        block, thread,
    )  # fmt: skip


def _advice(kernel: str, access: CheckedAccess | None, length: int) -> str:
    """Say what to do about an access outside of known memory."""
    from launchpath._compiler.image import DYNAMIC  # noqa: PLC0415 (importing launchpath must stay fast)

    if access is None or access.memory != DYNAMIC:
        return _ADVICE
    item = f"the fourth item of {kernel}[grid, block, stream, bytes]"
    return f"the launch gives {length} bytes of it, {item}: give more, or {_ADVICE}"


def _subject(checks: Checks | None, access: CheckedAccess | None, offset: int) -> str:
    """Say which memory it is."""
    if access is not None and access.memory:
        return access.memory
    if checks is not None and offset >= 0 and not checks.signature.block:
        for parameter in checks.signature.parameters:
            if parameter.offset <= offset < parameter.offset + parameter.size:
                return f"array '{parameter.name}'" if parameter.kind == "pointer" else f"an array of '{parameter.name}'"
    return "its array"


def _expected(address: int, begin: int, end: int, size: int) -> str:
    if not end:
        reason = "a null pointer" if address < _NULL else "where no array is now"
        return f"expected an address in an array, got {address:#x}, {reason}"
    place, length = address - begin, end - begin
    if size and place % size == 0 and length >= size:
        return f"expected an index of 0 to {length // size - 1}, got {place // size}"
    last = f" to {place + size - 1}" if size > 1 else ""
    if not length:
        return f"expected no access, got bytes {place}{last}"
    return f"expected bytes below {length}, got bytes {place}{last}"


_core.register_bounds_error(error)

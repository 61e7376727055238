"""All errors that launchpath raises, in a hierarchy below `LaunchpathError`, and its warnings."""

from __future__ import annotations

__all__ = [
    "ArgumentValueError",
    "AsynchronousError",
    "BoundsError",
    "CompileError",
    "CompileWarning",
    "ConfigurationError",
    "DeadlockError",
    "DriverError",
    "FreedError",
    "HostFunctionError",
    "LaunchpathError",
    "LibraryError",
    "NoDeviceError",
    "OutOfMemoryError",
    "QueryError",
    "SignatureError",
    "SymbolError",
    "TraceFileError",
]


def __dir__() -> list[str]:
    """List what is public, for help and completion."""
    return [*__all__, "__all__", "__doc__"]


class LaunchpathError(Exception):
    """Base of all errors raised by launchpath."""


class DriverError(LaunchpathError):
    """A call into a driver library failed.

    Attributes
    ----------
    call : str
        The library's function, e.g. ``clEnqueueNDRangeKernel``.
    name : str
        The error's standard name, e.g. ``CL_OUT_OF_RESOURCES``.
    code : int
        The error's number.
    detail : str
        Further information; may be empty.
    """

    def __init__(self, call: str, name: str, code: int, detail: str = "") -> None:
        self.call, self.name, self.code, self.detail = call, name, code, detail
        message = f"{call} failed: {name} ({code})" if code else f"{call} failed: {name}"
        super().__init__(f"{message}: {detail}" if detail else message)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.call, self.name, self.code, self.detail)


class OutOfMemoryError(DriverError, MemoryError):
    """The device has no memory left, after all unused memory was freed."""


class AsynchronousError(DriverError):
    """A command that was accepted earlier failed while it ran; raised by the next call that waits for its stream."""


class BoundsError(LaunchpathError):
    """A kernel reached outside of its memory, while ``LAUNCHPATH_DEBUG=bounds`` was set. The access was skipped.

    Attributes
    ----------
    kernel : str
        The kernel's name; empty if it is gone.
    file : str
    line : int
        Where the access is in the source; empty and 0 if that is not known.
    access : str
        ``read``, ``write`` or ``atomic operation``.
    size : int
        Bytes of the access; 0 if it has no fixed size.
    address : int
        Of the access.
    array : (int, int) or None
        Where the memory begins and ends that it was checked against; None: the address is in no array.
    block, thread : (int, int, int)
        The thread, the first of its launch that was noticed.
    """

    def __init__(
        self,
        message: str,
        kernel: str = "",
        file: str = "",
        line: int = 0,
        access: str = "",
        size: int = 0,
        address: int = 0,
        array: tuple[int, int] | None = None,
        block: tuple[int, int, int] = (0, 0, 0),
        thread: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self.kernel, self.file, self.line, self.access, self.size = kernel, file, line, access, size
        self.address, self.array, self.block, self.thread = address, array, block, thread
        super().__init__(message)


class HostFunctionError(LaunchpathError):
    """A host function raised; raised by the next call that waits for its stream, with the cause attached."""


class NoDeviceError(LaunchpathError):
    """There is no device, or no such device; the message lists the packages to install."""


class LibraryError(LaunchpathError):
    """A driver library cannot be loaded, or lacks a function that launchpath needs."""


class CompileError(LaunchpathError):
    """The source does not compile.

    Attributes
    ----------
    log : str
        The compiler's messages, at the source's own lines.
    """

    def __init__(self, message: str, log: str = "") -> None:
        self.log = log
        super().__init__(message)


class CompileWarning(UserWarning):
    """The compiler warns of a source; `Program.log` keeps the warnings. No error: shown by Python's `warnings`."""


class SignatureError(LaunchpathError, TypeError):
    """The arguments of a launch do not fit the kernel's parameters: count, name or type."""


class ArgumentValueError(LaunchpathError, ValueError):
    """A value has the right type but cannot be used: out of range, another device's, freed, too large."""


class ConfigurationError(LaunchpathError, ValueError):
    """The device or the kernel does not support this grid, block or shared-memory size."""


class SymbolError(ArgumentValueError):
    """No kernel is registered under a symbol for the device, or more than one is."""


class FreedError(ArgumentValueError):
    """An array was used after it was freed."""


class DeadlockError(LaunchpathError):
    """The simulated driver was asked to wait for an event that can never happen."""


class QueryError(LaunchpathError):
    """A query over traces is not right, does something other than read, or could not be answered."""


class TraceFileError(LaunchpathError):
    """A file is not a trace that this version reads, or it cannot be read; or a copy of it cannot be written."""

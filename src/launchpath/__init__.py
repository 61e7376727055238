"""Launch HIP kernels from Python at the driver's own cost."""

# `_imported` before all others: where this is a second import, they are then the first one's.
from launchpath import _imported, _version, interop
from launchpath._core import DevicePointer
from launchpath._memory.array import Array, asarray, empty, zeros
from launchpath._memory.staged import In, InOut, Out
from launchpath._programs.arguments import argument_counts, skip_uploads
from launchpath._programs.compilation import compile
from launchpath._programs.kernel import Kernel
from launchpath._programs.loading import load
from launchpath._programs.program import Program
from launchpath._programs.result import Result
from launchpath._streams.device import Device, current_device, device, devices, skipped_devices, synchronize
from launchpath._streams.event import Event
from launchpath._streams.stream import Stream, current_stream
from launchpath.errors import (
    ArgumentValueError,
    AsynchronousError,
    CompileError,
    ConfigurationError,
    DriverError,
    FreedError,
    HostFunctionError,
    LaunchpathError,
    LibraryError,
    NoDeviceError,
    OutOfMemoryError,
    SignatureError,
)
from launchpath.interop import adopt

__all__ = [
    "ArgumentValueError",
    "Array",
    "AsynchronousError",
    "CompileError",
    "ConfigurationError",
    "Device",
    "DevicePointer",
    "DriverError",
    "Event",
    "FreedError",
    "HostFunctionError",
    "In",
    "InOut",
    "Kernel",
    "LaunchpathError",
    "LibraryError",
    "NoDeviceError",
    "Out",
    "OutOfMemoryError",
    "Program",
    "Result",
    "SignatureError",
    "Stream",
    "adopt",
    "argument_counts",
    "asarray",
    "compile",
    "current_device",
    "current_stream",
    "device",
    "devices",
    "empty",
    "interop",
    "load",
    "skip_uploads",
    "skipped_devices",
    "synchronize",
    "zeros",
]

__version__ = _version.__version__


def __dir__() -> list[str]:
    """List what is public, for help and completion."""
    return [*__all__, "__all__", "__doc__", "__version__", "errors"]


def _name_public() -> None:
    """Let public classes and functions say that they are of this package: the rooms that they stand in may change."""
    for name in __all__:
        value = globals()[name]
        if getattr(value, "__module__", "").startswith("launchpath._") and not value.__module__.endswith("._core"):
            value.__module__ = __name__


_name_public()
_imported.keep()

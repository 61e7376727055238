"""Launch HIP kernels from Python at the driver's own cost."""

# `imported` before all others: where this is a second import, they are then the first one's.
from launchpath import imported, interop
from launchpath._core import DevicePointer
from launchpath.arguments import argument_counts, skip_uploads
from launchpath.array import Array, asarray, empty, zeros
from launchpath.compilation import compile
from launchpath.device import Device, current_device, device, devices, skipped_devices, synchronize
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
from launchpath.event import Event
from launchpath.interop import adopt
from launchpath.kernel import Kernel
from launchpath.loading import load
from launchpath.program import Program
from launchpath.result import Result
from launchpath.staged import In, InOut, Out
from launchpath.stream import Stream, current_stream

__version__ = "0.1.0"
imported.keep()

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

"""Launch HIP kernels from Python at the driver's own cost."""

from launchpath._core import DevicePointer
from launchpath.array import Array, asarray, empty, zeros
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
from launchpath.program import Kernel, Program, compile
from launchpath.stream import Stream, current_stream

__version__ = "0.1.0"

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
    "Kernel",
    "LaunchpathError",
    "LibraryError",
    "NoDeviceError",
    "OutOfMemoryError",
    "Program",
    "SignatureError",
    "Stream",
    "asarray",
    "compile",
    "current_device",
    "current_stream",
    "device",
    "devices",
    "empty",
    "skipped_devices",
    "synchronize",
    "zeros",
]


def _configure() -> None:
    """Read the environment, and prepare for fork and exit."""
    import atexit  # noqa: PLC0415
    import os  # noqa: PLC0415

    from launchpath import _core  # noqa: PLC0415

    _core.set_ordering(os.environ.get("LAUNCHPATH_ORDERING") or "clocks")
    _core.set_launch_blocking(os.environ.get("LAUNCHPATH_LAUNCH_BLOCKING", "0") not in ("", "0"))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_core.after_fork_in_child)
    atexit.register(_core.at_exit)


_configure()

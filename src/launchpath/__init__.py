"""Launch HIP kernels from Python at the driver's own cost.

A first program::

    import launchpath as lp
    program = lp.compile('''
    __global__ void fill(float* out, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = i;
    }''')
    out = lp.empty(1000, "float32")
    program.fill[4, 256](out, 1000)  # 4 blocks of 256 threads
    print(out.to_numpy()[-1])  # waits for it: 999.0

The public names; ``help(lp.compile)`` and the like have the details:

Programs
    compile, compile_all, load    Return a Program; several; of a binary.
    Program          Has kernels: ``program.fill``, ``program["sum<int>"]``.
    Kernel           ``kernel[grid, block, stream, shared](*arguments)``.
    Result           Returned by a launch of ``kernel.returning(...)``.
    In, Out, InOut, DevicePointer    NumPy arrays, addresses as arguments.
    argument_counts, skip_uploads    Arguments kept in device memory.
Arrays
    empty, zeros, ones, full, arange, asarray, empty_like, zeros_like,
    ones_like, full_like    Return an Array, which NumPy accepts.
    managed_empty, pinned_empty    Memory that NumPy shares; for copies.
    Array, HostCopy, Texture    Typed device memory; copies; for fetches.
Devices
    devices, device, current_device, skipped_devices    Find a Device.
    Device, synchronize    ``with device:`` makes it current; wait for it.
Streams, steps
    Stream, current_stream    Work in order. ``with stream:`` selects it.
    Event            A point in a stream, to wait for and to take times.
    Step, step, StepReport    Launches that come again, submitted as one.
    FrozenStep, Graph, ExecutableGraph    Commands that are launched again.
Traces
    trace, read_trace    A Trace: ``with lp.trace(file):``; a SavedTrace.
    range, mark, external_correlation_id    Name what records are of.
Other libraries, C and C++
    register, registered, find_kernel    Kernels by symbol: a Registration.
    get_include, c_interface    Launches from C; a CInterface.
    interop, adopt, fast, hip, hiprtc    Their streams, kernels; HIP's API.
Errors, all of them a LaunchpathError
    ArgumentValueError, AsynchronousError, BoundsError, CompileError,
    ConfigurationError, DriverError, FreedError, HostFunctionError,
    LibraryError, NoDeviceError, OutOfMemoryError, QueryError, SymbolError,
    SignatureError, TraceFileError; and a warning, CompileWarning
``print(kernel.__doc__)`` lists parameters. More: ``docs/tour.md``.
"""

import sys as _sys
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

# `_blas_threads` before NumPy is imported. Then `_imported` before all others: where this is a second import, they are
# the first one's.
from launchpath import _blas_threads, _imported, _listed, _tracebacks, _version, interop  # noqa: F401
from launchpath._c_interface import CInterface, c_interface, get_include
from launchpath._core import DevicePointer
from launchpath._environment import warn_of_unknown as _warn_of_unknown
from launchpath._listed import absent as _absent
from launchpath._memory.array import Array
from launchpath._memory.copies.host import HostCopy
from launchpath._memory.creation import arange, asarray, empty, full, ones, zeros
from launchpath._memory.like import empty_like, full_like, ones_like, zeros_like
from launchpath._memory.managed import managed_empty
from launchpath._memory.pinned import pinned_empty
from launchpath._memory.staged import In, InOut, Out
from launchpath._memory.texture import Texture
from launchpath._mends.by_environment import force_by_environment as _force_by_environment
from launchpath._programs.arguments import argument_counts, skip_uploads
from launchpath._programs.compilation import compile
from launchpath._programs.kernel import Kernel
from launchpath._programs.loading import load
from launchpath._programs.program import Program
from launchpath._programs.registry import Registration, find_kernel, register, registered
from launchpath._programs.result import Result
from launchpath._programs.side_by_side import compile_all
from launchpath._streams.device import Device, current_device, device, devices, skipped_devices, synchronize
from launchpath._streams.event import Event
from launchpath._streams.graph import ExecutableGraph, Graph
from launchpath._streams.step import FrozenStep, Step, step
from launchpath._streams.step_report import StepReport
from launchpath._streams.stream import Stream, current_stream
from launchpath._tracing.beginning import trace
from launchpath._tracing.by_environment import begin_by_environment as _begin_by_environment
from launchpath._tracing.ranges import external_correlation_id, mark
from launchpath._tracing.ranges import range as range
from launchpath._tracing.saved import SavedTrace, read_trace
from launchpath._tracing.session import Trace
from launchpath.errors import (
    ArgumentValueError,
    AsynchronousError,
    BoundsError,
    CompileError,
    CompileWarning,
    ConfigurationError,
    DriverError,
    FreedError,
    HostFunctionError,
    LaunchpathError,
    LibraryError,
    NoDeviceError,
    OutOfMemoryError,
    QueryError,
    SignatureError,
    SymbolError,
    TraceFileError,
)
from launchpath.interop import adopt

__all__ = [
    "ArgumentValueError",
    "Array",
    "AsynchronousError",
    "BoundsError",
    "CInterface",
    "CompileError",
    "CompileWarning",
    "ConfigurationError",
    "Device",
    "DevicePointer",
    "DriverError",
    "Event",
    "ExecutableGraph",
    "FreedError",
    "FrozenStep",
    "Graph",
    "HostCopy",
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
    "QueryError",
    "Registration",
    "Result",
    "SavedTrace",
    "SignatureError",
    "Step",
    "StepReport",
    "Stream",
    "SymbolError",
    "Texture",
    "Trace",
    "TraceFileError",
    "adopt",
    "arange",
    "argument_counts",
    "asarray",
    "c_interface",
    "compile",
    "compile_all",
    "current_device",
    "current_stream",
    "device",
    "devices",
    "empty",
    "empty_like",
    "external_correlation_id",
    "find_kernel",
    "full",
    "full_like",
    "get_include",
    "interop",
    "load",
    "managed_empty",
    "mark",
    "ones",
    "ones_like",
    "pinned_empty",
    "read_trace",
    "register",
    "registered",
    "skip_uploads",
    "skipped_devices",
    "step",
    "synchronize",
    "trace",
    "zeros",
    "zeros_like",
]

__version__ = _version.__version__


def __dir__() -> list[str]:
    """List what is public, for completion."""
    if _asked_by_pydoc():
        return ["__doc__"]
    # `range` is not in `__all__`: `from launchpath import *` would take Python's own away.
    return [*__all__, "range", "__all__", "__doc__", "__version__", "errors", "fast"]


if _TYPE_CHECKING:
    from launchpath import fast  # noqa: F401


def _missing(name: str) -> object:
    """Import what few programs use; say what to use, where a name of another library is looked up here."""
    if name == "fast":
        return _import_module("launchpath.fast")
    instead = ""
    if name[:1] != "_":  # Python itself and test tools ask for those
        instead = _import_module("launchpath._listed.module").instead_of(name, __dir__())
    if _tracebacks.is_import(_sys._getframe(1)):  # Python would leave out what an AttributeError says
        raise ImportError(f"cannot import name {name!r} from {__name__!r}{instead}", name=__name__, path=__file__)
    # With an object Python would add a name of its own choice.
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{instead}", name=name, obj=None)


# Not by `def`: type checkers would take every name for one of the package.
globals()["__getattr__"] = _tracebacks.boundary(_missing)


def _asked_by_pydoc() -> bool:
    """Tell whether ``help(launchpath)`` is being written.

    pydoc prints every class that it finds in a module in full, 2,600 lines of them. The text above leads on instead.
    """
    frame = _sys._getframe(1).f_back
    for _ in (1, 2, 3, 4):  # `dir` is called by the functions of `inspect` that pydoc calls
        if frame is None:
            return False
        if frame.f_code.co_name == "docmodule":
            return True
        frame = frame.f_back
    return False


def _name_public() -> None:
    """Let public classes and functions say that they are of this package: the modules that define them may change."""
    for name in (*__all__, "range"):
        value = globals()[name]
        if getattr(value, "__module__", "").startswith("launchpath._") and not value.__module__.endswith("._core"):
            value.__module__ = __name__


_name_public()
_absent.refuse_names(globals())
_tracebacks.make_boundaries(vars(_absent), ("AbsentName",))
_tracebacks.make_boundaries(vars(_listed), ("ListedType",))
_tracebacks.make_boundaries(globals(), (*__all__, "range"))
_imported.keep()
_warn_of_unknown()
_force_by_environment()
_begin_by_environment()

"""Examples of the reference: errors."""

import tempfile
import warnings
from pathlib import Path

import launchpath as lp

SOURCE = """
extern "C" __global__ void fill(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}"""
fill = lp.compile(SOURCE).fill
out = lp.empty(1000)

# %% launchpath.LaunchpathError
try:
    fill[4, 256](out)
except lp.LaunchpathError as error:  # any error of launchpath's
    print(error)

# %% launchpath.SignatureError
try:
    fill[4, 256](out, "1000")
except lp.SignatureError as error:
    print(error)  # the parameter, its type, and what it got

# %% launchpath.ArgumentValueError
try:
    fill[4, 256](out, 2**40)
except lp.ArgumentValueError as error:
    print(error)

# %% launchpath.ConfigurationError
try:
    fill[1, 1_000_000](out, 1000)
except lp.ConfigurationError as error:
    print(error)

# %% launchpath.FreedError
gone = lp.empty(10)
gone.free()
try:
    fill[1, 32](gone, 10)
except lp.FreedError as error:
    print(error)

# %% launchpath.CompileError
try:
    lp.compile("__global__ void fill(float *out) { out[0] = nothing; }")
except lp.CompileError as error:
    print(error.log)  # the compiler's messages, at the lines of the source

# %% launchpath.CompileWarning
with warnings.catch_warnings():
    warnings.simplefilter("ignore", lp.CompileWarning)  # or "error"
    program = lp.compile('extern "C" __global__ void fill(float *out) { int unused; out[0] = 1; }')

# %% launchpath.NoDeviceError
try:
    device = lp.device("a device that is not here")
except lp.NoDeviceError as error:
    print(error)

# %% launchpath.SymbolError
try:
    lp.find_kernel("nothing")
except lp.SymbolError as error:
    print(error)

# %% launchpath.QueryError
file = Path(tempfile.mkdtemp()) / "run.lptrace"
with lp.trace(file):
    fill[4, 256](out, 1000)
try:
    lp.read_trace(file).sql("select speed from dispatches")
except lp.QueryError as error:
    print(error)

# %% launchpath.TraceFileError
try:
    lp.read_trace(__file__).summary()
except lp.TraceFileError as error:
    print(error)

# %% launchpath.HostFunctionError
stream = lp.Stream()
stream.host_function(lambda: 1 // 0)
try:
    stream.synchronize()
except lp.HostFunctionError as error:
    print(repr(error.__cause__))  # the ZeroDivisionError

# %% launchpath.OutOfMemoryError
try:
    large = lp.empty(1 << 50, "uint8")
except (lp.OutOfMemoryError, lp.ArgumentValueError) as error:  # no memory left, or more than the device ever has
    print(error)

# %% launchpath.DriverError, launchpath.AsynchronousError
try:
    lp.synchronize()
except lp.DriverError as error:  # of a call, or, as AsynchronousError, of a command that was accepted before
    print(error.call, error.name, error.code, error.detail)

# %% launchpath.BoundsError
try:
    fill[4, 256](out, 1000)
    lp.synchronize()
except lp.BoundsError as error:  # with LAUNCHPATH_DEBUG=bounds
    print(error.file, error.line, error.access, error.block, error.thread)

# %% launchpath.LibraryError
try:
    with lp.interop.follow_torch():
        fill[4, 256](out, 1000)
except lp.LibraryError as error:  # torch is not installed
    print(error)

# %% launchpath.errors.DeadlockError
try:
    stream.synchronize()
except lp.errors.DeadlockError as error:  # of the simulated driver, in tests
    print(error)

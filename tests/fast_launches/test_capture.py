"""What a library's launch hands to the driver, read back from a capture on the CUDA stand-in."""

import ctypes.util
import os
import subprocess
import sys

import pytest

from tests.standin.build import ROOT, environment, library

PROGRAM = r"""
import ctypes, sys
from launchpath._fast import capture
from tests.standin.client import IMAGE, Cuda
cuda = Cuda(sys.argv[1])
cuda.begin()
capture.use(sys.argv[1])
driver = capture.driver()
function = ctypes.c_void_p()
assert cuda.code("cuModuleGetFunction", ctypes.byref(function), cuda.module, b"fill") == 0
launch = cuda.library.cuLaunchKernel if hasattr(cuda, "library") else ctypes.CDLL(sys.argv[1]).cuLaunchKernel

def fill(stream, times=1):
    data, value, count = ctypes.c_uint64(0x1234), ctypes.c_float(1.5), ctypes.c_int(9)
    params = (ctypes.c_void_p * 3)(*(ctypes.addressof(each) for each in (data, value, count)))
    for _ in range(times):
        assert launch(function, 2, 3, 4, 32, 1, 1, 16, ctypes.c_void_p(stream), params, None) == 0

made = driver.launched(fill)
assert (made.function, made.grid, made.block, made.shared) == (function.value, (2, 3, 4), (32, 1, 1), 16), made
assert made.places == ((0, 8), (8, 4), (12, 4)), made.places
assert b"".join(made.values) == (0x1234).to_bytes(8, "little") + bytes.fromhex("0000c03f") + (9).to_bytes(4, "little")
assert driver.launched(fill) == made
for wrong, text in ((lambda stream: None, "got 0"), (lambda stream: fill(stream, 2), "got 2")):
    try:
        driver.launched(wrong)
    except capture.CaptureError as error:
        assert text in str(error), error
    else:
        raise AssertionError("no error")
try:
    driver.launched(lambda stream: 1 / 0)
except ZeroDivisionError:
    pass
assert driver.launched(fill) == made  # the stream is free again
assert driver.context() and not driver.is_capturing(0)
"""


@pytest.mark.processes
@pytest.mark.compiles
def test_launch_is_read_back() -> None:
    command = [sys.executable, "-c", PROGRAM, str(library("cuda"))]
    answer = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment("cuda")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr


def test_missing_library_is_an_error_of_its_own() -> None:
    from launchpath._fast import capture

    with pytest.raises(capture.CaptureError, match="cannot be loaded"):
        capture.Driver("libno-such-driver.so")
    driver = capture.Driver(ctypes.util.find_library("c") or "libc.so.6")  # type: ignore[attr-defined]
    with pytest.raises(capture.CaptureError, match="has no cuCtxGetCurrent"):
        driver.context()

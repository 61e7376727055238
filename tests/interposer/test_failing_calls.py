"""Some of the OpenCL calls failing in turn on the CPU devices; ``python -m tests.interposer`` fails all of them."""

import subprocess
import sys

import pytest

from .__main__ import ROOT, run
from .build import environment

EVERY = 25
SCRIPT = """
import launchpath as lp
stream, array = lp.Stream(device={device!r}), lp.zeros(64, "uint32", {device!r})
array.fill(1, stream)
stream.host_function(print, "called")
"""


def test_a_failing_call_is_reported_or_does_no_harm(device_id):
    code, text = run(device_id, None, EVERY, 1)
    assert code == 0, text


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("scenario", "calls"),
    [("allocate", "clFinish,clMemFreeINTEL"), ("build", "clGetProgramInfo,clGetKernelWorkGroupInfo")],
)
def test_what_once_did_harm_does_none(device_id, scenario, calls):
    """A failed finish let memory go that was in use; a failed free lost a block; failed questions were taken for 0."""
    code, text = run(device_id, scenario, 1, 1, calls)
    assert code == 0, text


@pytest.mark.parametrize(
    "call", ["clFinish", "clFlush", "clReleaseCommandQueue", "clReleaseEvent", "clSetUserEventStatus"]
)
def test_a_call_that_fails_for_good_hangs_no_exit(device_id, call):
    process = subprocess.run([sys.executable, "-c", SCRIPT.format(device=device_id)], cwd=ROOT, text=True, timeout=60,
                             env=environment(INTERPOSER_FAIL=f"{call}:1:-5"), capture_output=True, check=False)  # fmt: skip
    assert process.returncode in (0, 1), process.stderr
    assert process.returncode == 0 or call in process.stderr, process.stderr


@pytest.mark.parametrize("call", ["clGetPlatformIDs", "clGetDeviceIDs", "clCreateContext", "clGetPlatformInfo"])
def test_a_device_that_cannot_be_opened_is_named_with_the_call(device_id, call):
    script = "import launchpath as lp; lp.zeros(4); print(lp.skipped_devices())"
    process = subprocess.run([sys.executable, "-c", script], cwd=ROOT, text=True, timeout=60, capture_output=True,
                             env=environment(INTERPOSER_FAIL=f"{call}:1:-33"), check=False)  # fmt: skip
    assert call in process.stdout + process.stderr, process.stdout + process.stderr
    assert process.returncode in (0, 1)

"""What kernels print on a CUDA device: the library keeps it until a call that synchronizes, and the core only asks."""

import pytest

from tests.python import python
from tests.standin.build import environment
from tests.unit.support.rtc import needs_nvrtc

pytestmark = pytest.mark.processes

PROGRAM = """
import sys
import launchpath as lp
device = lp.devices()[0]
source = {"prints": 'printf("%d\\\\n", i);', "silent": ""}[sys.argv[1]]
program = lp.compile("__global__ void k(int i) { %s }" % source, device)  # loading it is enough
stream = lp.Stream(device=device)
event = stream.record()
for wait in (stream.synchronize, event.synchronize, device.synchronize, stream.record):
    print("before a call", file=sys.stderr)
    wait()
"""


@needs_nvrtc
@pytest.mark.parametrize(("kernel", "shown"), [("prints", True), ("silent", False)])
def test_waits_show_what_was_printed(kernel, shown):
    done = python("-c", PROGRAM, kernel, env=environment("cuda") | {"LAUNCHPATH_LOG": "1"})
    _, *calls = done.stderr.split("before a call")
    assert ["cuda.output_show" in call for call in calls] == [shown, shown, shown, False]

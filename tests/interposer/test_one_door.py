"""Every call of the OpenCL library goes through the driver's table, once the devices have been found."""

import subprocess
import sys

from .__main__ import ROOT
from .build import environment

# With the log on, a thread is in a logged call whenever it is in the library: else that call went past the table.
SCRIPT = """
import gc
import launchpath as lp
from launchpath import _core
from tests.interposer.control import Control
from tests.interposer.scenario import SCENARIOS, Scene
device, control = lp.device({device!r}), Control()
_core.log_driver_calls(device)
before = {{name: calls.count for name, calls in control.calls().items()}}
control.watch(_core.driver_depth())
scene = Scene(device)
for name, scenario in SCENARIOS.items():
    scenario(scene)
    gc.collect()
    device.synchronize()
    assert not control.past(), (name, control.past())
functions = [name for name, calls in control.calls().items() if calls.count > before[name]]
assert len(functions) > 20, functions
kernel, stream = scene.kernels.affine, scene.stream()
_core.OpenCLBaseline(kernel[1, 64], stream).launch(1, bytes(kernel.signature.size))  # of an array without elements
assert {{"clCreateKernel", "clEnqueueNDRangeKernel"}} <= set(control.past()), control.past()
control.watch(0)
stream.synchronize()
print("all of", *functions)
"""


def test_no_call_goes_past_the_table(device_id):
    """The last step goes past it on purpose: a baseline measures what the table costs."""
    process = subprocess.run([sys.executable, "-c", SCRIPT.format(device=device_id)], cwd=ROOT, text=True, timeout=120,
                             env=environment(), capture_output=True, check=False)  # fmt: skip
    assert process.returncode == 0, process.stderr[-4000:]
    assert process.stdout.startswith("all of"), process.stdout

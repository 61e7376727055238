"""Launches of executable graphs that the driver refuses keep none of its objects."""

import subprocess
import sys

import pytest

from .__main__ import ROOT
from .build import environment

SCRIPT = """
import gc
import launchpath as lp
from tests.interposer.control import Control
from tests.interposer.scenario import Scene
device, control = lp.device({device!r}), Control()
scene = Scene(device)
stream, side, array = scene.stream(), scene.stream(), scene.zeros()
device.synchronize()
stream.begin_capture()
scene.add(array, 1, stream)
scene.add(array, 1, stream)
executable = stream.end_capture().instantiate()
step = lp.Step()
with step:
    scene.add(array, 1, stream)
    side.wait(stream.record())
    scene.add(array, 1, side)
    stream.wait(side.record())
frozen = step.freeze()

def events():
    for _ in range(2):
        try:
            device.synchronize()
        except lp.AsynchronousError:  # of events behind the refused command, which another stream waits for
            pass
    gc.collect()
    return control.live()["events"]

def refused(call):
    control.fail({call!r}, {nth}, -5)
    try:
        call()
    except lp.DriverError:
        pass
    control.fail({call!r}, 0, 0)

for call in (lambda: executable.launch(stream), frozen.launch):
    call()
    refused(call)
    before = events()
    for _ in range(20):
        refused(call)
    assert events() <= before + 2, (before, events())
    call()
"""


@pytest.mark.parametrize(
    ("call", "nth"), [("clEnqueueNDRangeKernel", 1), ("clEnqueueNDRangeKernel", 2), ("clEnqueueMarkerWithWaitList", 1),
                      ("clFlush", 1), ("clFlush", 2)]
)  # fmt: skip
def test_refused_launches_leave_no_events(device_id, call, nth):
    process = subprocess.run([sys.executable, "-c", SCRIPT.format(device=device_id, call=call, nth=nth)], cwd=ROOT, text=True,
                             timeout=120, env=environment(), capture_output=True, check=False)  # fmt: skip
    assert process.returncode == 0, process.stderr[-4000:]

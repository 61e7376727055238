"""Programs whose kernels wait at their entry: compiled, kept, saved and loaded, on simulated devices and the stand-in."""

import pytest

import launchpath as lp
from launchpath import _core
from tests.python import python
from tests.simulated import Machine
from tests.standin.build import environment
from tests.unit.support.rtc import needs_nvrtc

SOURCE = "__global__ void mix(unsigned int *dst, const unsigned int *src, unsigned int n, unsigned int tag) {}"

START = """
import sys
import numpy as np
import launchpath as lp
from tests.standin.control import Control
import os
device, control = lp.devices()[0], Control(os.environ["LAUNCHPATH_CUDA_LIBRARY"])
SOURCE = '''
extern "C" __global__ void nothing(const float *__restrict__ a, float *b) { b[threadIdx.x] += a[0]; }
'''
def launched(kernel):
    stream = lp.Stream(device=device, blocking=False)
    control.calls()
    for _ in range(3):
        kernel[1, 1, stream](None, None)
    stream.synchronize()
    names = [call.name for call in control.calls() if call.name.startswith("cuLaunchKernel")]
    assert control.reports() == []
    return names.count("cuLaunchKernelEx")
"""

COMPILED = """
program = lp.compile(SOURCE, device)
assert program.nothing.waits_at_entry and launched(program.nothing) == 2
other = lp.compile(SOURCE, device, dependent=False)
assert not other.nothing.waits_at_entry and launched(other.nothing) == 0
for program, without in ((lp.compile(SOURCE, device), False), (lp.compile(SOURCE, device, dependent=False), True)):
    assert program.nothing.waits_at_entry != without, "the cache has both"
program = lp.compile(SOURCE, device)
program.save(sys.argv[1])
again = lp.load(sys.argv[1], device)
assert again.nothing.waits_at_entry and launched(again.nothing) == 2
without = lp.load(sys.argv[1], device, dependent=False)
assert not without.nothing.waits_at_entry and launched(without.nothing) == 0
binary = lp.load(program.binary(), device)
assert not binary["nothing"].waits_at_entry, "what a binary does is not known"
print("done")
"""

OFF = """
program = lp.compile(SOURCE, device)
assert not program.nothing.waits_at_entry and launched(program.nothing) == 0
saved = lp.load(sys.argv[1], device)
assert not saved.nothing.waits_at_entry and launched(saved.nothing) == 0
print("done")
"""


@needs_nvrtc
@pytest.mark.processes
def test_compiled_kept_saved_loaded(tmp_path):
    around = environment("cuda")
    around |= {"STANDIN_VERSION": "13090", "LAUNCHPATH_CACHE_DIR": str(tmp_path / "cache"), "LAUNCHPATH_CACHE": "1"}
    for _ in range(2):  # the second time from the cache
        assert python("-c", START + COMPILED, tmp_path / "saved.lp", env=around).stdout == "done\n"
    around["LAUNCHPATH_DEPENDENT"] = "0"
    assert python("-c", START + OFF, tmp_path / "saved.lp", env=around).stdout == "done\n"


def launches(machine, program):
    """How many of four launches are dependent."""
    (stream,) = machine.streams(("nonblocking",))
    array = lp.zeros(4, "uint32", machine.device, stream=stream)
    before = len(machine.machine.dependent_launches)
    for tag in range(4):
        program.mix[1, 1, stream](array, None, 4, tag)
    expected = 0
    for tag in range(4):
        expected = _core.simulated_mix(expected, 0, tag)
    assert array.to_numpy(stream).tolist() == [expected] * 4
    return len(machine.machine.dependent_launches) - before


@pytest.mark.compiles
@pytest.mark.parametrize("dependent", ["none", "waiting"])
def test_programs_of_simulated_devices(dependent):
    with Machine(dependent=dependent) as machine:
        assert machine.device.dependent_launches == (dependent == "waiting")
        assert launches(machine, lp.compile(SOURCE, machine.device)) == (3 if dependent == "waiting" else 0)
        assert launches(machine, lp.compile(SOURCE, machine.device, dependent=False)) == 0


def test_the_parameter_is_checked():
    with pytest.raises(TypeError, match="dependent: expected True or False, got 'no'"):
        lp.compile(SOURCE, dependent="no")

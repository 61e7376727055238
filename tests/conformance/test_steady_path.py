"""What a launch that was made before asks of the driver, counted by the driver's own log on every registered device."""

import re
from collections import Counter

import pytest

from tests.python import python

CODE = r"""
import sys
import numpy as np
import launchpath as lp

SOURCE = '''
struct Params { int value; int *out; };
__global__ void fields(const Params *p) { *p->out = p->value; }
struct Large { int values[@]; };
__global__ void large(Large large, int *out) { *out = large.values[@ - 1]; }
__global__ void returns(int value, int *out) { *out = value; }
__global__ void host(const int *x, int *y) { *y = *x; }
'''

platform, kind = sys.argv[1:]
device = next(d for d in lp.devices() if (d.info["platform"], d.info["kind"]) == (platform, kind))
size = device.info["parameter_bytes"] // 4 + 2
program = lp.compile(SOURCE.replace("@", str(size)), device)
stream, out = lp.Stream(blocking=False, device=device), lp.zeros(1, "int32", device)
device.synchronize()
large = [np.full(size, value, "int32").tobytes() for value in range(20)]
x, y = lp.In(np.zeros(1, "int32")), lp.Out(np.zeros(1, "int32"))
fields, spilled = program.fields.by_fields[1, 1, stream], program.large[1, 1, stream]
returns, host = program.returns.returning("out")[1, 1, stream], program.host[1, 1, stream]


def counted(name, launch, values, after=lambda: None):
    for warm in range(20), values:  # more at once than are counted
        for value in warm:
            launch(value)
        stream.synchronize()
        after()
    print("begin", name, file=sys.stderr, flush=True)
    for value in values:
        launch(value)
    print("end", file=sys.stderr, flush=True)
    stream.synchronize()
    after()


counted("fields, the same", lambda value: fields(value, out), [7] * 8)
counted("fields, others", lambda value: fields(value, out), range(10, 18))
counted("large, the same", lambda value: spilled(large[value], out), [7] * 8)
counted("large, others", lambda value: spilled(large[value], out), range(10, 18))
held = []
counted("result", lambda value: held.append(returns(value)), range(8), held.clear)
counted("host arrays", lambda value: host(x, y), range(8), y.get)
assert out.to_numpy()[0] == 17
"""


@pytest.fixture(scope="module")
def calls(device):
    """By what was launched eight times: how often the driver's calls were made, flushes and what only asks left out."""
    others = {"cuda", "hip", "opencl"} - {device.info["driver"]}
    hidden = {f"LAUNCHPATH_{name.upper()}_LIBRARY": "none" for name in others}  # one driver is logged
    process = python("-c", CODE, device.info["platform"], device.info["kind"], env=hidden | {"LAUNCHPATH_LOG": "1"})
    counts = {}
    for name, lines in re.findall(r"^begin (.*?)\n(.*?)^end$", process.stderr, re.DOTALL | re.MULTILINE):
        counts[name] = Counter(re.findall(r"^launchpath: \w+\.(\w+)\(", lines, re.MULTILINE))
        for free_of_charge in ("queue_flush", "queue_capturing", "event_captured", "event_release"):
            counts[name].pop(free_of_charge, None)
    return counts


@pytest.mark.parametrize("name", ["fields", "large"])
def test_the_same_arguments_ask_for_the_launch_alone(calls, name):
    assert calls[f"{name}, the same"] == {"launch": 8}


@pytest.mark.parametrize("name", ["fields", "large"])
def test_other_arguments_are_an_upload_each(calls, name):
    counts = Counter(calls[f"{name}, others"])
    assert (counts.pop("launch"), counts.pop("copy")) == (8, 8)
    assert sum(counts.values()) <= 3, counts  # a marker that tells how far the uploads are
    assert set(counts) <= {"marker", "event_query", "event_wait"}
    assert counts["event_wait"] <= counts["event_query"], "only for what is known to be complete"


@pytest.mark.parametrize("name", ["result", "host arrays"])
def test_a_result_and_host_arrays_are_a_single_copy(calls, name):
    counts = Counter(calls[name])
    assert (counts.pop("launch"), counts.pop("copy")) == (8, 8)
    assert set(counts) <= {"marker", "event_query", "event_wait"}  # a record is a marker, once more comes in
    assert counts["event_wait"] <= counts["event_query"], "only for what is known to be complete"

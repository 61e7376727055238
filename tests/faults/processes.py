"""Processes that tests start: Python code with a device, some streams and an array, and how it must end."""

import os
import subprocess
import sys
import textwrap

import pytest

from tests.patience import PATIENCE

CACHE = ("LAUNCHPATH_CACHE_DIR", "LAUNCHPATH_CACHE_LIMIT")  # of this run of the tests; the user's own is never used

HEAD = """
import os, sys, threading, time
import launchpath as lp
SOURCE = '''
__global__ void follow(int* at, int before) { if (*at == before) *at = before + 1; }
__global__ void spin(int* out, int rounds) {
    unsigned x = 1;
    for (int i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
    *out = (int)(x | 1u);
}
'''
device = lp.current_device()
stream, side, blocking = lp.Stream(blocking=False), lp.Stream(blocking=False), lp.Stream()
array = lp.zeros(1 << 16, "int32")
device.synchronize()
"""


def start(code, device=None, head=HEAD, **environment):
    """Run Python code in a process of its own; on a device by its index if one is given."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("LAUNCHPATH_") or key in CACHE}
    variables |= {"PYTHONFAULTHANDLER": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if device is not None:
        variables["LAUNCHPATH_DEVICE"] = str(device)
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(code)], text=True,
                            env=variables | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def end(process, code=0):
    """What it printed; it must end, with this exit code, and say nothing on stderr unless it failed on purpose."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        pytest.fail(f"the process hung\n{out}\n{err}")
    assert process.returncode == code, f"exit code {process.returncode}\n{out}\n{err}"
    if code == 0:
        assert err == "", err
    return out if code == 0 else err


def run(code, device=None, **environment):
    return end(start(code, device, **environment))


def bare(code, **environment):
    """The same without touching a device first."""
    return end(start(code, head="import launchpath as lp\n", **environment))


COMPILED = """
program = lp.compile(SOURCE)
"""

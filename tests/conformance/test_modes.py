"""Steps, frozen steps and captures compute the same, to the last bit, in each mode that looks at commands one by one."""

import json
import os
import subprocess
import sys

import pytest

import launchpath as lp
from tests.patience import PATIENCE

MODES = {
    "steps off": {"LAUNCHPATH_STEPS": "0"},
    "launch blocking": {"LAUNCHPATH_LAUNCH_BLOCKING": "1"},
    "bounds": {"LAUNCHPATH_DEBUG": "bounds"},
    "serialized trace": {"LAUNCHPATH_TRACE_OPTIONS": '{"mode": "serialized"}'},
    "log": {"LAUNCHPATH_LOG": "1"},
}


def outcomes(device, **environment):
    """Run the programs in a process of their own; what each computed."""
    variables = {
        key: value for key, value in os.environ.items() if key not in ("LAUNCHPATH_DEVICE", "LAUNCHPATH_STEPS")
    }
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, "-m", "tests.conformance.mode_programs", str(lp.devices().index(device))],
                          env=variables | environment, text=True, capture_output=True, timeout=PATIENCE,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def expected(device):
    return outcomes(device)


@pytest.mark.parametrize("mode", MODES)
def test_the_same_programs_compute_the_same(device, expected, mode, tmp_path):
    environment = dict(MODES[mode])
    if mode == "serialized trace":
        environment["LAUNCHPATH_TRACE"] = str(tmp_path / "trace.lptrace")
    got = outcomes(device, **environment)
    assert [name for name in expected if got[name] != expected[name]] == []

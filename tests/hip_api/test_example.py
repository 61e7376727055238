"""The example of HIP's API: 10,000 launches beside idle streams."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "hip_streams.py"


@pytest.mark.parametrize("streams", [0, 64])
def test_idle_streams_do_no_harm(device, device_id, streams):
    variables = dict(os.environ) | {"LAUNCHPATH_DEVICE": device_id}
    command = [sys.executable, "-m", "launchpath.hip", str(EXAMPLE), "--streams", str(streams)]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "running with N=100 and num_arrays=100" in done.stdout
    took = re.search(rf"{streams} streams: 10000 launches, ([\d.]+) us each", done.stdout)
    assert took is not None, done.stdout
    assert float(took[1]) < 500  # with a marker in each stream it was 1,320 on a faster device
